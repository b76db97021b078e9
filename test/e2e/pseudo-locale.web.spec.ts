import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { ALERT_NAMES, type AlertCause, alertNotice } from '../../shared/suggestions/alerts.ts';
import { clippedTexts } from './clipped.ts';
import { expect, test } from './fixture.ts';
import { buildPseudoWindow, pseudo } from './pseudo-texts.ts';

/** The window in a made-up language: every text comes from a message file, and a longer one still has room. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-pseudo-'));

test.beforeAll(() => buildPseudoWindow(folder));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words that are the same in every language here: the product, keys, units, and what the test itself typed. */
const NAMES =
  /^(Adslate|Ctrl|Shift|Alt|Esc|Enter|Tab|Space|Delete|Backspace|Arrow\w*|Page(Up|Down)|Home|End|USD|JSON|SBA|CSV|XLSX|URL|PNG|Practice)$/;
/** Written by the locale, not by a message file. */
const DATES = /^(GMT|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)$/;
/** Words of the service: its match types, by which main names keywords. */
const SERVICE = /^(exact|phrase|broad)$/;
/** What the service calls its requests. */
const REQUESTS = /\b(GET|PUT|POST)( \/api\/v1\/[A-Za-z/]+)?|\/api\/v\d\/[A-Za-z_/]+/g;
/** Who did a step of the history is known by the name of this machine's user. */
const ME = userInfo().username;
const wordsOf = (path: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8').match(/[A-Za-z]{3,}/g) ?? [];
/** What the sample account has in it. */
const SAMPLE = new Set([
  ...wordsOf('sandbox/scenarios/sample.ts'),
  ...wordsOf('main/service/sample-account.ts'),
  // A headline is marked where it becomes too long.
  ...['https', 'shop', 'example', 'group', 'kitch', 'ens'],
]);
/** Written down by the host: steps of the history, what happened, places of files, and the text for support. */
const STORED =
  /Sample changes|Add a file|\S+ is ready(?:\. Sync to send its profile)?|northwind-home-\w+|linux x64|^Adslate diagnostic report[\s\S]*|Headline too long/g;

const uncounted = (text: string): string => text.replaceAll(/\d[\d.,]*/g, '#');
/** Alerts are written down by the host as well: of the account, of a campaign, or of several. The day decides which. */
const ALERTS = (Object.keys(ALERT_NAMES) as AlertCause[]).flatMap((cause) => {
  const row = (name: string | null, value: number) => ({ name, value, expected: value });
  const forms = [[row(null, 1)], [row(null, 2)], [row('', 1)], [row('', 2)], [row('', 1), row('', 1)]];
  return forms.map((rows) => uncounted(alertNotice(cause, rows)));
});
const withoutAlerts = (text: string): string =>
  ALERTS.reduce((rest, alert) => rest.replaceAll(alert, ''), uncounted(text));

interface Seen {
  readonly plain: readonly string[];
  readonly cut: readonly string[];
}

/** Texts in plain letters, and buttons and tabs whose text does not fit although nothing says that it was shortened. */
const look = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const plain = new Set<string>();
    const cut = new Set<string>();
    const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const read = (text: string | null, where: Element): void => {
      if (text !== null && /[A-Za-z]{3}/.test(text) && isSeen(where)) plain.add(text.trim());
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const parent = node.parentElement;
      // The text of a request is sent to the letter, in any language.
      if (parent !== null && !parent.closest('script, style, svg, pre')) read(node.textContent, parent);
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) read(element.getAttribute(name), element);
    }
    for (const element of document.body.querySelectorAll<HTMLElement>('button, [role="tab"], label')) {
      const shortened = [element, ...element.querySelectorAll('*')].some(
        (part) => getComputedStyle(part).textOverflow === 'ellipsis',
      );
      const hidden = getComputedStyle(element).overflowX !== 'visible';
      if (isSeen(element) && hidden && !shortened && element.scrollWidth > element.clientWidth + 1) {
        cut.add(element.textContent ?? '');
      }
    }
    return { plain: [...plain], cut: [...cut] };
  });

/** Words of the texts on screen that no message file has said. */
async function strangers(page: Page): Promise<readonly string[]> {
  const { plain } = await look(page);
  return plain.filter((text) =>
    (
      withoutAlerts(text.replaceAll(ME, '').replaceAll(REQUESTS, '').replaceAll(STORED, ''))
        // Parts of a file name, and the folder of the account: they have one name in every language.
        .replaceAll(/\{\w+\}|\/incoming\b/g, '')
        // Examples of addresses.
        .replaceAll(/(https:\/\/)?\w+\.example\.com/g, '')
        .match(/[A-Za-z]{3,}/g) ?? []
    ).some((word) => !SAMPLE.has(word) && ![NAMES, DATES, SERVICE].some((known) => known.test(word))),
  );
}

/**
 * Has the page of the host run the window in the made-up language. The page itself stays the host's, with its policy,
 * its session and its address; the scripts it begins with, and what those load, come from the folder.
 */
async function speakPseudo(page: Page): Promise<void> {
  const origin = new URL(page.url()).origin;
  const scriptsOf = (html: string): readonly string[] =>
    [...html.matchAll(/src="[^"]*\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const own = scriptsOf(await (await page.request.get(`${origin}/`)).text());
  const built = scriptsOf(readFileSync(join(folder, 'index.html'), 'utf8'));
  await page.route(`${origin}/assets/**`, (route) => {
    const asked = basename(new URL(route.request().url()).pathname);
    // Under its own name, by which what it loads knows it; under two it would run twice.
    const begun = built[own.indexOf(asked)];
    if (begun !== undefined) return route.fulfill({ contentType: 'text/javascript', body: `import './${begun}';` });
    const file = join(folder, 'assets', asked);
    return existsSync(file) ? route.fulfill({ path: file }) : route.fallback();
  });
}

const entry = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('navigation')
    .getByRole('button', { name: pseudo(name) })
    .first()
    .click();

/** Places of the window by what opens them. */
const ENTRIES = ['Overview', 'Inbox', 'SBA profiles', 'Video profiles', 'Media library', 'Bid multipliers', 'Launch'];
const TABS = ['Campaigns', 'Items', 'Keywords', 'Ad groups'];
const PAGES: readonly (readonly [keys: string, name: string])[] = [
  ['Alt+n', 'add rows'],
  ['Alt+Shift+V', 'new video campaign'],
  ['Alt+Shift+B', 'new SBA campaign'],
  ['Alt+Shift+M', 'new manual campaign'],
];
const DIALOGS: readonly (readonly [keys: string, name: string])[] = [
  ['Control+k', 'palette'],
  ['Control+Shift+V', 'paste a table'],
  ['Alt+m', 'add media'],
  ['Control+o', 'import'],
  ['F1', 'shortcuts'],
];
/** The steps of the pane beside the rows, each of which takes the place of the one before. */
const TOOLS: readonly (readonly [keys: string, name: string])[] = [
  ['Alt+Shift+E', 'bulk edit'],
  ['Alt+Shift+C', 'adjust bids and budgets'],
  ['Control+h', 'find and replace'],
  ['Control+Alt+v', 'paste special'],
  ['Alt+Shift+U', 'duplicates'],
  ['Alt+Shift+D', 'copy'],
];
/** Looks for words of English, for texts that are cut, and for what is pushed out of the window. */
async function check(page: Page, name: string): Promise<void> {
  // What has just been opened may still be on its way.
  await page.waitForTimeout(150);
  const { cut } = await look(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const found = {
    plain: await strangers(page),
    cut: [...new Set([...cut, ...(await clippedTexts(page))])],
    pushedOut: Math.max(0, wide),
  };
  expect.soft(found, name).toEqual({ plain: [], cut: [], pushedOut: 0 });
}

async function begin(page: Page): Promise<void> {
  await speakPseudo(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
}

test.describe(() => {
  test.use({ practice: false });
  test(`in another language the welcome page has room and no word of English`, {
    tag: ['@everyone', '@long'],
  }, async ({ page }) => {
    await begin(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(pseudo('Plan it here'));
    await check(page, 'welcome');
    await page.getByRole('button', { name: pseudo('Connect your account') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'connect');
  });
});

test.describe(() => {
  test.use({ sample: true });
  test('in another language no screen has a word of English, and no text is too long for its place', {
    tag: ['@everyone', '@long'],
  }, async ({ page }) => {
    const main = page.getByRole('main');
    await begin(page);
    for (const name of ENTRIES) {
      await entry(page, name);
      await expect(main.getByRole('button').first()).toBeVisible();
      await check(page, name);
    }
    await entry(page, 'Reports');
    await main.getByRole('button', { name: pseudo('Get report') }).click();
    await expect(main.getByRole('table')).toBeVisible();
    await check(page, 'reports');
    await entry(page, 'All campaigns');
    for (const name of TABS) {
      await page
        .getByRole('tab', { name: pseudo(name) })
        .first()
        .click();
      await expect(page.getByRole('gridcell').first()).toBeVisible();
      await check(page, name);
    }
    await page.getByRole('tab', { name: pseudo('Keywords') }).click();
    const cell = page.getByRole('gridcell').nth(1);
    await cell.click();
    await page.keyboard.press('Alt+i');
    await expect(page.getByRole('complementary').getByRole('heading').first()).toBeVisible();
    await check(page, 'details');
    for (const [keys, name] of TOOLS) {
      await page.keyboard.press(keys);
      await expect(page.getByRole('complementary').getByRole('combobox').first(), name).toBeVisible();
      await check(page, name);
    }
    await page.keyboard.press('Escape');
    for (const tab of ['1', '2', '3', '4']) {
      await page.keyboard.press(`Alt+Shift+${tab}`);
      await expect(page.getByRole('tabpanel').first()).toBeVisible();
      await check(page, `lower panel ${tab}`);
    }
    await page.keyboard.press('Alt+j');
    await cell.click();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu')).toBeVisible();
    await check(page, 'menu of cells');
    await page.keyboard.press('Escape');
    for (const [keys, name] of DIALOGS) {
      await page.keyboard.press(keys);
      await expect(page.getByRole('dialog'), name).toBeVisible();
      await expect(page.getByRole('dialog').locator('button, [role="option"]').first(), name).toBeVisible();
      await check(page, name);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog'), name).toBeHidden();
    }
    for (const [keys, name] of PAGES) {
      await page.keyboard.press(keys);
      await expect(main.getByRole('textbox').first(), name).toBeVisible();
      await check(page, name);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Control+,');
    const sections = main.getByRole('navigation').getByRole('button');
    await expect(sections.first()).toBeVisible();
    for (const section of await sections.all()) {
      await section.click();
      await expect(main.getByRole('heading', { level: 1 })).toBeFocused();
      await check(page, `settings: ${await section.textContent()}`);
    }
    await page.keyboard.press('Control+Enter');
    const sending = page.getByRole('button', { name: pseudo('Send') });
    await expect(sending).toBeEnabled();
    for (const tab of await main.getByRole('tab').all()) {
      await tab.click();
      await check(page, `sync plan: ${await tab.textContent()}`);
    }
    await sending.click();
    await check(page, 'sending');
    await expect(page.getByRole('button', { name: pseudo('Done') })).toBeVisible();
    await check(page, 'result of a sync');
  });
});
