import type { Page } from '@playwright/test';
import { keywordValues } from './big-workspace.ts';
import { longestFrame, scrollBy } from './desk-measures.ts';
import { timed } from './figure.ts';

/** What the benchmark does at the desk, as somebody would with mouse and keys. */
export const openList = async (page: Page, name: string): Promise<void> => {
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

/** So much as somebody quick does in a minute, without the pauses: lists, cells, an edit and its undo, panels, dialogs. */
export async function oneMinute(page: Page, minute: number): Promise<void> {
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

/**
 * Copies a whole list to the clipboard of the system.
 *
 * @returns milliseconds from the key to the end of it, and the longest that the window stood still meanwhile
 */
export async function copied(page: Page, name: string): Promise<{ readonly ms: number; readonly stillMs: number }> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openList(page, name);
  await page.locator('[role="grid"]').focus();
  await page.keyboard.press('Control+a');
  await page.waitForTimeout(500);
  const longest = await longestFrame(page);
  const ms = await timed(async () => {
    await page.keyboard.press('Control+c');
    await page
      .getByText(/ cells copied$/)
      .first()
      .waitFor();
  });
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
  await navigation
    .getByRole('button', { name: /^Keywords/ })
    .last()
    .click();
  await page.getByRole('grid', { name: 'Keywords grid' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  await page.keyboard.type('paste a table');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Paste a table/ });
  await dialog.getByRole('textbox').focus();
  const counts = dialog.locator('.paste-counts .badge');
  const ms = await timed(async () => {
    await page.keyboard.press('Control+v');
    await counts.first().waitFor();
    await dialog.getByRole('row').nth(1).waitFor();
  });
  const counted = (await counts.allTextContents()).reduce((sum, text) => sum + Number.parseInt(text, 10), 0);
  if (counted !== rows) throw new Error(`${rows} rows were pasted, and ${counted} are previewed`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  return ms;
}
