import { expect, type Page } from '@playwright/test';
import { faults } from './axe.ts';

const PLAIN = { colorScheme: 'light', contrast: 'no-preference' } as const;
const OTHERS = [
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'more' },
] as const;

/**
 * Looks for faults in a part of the page as it stands, light and dark, with and without more contrast. The same elements
 * stand in every look in other colours, so that names and roles are judged once and colours in each.
 */
export async function noFaults(
  page: Page,
  what: string,
  part = 'body',
  without: readonly string[] = [],
): Promise<void> {
  await page.emulateMedia(PLAIN);
  expect.soft(await faults(page, part, { without }), `${what}, light`).toEqual([]);
  for (const look of OTHERS) {
    await page.emulateMedia(look);
    const found = await faults(page, part, { colours: true });
    expect.soft(found, `${what}, ${look.colorScheme}, contrast ${look.contrast}`).toEqual([]);
  }
  await page.emulateMedia(PLAIN);
}
