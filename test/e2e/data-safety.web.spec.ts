import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test.use({ sample: true });

test('data safety shows what is stored, and one button runs all checks', { tag: ['@accounts', '@long'] }, async ({
  page,
}) => {
  await expect(page.getByRole('main')).toBeVisible();
  await handsOn(page).command('data safety');
  await expect(page.getByText('The checks have not run yet.')).toBeVisible();
  await expect(page.getByText('Unsynced changes').locator('xpath=following-sibling::dd')).toHaveText(/^\d+$/);
  const size = page.getByText('By keyword', { exact: true }).locator('xpath=following-sibling::dd');
  await expect(size).toHaveText(/^[\d.]+ [KM]B, \d+ days from /);
  await page.getByRole('button', { name: 'Run all checks now' }).click();
  const checks = page.getByRole('list', { name: 'Checks' });
  await expect(checks.getByText('Passed')).toHaveCount(4);
  await expect(page.getByText(/read back and verified/)).toBeVisible();
});
