import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe.ts';

const PLAIN = { colorScheme: 'light', contrast: 'no-preference' } as const;
const OTHERS = [
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'more' },
] as const;

/**
 * Looks for faults in a part of the page as it stands, light and dark, with and without more contrast. The same elements
 * stand in every look in other colours, so that names and roles are judged once and colours in each. Only the long suite looks at
 * more than the first.
 */
export async function noFaults(page: Page, what: string, part = 'body'): Promise<void> {
  await page.emulateMedia(PLAIN);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', PLAIN.colorScheme);
  expect.soft(await faults(page, part), `${what}, light`).toEqual([]);
  if (!test.info().tags.includes('@long')) return;
  for (const look of OTHERS) {
    await page.emulateMedia(look);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', look.colorScheme);
    const found = await faults(page, part, { colours: true });
    expect.soft(found, `${what}, ${look.colorScheme}, contrast ${look.contrast}`).toEqual([]);
  }
  await page.emulateMedia(PLAIN);
}
