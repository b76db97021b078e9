import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('a pasted table adds and changes rows after each of them was seen', { tag: '@grid' }, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'red pot\texact\t1.00');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.type('paste a table');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
  const table = 'Keyword\tMatch type\tBid\nred pot\texact\t1.40\nblue lid\tphrase\t0.90\ngreen bowl\tnonsense\t1.00';
  await dialog.getByRole('textbox').evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, table);
  await expect(dialog.getByText('1 to add')).toBeVisible();
  await expect(dialog.getByText('1 to change')).toBeVisible();
  await expect(dialog.getByText('1 with problems')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'The first row is a header' })).toBeChecked();
  await expect(dialog.getByRole('row', { name: /green bowl/ })).toContainText('nonsense');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Apply 2 rows' }).click();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
  await expect(await desk.cell('red pot', 'Bid')).toHaveText('1.40');
  await page.keyboard.press('Control+z');
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
});
