import type { Page } from '@playwright/test';
import { faults } from './axe.ts';
import { clippedTexts } from './clipped.ts';
import { expect, test } from './fixture.ts';

/** The desk in numbers: what of its looks a program can measure, on every screen of the sample account; and what axe finds there. */
test.use({ sample: true });

const SCREENS: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['Overview', entry(/^Overview/)],
  ['Inbox', entry(/^Inbox/)],
  ['Campaigns', entry(/^All campaigns/)],
  ['Items', tab(/^Items/)],
  ['Keywords', tab(/^Keywords/)],
  ['Ad groups', tab(/^Ad groups/)],
  ['SBA profiles', entry(/^SBA profiles/)],
  ['Media library', entry(/^Media library/)],
  ['Bid multipliers', entry(/^Bid multipliers/)],
  ['Launch', entry(/^Launch/)],
  ['Reports', entry(/^Reports/)],
  ['Settings', entry(/^Settings/)],
  ...[
    ...['Numbers and dates', 'Notifications', 'Sync mode', 'Conflicts', 'Custom rules', 'Credentials'],
    ...['Deployment settings', 'Practice clock', 'Backups', 'Response log', 'Campaign IDs', 'About Adslate'],
    ...['Watched folder', 'Team', 'Data safety', 'Repair item IDs', 'Outdated campaigns'],
  ].map((name) => [name, setting(name)] as const),
  ['Sync plan', (page) => page.getByRole('button', { name: /^Sync \d+ changes?$/ }).click()],
];

function entry(name: RegExp): (page: Page) => Promise<void> {
  return (page) => page.getByRole('navigation').getByRole('button', { name }).first().click();
}
function setting(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await entry(/^Settings/)(page);
    await page.getByRole('main').getByRole('button', { name }).click();
  };
}
function tab(name: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await entry(/^All campaigns/)(page);
    await page.getByRole('tab', { name }).first().click();
  };
}

const SIZES = [11, 12, 14, 18];
const WEIGHTS = [400, 500, 600];

/** What breaks a measure, as lines that name the place. */
const measure = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    ({ sizes, weights }) => {
      const found = new Set<string>();
      const seen = (element: Element): boolean =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const named = (element: Element): string =>
        (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) ||
        element.outerHTML.slice(0, 80);
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (parent === null || node.textContent?.trim() === '' || !seen(parent)) continue;
        // A creative is drawn at the size it has on the retail site.
        if (parent.closest('script, style, [data-banner]') !== null) continue;
        const { fontSize, fontWeight } = getComputedStyle(parent);
        if (!sizes.includes(Number.parseFloat(fontSize))) found.add(`size ${fontSize}: ${named(parent)}`);
        if (!weights.includes(Number(fontWeight))) found.add(`weight ${fontWeight}: ${named(parent)}`);
      }
      const controls = 'button, a[href], input:not([type="hidden"]), select, [role="tab"], [role="switch"]';
      for (const control of document.querySelectorAll(controls)) {
        if (!seen(control)) continue;
        const isBox = control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type);
        const label = isBox ? control.labels?.[0] : undefined;
        const area = (label ?? control.closest('label') ?? control).getBoundingClientRect();
        if (area.width <= 1 || area.height <= 1) continue;
        if (area.width < 23.5 || area.height < 23.5) {
          const drawn = control.parentElement?.closest('label')?.getBoundingClientRect();
          if (drawn === undefined || drawn.height < 23.5)
            found.add(`hit area ${Math.round(area.width)} x ${Math.round(area.height)}: ${named(control)}`);
        }
      }
      // A button with an arrow that opens more ways to do the same is one.
      const filled = [...document.querySelectorAll('button[data-variant="filled"]')].filter(seen);
      const primary = new Set(filled.map((button) => button.closest('.mantine-ButtonGroup-group') ?? button));
      if (primary.size > 1) found.add(`primary buttons: ${[...primary].map(named).join(', ')}`);
      return [...found];
    },
    { sizes: SIZES, weights: WEIGHTS },
  );

const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 1920, height: 1080, colorScheme: 'light' },
  { width: 1920, height: 1080, colorScheme: 'dark' },
] as const;

for (const [looks, shown, ...tag] of [
  ['in a small window', LOOKS.slice(0, 1), '@everyone'],
  ['in every look', LOOKS, '@everyone', '@long'],
] as const) {
  test(`no text is clipped, controls are large enough, one button is primary and axe finds no fault ${looks}`, {
    tag,
  }, async ({ page }) => {
    const problems: Record<string, readonly string[]> = {};
    await expect(page.getByRole('button', { name: /^Sync \d+ changes?$/ })).toBeVisible();
    for (const { width, height, colorScheme } of shown) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      for (const [at, [name, open]] of SCREENS.entries()) {
        await open(page);
        await page.waitForLoadState('networkidle');
        const where = `${name}, ${width}, ${colorScheme}`;
        const clipped = (await clippedTexts(page)).map((text) => `clipped: ${text}`);
        // The frame is the same around every screen.
        const found = await faults(page, at === 0 ? 'body' : 'main');
        const broken = [...(await measure(page)), ...clipped, ...found];
        if (broken.length > 0) problems[where] = broken;
      }
    }
    expect(problems).toEqual({});
  });
}
