import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { noFaults } from './looks.ts';

/** The gallery has no host: it is a page of files, with an account in memory. */
const root = fileURLToPath(new URL('../ui', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'adslate-gallery-'));
/** As trusted as the window's own address, or the browser keeps some of what parts use from them. */
const ORIGIN = 'http://gallery.localhost';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * What can only be said of a whole page: the gallery shows several screens on one, each with a heading, landmarks and a
 * grid of its own. These rules judge the real screens in `accessibility.spec.ts`.
 */
const OF_A_PAGE = [
  'duplicate-id-aria',
  'heading-order',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'region',
];

test.beforeAll(async () => {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'chrome150',
      reportCompressedSize: false,
      rolldownOptions: { input: join(root, 'gallery.html') },
    },
  });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two workers each look at every other area. */
for (const turn of [0, 1]) {
  test(
    `no part has a fault in any of its states and in any of the looks, areas ${turn + 1}, ${turn + 3}, …`,
    { tag: '@everyone' },
    ({ page }) => lookAtAreas(page, turn),
  );
}

/** Dots of the display do not end where pixels of the page do. */
const WHOLE = { ratio: 0.95 };

/**
 * Chromium draws no element taller than 33 million dots of the display, so a list whose height is that of its rows ends
 * before the last on a display that is scaled. Playwright's own scale factor leaves the limit as it is; the flag does not.
 */
for (const scale of [1.5, 2]) {
  test(`on a display scaled to ${100 * scale} % the last of a million rows is reached, and the first again`, {
    tag: '@grid',
  }, async ({ playwright, launchOptions }) => {
    const args = [...(launchOptions.args ?? []), `--force-device-scale-factor=${scale}`];
    const browser = await playwright.chromium.launch({ ...launchOptions, args });
    const page = await browser.newPage({ viewport: null });
    await serve(page);
    await page.goto(`${ORIGIN}/gallery.html#grid`);
    expect(await page.evaluate(() => window.devicePixelRatio)).toBe(scale);
    const grid = page.getByRole('figure', { name: 'Grid, a million rows' }).getByRole('grid');
    const row = (number: number) => grid.getByRole('rowheader', { name: String(number), exact: true });
    await grid.getByRole('gridcell', { name: 'kettle 1', exact: true }).click();
    await grid.evaluate((box) => box.scrollIntoView({ block: 'end' }));
    await page.keyboard.press('Control+End');
    await expect(row(1_000_000)).toBeInViewport(WHOLE);
    await page.keyboard.press('Control+Home');
    await expect(row(1)).toBeInViewport(WHOLE);
    await grid.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(row(1_000_000)).toBeInViewport(WHOLE);
    await browser.close();
  });
}

async function serve(page: Page): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    const contentType = TYPES[extname(path)];
    return route.fulfill({ path: join(folder, path), ...(contentType === undefined ? {} : { contentType }) });
  });
}

async function lookAtAreas(page: Page, turn: number): Promise<void> {
  await serve(page);
  await page.goto(`${ORIGIN}/gallery.html`);
  const links = page.getByRole('navigation', { name: 'Areas' }).getByRole('link');
  await expect(links.first()).toBeVisible();
  const areas = await links.allTextContents();
  expect(areas.length).toBeGreaterThan(10);
  for (const area of areas.filter((_, i) => i % 2 === turn)) {
    await test.step(area, () => look(page, area));
  }
}

async function look(page: Page, area: string): Promise<void> {
  await page.getByRole('link', { name: area, exact: true }).click();
  await expect(page.getByRole('link', { name: area, exact: true })).toHaveAttribute('aria-current', 'page');
  await page.waitForLoadState('networkidle');
  await noFaults(page, area, 'body', OF_A_PAGE);
  const cut = await page
    .getByRole('figure')
    .evaluateAll((figures) =>
      figures
        .filter((figure) => figure.ariaLabel !== null && figure.scrollWidth > figure.clientWidth + 1)
        .map((figure) => figure.ariaLabel),
    );
  expect.soft(cut, `${area}: every part keeps within its place`).toEqual([]);
}
