import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { faults } from './axe.ts';

/** The gallery has no host: it is a page of files, with an account in memory. */
const root = fileURLToPath(new URL('../ui', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'adslate-gallery-'));
const ORIGIN = 'http://gallery.test';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

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

test('no part has a serious fault in any of its states and in any of the looks', async ({ page }) => {
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    const contentType = TYPES[extname(path)];
    return route.fulfill({ path: join(folder, path), ...(contentType === undefined ? {} : { contentType }) });
  });
  await page.goto(`${ORIGIN}/gallery.html`);
  await expect(page.getByRole('figure', { name: 'StateDot, good' })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const contrast of ['no-preference', 'more'] as const) {
      await page.emulateMedia({ colorScheme, contrast });
      expect.soft(await faults(page), `${colorScheme}, contrast ${contrast}`).toEqual([]);
    }
  }
  const cut = await page
    .getByRole('figure')
    .evaluateAll((figures) =>
      figures.filter((figure) => figure.scrollWidth > figure.clientWidth + 1).map((figure) => figure.ariaLabel),
    );
  expect(cut, 'every part keeps within its place').toEqual([]);
});
