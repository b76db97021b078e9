import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('keywords are edited by text and match type, and multipliers with the bids they make', {
  tag: '@editing',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pots');
  await page
    .getByLabel('Keywords, one per line')
    .fill('red pot\texact\t1.00\nred pot\tbroad\t0.80\nblue lid\tphrase\t2.00');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
  const parts = (name: RegExp) => desk.navigation.getByRole('button', { name }).last();

  await test.step('keywords: a sum in a cell, a bid in an empty cell, the meter', async () => {
    await parts(/^Keywords/).click();
    await page.getByRole('button', { name: 'Matrix' }).click();
    await expect(page.getByText('2 of 200 distinct keywords').first()).toBeVisible();
    const exact = page.getByLabel('Bid of "red pot", Exact');
    await expect(exact).toHaveValue('1.00');
    await exact.fill('+10%');
    await exact.press('Enter');
    await expect(exact).toHaveValue('1.10');
    await page.getByLabel('Bid of "blue lid", Exact').fill('2.20');
    await page.getByLabel('Bid of "blue lid", Exact').press('Tab');
    await expect(parts(/^Keywords/)).toContainText('4');
    await page.getByLabel('New keyword').fill('green bowl');
    await page.keyboard.press('Enter');
    await expect(page.getByText('3 of 200 distinct keywords').first()).toBeVisible();
    expect(await faults(page, 'main')).toEqual([]);
    await page.keyboard.press('Control+z');
  });

  await test.step('multipliers: money where placement and platform meet', async () => {
    await parts(/^Placement multipliers/).click();
    await page.getByRole('button', { name: 'Matrix' }).click();
    const search = page.getByLabel('Multiplier for Search Ingrid, %');
    await search.fill('50');
    await search.press('Tab');
    await page.getByLabel('Multiplier for Mobile, %').fill('10');
    await page.getByLabel('Multiplier for Mobile, %').press('Tab');
    await page.getByLabel('For a bid of').fill('2.00');
    const row = page.getByRole('row', { name: /Search Ingrid/ });
    await expect(row).toContainText('$3.00');
    await expect(row).toContainText('$3.30');
    expect(await faults(page, 'main')).toEqual([]);
    await page.getByRole('button', { name: 'Table' }).click();
    await expect(await desk.cell('Search Ingrid', 'Multiplier %')).toHaveText('50.00');
  });
});
