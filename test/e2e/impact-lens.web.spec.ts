import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('one key colors each cell by what an edit costs now, and a hint has the words of the service', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  await desk.navigation.getByRole('button', { name: 'SBA profiles' }).click();
  await expect(desk.grid).toBeVisible();
  await page.keyboard.press('F4');
  const legend = page.getByRole('list', { name: 'Impact of edits' });
  await expect(legend.getByText('Pause first, then review')).toBeVisible();
  // A banner of a live campaign, and one of a draft.
  const words = 'The service responds: You cannot update the enabled one';
  await expect(desk.grid.getByTitle(words).first()).toBeVisible();
  await expect(desk.grid.getByTitle('Sent when the row is created').first()).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await desk.openList('Keywords');
  await expect(desk.grid.getByTitle('Takes effect immediately').first()).toBeVisible();
  await page.keyboard.press('F4');
  await expect(legend).toHaveCount(0);
});
