import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('a form is kept as a template, begun with again, and filled from a campaign that is there', {
  tag: '@editing',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  const dialog = page.getByRole('dialog', { name: 'New campaign' });
  const create = dialog.getByRole('button', { name: 'Create campaign' });

  await test.step('a form is kept under a name, and its tokens are filled in', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await dialog.getByLabel('Campaign name').fill('[month] pots');
    await dialog.getByLabel('Daily budget, USD').fill('25');
    await dialog.getByLabel('Keywords, one per line').fill('pot\tphrase\t1.20\npan');
    await dialog.getByRole('button', { name: 'Save as template…' }).click();
    await dialog.getByLabel('Name of the template').fill('Pots');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Template Pots saved.')).toBeVisible();
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /\d{4}-\d{2} pots/ })).toBeVisible();
  });

  await test.step('a new campaign begins with it, whatever type was asked for', async () => {
    await page.keyboard.press('Alt+Shift+V');
    await dialog.getByLabel('Begin with').selectOption('Starter: brand banner (SBA)');
    await expect(dialog.getByLabel('Campaign name')).toHaveValue('Brand [month]');
    await expect(dialog.getByRole('radio', { name: /SBA|brand/i })).toBeChecked();
    await dialog.getByLabel('Begin with').selectOption('Pots');
    await expect(dialog.getByLabel('Campaign name')).toHaveValue('[month] pots');
    await expect(dialog.getByRole('radio', { name: /manual/ })).toBeChecked();
    await expect(dialog.getByLabel('Daily budget, USD')).toHaveValue('25');
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByLabel('Campaign name').fill('More pots');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /More pots/ })).toBeVisible();
  });

  await test.step('the form is filled from a campaign, with the bids of its keywords', async () => {
    await desk.openList('Campaigns');
    await (await desk.cell('More pots', 'Name')).click();
    await page.keyboard.press('Alt+Shift+K');
    await expect(dialog.getByLabel('Keywords, one per line')).toHaveValue('pot\tphrase\t1.20\npan\tbroad\t1.50');
    await dialog.getByLabel('Campaign name').fill('Even more pots');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /Even more pots/ })).toBeVisible();
    await desk.openKeywords();
    await expect(await desk.cell('pot', 'Bid')).toHaveText('1.20');
  });

  await test.step('a template is removed', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await dialog.getByLabel('Begin with').selectOption('Pots');
    await dialog.getByRole('button', { name: 'Remove template Pots' }).click();
    await expect(page.getByText('Template Pots removed.')).toBeVisible();
    await expect(dialog.getByLabel('Begin with')).not.toContainText('Pots');
    await expect(dialog.getByLabel('Campaign name')).toHaveValue('');
  });
});
