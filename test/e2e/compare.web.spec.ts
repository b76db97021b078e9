import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

test('the account is compared with the service, a value is copied over, and two campaigns stand side by side', {
  tag: '@findings',
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  await page.keyboard.press('Alt+w');
  const list = page.getByRole('list', { name: 'Differences' });
  const bid = list.getByRole('checkbox', { name: /^Select Bid, keyword/ });
  await expect(bid).toHaveCount(3);
  expect(await faults(page)).toEqual([]);
  await bid.first().check();
  await page.getByRole('button', { name: 'Use 1 selected value' }).click();
  await expect(bid).toHaveCount(2);
  const left = page.getByRole('region', { name: 'Left side' });
  const right = page.getByRole('region', { name: 'Right side' });
  await right.getByRole('combobox', { name: 'Right side' }).click();
  await page.getByRole('option', { name: 'As it is now' }).click();
  await left.getByRole('combobox', { name: 'Campaign' }).click();
  await page.getByRole('option', { name: 'Garden hose video' }).click();
  await right.getByRole('combobox', { name: 'Campaign' }).click();
  await page.getByRole('option', { name: 'Kitchen roll video' }).click();
  await expect(list.getByText('Garden hose video', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: /^Only right/ }).click();
  await expect(list.getByText('only right').first()).toBeVisible();
  await expect(desk.navigation).toBeVisible();
});
