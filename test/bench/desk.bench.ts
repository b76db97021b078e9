import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { type HostProcess, OUT, startBuiltHost } from '../e2e/host-process.ts';
import {
  BARE_LIST,
  bareList,
  copied,
  GRID,
  heapOf,
  KEYWORDS_A_CAMPAIGN,
  keyToPaint,
  LIBRARY,
  libraryGrid,
  oneMinute,
  openList,
  openTab,
  pastePreviewed,
  scrollBy,
  seen,
  slopeOf,
  writeSheet,
} from './desk.ts';
import { median, print, repeated, share, timed } from './figure.ts';

/**
 * The desk in Chromium on the built web host: `node test/bench/desk.bench.ts [keywords]`. CHROMIUM names the browser.
 * Scrolling and keys are measured beside a grid library and a bare list of as many lines in the same browser.
 */
const keywords = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(tmpdir(), 'adslate-desk-bench-'));
const MB = 1024 * 1024;
/** An hour of scripted use, and how often its memory is measured. */
const MINUTES = 60;
const MEASURED_EVERY = 6;
/** More cells than the five million of so many rows are not copied, which the window says. */
const COPIED_MAX = 800_000;
const PASTED = 10_000;
/** Lists opened at most while rows are being checked. */
const SWITCHES_MAX = 40;
/** Days of metrics that the overview shows. */
const DAYS = 60;
const verdicts: boolean[] = [];
const figure = (
  name: string,
  value: number,
  unit: string,
  bar: number | null,
  [peer, peerValue]: readonly [string | null, number | null] = [null, null],
): void => void verdicts.push(print({ name, value, unit, bar, peer, peerValue, ratioBar: null }));
const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

const OWN = { scroller: GRID, listener: GRID, active: '#grid-active-cell' } as const;
/** In percent: how many of 180 frames took longer than 32 ms. */
async function scrolled(page: Page, scroller: string, step: number): Promise<number> {
  await page.bringToFront();
  await page.waitForTimeout(300);
  return 100 * (await scrollBy(page, scroller, step, 180)).slow;
}

/** The same with each cell colored by what an edit costs. */
async function withLens<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const legend = page.getByRole('list', { name: 'Impact of edits' });
  await page.bringToFront();
  await page.locator(OWN.listener).focus();
  await page.keyboard.press('F4');
  await legend.waitFor();
  const result = await work();
  await page.keyboard.press('F4');
  await legend.waitFor({ state: 'detached' });
  return result;
}

const cli = (...args: string[]): void => {
  const done = spawnSync(process.execPath, [
    join(OUT, 'main/cli.js'),
    ...args,
    '--data',
    join(folder, 'big'),
    '--json',
  ]);
  if (done.status !== 0)
    throw new Error(`adslate ${args.join(' ')} ended with ${String(done.status)}: ${String(done.stderr)}`);
};
const hosts: HostProcess[] = [];
async function open(data: string): Promise<HostProcess> {
  const host = await startBuiltHost(['--data', join(folder, data), '--practice']);
  hosts.push(host);
  return host;
}

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc'],
});

/** A report of campaigns up to yesterday, a line for each day of each. */
function reportOf(days: number, campaigns: number): string {
  const lines = ['date,campaignId,numAdsShown,numAdsClicks,adSpend,attributedOrders14days,attributedSales14days'];
  for (let ago = days; ago > 0; ago--) {
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    for (let id = 1; id <= campaigns; id++) lines.push(`${day},${id},${900 + id},${20 + (id % 7)},12.50,2,61.00`);
  }
  return `${lines.join('\n')}\n`;
}

/** The home page with what it has to say of the account. */
const overviewSeen = (page: Page): Promise<void> =>
  seen(page, '[aria-label="Metrics of the period"][aria-busy="false"]');

/** From starting the program to its home page. */
async function start(data: string): Promise<{ readonly ms: number; readonly page: Page }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const startedAt = performance.now();
  const host = await open(data);
  await page.goto(host.url);
  // Tiles, or in words that there are no metrics yet.
  await overviewSeen(page);
  return { ms: performance.now() - startedAt, page };
}

/** How many campaigns still wait to be checked. Another process may look into the database while the desk has it open. */
function checksWaiting(): number {
  const [account] = readdirSync(join(folder, 'big/workspaces'));
  const db = new DatabaseSync(join(folder, 'big/workspaces', account ?? '', 'workspace.db'), { readOnly: true });
  const waiting = Number(db.prepare('SELECT count(*) AS waiting FROM check_pending').get()?.['waiting']);
  db.close();
  return waiting;
}

/** What the page names: the grid and its frame. All else loads when the window rests, or when it is asked for. */
const firstScripts = (): readonly string[] =>
  Array.from(
    readFileSync(join(OUT, 'renderer/index.html'), 'utf8').matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g),
    ([, file = '']) => file,
  );
const sizeOf = (scripts: readonly string[]): number =>
  scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(OUT, 'renderer/assets', file))).length, 0) / 1024;
const otherList = (page: Page, i: number): Promise<void> => openTab(page, i % 2 === 0 ? 'Keywords' : 'Ad groups');

try {
  const small = await start('small');
  figure('desk: start to usable, practice account', small.ms, 'ms', 1500);
  figure('desk: script before the first rows, gzip', sizeOf(firstScripts()), 'KB', 258);
  await small.page.close();
  for (const host of hosts.splice(0)) await host.stop();

  cli('account', 'add', '--practice', '--name', 'Practice');
  writeFileSync(join(folder, 'report.csv'), reportOf(DAYS, keywords / KEYWORDS_A_CAMPAIGN));
  cli('report', 'import', join(folder, 'report.csv'));
  await writeSheet(join(folder, 'big.csv'), keywords);
  cli('import', join(folder, 'big.csv'));
  const { ms, page } = await start('big');
  figure(`desk: start to usable, ${keywords} keywords`, ms, 'ms', 2500);

  await openList(page, 'Ad groups');
  const meanwhile: number[] = [];
  // The sheet was imported a moment ago, so that its rows are being checked.
  while (meanwhile.length < SWITCHES_MAX && checksWaiting() > 0) {
    meanwhile.push(await timed(() => otherList(page, meanwhile.length)));
  }
  if (meanwhile.length > 0)
    figure('desk: another list while rows are checked, median', median(sorted(meanwhile)), 'ms', 150);
  else process.stderr.write('desk: all rows were checked before a list could be opened: nothing measured of that.\n');
  while (checksWaiting() > 0) await page.waitForTimeout(200);
  const settled = await repeated(12, (i) => otherList(page, i));
  figure('desk: another list, median', median(settled), 'ms', 150);
  // Two presses, and the rows of two lists.
  const whole = await repeated(12, (i) => openList(page, i % 2 === 0 ? 'Keywords' : 'Ad groups'));
  figure('desk: all campaigns and another list, median', median(whole), 'ms', 300);
  const home = await repeated(
    7,
    async () => {
      await page.keyboard.press('Alt+1');
      await overviewSeen(page);
    },
    () => openList(page, 'Keywords'),
  );
  figure(`desk: overview, ${keywords} keywords, median`, median(home), 'ms', 400);

  // Before the paste, which leaves the list at one campaign.
  if (keywords <= COPIED_MAX) {
    const copy = await copied(page, 'Keywords');
    figure(`desk: copy of ${keywords} keywords`, copy.ms, 'ms', 4000);
    figure('desk: longest the window stood still while they were copied', copy.stillMs, 'ms', 300);
  }
  figure(`desk: paste of ${PASTED} rows previewed`, await pastePreviewed(page, PASTED), 'ms', 2000);
  await page.waitForTimeout(1000);

  const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await bareList(bare, keywords);
  const library = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await libraryGrid(library, keywords, KEYWORDS_A_CAMPAIGN);
  for (const [name, step] of [
    ['slow', 60],
    ['fling', 1200],
    ['thumb', 60_000],
  ] as const) {
    const own = await scrolled(page, OWN.scroller, step);
    const least = await scrolled(bare, BARE_LIST.scroller, step);
    const theirs = await scrolled(library, LIBRARY.scroller, step);
    const colored = await withLens(page, () => scrolled(page, OWN.scroller, step));
    // On a crowded machine frames are lost by everybody, so the bare list sets the limit there.
    figure(`desk: frames over 32 ms, ${name}`, own, '%', Math.max(5, 1.5 * least), [LIBRARY.name, theirs]);
    figure(`desk: frames over 32 ms, ${name}, impact lens on`, colored, '%', Math.max(5, 1.5 * least), [
      'without',
      own,
    ]);
    figure(`desk: frames over 32 ms, ${name}, and a bare list`, own, '%', null, [BARE_LIST.name, least]);
  }
  await bare.close();

  await page.bringToFront();
  await page.locator(OWN.listener).focus();
  await page.keyboard.press('Control+Home');
  await page.waitForTimeout(800);
  const keys = await keyToPaint(page, OWN, ['ArrowDown', 'ArrowUp'], 60);
  await library.bringToFront();
  await library.evaluate((scroller) => document.querySelector(scroller)?.scrollTo(0, 0), LIBRARY.scroller);
  await library.locator('[row-index="0"] [role="gridcell"]').nth(1).click();
  const theirKeys = await keyToPaint(
    library,
    { listener: LIBRARY.active, active: LIBRARY.active },
    ['ArrowDown', 'ArrowUp'],
    60,
  );
  figure('desk: key press to painted cell, p95', share(keys, 0.95), 'ms', 50, [LIBRARY.name, share(theirKeys, 0.95)]);
  await library.close();
  await page.bringToFront();

  const heaps: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    await oneMinute(page, minute);
    if (minute % MEASURED_EVERY === MEASURED_EVERY - 1) heaps.push((await heapOf(page)) / MB);
  }
  figure('desk: memory of the page after an hour of scripted use', heaps.at(-1) ?? 0, 'MB', 350);
  // The first measure is left out: what is loaded and cached once is no growth.
  figure('desk: growth an hour of scripted use', slopeOf(heaps.slice(1)) * (MINUTES / MEASURED_EVERY), 'MB', 10);

  const assets = readdirSync(join(OUT, 'renderer/assets')).filter((file) => file.endsWith('.js'));
  figure('desk: script in all, gzip', sizeOf(assets), 'KB', null);
  await page.close();
} finally {
  await browser.close();
  // Also those of a run that failed.
  for (const host of hosts) await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
