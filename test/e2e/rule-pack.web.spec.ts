import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

test.use({ sample: true });

const PACK = `adslate-rules 1
rule: long-tail
type: keyword
message: Bid of a long keyword
find: bid>0.10
finds: bid=0.20
passes: bid=0.05
`;

test('a rule pack is tested, imported and checked with the rows of the account', {
  tag: ['@findings', '@long'],
}, async ({ page }) => {
  await expect(page.getByRole('main')).toBeVisible();
  await handsOn(page).command('custom rules');
  await page.getByRole('button', { name: 'Import rules…' }).click();
  const pack = page.getByRole('textbox', { name: 'Rule pack' });
  const take = page.getByRole('button', { name: 'Import rules', exact: true });
  await pack.fill(PACK.replace('bid>0.10', 'bid>0.50'));
  await expect(page.getByText('long-tail does not find its sample: bid=0.20')).toBeVisible();
  await expect(take).toBeDisabled();
  await pack.fill(PACK);
  await expect(page.getByText('All sample rows pass.')).toBeVisible();
  await take.click();
  await expect(page.getByRole('row', { name: /Bid of a long keyword/ })).toContainText(/[1-9]\d/);
  await expect(page.getByRole('contentinfo')).toContainText(/\d+ warnings/);
});
