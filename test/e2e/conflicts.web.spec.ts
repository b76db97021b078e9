import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { anOwnService, type OwnService, rowsOf } from './an-own-service.ts';
import { faults } from './axe.ts';
import { openSyncPlan, sendButton, syncPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { openWatched } from './hostile-desk.ts';
import { takeEveryLook } from './pictured.ts';

// Its pictures are of the guide, which is in American English.
test.use({ locale: 'en-US' });

const SECOND_ITEM = 'ad item,Spring,,,,,,0553680321';
const LOST = 'Lost on the way';
const NEVER = 'Never got there';
/** The service may still be at a request for a few minutes; only then may anybody say that it is not there. */
const HOUR_MS = 3_600_000;

/** The service's ids of the ad items in the order of the account's sheet. */
function itemIds(service: OwnService): readonly string[] {
  service.cli('export', service.place('sent.csv'));
  const lines = readFileSync(service.place('sent.csv'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('ad item')).map((line) => /(\d+),[^,]*\s*$/.exec(line)?.[1] ?? '');
}

/** What the browser tells a page when the plug is pulled; the host on this computer stays within reach, as it does then. */
const setNetwork = (page: Page, isThere: boolean): Promise<void> =>
  page.evaluate((there) => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => there });
    window.dispatchEvent(new Event(there ? 'online' : 'offline'));
  }, isThere);

test(
  'what was changed here and on the service is settled field by field, and a lost answer by the id that was found',
  {
    tag: ['@issues', '@sync', '@long'],
  },
  async ({ dataDir, context }, info) => {
    mkdirSync(info.outputDir, { recursive: true });
    const service = await anOwnService(dataDir, info.outputDir, 'Shop');
    try {
      service.importRows(...rowsOf('Spring', '1.60'), `${SECOND_ITEM},1.70`);
      service.cli('sync', '--yes');
      for (const [i, id] of itemIds(service).entries()) await service.order(`console/ad-items/${id}`, { bid: 3.5 + i });
      service.importRows(...rowsOf('Spring', '2.60'), `${SECOND_ITEM},2.70`);
      service.cli('refresh');
      service.importRows(...rowsOf(LOST, '1.80'));
      await service.order('faults', {
        kind: 'drop-after',
        times: 1,
        match: { method: 'POST', path: '/api/v1/campaigns' },
      });
      service.cli('sync', '--yes');
      service.importRows(...rowsOf(NEVER, '1.90'));
      await service.order('faults', {
        kind: 'drop-before',
        times: 1,
        match: { method: 'POST', path: '/api/v1/campaigns' },
      });
      service.cli('sync', '--yes');
      const { page, desk, verify, close } = await openWatched(dataDir, context, HOUR_MS);

      await desk.drawer.getByRole('tab', { name: /^Sync/ }).click();
      const line = (text: string | RegExp) => desk.drawer.getByRole('listitem').filter({ hasText: text });
      await test.step('both values and what it was stand beside each other; each field is decided for itself', async () => {
        await expect(desk.drawer.getByRole('button', { name: 'Use service value for all 2' })).toBeVisible();
        expect(await faults(page, '[role="tabpanel"]')).toEqual([]);
        await takeEveryLook(page, 'questions', true);
      });

      await test.step('the details of a row in conflict lead here', async () => {
        await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
        await desk.openList('Ad items');
        await (await desk.cell('0553680321', 'Bid')).click();
        await expect(desk.inspector).toContainText('Conflict: changed here and on the service');
        await desk.inspector.getByRole('button', { name: 'Resolve' }).click();
        await expect(desk.drawer.getByRole('tab', { name: /^Sync/ })).toHaveAttribute('aria-selected', 'true');
      });

      await test.step('each conflict is decided for itself, and the focus stays in the panel', async () => {
        const first = line(/was \$1\.60/);
        await expect(first.getByRole('button', { name: /^Keep my value: \$2\.60/ })).toBeVisible();
        await first.getByRole('button', { name: /^Use service value: / }).click();
        await expect(first).toHaveCount(0);
        await line(/was \$1\.70/)
          .getByRole('button', { name: /^Keep my value: \$2\.70/ })
          .click();
        await expect(desk.drawer.getByRole('heading', { name: /^Conflicts/ })).toHaveCount(0);
        await expect(desk.drawer.getByRole('tab', { name: /^Sync/ })).toBeFocused();
      });

      await test.step('the lost answer is settled by the id that was found', async () => {
        const question = line(`"${LOST}": was it`);
        await expect(question).toContainText('created? The service did not respond at');
        const useId = question.getByRole('button', { name: 'Use this ID' });
        await expect(useId).toBeDisabled();
        await question.getByLabel('It exists. Service ID:').fill(await service.campaignId(LOST));
        await useId.click();
        await expect(question).toHaveCount(0);
      });

      await test.step('what is not there is sent again, because somebody looked and said so', async () => {
        const question = line(`"${NEVER}": was it`);
        await question.getByRole('button', { name: "It doesn't exist" }).click();
        await expect(desk.drawer.getByRole('heading', { name: /^Unresolved requests/ })).toHaveCount(0);
        await expect(desk.drawer.getByRole('tab', { name: /^Sync/ })).toBeFocused();
        await desk.openList('Campaigns');
        await expect(await desk.cell(LOST, 'Campaign')).toBeVisible();
      });

      await test.step('what was kept is a change against the new value: held, let go, taken back by field', async () => {
        await desk.drawer.getByRole('tab', { name: /^Changes/ }).click();
        const changes = desk.drawer.getByRole('list', { name: 'Changes' });
        const change = changes.getByRole('listitem').filter({ hasText: '2.70' });
        await expect(change).toContainText(/Before \$4\.50.*After \$2\.70/s);
        await change.getByRole('button', { name: 'Put on hold' }).click();
        await change.getByRole('button', { name: 'Release' }).click();
        await expect(change.getByRole('button', { name: 'Put on hold' })).toBeVisible();
        await change.getByRole('button', { name: 'Revert' }).click();
        await expect(change).toHaveCount(0);
        await desk.openList('Ad items');
        await expect(await desk.cell('0553680321', 'Bid')).toHaveText('$4.50');
        await expect(await desk.cell('0799650557', 'Bid')).toHaveText('$3.50');
      });
      await test.step('a row alone is taken back, then everything', async () => {
        for (const item of ['0553680321', '0799650557']) {
          await (await desk.cell(item, 'Bid')).dblclick();
          await page.getByRole('textbox', { name: 'New value for Bid' }).fill('9.90');
          await page.getByRole('textbox', { name: 'New value for Bid' }).press('Enter');
          await expect(await desk.cell(item, 'Bid')).toHaveText('$9.90');
        }
        await (await desk.cell('0799650557', 'Bid')).click();
        await page.keyboard.press('Alt+r');
        await expect(await desk.cell('0799650557', 'Bid')).toHaveText('$3.50');
        await expect(await desk.cell('0553680321', 'Bid')).toHaveText('$9.90');
        await desk.drawer.getByRole('button', { name: 'Revert all' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revert all' }).click();
        await expect(await desk.cell('0553680321', 'Bid')).toHaveText('$4.50');
      });

      await test.step('the next sync makes once what was not there; an edit made in it meanwhile stays', async () => {
        await service.order('faults', {
          kind: 'delay',
          delayMs: 4000,
          times: 1,
          match: { method: 'POST', path: '/api/v1/campaigns' },
        });
        await openSyncPlan(page);
        await sendButton(page).click();
        await page.getByRole('button', { name: 'Keep working' }).click();
        // What the sync sends is settled by its first request; the service is held at it until the edit is made.
        await expect.poll(() => service.faults()).toBe(0);
        service.hold();
        const bid = await desk.cell(NEVER, 'Bid');
        await desk.edit(NEVER, 'Bid', '2.10');
        service.letGo();
        await expect.poll(() => service.campaignId(NEVER)).toMatch(/^\d+$/);
        await expect(page.getByRole('button', { name: 'Sync 1 change', exact: true })).toBeVisible();
        await expect(bid).toHaveText('$2.10');
      });

      await test.step('without a network what needs it says that it waits; all else goes on', async () => {
        await setNetwork(page, false);
        await expect(page.getByRole('contentinfo')).toContainText('Offline');
        await (await desk.cell('0799650557', 'Bid')).dblclick();
        await page.getByRole('textbox', { name: 'New value for Bid' }).fill('2.20');
        await page.getByRole('textbox', { name: 'New value for Bid' }).press('Enter');
        await page.keyboard.press('Control+Enter');
        const sync = syncPage(page);
        await expect(sync.getByText(/^This computer is offline\./)).toBeVisible();
        await expect(sync.getByRole('button', { name: 'Send when online' })).toBeEnabled();
        expect(await faults(page, 'main')).toEqual([]);
        await setNetwork(page, true);
        await expect(sync.getByText(/^This computer is offline\./)).toHaveCount(0);
        await sync.getByRole('button', { name: 'Close' }).click();
      });
      await verify();
      await close();
    } finally {
      await service.close();
    }
  },
);
