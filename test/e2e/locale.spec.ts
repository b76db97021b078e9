import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('in German numbers and dates are shown and typed as Germans do, and nothing that has two readings is guessed', {
  tag: ['@everyone', '@grid'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

  await test.step('the choice is seen before it is in use', async () => {
    await hands.command('numbers and dates');
    const dialog = page.getByRole('dialog', { name: 'Numbers and dates' });
    await dialog.getByLabel('Write numbers and dates as in').selectOption({ label: 'German (Germany)' });
    await expect(dialog).toContainText('123.456,78');
    await expect(dialog).toContainText('04.05.2030');
    await dialog.getByRole('button', { name: 'Use this' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('a campaign is typed with commas', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Campaign name').fill('Kessel');
    await page.getByLabel('Total budget, USD').fill('1.500');
    await page.getByLabel('Daily budget, USD').fill('25,50');
    await page.getByLabel('Start', { exact: true }).fill('4.5.2030');
    await page.getByLabel('Start', { exact: true }).blur();
    await expect(page.getByLabel('Start', { exact: true })).toHaveValue('04.05.2030');
    await page.getByLabel('Item ids, one per line').fill('3952872549 2,40');
    await page.getByLabel('Keywords, one per line').fill('kessel\texact\t1,75\nweißer kessel\texact\t3,00');
    const create = page.getByRole('button', { name: 'Create campaign' });
    await create.click();
    await expect(page.getByText('"1.500" could be 1500 or 1,500. Type the one you mean.')).toBeVisible();
    await page.getByLabel('Total budget, USD').fill('1.500,00');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /Kessel/ })).toBeVisible();
    await expect(await desk.cell('3952872549', 'Bid')).toHaveText('2,40');
    await desk.openList('Campaigns');
    await expect(await desk.cell('Kessel', 'Total budget')).toHaveText('1.500,00');
    await expect(await desk.cell('Kessel', 'Start')).toHaveText('04.05.2030');
    const start = desk.inspector.getByLabel('Start', { exact: true });
    await expect(start).toHaveValue('04.05.2030');
    await start.fill('6.5.2030');
    await start.press('Enter');
    await expect(await desk.cell('Kessel', 'Start')).toHaveText('06.05.2030');
  });

  await test.step('cells take amounts and sums, and refuse what has two readings', async () => {
    await desk.openList('Keywords');
    const bid = await desk.cell('weißer', 'Bid');
    await bid.dblclick();
    const editor = page.getByRole('textbox', { name: 'New value for Bid' });
    await expect(editor).toHaveValue('3,00');
    await editor.fill('1.234');
    await editor.press('Enter');
    await expect(page.getByText('"1.234" could be 1234 or 1,234. Type the one you mean.')).toBeVisible();
    await editor.fill('+0,5*2');
    await expect(page.getByRole('status').filter({ hasText: '4,00' })).toBeVisible();
    await editor.press('Enter');
    await expect(bid).toHaveText('4,00');
    await bid.click();
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('4,00');
  });

  await test.step('a filter takes the comma and is kept with a point; a comma that may part a list is refused', async () => {
    const filter = page.getByLabel('Filter rows');
    await filter.fill('bid<2,5');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
    await expect(filter).toHaveValue('bid<2.5');
    await filter.fill('bid:1,75');
    await expect(page.getByText(/could be one amount or a list. Type bid:1\.75 for the amount/)).toBeVisible();
    await filter.fill('');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
  });

  await test.step('many bids are reckoned with, seen before and after', async () => {
    await desk.grid.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Alt+Shift+C');
    const many = page.getByRole('dialog', { name: 'Change many rows: Keywords' });
    await many.getByLabel('Sum', { exact: true }).fill('*1,1');
    await expect(many.getByRole('row').filter({ hasText: '1,92' })).toBeVisible();
    await many.getByLabel('Sum', { exact: true }).fill('*1.100');
    await expect(many.getByText('"1.100" could be 1100 or 1,100.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('it stays so when the window is loaded anew', async () => {
    await page.reload();
    await desk.ready();
    await desk.openList('Campaigns');
    await expect(await desk.cell('Kessel', 'Daily budget')).toHaveText('25,50');
  });
});
