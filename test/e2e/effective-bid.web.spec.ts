import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('the details of a keyword show its bid by placement and platform, and sliders write multipliers as drafts', {
  tag: '@editing',
}, async ({ page }) => {
  const desk = deskPage(page);
  const sync = page.getByRole('button', { name: /^Sync \d+ changes?$/ });
  await expect(sync).toBeVisible();
  await desk.openList('Keywords');
  await (await desk.cell('insulated water bottle', 'Bid')).click();
  await page.keyboard.press('Alt+i');
  const bids = page.getByRole('region', { name: 'Effective bid' });
  await expect(bids.getByRole('row').nth(1)).toContainText('$');
  const slider = bids.getByRole('slider', { name: 'Multiplier for App' });
  await slider.focus();
  for (let i = 0; i < 7; i += 1) await page.keyboard.press('ArrowRight');
  await expect(bids.locator('ins').first()).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await expect(bids.getByText(/cuts to whole cents/)).toBeVisible();
  await bids.getByRole('button', { name: 'Save 1 multiplier as draft' }).click();
  await expect(bids.locator('ins')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo: Try multipliers' })).toBeVisible();
});
