import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { keywordValues } from './big-workspace.ts';

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
