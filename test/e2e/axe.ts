import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe calls serious or critical in a part of the page, as lines that name the place. Where more contrast was asked
 * for, text has to have 7:1 instead of 4.5:1.
 */
export async function faults(page: Page, part = 'body'): Promise<readonly string[]> {
  const wantsMore = await page.evaluate(() => matchMedia('(prefers-contrast: more)').matches);
  const { violations } = await new AxeBuilder({ page })
    .options({ rules: { 'color-contrast-enhanced': { enabled: wantsMore } } })
    .include(part)
    // The banner shows the colours of the retail site, which are not ours to change.
    .exclude(wantsMore ? '.banner' : 'none')
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}
