import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('many rows are changed after a look at old and new, and undone as one step', { tag: '@editing' }, async ({
  page,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'red pot\nred pan\nblue lid');
  await desk.openKeywords();
  await (await desk.cell('red pot', 'Bid')).click();

  await test.step('calculate over the whole view', async () => {
    await page.keyboard.press('Alt+Shift+C');
    const dialog = page.getByRole('dialog', { name: /Change many rows/ });
    await dialog.getByLabel('Sum').fill('+10');
    await dialog.getByLabel('Sum').fill('+10%');
    await expect(dialog.getByText('3 cells will change')).toBeVisible();
    await expect(dialog.getByRole('row', { name: /red pan/ })).toContainText('1.65');
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Change 3 cells' }).click();
    await expect(dialog).toBeHidden();
    await expect(await desk.cell('blue lid', 'Bid')).toHaveText('1.65');
    await page.keyboard.press('Control+z');
    await expect(await desk.cell('blue lid', 'Bid')).toHaveText('1.50');
  });

  await test.step('a sum that cannot be read is told beside it', async () => {
    await page.keyboard.press('Alt+Shift+C');
    const dialog = page.getByRole('dialog', { name: /Change many rows/ });
    await dialog.getByLabel('Sum').fill('ten');
    await expect(dialog.getByRole('alert')).toContainText('Type a number, or a sum');
    await expect(dialog.getByRole('button', { name: 'Change', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
  });

  await test.step('find and replace in the selection only', async () => {
    await (await desk.cell('red pot', 'Keyword')).click();
    await (await desk.cell('red pan', 'Keyword')).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+h');
    const dialog = page.getByRole('dialog', { name: /Change many rows/ });
    await dialog.getByLabel('Find', { exact: true }).fill('red');
    await dialog.getByLabel('Replace with').fill('green');
    await expect(dialog.getByText('2 cells will change')).toBeVisible();
    await dialog.getByRole('button', { name: 'Change 2 cells' }).click();
    await expect(await desk.cell('green pot', 'Keyword')).toBeVisible();
  });

  await test.step('a pattern with a token over the whole account, amounts rounded down', async () => {
    await page.keyboard.press('Control+h');
    const dialog = page.getByRole('dialog', { name: /Change many rows/ });
    await dialog.getByLabel('All rows of the account').check();
    await expect(dialog.getByLabel('All 3 rows of the account')).toBeChecked();
    await dialog.getByLabel('Pattern').check();
    await dialog.getByLabel('Find', { exact: true }).fill('^(blue) (.+)$');
    await dialog.getByLabel('Replace with').fill('$2 [campaign] $1');
    await expect(dialog.getByRole('row', { name: /blue lid/ })).toContainText('lid Pots blue');
    await dialog.getByLabel('Find', { exact: true }).fill('(');
    await expect(dialog.getByRole('alert')).toContainText('cannot be read');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Shift+C');
    await dialog.getByLabel('Sum').fill('1.59');
    await dialog.getByLabel('Round to a multiple of').fill('0.10');
    await dialog.getByLabel('Rounding').selectOption('Down (cut off)');
    await expect(dialog.getByRole('row', { name: /blue lid/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('set a choice', async () => {
    await page.keyboard.press('Alt+Shift+E');
    const dialog = page.getByRole('dialog', { name: /Change many rows/ });
    await dialog.getByLabel('All 3 rows of this view').check();
    await dialog.getByLabel('Field').selectOption('Match type');
    await dialog.getByLabel('New value').selectOption('Exact');
    await dialog.getByRole('button', { name: /^Change \d cells?$/ }).click();
    await expect(await desk.cell('blue lid', 'Match type')).toHaveText('Exact');
  });
});

test('rows are duplicated, and copied below another campaign', { tag: '@editing' }, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  for (const name of ['Pots', 'Pans']) {
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Campaign name').fill(name);
    if (name === 'Pans') await page.getByLabel('Keywords, one per line').fill('pan\nwok');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
  }
  await desk.openKeywords();
  await (await desk.cell('pan', 'Keyword')).click();
  await page.keyboard.press('Alt+d');
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
  await page.keyboard.press('Control+z');
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');

  await (await desk.cell('pan', 'Keyword')).click();
  await (await desk.cell('wok', 'Keyword')).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Alt+Shift+D');
  const dialog = page.getByRole('dialog', { name: 'Copy to' });
  await dialog.getByLabel('Find a campaign').fill('Pots');
  await dialog.getByLabel('Pots').check();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy 2 rows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
});

test('a campaign is copied into another account with all that hangs from it', { tag: '@editing' }, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  await hands.command('new practice account');
  const switcher = page.getByRole('button', { name: 'Switch account' });
  await expect(switcher).toContainText('Practice 2');
  await switcher.click();
  await page.getByRole('menuitem', { name: /^Practice(?! 2)/ }).click();
  await expect(switcher).not.toContainText('Practice 2');
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pans for all');
  await page.getByLabel('Item ids, one per line').fill('3952872549 2.40');
  await page.getByLabel('Keywords, one per line').fill('pan\nwok');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pans for all/ })).toBeVisible();
  await desk.openList('Campaigns');
  await (await desk.cell('Pans for all', 'Name')).click();
  await page.keyboard.press('Alt+Shift+D');
  const dialog = page.getByRole('dialog', { name: 'Copy to' });
  await expect(dialog.getByRole('combobox')).toContainText('Practice 2');
  await expect(dialog.getByRole('list', { name: 'What comes into the account' })).toContainText('2Keywords');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy to Practice 2' }).click();
  await expect(switcher).toContainText('Practice 2');
  await expect(await desk.cell('Pans for all', 'Name')).toBeVisible();
  await desk.openList('Keywords');
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
  await page.keyboard.press('Control+z');
  await expect(page.getByText('No keywords here yet')).toBeVisible();
});

test('a column of thousands is filled, calculated and cleared from the grid, each as one step', {
  tag: '@editing',
}, async ({ page, dataDir }) => {
  const desk = deskPage(page);
  await desk.ready();
  const sheet = join(dataDir, 'pots.csv');
  const keywords = Array.from({ length: 2200 }, (_, i) => `keyword,Pots,Group,,pot ${i},exact,1.50`);
  const head = ['Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid', 'campaign,Pots,,sponsoredProducts,,,'];
  writeFileSync(sheet, [...head, 'ad group,Pots,Group,,,,', ...keywords].join('\r\n'));
  await desk.drop([sheet]);
  await page.getByRole('button', { name: /^Apply/ }).click();
  await desk.openList('Keywords');
  await (await desk.cell('pot 0', 'Bid')).click();
  await page.keyboard.press('Control+Shift+ArrowDown');
  await page.keyboard.type('*2');
  await page.keyboard.press('Control+Enter');
  await expect(desk.activeCell()).toHaveText('3.00');
  await page.keyboard.press('Control+z');
  await expect(desk.activeCell()).toHaveText('1.50');
  await page.keyboard.press('Delete');
  await expect(desk.activeCell()).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(desk.activeCell()).toHaveText('1.50');
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.type('2.75');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await expect(desk.activeCell()).toHaveText('2.75');
});
