import { expect, type Page } from '@playwright/test';
import type { DeskPage } from './desk-page.ts';
import { handsOn } from './hands.ts';

/** Draws the window as it stands, in every size, under this name. */
export type Take = (name: string) => Promise<void>;

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
export const [SMALL] = SIZES;
/**
 * Share of pixels that may differ, and how much a pixel may differ before it counts (0 to 1). What differs from day to
 * day (times, weeks of the calendar) is well within it; a panel that moved, lost its colour or was cut off is not.
 */
const TOLERANCE = { maxDiffPixelRatio: 0.02, threshold: 0.08 } as const;

export const takeIn =
  (page: Page, scheme: 'light' | 'dark'): Take =>
  async (name) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect.soft(page).toHaveScreenshot(`${name}-${scheme}-${size.width}.png`, TOLERANCE);
    }
    await page.setViewportSize(SMALL);
  };

/** Light and dark as well, of a state that is dear to reach; the window is as it was afterwards. */
export async function takeEveryLook(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takeIn(page, colorScheme)(name);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Waits until the video in the details can be played: until then the browser draws a wheel over it. */
export async function firstFrame(desk: DeskPage): Promise<void> {
  const video = desk.inspector.locator('video');
  const isHere = (element: HTMLVideoElement): boolean =>
    element.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA && element.networkState === HTMLMediaElement.NETWORK_IDLE;
  await expect.poll(() => video.evaluate(isHere)).toBe(true);
}

/** Tools over rows, on the list of ad items of the examples, of which some are in more than one campaign. */
export async function toolsOfRows(page: Page, desk: DeskPage, take: Take): Promise<void> {
  const hands = handsOn(page);
  await desk.openList('Ad items');
  await (await desk.cell('Kitchen roll video', 'Bid')).click();
  await page.keyboard.press('Control+Shift+F');
  await expect(page.getByText('Show rows that match all conditions')).toBeVisible();
  await take('filter');
  await page.keyboard.press('Escape');
  await desk.grid.focus();
  await page.keyboard.press('Control+a');
  await expect(desk.inspector.getByRole('heading', { name: /rows selected/ })).toBeVisible();
  await take('many-rows');
  await hands.command('copy or move to');
  await expect(page.getByRole('radio', { name: 'Garden hose video' })).toBeVisible();
  await take('copy-to');
  await closed(page);
  await hands.command('find duplicates');
  const twice = desk.inspector;
  await twice.getByText('All campaigns').click();
  await expect(twice.getByRole('radio').nth(4)).toBeVisible();
  await take('duplicates');
  await closed(page);
  await hands.command('paste a table');
  await page
    .getByRole('dialog', { name: /^Paste a table/ })
    .getByRole('textbox')
    .first()
    .evaluate(pasteItems);
  await expect(page.getByRole('button', { name: /^Paste \d+ rows$/ })).toBeEnabled({ timeout: 30_000 });
  await take('paste-table');
  await closed(page);
}

function pasteItems(element: Element): void {
  const data = new DataTransfer();
  data.setData(
    'text/plain',
    'Campaign\tItem id\tBid\nPaper towels auto\t7992187762\t1.80\nPaper towels auto\t0258315914\t1.20',
  );
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}

/** What belongs to no row: where the account comes from and what the program says of itself. */
export async function dialogsOfTheAccount(page: Page, desk: DeskPage, take: Take): Promise<void> {
  const hands = handsOn(page);
  await desk.openList('Keywords');
  for (const [command, name, picture] of [
    ['campaign ids', 'Campaign IDs', 'known-ids'],
    ['add campaigns by id', 'Campaign IDs', 'add-by-id'],
    ['credentials', 'Credentials', 'keys'],
    ['number and date format', 'Numbers and dates', 'numbers'],
    ['about adslate', 'About Adslate', 'about'],
  ] as const) {
    await hands.command(command);
    await expect(page.getByRole('region', { name })).toBeVisible();
    await expect(page.getByText(/^(Looking|Loading)/)).toHaveCount(0);
    await take(picture);
    await page.keyboard.press('Escape');
  }
  await hands.command('connect account');
  await expect(page.getByRole('dialog', { name: 'Connect account' })).toBeVisible();
  await take('connect');
  await closed(page);
  await desk.drawer.getByRole('tab', { name: /^History/ }).click();
  await expect(desk.drawer.getByRole('listitem').first()).toBeVisible();
  await take('history');
  await desk.drawer.getByRole('tab', { name: /^Sync/ }).click();
  await expect(desk.drawer.getByRole('heading', { name: / live, .* in review/ })).toBeVisible();
  await take('sync-tab');
  await desk.drawer.getByRole('tab', { name: /^Issues/ }).click();
}

/** A colleague's views: one is new, one has a filter that nobody can read. */
export async function viewsFromAFile(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('Keywords');
  await page.getByRole('button', { name: 'More views' }).click();
  await page.getByRole('menuitem', { name: 'Import views…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import views' });
  const view = (name: string, filter: string) => ({
    name,
    view: { kind: 'keyword', filter, only: 'all', sort: [{ column: 'bid', descending: true }] },
    layout: {},
  });
  const views = [view('Dear keywords', 'bid>1.70'), view('Broad ones', 'matchType:broad'), view('Unread', 'bid>dear')];
  const text = JSON.stringify({ format: 'adslate-views', version: 1, views });
  await dialog
    .getByLabel('Choose a file…')
    .setInputFiles({ name: 'adslate-views.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await take('take-in-views');
  await closed(page);
}

/** Two banners of one campaign, at the first step of a swap. */
export async function swapOfBanners(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('SBA profiles');
  await (await desk.cell('Made for long summers', 'Headline')).click();
  await desk.inspector.getByRole('button', { name: 'Swap banner without pausing…' }).click();
  const swap = page.getByRole('region', { name: 'Swap banner without pausing' });
  await swap.getByRole('button', { name: 'Start swap' }).click();
  await expect(swap.locator('[aria-current="step"]')).toContainText('Change the disabled profile');
  await page.mouse.move(0, 0);
  await take('swap');
}

async function closed(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
