import { mkdirSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { anOwnService } from './an-own-service.ts';
import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';
import { openWatched } from './hostile-desk.ts';

/** A shop whose campaigns have run for months: reports have something to say at once. */
test(
  'a report of many campaigns and videos is compared, narrowed, drawn in each way, printed and deleted',
  {
    tag: ['@reports', '@long'],
  },
  async ({ dataDir, context }, info) => {
    mkdirSync(info.outputDir, { recursive: true });
    const service = await anOwnService(dataDir, info.outputDir, 'Shop', 'demo');
    try {
      const { page, desk, verify, close } = await openWatched(dataDir, context);
      await desk.navigation.getByRole('button', { name: 'Reports' }).click();
      // An order counts in the longest window alone when it comes more than 14 days after its click: of the last days,
      // no such order is known yet.
      await page.getByRole('button', { name: 'Last 90 days' }).click();
      await page.getByRole('button', { name: 'Get report' }).click();
      const headers = page.getByRole('columnheader');
      await expect(headers.filter({ hasText: 'Sales, 14 days' })).toBeVisible();

      await test.step('three windows stand side by side for every figure that is counted in them', async () => {
        const windows = page.getByRole('group', { name: 'Attribution window' });
        await windows.getByRole('button', { name: '3 days', exact: true }).click();
        await windows.getByRole('button', { name: '30 days' }).click();
        const sales = (window: string) => amountIn(page, `Sales, ${window}`);
        const [short, middle, long] = [await sales('3 days'), await sales('14 days'), await sales('30 days')];
        expect(short).toBeGreaterThan(0);
        expect(middle).toBeGreaterThan(short);
        expect(long).toBeGreaterThan(middle);
        await windows.getByRole('button', { name: '3 days', exact: true }).click();
        await expect(headers.filter({ hasText: 'Sales, 3 days' })).toHaveCount(0);
      });

      await test.step('totals are those of the rows in sight, and their rates those of the sums', async () => {
        const filter = page.getByRole('searchbox', { name: 'Filter by name' });
        await filter.fill('video');
        await filter.press('Enter');
        await expect(page.getByRole('row').filter({ hasText: 'Spring products' })).toHaveCount(0);
        const [spend, clicks, cost] = await Promise.all(
          ['Spend', 'Clicks', 'Cost per click'].map((name) => amountIn(page, name)),
        );
        // Cut after the second decimal, as the service cuts.
        expect(cost).toBe(Math.floor(((spend ?? 0) * 100) / (clicks ?? 1)) / 100);
      });

      await test.step('days as bars beside a line, campaigns on one scale, and how far videos are watched', async () => {
        await page.getByRole('button', { name: 'Bar' }).click();
        await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
        await expect(page.locator('.recharts-line-curve').first()).toBeVisible();
        await page.getByLabel('Left axis').selectOption({ label: 'Impressions' });
        await expect(page.getByRole('heading', { name: 'Top campaigns by Impressions' })).toBeVisible();
        await expect(page.getByRole('figure')).not.toHaveCount(0);
        const steps = section(page, 'Video completion').getByRole('listitem');
        await expect(steps).toHaveCount(6);
        const counts = (await steps.allInnerTexts()).map((text) => numberIn(text.split('\n')[1] ?? ''));
        expect(counts).toEqual(counts.toSorted((a, b) => b - a));
        expect(await faults(page)).toEqual([]);
      });

      await test.step('on paper it says what it is of, and keeps its colours dark on white', async () => {
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
        await expect(page.getByText(/^By campaign, \d+ \w+ \d{4} to .* as of \d+ \w+ \d{4}$/)).toBeVisible();
        await expect(page.getByRole('group', { name: 'Attribution window' })).toBeHidden();
        await expect(page.getByRole('row').filter({ hasText: 'Total' })).toHaveCSS('color', 'rgb(20, 26, 36)');
        await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      });

      await test.step('a kept report is deleted after a question', async () => {
        await page.getByRole('button', { name: 'Delete report' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click();
        await expect(page.getByText('No reports yet')).toBeVisible();
      });
      await verify();
      await close();
    } finally {
      await service.close();
    }
  },
);

const section = (page: Page, title: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

/** The total of a column. */
async function amountIn(page: Page, column: string): Promise<number> {
  const header = page.getByRole('columnheader', { name: `Sort by ${column}`, exact: true });
  await expect(header).toBeVisible();
  const names = await page.getByRole('columnheader').allInnerTexts();
  const at = names.findIndex((name) => name.replace(/ [▾▴]$/, '') === column);
  const cells = page.getByRole('row').filter({ hasText: 'Total' }).getByRole('cell');
  return numberIn(await cells.nth(at - 1).innerText());
}

const numberIn = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''));
