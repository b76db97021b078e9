import { closeSync, openSync, writeSync } from 'node:fs';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { adslate, startBuiltHost } from './host-process.ts';

/** A sheet has a million rows at most, and the campaign and its group are two of them. */
const MANY = 990_000;

/** Dots of the display do not end where pixels of the page do. */
const WHOLE = { ratio: 0.95 };

/**
 * Chromium draws no element taller than 33 million dots of the display, so a list whose height is that of its rows ends
 * before the last on a display that is scaled. Playwright's own scale factor leaves the limit as it is; the flag does not.
 */
test('on a scaled display the last of 990,000 rows is reached, and the first again', {
  tag: ['@grid', '@long'],
}, async ({ playwright, launchOptions, dataDir }) => {
  test.setTimeout(1_200_000);
  const sheet = `${dataDir}.csv`;
  writeKeywords(sheet);
  adslate(dataDir, 'account', 'add', '--practice', '--name', 'Many');
  adslate(dataDir, 'import', sheet);
  for (const scale of [1.5, 2]) {
    // A link signs in one window.
    const host = await startBuiltHost(['--data', dataDir]);
    // Else the window shrinks with the scale until no row has room in it. This is about the smallest of the desktop program.
    const size = '--window-size=900,700';
    const args = [...(launchOptions.args ?? []), size, `--force-device-scale-factor=${scale}`];
    const browser = await playwright.chromium.launch({ ...launchOptions, args });
    const page = await browser.newPage({ viewport: null });
    await page.goto(host.url);
    const desk = deskPage(page);
    await desk.ready();
    expect(await page.evaluate(() => window.devicePixelRatio)).toBe(scale);
    await desk.openList('Keywords');
    // The head, and the row of the one group.
    await expect(desk.grid).toHaveAttribute('aria-rowcount', String(MANY + 2));
    await expect(page.getByRole('button', { name: 'Sync plan', exact: true })).toBeVisible();
    const row = (number: number) =>
      desk.grid.getByRole('rowheader', { name: new RegExp(`^${number.toLocaleString('en-GB')}\\b`) });
    await desk.grid.focus();
    await page.keyboard.press('Control+End');
    await expect(row(MANY)).toBeInViewport(WHOLE);
    await page.keyboard.press('Control+Home');
    await expect(row(1)).toBeInViewport(WHOLE);
    await desk.grid.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(row(MANY)).toBeInViewport(WHOLE);
    await browser.close();
    await host.stop();
  }
});

/** A sheet with one campaign and its keywords, written piece by piece. */
function writeKeywords(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, 'Type,Campaign,Ad group,Campaign type,Targeting,Keyword,Match type,Bid\n');
  writeSync(file, 'campaign,Many,,sponsoredProducts,manual,,,\nad group,Many,Group,,,,,\n');
  for (let from = 0; from < MANY; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, i) => `keyword,Many,Group,,,kettle ${from + i},exact,1.65\n`);
    writeSync(file, lines.join(''));
  }
  closeSync(file);
}
