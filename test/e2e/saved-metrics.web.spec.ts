import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { noFaults } from './looks.ts';

test.use({ sample: true });

const TODAY = new Date().toISOString().slice(0, 10) as PlainDate;

function campaignsIn(dataDir: string): readonly string[] {
  const [file = ''] = globSync(join(dataDir, '**/workspace.db'));
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT remote_id FROM campaign WHERE remote_id IS NOT NULL').all();
  db.close();
  return rows.map((row) => String(row['remote_id']));
}

/** Adds a report in which every campaign spent as much each day. */
async function addReport(page: Page, ids: readonly string[], days: readonly PlainDate[], spend: number): Promise<void> {
  const rows = days.flatMap((day) => ids.map((id) => `${day},${id},90000,900,${spend}`));
  await handsOn(page).command('reports');
  await page.getByLabel('Add report from file…').setInputFiles({
    name: `spend-${spend}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(['date,campaignId,impressions,clicks,adSpend', ...rows, ''].join('\n')),
  });
  await page.getByRole('button', { name: `Add ${days.length} day${days.length === 1 ? '' : 's'}` }).click();
  await expect(page.getByText(/added to the saved metrics/).first()).toBeVisible();
}

test('saved metrics mark the rows of a rule, tell of an alert once, and are reduced to months', {
  tag: ['@reports', '@long'],
}, async ({ page, adslate }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await expect(page.getByRole('main')).toBeVisible();
  const ids = campaignsIn(adslate.dataDir);

  await test.step('rows of a rule with metrics are marked, and are among the issues and in the details', async () => {
    await desk.openList('Keywords');
    const marked = desk.grid.getByRole('rowheader').filter({ hasText: 'Has a suggestion' });
    await expect(desk.grid.getByRole('rowheader').nth(3)).toBeVisible();
    const before = await marked.count();
    await hands.command('custom rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Weak keywords');
    await page.getByLabel('Applies to').selectOption('Keywords');
    await page.getByLabel('Severity').selectOption('Suggestion: shown quietly, and rows are sent');
    await page.getByLabel('Condition').fill('clicks>=5 roas<4');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(page.getByRole('row', { name: /Weak keywords/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect.poll(() => marked.count()).toBeGreaterThan(before);
    await desk.filter('clicks>=5 roas<4 period:28d');
    const total = page.getByText(/^\d+ keywords in/);
    await expect.poll(async () => Number(/^\d+/.exec(await total.innerText())?.[0]) - (await marked.count())).toBe(0);
    await expect(marked).not.toHaveCount(0);
    await page.keyboard.press('Alt+i');
    await expect(desk.inspector.getByRole('list', { name: 'Issues' }).getByText(/Weak keywords/)).toBeVisible();
    await page.keyboard.press('Alt+j');
    await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
    const issues = desk.drawer.getByRole('list', { name: 'Issues' });
    await issues.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(issues.getByRole('listitem').filter({ hasText: 'Weak keywords' }).first()).toBeVisible();
  });

  const alerts = page.getByRole('group', { name: 'Notifications' }).getByRole('option', { name: /Item reports cover/ });
  await test.step('new metrics tell of an alert, once for its cause and day', async () => {
    await addReport(page, ids, [addDays(TODAY, -2)], 900_000);
    await page.keyboard.press('Alt+2');
    await expect(alerts).toHaveCount(1);
    await addReport(page, ids, [addDays(TODAY, -2)], 950_000);
    // What is not told yet is told as the program ends.
    await adslate.restart();
    await desk.ready();
    await page.keyboard.press('Alt+2');
    await expect(alerts).toHaveCount(1);
  });

  await test.step('only months of old days are kept after a question, and what became of them is said', async () => {
    const start = `${addDays(TODAY, -300).slice(0, 7)}-01` as PlainDate;
    const next = `${addDays(start, 31).slice(0, 7)}-01`;
    const month = Array.from({ length: 31 }, (_, at) => addDays(start, at)).filter((day) => day < next);
    await addReport(page, ids, month, 100);
    await hands.command('data safety');
    const keep = page.getByRole('button', { name: 'Keep only months…' });
    await keep.scrollIntoViewIfNeeded();
    await noFaults(page, 'data safety');
    await keep.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText(/as months only/)).toHaveCount(0);
    await keep.click();
    await page.getByRole('button', { name: 'Delete single days' }).click();
    await expect(page.getByRole('status').filter({ hasText: `${month.length} days reduced to months.` })).toBeVisible();
    await expect(page.getByText(`, ${month.length} of them as months only`)).toBeVisible();
  });
});
