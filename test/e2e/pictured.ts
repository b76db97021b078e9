import { expect, type Locator, type Page } from '@playwright/test';
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

/**
 * Light and dark as well, of a state that is dear to reach; the window is as it was afterwards. Both panes are open
 * in most specs: the lower panel is closed for as long, or the right pane when the panel is what is drawn.
 */
export async function takeEveryLook(page: Page, name: string, drawsPanel = false): Promise<void> {
  const before = page.viewportSize();
  const keys = drawsPanel ? 'Alt+i' : 'Alt+j';
  await page.keyboard.press(keys);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takeIn(page, colorScheme)(name);
  }
  await page.keyboard.press(keys);
  if (before !== null) await page.setViewportSize(before);
}

/** Waits until the video in the details can be played: until then the browser draws a wheel over it. */
export async function firstFrame(desk: DeskPage): Promise<void> {
  const video = desk.inspector.locator('video');
  const isHere = (element: HTMLVideoElement): boolean =>
    element.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA && element.networkState === HTMLMediaElement.NETWORK_IDLE;
  await expect.poll(() => video.evaluate(isHere)).toBe(true);
}

/** Every list, and what belongs to its rows. */
export async function lists(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await expect(page.getByRole('heading', { level: 2, name: 'Get to know Adslate' })).toBeVisible();
  await expect(page.getByRole('listitem').locator('img:visible').first()).toBeVisible();
  await take('overview');
  await desk.openList('Campaigns');
  await take('campaigns');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('switch', { name: 'Item pictures' })).toBeVisible();
  await take('view-menu');
  await page.keyboard.press('Escape');
  await (await desk.cell('Water bottles manual', 'Status')).click();
  await page.keyboard.press('Alt+i');
  await expect(desk.inspector.getByRole('heading', { name: 'Water bottles manual' })).toBeVisible();
  await expect(desk.inspector.locator('img')).toHaveCount(4);
  await take('details');
  await page.keyboard.press('Alt+i');
  await desk.openList('Keywords');
  await (await desk.cell('garden watering set', 'Bid')).click();
  await take('keywords');
  await page.getByRole('button', { name: /^Period/ }).click();
  await expect(page.getByRole('region', { name: 'Days of the period' }).getByText('Settled')).not.toHaveCount(0);
  await take('period');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+g');
  await expect(page.getByRole('heading', { level: 3, name: 'How it is calculated' })).toBeVisible();
  await take('suggestions');
  await desk.openList('SBA profiles');
  await (await desk.cell('Soft napkins', 'Headline')).click();
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await take('cell-issue');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+i');
  await (await desk.cell('Everything for a green garden', 'Headline')).click();
  await expect(desk.inspector.getByRole('figure').first()).toBeVisible();
  await take('sba-profile');
  await desk.openList('Video profiles');
  await (await desk.cell('Kitchen roll video', 'Campaign')).click();
  await expect(desk.inspector.getByRole('figure').first()).toBeVisible();
  await take('video-profile');
  await page.keyboard.press('Alt+i');
  await desk.openCampaign('Water bottles manual');
  await desk.openKeywords();
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByLabel('New keyword')).toBeVisible();
  await take('keyword-matrix');
  await page.getByRole('tab', { name: /^Placement/ }).click();
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByLabel('Example bid')).toBeVisible();
  await take('multipliers');
  await desk.openList('Campaigns');
  await page.keyboard.press('Alt+Shift+2');
  await expect(desk.drawer.getByRole('listitem').first()).toBeVisible();
  await take('changes');
}

/** Tools over rows, on the list of ad items, of which some are in more than one campaign. */
export async function overTheRows(page: Page, desk: DeskPage, take: Take): Promise<void> {
  const hands = handsOn(page);
  await desk.openList('Keywords');
  await viewsFromAFile(page, desk, take);
  await (await desk.cell('flexible garden hose', 'Bid')).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+Shift+C');
  await page.getByLabel('Formula').fill('+10%');
  await expect(page.getByRole('button', { name: /^Apply to \d/ })).toBeEnabled();
  await take('change-many');
  await page.keyboard.press('Escape');
  await desk.openList('Ad items');
  // One for each item.
  await expect(desk.grid.locator('img')).toHaveCount(19);
  await (await desk.cell('Garden hose video', 'Bid')).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+i');
  await desk.inspector.getByRole('tab', { name: 'Details' }).click();
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
  await expect(page.getByRole('button', { name: /^Paste \d+ rows$/ })).toBeEnabled();
  await take('paste-table');
  await closed(page);
  await desk.openList('Keywords');
  await desk.filter('matchType:exact bid<0.80');
  await page.keyboard.press('Control+f');
  await page.keyboard.press('Control+Shift+F');
  await take('filter');
}

function pasteItems(element: Element): void {
  const data = new DataTransfer();
  data.setData(
    'text/plain',
    'Campaign\tItem id\tBid\nPaper towels auto\t0751257005\t0.50\nPaper towels auto\t2967990986\t0.45',
  );
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}

/** The metrics of keywords, and the campaigns above them, come after the rows. */
export async function withMetrics(desk: DeskPage): Promise<void> {
  // Asked anew each time: the column moves while others come.
  await expect.poll(async () => (await desk.cell('flexible garden hose', 'Spend')).textContent()).toContain('$');
  const campaign = desk.grid.getByRole('row').filter({ hasText: 'Northwind garden brand' });
  await expect(campaign.locator('img')).toBeVisible();
}

/** A colleague's views: one is new, one has a filter that nobody can read. */
async function viewsFromAFile(page: Page, desk: DeskPage, take: Take): Promise<void> {
  await desk.openList('Keywords');
  await withMetrics(desk);
  await page.getByRole('button', { name: 'More views' }).click();
  await page.getByRole('menuitem', { name: 'Import views…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import views' });
  const view = (name: string, filter: string) => ({
    name,
    view: { kind: 'keyword', filter, only: 'all', sort: [{ column: 'bid', descending: true }] },
    layout: {},
  });
  const views = [view('High bids', 'bid>1.70'), view('Broad ones', 'matchType:broad'), view('Unread', 'bid>high')];
  const text = JSON.stringify({ format: 'adslate-views', version: 1, views });
  await dialog
    .getByLabel('Choose a file…')
    .setInputFiles({ name: 'adslate-views.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await take('take-in-views');
  await closed(page);
}

export async function closed(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/**
 * Scrolls a part to the end or the center of what scrolls it, whatever was in sight before, until it stays there: what
 * comes late moves it once more.
 */
export async function scrolledTo(part: Locator, block: 'center' | 'end'): Promise<void> {
  await expect(async () => {
    const before = await part.boundingBox();
    await part.evaluate((element, where) => element.scrollIntoView({ block: where }), block);
    expect(await part.boundingBox()).toEqual(before);
  }).toPass();
}

/** Waits until every note is gone; one stays for as long as the pointer rests on it. */
export async function noNotes(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.locator('[data-position] [role="alert"]')).toHaveCount(0);
}
