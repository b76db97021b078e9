import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anOwnService, rowsOf } from './an-own-service.ts';
import { faults } from './axe.ts';
import { openSyncPlan, send, sendButton, syncPage, syncResult } from './desk-page.ts';
import { SHEET } from './examples.ts';
import { expect, test } from './fixture.ts';
import { openWatched } from './hostile-desk.ts';
import { takeEveryLook } from './pictured.ts';

// Its pictures are of the guide, which is in American English.
test.use({ locale: 'en-US' });

/** One account, two ways to fail: what the service refuses, and an answer that is lost. */
test('what failed in a sync says why and what to do, once for all rows, with the number that support asks for', {
  tag: ['@sync', '@safety', '@long'],
}, async ({ context }) => {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-sync-faults-'));
  const dataDir = join(folder, 'data');
  const service = await anOwnService(dataDir, folder, 'Shop');
  service.importRows(...rowsOf('Spring', '1.60'), ...rowsOf('Summer', '1.70'));
  const refusal = { error: 'Item Id not found.' };
  await service.order('faults', {
    match: { method: 'POST', path: '/api/v1/adItems' },
    times: 2,
    kind: 'status',
    status: 400,
    body: refusal,
  });
  // Long enough to be caught in the act.
  await service.order('faults', {
    match: { method: 'POST', path: '/api/v1/adGroups' },
    times: 1,
    kind: 'delay',
    delayMs: 3000,
  });
  const opened = openWatched(dataDir, context);
  try {
    const { page, desk, verify } = await opened;
    await openSyncPlan(page);
    const sync = syncPage(page);
    await sendButton(page).click();
    await expect(sync.getByRole('heading', { name: /^[1-9] of \d+$/ })).toBeVisible();
    service.hold();
    await takeEveryLook(page, 'syncing');
    service.letGo();
    await expect(syncResult(page)).toBeVisible();
    await expect(sync.getByText('2 changes need attention.', { exact: false })).toBeVisible();
    // The same words for two rows make one entry, which has the way on and the number that support asks for.
    const card = sync.getByRole('listitem').filter({ hasText: refusal.error });
    await expect(card).toHaveCount(1);
    await expect(card).toContainText('Ad item in Spring');
    await expect(card).toContainText('Ad item in Summer');
    await expect(card).toContainText('Correlation ID');
    await expect(card.getByRole('button', { name: /^Go to|^Copy for support/ }).first()).toBeVisible();
    expect(await faults(page, 'main')).toEqual([]);
    await takeEveryLook(page, 'refusals');
    await sync.getByRole('button', { name: 'Done' }).click();

    // Each of the rows tells it as well, with the button that leads on.
    await desk.openList('Ad items');
    await (await desk.cell('0799650557', 'Bid')).first().click();
    const said = desk.inspector.getByRole('note').filter({ hasText: 'Service message' });
    await expect(said).toContainText(refusal.error);
    await expect(said).toContainText('Next step');
    await expect(said).toContainText(/Correlation ID [0-9a-f-]{36}/);
    expect(await faults(page, 'aside')).toEqual([]);
    await said.getByRole('button', { name: 'Search items…' }).click();
    await expect(page.getByLabel('Search items')).toBeVisible();

    // The next campaign is made, and its answer is lost.
    await service.order('faults', {
      match: { method: 'POST', path: '/api/v1/campaigns' },
      times: 1,
      kind: 'drop-after',
    });
    await desk.newManual('Lost on the way', 'garden hose\texact\t1.50', '75');
    await openSyncPlan(page);
    await sendButton(page).click();
    await expect(sync.getByText('1 change needs attention.', { exact: false })).toBeVisible();
    const question = sync.getByRole('listitem').filter({ hasText: 'Lost on the way' }).first();
    await expect(question).toContainText('Correlation ID');
    // Nobody may say "not there" while the service may still be at it.
    await expect(question.getByRole('button', { name: "It doesn't exist" })).toBeDisabled();
    await question.getByRole('button', { name: 'Decide later' }).click();
    await expect(question.getByRole('status')).toContainText('Everything else continues.');
    await expect(question.getByRole('button', { name: "It doesn't exist" })).toBeHidden();
    expect(await faults(page, 'main')).toEqual([]);
    await question.getByRole('button', { name: 'Decide now' }).click();
    await expect(question.getByLabel('It exists. Service ID:')).toBeVisible();
    await verify();
  } finally {
    await service.close();
    await (await opened).close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** So many addresses a sync asks for before it gives a file up; the sheet has two videos. */
const REFUSED_PUTS = 6;

test(
  'a video that could not be uploaded says why in its details, and the next sync sends it again',
  {
    tag: ['@sync', '@media', '@long'],
  },
  async ({ context, dataDir }, info) => {
    mkdirSync(info.outputDir, { recursive: true });
    const service = await anOwnService(dataDir, info.outputDir, 'Shop');
    try {
      service.cli('import', SHEET);
      await service.order('faults', {
        match: { method: 'PUT', path: '/upload/video/*' },
        times: REFUSED_PUTS,
        kind: 'status',
        status: 503,
      });
      service.cli('sync', '--yes');
      const { page, desk, verify, close } = await openWatched(dataDir, context);
      await desk.openList('Media');
      await (await desk.cell('kitchen-roll-spot.mp4', 'File')).click();
      const failed = desk.inspector.getByRole('note').filter({ hasText: 'Upload failed' });
      await expect(failed).toContainText('The storage at 127.0.0.1 responded with status 503');
      expect(await faults(page, 'aside')).toEqual([]);
      await failed.getByRole('button', { name: 'Upload again…' }).click();
      await send(page);
      await expect(failed).toBeHidden();
      await verify();
      await close();
    } finally {
      await service.close();
    }
  },
);
