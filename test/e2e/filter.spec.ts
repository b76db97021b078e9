import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('rows are narrowed by chips that count and by a form that writes the filter', { tag: '@grid' }, async ({
  page,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'pot\texact\t1.00\nlid\tbroad\t2.00\nsieve\tbroad\t3.00');
  await desk.openKeywords();
  const chips = page.getByRole('group', { name: 'Show only' });
  await expect(chips.getByRole('button', { name: 'Changed 3' })).toBeVisible();
  await expect(chips.getByRole('button', { name: /Open comments/ })).toBeHidden();

  await test.step('a comment gives its chip', async () => {
    await (await desk.cell('lid', 'Keyword')).click();
    await desk.inspector.getByPlaceholder('New comment').fill('Too dear?');
    await desk.inspector.getByRole('button', { name: 'Comment', exact: true }).click();
    await chips.getByRole('button', { name: 'Open comments 1' }).click();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
    await chips.getByRole('button', { name: 'All' }).click();
  });

  await test.step('the form and the text are the same filter', async () => {
    await page.keyboard.press('Control+Shift+F');
    const form = page.getByRole('dialog', { name: 'Build a filter' });
    await form.getByLabel('Field').selectOption('Bid');
    await form.getByLabel('Condition', { exact: true }).selectOption('more than');
    await form.getByLabel('Value').fill('1.50');
    await form.getByRole('button', { name: 'Add a condition' }).click();
    await form.getByLabel('Field').last().selectOption('Match type');
    await form.getByLabel('Value').last().selectOption('Broad');
    await expect(page.getByLabel('Filter rows')).toHaveValue('bid>1.50 matchType=broad');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Filter rows').fill('bid<2');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
    await page.keyboard.press('Control+Shift+F');
    await expect(form.getByLabel('Condition', { exact: true })).toHaveValue('<');
    await form.getByRole('button', { name: 'Clear' }).click();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
  });
});
