import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { campaignsFor, keywordValues } from './big-workspace.ts';
import { timed } from './figure.ts';

/** The list of rows, in groups or not. */
export const GRID = '[role="grid"], [role="treegrid"]';

const WAIT_MAX_MS = 60_000;

/**
 * Waits until so many elements are there, looking in each frame: Playwright itself looks again after 20, 50, 100, 100 and
 * then 500 ms, which would be what is measured.
 */
export const seen = (page: Page, selector: string, count = 1): Promise<void> =>
  page.evaluate(
    ([where, least, most]) =>
      new Promise<void>((resolve, reject) => {
        const until = performance.now() + most;
        const look = (): void => {
          const found = document.querySelectorAll(where);
          if (found.length >= least) resolve();
          else if (performance.now() > until) reject(new Error(`${found.length} of ${least} at ${where}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, count, WAIT_MAX_MS] as const,
  );

/** What the benchmark does at the desk, as a user would with mouse and keys. */
export const openList = async (page: Page, name: string): Promise<void> => {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^All campaigns/ })
    .click();
  await openTab(page, name);
};

/** Another list of what is open, which is one press. */
export const openTab = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  await seen(page, `[aria-label="${name} grid"] [role="gridcell"]:not([aria-busy])`);
};

/** So much as somebody quick does in a minute, without the pauses: lists, cells, an edit and its undo, panels, dialogs. */
export async function oneMinute(page: Page, minute: number): Promise<void> {
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  await openList(page, minute % 2 === 0 ? 'Campaigns' : 'Ad groups');
  await openList(page, 'Keywords');
  await scrollBy(page, GRID, 4000, 40);
  await page.locator(GRID).focus();
  await keyboard.press('Control+Home');
  for (let i = 0; i < 10; i += 1) await keyboard.press(i % 4 === 3 ? 'ArrowRight' : 'ArrowDown');
  await keyboard.press('Control+Home');
  await editAndUndo(page, `${1 + (minute % 9)}.${10 + (minute % 89)}`);
  for (const tab of ['1', '2', '4']) await keyboard.press(`Alt+Shift+${tab}`);
  await keyboard.press('Alt+Shift+C');
  await page.getByLabel('Formula').waitFor();
  await keyboard.press('Escape');
  for (const keys of ['Control+k', 'Control+o', 'F1']) {
    await keyboard.press(keys);
    await dialog.waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
}

/** Types a bid over the first one in sight, and takes it back. Both must be seen: what has no effect costs no memory. */
async function editAndUndo(page: Page, bid: string): Promise<void> {
  const column = await page.getByRole('columnheader', { name: /^Bid/ }).getAttribute('aria-colindex');
  const cell = page.locator(`[role="row"][aria-level="2"] [role="gridcell"][aria-colindex="${column}"]`).first();
  const before = await cell.textContent();
  const edited = cell.filter({ hasText: bid });
  await cell.click();
  await page.keyboard.type(bid);
  await page.keyboard.press('Enter');
  await edited.waitFor();
  await page.keyboard.press('Control+z');
  await edited.waitFor({ state: 'detached' });
  if ((await cell.textContent()) !== before) throw new Error(`the undone bid is not ${before} again`);
}

/**
 * Copies a whole list to the clipboard of the system.
 *
 * @returns milliseconds from the key to the end of it, and the longest that the window stood still meanwhile
 */
export async function copied(page: Page, name: string): Promise<{ readonly ms: number; readonly stillMs: number }> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openList(page, name);
  await page.locator(GRID).focus();
  await page.keyboard.press('Control+a');
  await page.waitForTimeout(500);
  const longest = await longestFrame(page);
  const note = '[role="status"]:not(:empty)';
  const ms = await timed(async () => {
    await page.keyboard.press('Control+c');
    await seen(page, note);
  });
  // A message is gone after seconds, so that it is read whatever it says.
  const text = await page.locator(note).first().textContent();
  if (text?.endsWith(' cells copied') !== true) throw new Error(`copying ended with "${text}"`);
  return { ms, stillMs: await longest() };
}

/**
 * Copies so many rows to the clipboard of the system and pastes them over the keywords of one campaign.
 *
 * @returns milliseconds from the key to the preview of all of them on screen
 */
export async function pastePreviewed(page: Page, rows: number): Promise<number> {
  const lines = Array.from({ length: rows }, (_, i) => {
    const { text, matchType, bid } = keywordValues(1, i);
    return `${text} pasted\t${matchType}\t${(Number(bid) / 100).toFixed(2)}`;
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    ['Keyword\tMatch type\tBid', ...lines].join('\r\n'),
  );
  const navigation = page.getByRole('navigation');
  await navigation
    .getByRole('button', { name: /^Campaign 1\b/ })
    .first()
    .click();
  await page.getByRole('tab', { name: /^Keywords/ }).click();
  await page.getByLabel('Keywords grid').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  await page.keyboard.type('paste a table');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Paste a table/ });
  await dialog.getByRole('textbox').focus();
  const counts = dialog.locator('[data-counts] > span:not(:empty)');
  const ms = await timed(async () => {
    await page.keyboard.press('Control+v');
    await seen(page, '[role="dialog"] [data-counts] > span:not(:empty)');
    await seen(page, '[role="dialog"] [role="row"], [role="dialog"] tr', 2);
  });
  // As the window writes them: "10,000 new".
  const counted = (await counts.allTextContents()).reduce((sum, text) => sum + Number(text.replaceAll(/\D/gu, '')), 0);
  if (counted !== rows) throw new Error(`${rows} rows were pasted, and ${counted} are previewed`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  return ms;
}

/** What is measured inside the page, frame by frame, as a person would see it. */
export interface Frames {
  /** Share of frames that took longer than 32 ms. */
  readonly slow: number;
  readonly frames: number;
}

/** Scrolls an element by so many pixels with each frame, back and forth, and counts slow frames. */
export const scrollBy = (page: Page, selector: string, step: number, frames: number): Promise<Frames> =>
  page.evaluate(
    ({ selector: where, step: by, frames: count }) =>
      new Promise<Frames>((resolve) => {
        const box = document.querySelector(where);
        if (box === null) throw new Error(`nothing to scroll at ${where}`);
        let last = performance.now();
        let seen = -1;
        let slow = 0;
        let direction = 1;
        const frame = (): void => {
          const now = performance.now();
          if (seen >= 0 && now - last > 32) slow += 1;
          last = now;
          seen += 1;
          if (seen >= count) {
            resolve({ slow: slow / count, frames: count });
            return;
          }
          if (box.scrollTop + box.clientHeight >= box.scrollHeight - by) direction = -1;
          if (box.scrollTop < by) direction = 1;
          box.scrollTop += direction * by;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, step, frames },
  );

/** Watches frames from now on; the answer ends it and says how many milliseconds the longest took. */
export async function longestFrame(page: Page): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle(() => {
    const seen = { longest: 0, last: performance.now(), isOver: false };
    const frame = (): void => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
      if (!seen.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return seen;
  });
  return () =>
    watch.evaluate((seen) => {
      seen.isOver = true;
      return seen.longest;
    });
}

/** Milliseconds from a key press to the frame in which its effect is painted; the presses alternate. */
export const keyToPaint = (
  page: Page,
  /** The element that hears keys, and the cell that is active. */
  where: { readonly listener: string; readonly active: string },
  keys: readonly [string, string],
  times: number,
): Promise<readonly number[]> =>
  page.evaluate(
    async ({ where: { listener, active }, keys: both, times: count }) => {
      const painted = (): Promise<void> =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 0)));
      const durations: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const before = document.querySelector(active);
        const target = document.querySelector<HTMLElement>(listener);
        if (target === null) throw new Error(`nothing hears keys at ${listener}`);
        const start = performance.now();
        target.dispatchEvent(new KeyboardEvent('keydown', { key: both[i % 2] ?? '', bubbles: true, cancelable: true }));
        await painted();
        durations.push(performance.now() - start);
        if (document.querySelector(active) === before) throw new Error('the key had no effect');
      }
      return durations.sort((a, b) => a - b);
    },
    { where, keys, times },
  );

/** Growth from one measure to the next, by the line that lies nearest to all of them. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const below = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return above / below;
}

/** What the page's script has in use once nothing is left to be collected, in bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** What else could show as many rows in the same browser: the least there is, and a grid library that many desks use. */
export const BARE_LIST = { name: 'bare list', scroller: '#box' } as const;
export const LIBRARY = { name: 'AG Grid', scroller: '.ag-grid-viewport', active: '.ag-cell-focus' } as const;

/** The library as one script for a page without a bundler; the package names only the one for bundlers. */
const LIBRARY_SCRIPT = fileURLToPath(new URL('../ag-grid-community.min.js', import.meta.resolve('ag-grid-community')));

/** As high as the grid of the desk in a window of 1440 by 900. */
const HEIGHT = 540;
const COLUMNS = 6;

/** A list of the same rows without any of ours: absolute lines in one canvas, drawn anew on every scroll event. */
export async function bareList(page: Page, rows: number): Promise<void> {
  await page.setContent('<style>*{margin:0;font:12px sans-serif}</style><div id="box"></div>');
  await page.evaluate(
    ({ rows: count, columns, height }) => {
      const box = document.querySelector<HTMLElement>('#box');
      if (box === null) return;
      box.style.cssText = `height:${height}px;overflow:auto;position:relative`;
      const canvas = document.createElement('div');
      canvas.style.cssText = `height:${Math.min(count * 28, 8_000_000)}px;position:relative`;
      box.append(canvas);
      const draw = (): void => {
        const first = Math.floor(box.scrollTop / 28);
        const lines: HTMLElement[] = [];
        for (let i = first; i < first + 28; i += 1) {
          const line = document.createElement('div');
          line.style.cssText = `position:absolute;top:${i * 28}px;height:28px;width:100%`;
          for (let c = 0; c < columns; c += 1) {
            const cell = document.createElement('span');
            cell.style.cssText = `position:absolute;left:${c * 120}px;width:110px;overflow:hidden`;
            cell.textContent = `row ${i} cell ${c}`;
            line.append(cell);
          }
          lines.push(line);
        }
        canvas.replaceChildren(...lines);
      };
      box.addEventListener('scroll', draw, { passive: true });
      draw();
    },
    { rows, columns: COLUMNS, height: HEIGHT },
  );
}

/**
 * The library over the keywords of the desk's account, in rows as high and with as many columns. It holds all of them
 * in the page, which is its quickest way: it never waits for a row, as the desk does.
 */
export async function libraryGrid(page: Page, rows: number, keywordsACampaign: number): Promise<void> {
  await page.setContent(`<div id="grid" style="height:${HEIGHT}px"></div>`);
  await page.addScriptTag({ path: LIBRARY_SCRIPT });
  const keywords = Array.from({ length: rows }, (_, i) => {
    const campaign = Math.floor(i / keywordsACampaign);
    const { text, matchType, bid } = keywordValues(campaign, i % keywordsACampaign);
    return [`Campaign ${campaign}`, text, matchType, (Number(bid) / 100).toFixed(2), 'Enabled', ''];
  });
  await page.evaluate((data) => {
    const { agGrid } = globalThis as unknown as {
      readonly agGrid: { createGrid(element: Element, options: object): unknown };
    };
    const element = document.querySelector('#grid');
    if (element === null) return;
    const titles = ['Campaign', 'Keyword', 'Match type', 'Bid', 'State', 'Status'];
    agGrid.createGrid(element, {
      rowHeight: 28,
      columnDefs: titles.map((headerName, i) => ({
        headerName,
        colId: String(i),
        valueGetter: (row: { readonly data: readonly string[] }) => row.data[i],
        pinned: i === 0 ? 'left' : null,
      })),
      rowData: data,
    });
  }, keywords);
  await page.locator('.ag-grid-viewport [role="gridcell"]').first().waitFor();
}

export const KEYWORDS_A_CAMPAIGN = 600;

/** Writes a sheet of made-up campaigns with so many keywords, as the desk's benchmark imports it. */
export async function writeSheet(file: string, keywords: number): Promise<void> {
  const out = createWriteStream(file);
  const write = async (line: string): Promise<void> => {
    if (!out.write(`${line}\r\n`)) await once(out, 'drain');
  };
  await write('Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Bid,Keyword,Match type');
  let left = keywords;
  for (let c = 0; c < campaignsFor(keywords); c += 1) {
    await write(`campaign,Campaign ${c},,sponsoredProducts,manual,5000.00,50.00,2030-06-01,,,`);
    await write(`ad group,Campaign ${c},Group ${c},,,,,,,,`);
    for (let i = 0; i < Math.min(KEYWORDS_A_CAMPAIGN, left); i += 1) {
      const { text, matchType, bid } = keywordValues(c, i);
      await write(`keyword,Campaign ${c},Group ${c},,,,,,${(Number(bid) / 100).toFixed(2)},${text},${matchType}`);
    }
    left -= KEYWORDS_A_CAMPAIGN;
  }
  out.end();
  await once(out, 'finish');
}
