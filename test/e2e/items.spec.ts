import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test('new items are looked up by a command, and what the service says of them is told', { tag: '@editing' }, async ({
  page,
}) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await desk.ready();
  await hands.command('look up new items');
  await expect(page.getByText('Every item has been looked up already.')).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Alt+Shift+A');
  await page.getByLabel('Campaign name').fill('Towels');
  await page.getByLabel('Item ids, one per line').fill('5012345678\n4999999999');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Towels/ })).toBeVisible();
  await hands.command('look up new items');
  await expect(page.getByText(/^2 items cannot be added: .* The findings say why\.$/)).toBeVisible({ timeout: 30_000 });
  await expect(desk.drawer.getByRole('list', { name: 'Findings' })).toContainText('4999999999');

  // From the list of all items, rows go to the campaign that is chosen for them.
  await desk.openList('Ad items');
  await page.keyboard.press('Alt+n');
  const add = page.getByRole('dialog', { name: 'Add ad items' });
  await add.getByRole('radio', { name: 'Towels' }).check();
  await add.getByLabel('Item ids, one per line').fill('5012345679');
  await add.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(await desk.cell('5012345679', 'Campaign')).toHaveText('Towels');
});
