import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** All that axe knows of WCAG 2.2 A and AA, and the practices it calls best. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

interface Wish {
  /** Looks at colours only: all that another look of the same page can change. */
  readonly colours?: boolean;
  /** Rules that are about a whole page, where the page is none of the product. */
  readonly without?: readonly string[];
}

/**
 * Every violation that axe finds, of whatever impact, as lines that name the place. Where more contrast was asked for,
 * text has to have 7:1 instead of 4.5:1.
 */
export async function faults(page: Page, part = 'body', wish: Wish = {}): Promise<readonly string[]> {
  const { colours = false, without = [] } = wish;
  const wantsMore = await page.evaluate(() => matchMedia('(prefers-contrast: more)').matches);
  const enhanced = { 'color-contrast-enhanced': { enabled: wantsMore } };
  // There are no frames, for whose sake every look would open and close a page of its own.
  const builder = new AxeBuilder({ page }).include(part).setLegacyMode();
  // The banner shows the colours of the retail site, which are not ours to change: they reach AA and not AAA.
  if (wantsMore) builder.exclude('.banner');
  const { violations } = await builder
    .options({
      resultTypes: ['violations'],
      ...(colours
        ? { runOnly: [wantsMore ? 'color-contrast-enhanced' : 'color-contrast'] }
        : {
            runOnly: TAGS,
            rules: { ...enhanced, ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) },
          }),
    })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}
