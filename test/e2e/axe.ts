import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** All that axe knows of WCAG 2.2 A and AA, and the practices it calls best. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** 7:1. It passes over texts below 4.5:1, which are the other rule's, so that it never stands alone. */
const ENHANCED = 'color-contrast-enhanced';

interface Wish {
  /** Looks at colours only: all that another look of the same page can change. */
  readonly colours?: boolean;
}

/**
 * Every violation that axe finds, of whatever impact, as lines that name the place. Where more contrast was asked for,
 * text has to have 7:1 instead of 4.5:1.
 *
 * axe is put into each document once and asked there: its wrapper for Playwright reads half a megabyte of script anew for
 * every look, which was the longer half of the time, and is for pages with frames. Here are none.
 */
export async function faults(page: Page, part = 'body', wish: Wish = {}): Promise<readonly string[]> {
  const { colours = false } = wish;
  const looked = await look(page, part, colours);
  if (looked !== null) return looked;
  await page.evaluate(axe.source);
  return (await look(page, part, colours)) ?? [`axe is not in the page at ${page.url()}`];
}

/** One question to the page, because each costs as much as a look at a small part. @returns null when axe is not there yet */
function look(page: Page, part: string, colours: boolean): Promise<readonly string[] | null> {
  return page.evaluate(
    async (wish) => {
      const { axe: engine }: Window & { readonly axe?: typeof axe } = window;
      if (engine === undefined) return null;
      const wantsMore = matchMedia('(prefers-contrast: more)').matches;
      const options: RunOptions = wish.colours
        ? { runOnly: wantsMore ? ['color-contrast', wish.enhanced] : ['color-contrast'] }
        : {
            runOnly: wish.tags,
            rules: {
              [wish.enhanced]: { enabled: wantsMore },
            },
          };
      // The banner shows the colours of the retail site, which are not ours to change: they reach AA and not AAA.
      const context = { include: wish.part, exclude: wantsMore ? ['[data-banner]'] : [] };
      const { violations } = await engine.run(context, { ...options, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
    },
    { part, colours, tags: [...TAGS], enhanced: ENHANCED },
  );
}
