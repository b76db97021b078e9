import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixture.ts';
import { buildPseudoWindow } from './pseudo-texts.ts';

/** The window in a made-up language: every text comes from a message file, and a longer one still has room. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-pseudo-'));

test.beforeAll(() => buildPseudoWindow(folder));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words that are the same in every language here: the product, keys, units, and what the test itself typed. */
const NAMES =
  /^(Adslate|Ctrl|Shift|Alt|Esc|Enter|Tab|Space|Delete|Backspace|Arrow\w*|Page(Up|Down)|Home|End|USD|JSON|SBA|CSV|XLSX|URL|PNG|Practice)$/;
/** Written by the locale, not by a message file. */
const DATES = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*$/;
/** Words of the service: its match types, by which main names keywords. */
const SERVICE = /^(exact|phrase|broad)$/;
/** What the service calls its requests. */
const REQUESTS = /\b(GET|PUT|POST) \/api\/v1\/[A-Za-z/]+/g;
/** Who did a step of the history is known by the name of this machine's user. */
const ME = userInfo().username;

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
      if (parent !== null && !parent.closest('script, style, svg')) read(node.textContent, parent);
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
      text
        .replaceAll(ME, '')
        .replaceAll(REQUESTS, '')
        .match(/[A-Za-z]{3,}/g) ?? []
    ).some((word) => ![NAMES, DATES, SERVICE].some((known) => known.test(word))),
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

const DIALOGS: readonly (readonly [string, string])[] = [
  ['Control+k', 'commands'],
  ['Control+Shift+V', 'paste a table'],
  ['Alt+n', 'add rows'],
  ['Alt+m', 'add files'],
  ['Control+o', 'import'],
  ['Control+Enter', 'sync'],
  ['F1', 'shortcuts'],
];

/** The steps of the pane beside the rows, each of which takes the place of the one before. */
const TOOLS: readonly (readonly [string, string])[] = [
  ['Alt+Shift+E', 'bulk edit'],
  ['Alt+Shift+C', 'adjust bids and budgets'],
  ['Control+h', 'find and replace'],
  ['Control+Alt+v', 'paste special'],
  ['Alt+Shift+U', 'duplicates'],
  ['Alt+Shift+D', 'copy'],
];

test('in another language no screen has a word of English, and no button is too small for its text', {
  tag: ['@everyone', '@long'],
}, async ({ page }) => {
  test.setTimeout(120_000);
  await speakPseudo(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Çáɱþáíĝñš/);

  const problems: Record<string, Seen['plain']> = {};
  const check = async (name: string): Promise<void> => {
    const [plain, { cut }] = [await strangers(page), await look(page)];
    if (plain.length > 0) problems[name] = plain;
    if (cut.length > 0) problems[`${name}, cut off`] = cut;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) problems[`${name}, pushed out of the window`] = [`${wide} px`];
  };

  await check('no campaign');
  await page.keyboard.press('Alt+Shift+M');
  const create = page.getByRole('dialog');
  await create.getByRole('textbox').first().fill('4711');
  await create.locator('textarea').last().fill('11\n12');
  await check('new campaign');
  await create.locator('button[type="submit"]').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('4711');
  await check('items of a campaign');
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Ķéýŵóŕđš/ })
    .last()
    .click();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('grid').focus();
  await check('keywords');
  for (const tab of ['1', '2', '3', '4']) {
    await page.keyboard.press(`Alt+Shift+${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await check(`lower panel ${tab}`);
  }
  await page.getByRole('grid').focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await check('menu of cells');
  await page.keyboard.press('Escape');
  for (const [keys, name] of DIALOGS) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog'), name).toBeVisible();
    await expect(page.getByRole('dialog').locator('button, [role="option"]').first(), name).toBeVisible();
    await check(name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog'), name).toBeHidden();
  }
  for (const [keys, name] of TOOLS) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('complementary').getByRole('combobox').first(), name).toBeVisible();
    await check(name);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const sections = page.getByRole('main').getByRole('navigation').getByRole('button');
  await expect(sections.first()).toBeVisible();
  for (const section of await sections.all()) {
    await section.click();
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeFocused();
    await check(`settings: ${await section.textContent()}`);
  }
  await page.keyboard.press('Alt+8');
  await expect(page.getByRole('list').first()).toBeVisible();
  await check('launch');
  await page.keyboard.press('Alt+9');
  await expect(page.getByRole('main').getByRole('button').first()).toBeVisible();
  await check('reports');
  expect(problems).toEqual({});
});
