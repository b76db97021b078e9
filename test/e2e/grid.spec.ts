import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('cells are copied and pasted as a spreadsheet does, and a value that does not fit is said so', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pots');
  await page.getByLabel('Keywords, one per line').fill('pot\npan\nlid\nsieve');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
  await desk.navigation
    .getByRole('button', { name: /^Keywords/ })
    .last()
    .click();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '5');

  await (await desk.cell('pot', 'Bid')).dblclick();
  const editor = page.getByRole('textbox', { name: 'New value for Bid' });
  await editor.fill('a lot');
  await expect(desk.grid.getByRole('alert')).toContainText('is not a number');
  await editor.fill('2.10');
  await editor.press('Enter');
  await expect(await desk.cell('pot', 'Bid')).toHaveText('$2.10');

  await (await desk.cell('pot', 'Bid')).click();
  await page.keyboard.press('Control+c');
  await (await desk.cell('pan', 'Bid')).click();
  await (await desk.cell('sieve', 'Bid')).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+v');
  for (const keyword of ['pan', 'lid', 'sieve']) await expect(await desk.cell(keyword, 'Bid')).toHaveText('$2.10');

  await page.keyboard.press('Control+z');
  await expect(await desk.cell('lid', 'Bid')).toHaveText('$1.50');
});

test('the window breaks no rule of its content policy', { tag: '@grid' }, async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const desk = deskPage(page);
  await desk.openList('Keywords');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Switch account/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(complaints).toEqual([]);
});
