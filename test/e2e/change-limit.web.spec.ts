import { mkdirSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { anOwnService, rowsOf } from './an-own-service.ts';
import { faults } from './axe.ts';
import { openSyncPlan, sendButton, syncPage, syncResult } from './desk-page.ts';
import { test } from './fixture.ts';
import { openWatched } from './hostile-desk.ts';

const HOUR_MS = 3_600_000;
/** Changes per hour of the service. Each campaign of the sheet is three: itself, its ad group, its item. */
const LIMIT = 10;
const NAMES = ['Spring', 'Summer', 'Autumn', 'Winter', 'Easter', 'Advent', 'Harvest'];

/** By when the plan says that all is sent, in hours from now. */
async function hoursUntilSent(page: Page): Promise<number> {
  const text = await syncPage(page).getByText('The service limits changes per hour.').innerText();
  const [, hours, minutes] = /sent by .*?(\d\d):(\d\d)/.exec(text) ?? [];
  const now = await page.evaluate(() => new Date().getHours() * 60 + new Date().getMinutes());
  return ((Number(hours) * 60 + Number(minutes) - now + 1440) % 1440) / 60;
}

/** Sends what the service takes, and stops the wait for the rest. */
async function sendOneHour(page: Page): Promise<void> {
  await sendButton(page).click();
  const isWaiting = /^(The hourly change limit is reached|The service accepts no more requests for now)\. /;
  await expect(syncPage(page).getByText(isWaiting)).toBeVisible();
  await page.getByRole('button', { name: 'Stop after this request' }).click();
  await expect(syncResult(page)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sync \d+ unsent changes?…$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
}

// Narrow windows leave the hourly limit out of the status bar until half of it is used.
const WIDE = { width: 1680, height: 1000 };
test.use({ viewport: WIDE });

for (const { what, quirks, after } of [
  { what: 'names its limit', quirks: [], after: `${LIMIT} changes an hour, as reported by the service.` },
  {
    what: 'only refuses',
    quirks: ['--quirks', 'hourly-limit=unnamed'],
    after: `About ${LIMIT} changes an hour, seen once.`,
  },
]) {
  test(
    `of a service that ${what}, the plan says the hourly limit, how sure it is, and by when all is sent`,
    {
      tag: ['@sync', '@long'],
    },
    async ({ context, dataDir }, info) => {
      mkdirSync(info.outputDir, { recursive: true });
      const service = await anOwnService(dataDir, info.outputDir, 'Shop', 'empty', ['--rate', `${LIMIT}`, ...quirks]);
      try {
        service.importRows(...NAMES.flatMap((name) => rowsOf(name, '1.60')));
        const first = await openWatched(dataDir, context);
        await test.step('before anything is sent: no limit that the service has shown', async () => {
          await openSyncPlan(first.page);
          await expect(sendButton(first.page)).toHaveText(/^Send 21 changes /);
          await expect(syncPage(first.page)).not.toContainText('changes an hour');
          await expect(syncPage(first.page)).not.toContainText('The service limits changes per hour.');
        });

        await test.step('after an hour is full: the limit in the plan and in the status bar', async () => {
          await sendOneHour(first.page);
          await openSyncPlan(first.page);
          await expect(sendButton(first.page)).toHaveText(/^Send 11 changes /);
          await expect(syncPage(first.page).getByText(after)).toBeVisible();
          // Ten go when the first ten are an hour old, and the last one an hour later.
          expect(await hoursUntilSent(first.page)).toBeCloseTo(2, 1);
          const budget = first.page.getByText(`0 of ${LIMIT} changes left this hour`);
          await first.page.setViewportSize({ width: 1280, height: 800 });
          await expect(budget).toBeVisible();
          await first.page.setViewportSize(WIDE);
          await expect(budget).toHaveAttribute('title', `${after} A change counts for an hour after it was sent.`);
          expect(await faults(first.page, 'main')).toEqual([]);
          await first.close();
        });

        await test.step('two hours later, in another process: the same limit with nothing used', async () => {
          await service.order('clock', { advance: 'PT2H' });
          const later = await openWatched(dataDir, context, 2 * HOUR_MS);
          await openSyncPlan(later.page);
          await expect(syncPage(later.page).getByText(after)).toBeVisible();
          await expect(later.page.getByText(`${LIMIT} of ${LIMIT} changes left this hour`)).toBeVisible();
          expect(await hoursUntilSent(later.page)).toBeCloseTo(1, 1);
          await sendOneHour(later.page);
          await openSyncPlan(later.page);
          await expect(sendButton(later.page)).toHaveText(/^Send 1 change /);
          await later.verify();
          await later.close();
        });
      } finally {
        await service.close();
      }
    },
  );
}
