import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test.use({ sample: true });

const words = (from: number, count: number, theme: string): string =>
  Array.from({ length: count }, (_, at) => `${theme} number ${from + at}`).join('\n');

test('a nearly full campaign is spread over two without duplicates, and campaigns that compete are shown', {
  tag: '@long',
}, async ({ page }) => {
  const desk = deskPage(page);
  await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
  await desk.newManual('Full of words', `${words(1, 95, 'towel')}\n${words(1, 90, 'kettle')}`);
  await desk.newManual('Towels only', words(90, 10, 'towel'));

  const overlap = page.getByRole('grid', { name: 'Keyword overlap' });
  const openOverlap = async (): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Keyword overlap');
    await page.keyboard.press('Enter');
  };
  await test.step('two campaigns share six keywords, and one of them is nearly full', async () => {
    await openOverlap();
    await expect(overlap.getByRole('gridcell', { name: /Full of words: 185 of 200 .* nearly full$/ })).toBeVisible();
    await overlap.getByRole('gridcell', { name: /^Towels only and Full of words: 6 shared keywords$/ }).click();
    const shared = page.getByRole('list', { name: 'Shared keywords' });
    await expect(shared.getByRole('listitem')).toHaveCount(6);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: /^Full of words .*Go to "towel number 92"$/ }).click();
    await expect(desk.grid.getByText('towel number 92', { exact: true })).toBeVisible();
  });

  await test.step('the keyword matrix warns and spreads, in one step', async () => {
    await page.getByRole('button', { name: 'Matrix' }).click();
    await expect(page.getByText('185 of 200 distinct keywords · Nearly full')).toBeVisible();
    await page.getByRole('button', { name: 'Spread into a new campaign' }).click();
    await page.getByRole('button', { name: 'Create 1 new campaign' }).click();
    await expect(page.getByText(/^\d+ keywords moved to a new campaign\./)).toBeVisible();
  });

  await test.step('no keyword is in both', async () => {
    await openOverlap();
    await expect(overlap.getByRole('gridcell', { name: /nearly full$/ })).toHaveCount(0);
    await expect(overlap.getByRole('gridcell', { name: /Full of words.* and Full of words.*: [1-9]/ })).toHaveCount(0);
  });
});
