import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anOwnService, rowsOf } from './an-own-service.ts';
import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';
import { openWatched } from './hostile-desk.ts';

test('a sync is paused and resumed, scheduled and canceled, and the status bar says so', {
  tag: ['@sync'],
}, async ({ context }) => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'adslate-pending-'));
  const dataDir = join(folder, 'data');
  const service = await anOwnService(dataDir, folder, 'Shop');
  service.importRows(...rowsOf('Spring', '1.60'), ...rowsOf('Summer', '1.70'));
  // Long enough to be caught in the act.
  const slow = { match: { method: 'POST', path: '/api/v1/adGroups' }, times: 2, kind: 'delay', delayMs: 3000 };
  await service.order('faults', slow);
  const opened = openWatched(dataDir, context);
  try {
    const { page, desk, verify } = await opened;
    const sync = page.getByRole('dialog', { name: 'Sync' });
    const status = page.getByRole('contentinfo');

    // Scheduled, seen everywhere, and canceled.
    await page.keyboard.press('Control+Enter');
    await sync.getByRole('button', { name: 'Send when healthy…' }).click({ timeout: 30_000 });
    await sync.getByRole('textbox', { name: 'Minutes without a failure' }).fill('30');
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await sync.getByRole('button', { name: 'Schedule sync' }).click();
    await expect(sync).toBeHidden();
    await status.getByRole('button', { name: /^Sync scheduled, next check/ }).click();
    const scheduled = desk.drawer.getByRole('region', { name: 'Sync scheduled' });
    await expect(scheduled).toContainText('6 changes left to send.');
    await expect(scheduled).toContainText('responded for 30 minutes without a break');
    await scheduled.getByRole('button', { name: 'Cancel sync' }).click();
    await expect(scheduled).toBeHidden();
    await expect(status.getByRole('button', { name: /^Sync scheduled/ })).toBeHidden();

    // Paused while requests are in progress: they end, and nothing more begins.
    await page.keyboard.press('Control+Enter');
    await sync.getByRole('button', { name: 'Send now' }).click({ timeout: 30_000 });
    await expect(sync.getByText(/[2-4] of 6 requests/)).toBeVisible();
    await sync.getByRole('button', { name: 'Pause' }).click();
    const paused = sync.getByRole('region', { name: 'Sync paused' });
    await expect(paused).toBeVisible({ timeout: 30_000 });
    await expect(paused).toContainText(/[1-5] changes? left to send/);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await sync.getByRole('button', { name: 'Close' }).last().click();
    await expect(status.getByRole('button', { name: 'Sync paused' })).toBeVisible();
    await page.reload();
    await status.getByRole('button', { name: 'Sync paused' }).click({ timeout: 30_000 });
    await desk.drawer.getByRole('region', { name: 'Sync paused' }).getByRole('button', { name: 'Resume' }).click();
    await expect(desk.drawer.getByText(/^Finished · 2 changes sent/)).toBeVisible({ timeout: 60_000 });
    await expect(desk.drawer.getByRole('region', { name: 'Sync paused' })).toBeHidden();
    expect(await service.campaignId('Spring')).not.toBe(await service.campaignId('Summer'));
    await verify();
  } finally {
    await service.close();
    await (await opened).close();
    rmSync(folder, { recursive: true, force: true });
  }
});
