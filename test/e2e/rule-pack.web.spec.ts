import { deskPage } from './desk-page.ts';
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

rule: weak
type: keyword
severity: advice
message: Weak keywords
find: clicks>=5 roas<4
finds: clicks=5 roas=3.99
passes: clicks=5 roas=4
`;

test('a rule pack is tested, imported and checked with the rows of the account', {
  tag: ['@issues', '@long'],
}, async ({ page }) => {
  await expect(page.getByRole('main')).toBeVisible();
  await handsOn(page).command('custom rules');
  await page.getByRole('button', { name: 'Import rules…' }).click();
  const pack = page.getByRole('textbox', { name: 'Rule pack' });
  const take = page.getByRole('button', { name: 'Import rules', exact: true });
  const file = page.locator('input[type="file"]');
  await file.setInputFiles({ name: 'own.adslate-rules', mimeType: 'text/plain', buffer: Buffer.from(PACK) });
  await expect(pack).toHaveValue(PACK);
  // Choosing the same file again opens it again: a browser tells only of another choice.
  await expect(file).toHaveValue('');
  await pack.fill(PACK.replace('bid>0.10', 'bid>0.50'));
  await expect(page.getByText('long-tail does not find its sample: bid=0.20')).toBeVisible();
  await expect(take).toBeDisabled();
  await pack.fill(PACK);
  await expect(page.getByText('All sample rows pass.')).toBeVisible();
  await take.click();
  await expect(page.getByRole('row', { name: /Bid of a long keyword/ })).toContainText(/[1-9]\d/);
  await expect(page.getByRole('contentinfo')).toContainText(/\d+ warnings/);

  await test.step('a rule with metrics is counted among the issues, and shows its rows with the metrics of its days', async () => {
    const desk = deskPage(page);
    const counted = page.getByRole('row', { name: /Weak keywords/ }).getByRole('cell', { name: /^\d+$/ });
    const rows = Number(await counted.textContent());
    expect(rows).toBeGreaterThan(1);
    await page.keyboard.press('Escape');
    await desk.ready();
    await page.keyboard.press('Alt+j');
    await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
    const issues = desk.drawer.getByRole('list', { name: 'Issues' });
    await issues.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const weak = issues.getByRole('listitem').filter({ hasText: 'Weak keywords' });
    await weak.getByRole('button', { name: `Show all ${rows}` }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
    await expect(page.getByText(`${rows} keywords`)).toBeVisible();
    await expect(page.getByText('Metrics of Last 28 days')).toBeVisible();
  });
});
