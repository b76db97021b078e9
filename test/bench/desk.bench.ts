import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';
import { bareList, keyToPaint, scrollBy } from './desk-measures.ts';
import { writeSheet } from './desk-rows.ts';
import { print, repeated, share } from './figure.ts';

/**
 * The desk in Chromium on the built web host: `node test/bench/desk.bench.ts [keywords]`. CHROMIUM names the browser.
 * The peer of scrolling is a bare list of as many lines in the same browser.
 */
const keywords = Number(process.argv[2] ?? 200_000);
const out = process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out');
const folder = mkdtempSync(join(tmpdir(), 'adslate-desk-bench-'));
const MB = 1024 * 1024;
/** An hour of scripted use, and how often its memory is measured. */
const MINUTES = 60;
const MEASURED_EVERY = 6;
const verdicts: boolean[] = [];
const figure = (name: string, value: number, unit: string, bar: number | null, peer: number | null = null): void =>
  void verdicts.push(
    print({ name, value, unit, bar, peer: peer === null ? null : 'bare list', peerValue: peer, ratioBar: null }),
  );

const cli = (...args: string[]): void => {
  const done = spawnSync(process.execPath, [
    join(out, 'main/cli.js'),
    ...args,
    '--data',
    join(folder, 'big'),
    '--json',
  ]);
  if (done.status !== 0)
    throw new Error(`adslate ${args.join(' ')} ended with ${String(done.status)}: ${String(done.stderr)}`);
};
const open = (data: string): Promise<HostProcess> =>
  startHostProcess(join(out, 'main/web.js'), ['--data', join(folder, data), '--practice', '--no-open']);

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc'],
});

/** From starting the program to rows that can be worked on. */
async function start(data: string): Promise<{ readonly ms: number; readonly page: Page; readonly host: HostProcess }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const startedAt = performance.now();
  const host = await open(data);
  await page.goto(host.url);
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
  await page.locator('[role="gridcell"], .empty').first().waitFor();
  return { ms: performance.now() - startedAt, page, host };
}

const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / MB;
};
/** So much as somebody quick does in a minute, without the pauses: lists, cells, an edit and its undo, panels, dialogs. */
async function oneMinute(page: Page, minute: number): Promise<void> {
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  await openList(page, minute % 2 === 0 ? 'Campaigns' : 'Ad groups');
  await openList(page, 'Keywords');
  await scrollBy(page, '[role="grid"]', 4000, 40);
  await page.locator('[role="grid"]').focus();
  await keyboard.press('Control+Home');
  for (let i = 0; i < 10; i += 1) await keyboard.press(i % 4 === 3 ? 'ArrowRight' : 'ArrowDown');
  await keyboard.press('Control+Home');
  for (let i = 0; i < 3; i += 1) await keyboard.press('ArrowRight');
  await keyboard.type(`${1 + (minute % 9)}.${10 + (minute % 89)}`);
  await keyboard.press('Enter');
  await keyboard.press('Control+z');
  for (const tab of ['1', '2', '4']) await keyboard.press(`Alt+Shift+${tab}`);
  for (const keys of ['Control+k', 'Alt+Shift+C', 'Alt+Shift+M', 'F1']) {
    await keyboard.press(keys);
    await dialog.waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
}

/** Growth from one measure to the next, by the line that lies nearest to all of them. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const below = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return above / below;
}

const openList = async (page: Page, name: string): Promise<void> => {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${name} ?[\\d,]*$`) })
    .first()
    .click();
  await page
    .getByRole('grid', { name: `${name} grid` })
    .locator('[role="gridcell"]:not([aria-busy])')
    .first()
    .waitFor();
};

try {
  const small = await start('small');
  figure('desk: start to usable, practice account', small.ms, 'ms', 1500);
  await small.page.close();
  await small.host.stop();

  cli('account', 'add', '--practice', '--name', 'Practice');
  await writeSheet(join(folder, 'big.csv'), keywords);
  cli('import', join(folder, 'big.csv'));
  const { ms, page, host } = await start('big');
  figure(`desk: start to usable, ${keywords} keywords`, ms, 'ms', 2500);

  const switches = await repeated(12, async (i) => openList(page, i % 2 === 0 ? 'Keywords' : 'Ad groups'));
  figure('desk: another list on screen, median', share(switches, 0.5), 'ms', 150);
  await openList(page, 'Keywords');
  await page.waitForTimeout(1000);

  const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await bareList(bare, keywords, 6);
  for (const [name, step] of [
    ['slow', 60],
    ['fling', 1200],
    ['thumb', 60_000],
  ] as const) {
    const own = await scrollBy(page, '[role="grid"]', step, 180);
    const peer = await scrollBy(bare, '#box', step, 180);
    // On a crowded machine frames are lost by everybody, so the bare list sets the limit there.
    figure(`desk: frames over 32 ms, ${name}`, own.slow * 100, '%', Math.max(5, 150 * peer.slow), peer.slow * 100);
    await page.waitForTimeout(300);
  }
  await bare.close();

  await page.locator('[role="grid"]').focus();
  await page.keyboard.press('Control+Home');
  await page.waitForTimeout(800);
  const keys = await keyToPaint(page, ['ArrowDown', 'ArrowUp'], 60);
  figure('desk: key press to painted cell, p95', share(keys, 0.95), 'ms', 50);

  const heaps: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    await oneMinute(page, minute);
    if (minute % MEASURED_EVERY === MEASURED_EVERY - 1) heaps.push(await heapOf(page));
  }
  figure('desk: memory of the page after an hour of scripted use', heaps.at(-1) ?? 0, 'MB', 350);
  // The first measure is left out: what is loaded and cached once is no growth.
  figure('desk: growth an hour of scripted use', slopeOf(heaps.slice(1)) * (MINUTES / MEASURED_EVERY), 'MB', 10);

  const assets = readdirSync(join(out, 'renderer/assets')).filter((file) => file.endsWith('.js'));
  const first = assets.filter((file) => !/Screen-|Dialog-/.test(file));
  const sizeOf = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, 'renderer/assets', file))).length, 0) / 1024;
  figure('desk: script to begin with, gzip', sizeOf(first), 'KB', null);
  figure('desk: script in all, gzip', sizeOf(assets), 'KB', null);
  await page.close();
  await host.stop();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
