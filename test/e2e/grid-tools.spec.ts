import type { Page } from '@playwright/test';
import { faults } from './axe.ts';
import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

/** A manual campaign with these keywords, its keywords in the grid. */
async function openKeywords(page: Page, keywords: readonly string[]): Promise<DeskPage> {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', keywords.join('\n'));
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', String(keywords.length + 1));
  return desk;
}

const titles = (desk: DeskPage): Promise<readonly string[]> =>
  desk.grid.getByRole('columnheader').locator('.grid-title-text').allTextContents();
const firstTitles = async (desk: DeskPage): Promise<readonly string[]> => (await titles(desk)).slice(0, 3);

test('sums typed into a money cell work on the value that is there, in one cell and in a selection', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = await openKeywords(page, ['pot', 'pan', 'lid']);
  await (await desk.cell('pot', 'Bid')).dblclick();
  const editor = page.getByRole('textbox', { name: 'New value for Bid' });
  await editor.fill('+10%');
  await expect(desk.grid.getByText('= 1.65')).toBeVisible();
  await editor.press('Enter');
  await expect(await desk.cell('pot', 'Bid')).toHaveText('1.65');
  const totals = page.getByRole('region', { name: 'Totals of all rows' });
  await expect(totals).toContainText('Average of bid in 3 rows: 1.55');
  await page.getByLabel('Filter rows').fill('bid>1.60');
  await expect(totals).toContainText('Average of bid in 1 row: 1.65');
  await page.getByLabel('Filter rows').fill('');
  await (await desk.cell('pot', 'Bid')).click();
  await (await desk.cell('lid', 'Bid')).click({ modifiers: ['Shift'] });
  await expect(page.getByText('Sum 4.65 · Average 1.55')).toBeVisible();
  await page.keyboard.type('*2');
  await page.keyboard.press('Control+Enter');
  await expect(await desk.cell('pot', 'Bid')).toHaveText('3.30');
  await expect(await desk.cell('lid', 'Bid')).toHaveText('3.00');
  await page.keyboard.press('Control+z');
  await expect(await desk.cell('lid', 'Bid')).toHaveText('1.50');
});

test('pasted values are added to the selected amounts after a look at old and new', {
  tag: ['@grid', '@editing'],
}, async ({ page }) => {
  const desk = await openKeywords(page, ['pot', 'pan']);
  await (await desk.cell('pot', 'Bid')).click();
  await (await desk.cell('pan', 'Bid')).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+Alt+v');
  const dialog = page.getByRole('dialog', { name: 'Paste values as' });
  await dialog.getByLabel('Values', { exact: true }).fill('10\n20');
  await dialog.getByText('Add percent').click();
  await expect(dialog.getByRole('row', { name: /pan/ })).toContainText('1.80');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Change 2 cells' }).click();
  await expect(dialog).toBeHidden();
  await expect(await desk.cell('pot', 'Bid')).toHaveText('1.65');
  await page.keyboard.press('Control+z');
  await expect(await desk.cell('pan', 'Bid')).toHaveText('1.50');
});

test('the fill handle repeats the selection as far as it is dragged', { tag: '@grid' }, async ({ page }) => {
  const desk = await openKeywords(page, ['pot', 'pan', 'lid', 'sieve', 'bowl', 'tray']);
  for (const [keyword, bid] of [
    ['pot', '2.00'],
    ['pan', '3.00'],
  ] as const) {
    await (await desk.cell(keyword, 'Bid')).dblclick();
    await page.getByRole('textbox', { name: 'New value for Bid' }).fill(bid);
    await page.keyboard.press('Enter');
  }
  await (await desk.cell('pot', 'Bid')).click();
  await (await desk.cell('pan', 'Bid')).click({ modifiers: ['Shift'] });
  await desk.grid.getByTitle('Drag to fill').hover();
  await page.mouse.down();
  await (await desk.cell('bowl', 'Bid')).hover();
  await page.mouse.up();
  await expect(await desk.cell('lid', 'Bid')).toHaveText('2.00');
  await expect(await desk.cell('sieve', 'Bid')).toHaveText('3.00');
  await expect(await desk.cell('bowl', 'Bid')).toHaveText('2.00');
  await expect(await desk.cell('tray', 'Bid')).toHaveText('1.50');
  await expect(page.getByRole('button', { name: 'Undo: Fill down 3 cells' })).toBeVisible();
});

test('cells have a menu by mouse and by key; what it does can be undone', { tag: '@grid' }, async ({ page }) => {
  const desk = await openKeywords(page, ['pot', 'pan', 'lid']);
  await (await desk.cell('pan', 'Bid')).click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Copy Ctrl+C' })).toBeVisible();
  expect(await faults(page, '[role="menu"]')).toEqual([]);
  await menu.getByRole('menuitem', { name: 'Clear cells' }).click();
  await expect(await desk.cell('pan', 'Bid')).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(await desk.cell('pan', 'Bid')).toHaveText('1.50');
  await desk.grid.focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(desk.grid).toBeFocused();
  await (await desk.cell('pan', 'Keyword')).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Show only rows with this value' }).click();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '2');
});

test('columns are moved by drag and by key, frozen and hidden, and stay so after a reload', { tag: '@grid' }, async ({
  page,
}) => {
  const desk = await openKeywords(page, ['pot', 'pan']);
  const title = (name: string) => desk.grid.getByRole('columnheader', { name, exact: true });
  await expect.poll(() => firstTitles(desk)).toEqual(['Keyword', 'Match type', 'Bid']);
  await title('Bid').hover();
  await page.mouse.down();
  await title('Match type').hover();
  await title('Keyword').hover();
  await page.mouse.up();
  await expect.poll(() => firstTitles(desk)).toEqual(['Bid', 'Keyword', 'Match type']);
  await (await desk.cell('pot', 'Bid')).click();
  await page.keyboard.press('Alt+PageDown');
  await expect.poll(() => firstTitles(desk)).toEqual(['Keyword', 'Bid', 'Match type']);
  await title('Bid').click({ button: 'right' });
  expect(await faults(page, '[role="menu"]')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Freeze up to this column' }).click();
  await title('Match type').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hide this column' }).click();
  await expect(title('Match type')).toHaveCount(0);
  await page.reload();
  await desk.openList('Keywords');
  await expect(title('Keyword')).toBeVisible();
  const shown = await titles(desk);
  expect(shown.indexOf('Keyword')).toBeLessThan(shown.indexOf('Bid'));
  expect(shown).not.toContain('Match type');
  await desk.grid.focus();
  await page.keyboard.press('Control+End');
  await expect(desk.grid).not.toHaveJSProperty('scrollLeft', 0);
  await page.keyboard.press('Control+Home');
  await expect(desk.grid).toHaveJSProperty('scrollLeft', 0);
});

test('rows are sorted by several columns at once', { tag: '@grid' }, async ({ page }) => {
  const desk = await openKeywords(page, ['pot\texact\t2.00', 'pan\tbroad\t2.00', 'lid\texact\t1.00']);
  const title = (name: string) => desk.grid.getByRole('columnheader', { name, exact: true });
  const first = (n: number) => desk.grid.getByRole('row').nth(n).locator('[aria-colindex="2"]');
  await title('Bid').click();
  await title('Bid').click();
  await title('Keyword').click({ modifiers: ['Shift'] });
  await expect(title('Bid')).toHaveAttribute('aria-sort', 'descending');
  await expect(title('Keyword')).toHaveAttribute('aria-sort', 'ascending');
  await expect(first(1)).toHaveText('pan');
  await expect(first(2)).toHaveText('pot');
  await expect(first(3)).toHaveText('lid');
});
