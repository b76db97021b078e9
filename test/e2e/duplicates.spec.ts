import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('what is there twice is found, one row is kept and the others are paused or deleted as one step', {
  tag: '@editing',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  for (const [name, keywords] of [
    ['Pots', 'Red-Pot\nred pot\nlid'],
    ['Pans', 'red pot\nwok'],
  ] as const) {
    await desk.newManual(name, keywords);
  }
  await page.keyboard.press('Alt+Shift+U');
  const dialog = page.getByRole('dialog', { name: 'Find duplicates' });
  await dialog.getByText('Keywords', { exact: true }).click();
  await expect(dialog.getByText('1 group with 2 rows')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Red-Pot/ })).toContainText('3 / 200');
  await dialog.getByText('Across all campaigns').click();
  await expect(dialog.getByText('1 group with 3 rows')).toBeVisible();
  await dialog.getByLabel('Keep red pot in Pans').check();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Pause 2 others' }).click();
  await expect(page.getByText('2 duplicates paused.')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Red-Pot/ })).toContainText('Paused');
  await dialog.getByRole('button', { name: 'Delete 2 others' }).click();
  await expect(dialog.getByText('Nothing is there twice.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Alt+Shift+U');
  await dialog.getByText('Keywords', { exact: true }).click();
  await dialog.getByText('Across all campaigns').click();
  await dialog.getByRole('button', { name: 'Show in the grid' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
});
