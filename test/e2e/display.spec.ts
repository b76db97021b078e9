import { faults } from './axe.ts';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

/** A window of 1280 × 800 zoomed to 200, 150, 100 and 50 per cent has so many CSS pixels. */
const ZOOMS = [
  { percent: 200, width: 640, height: 400 },
  { percent: 150, width: 853, height: 533 },
  { percent: 100, width: 1280, height: 800 },
  { percent: 50, width: 2560, height: 1600 },
] as const;

for (const { percent, width, height } of ZOOMS) {
  test(`at ${percent} % the main commands and the rows can be reached`, async ({ page }) => {
    const desk = deskPage(page);
    await desk.ready();
    await page.keyboard.press('Alt+Shift+M');
    await page.getByLabel('Campaign name').fill('Pots');
    await page.getByLabel('Keywords, one per line').fill('pot\npan');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
    await desk.openList('Keywords');
    await page.setViewportSize({ width, height });
    await expect(page.getByRole('button', { name: /^Sync/ })).toBeInViewport({ ratio: 1 });
    await expect(await desk.cell('pot', 'Keyword')).toBeInViewport();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide, 'nothing is pushed out of the window').toBeLessThanOrEqual(0);
    const box = await desk.grid.boundingBox();
    expect(box?.width).toBeGreaterThan(150);
    expect(box?.height).toBeGreaterThan(100);
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Sync' });
    await dialog.getByRole('button', { name: 'Send now' }).scrollIntoViewIfNeeded();
    await expect(dialog.getByRole('button', { name: 'Send now' })).toBeInViewport();
  });
}

for (const [name, media] of [
  ['forced colours', { forcedColors: 'active' }],
  ['more contrast', { contrast: 'more' }],
] as const) {
  test(`with ${name} no screen has a serious fault`, async ({ page }) => {
    await page.emulateMedia(media);
    const desk = deskPage(page);
    await desk.ready();
    await page.keyboard.press('Alt+Shift+B');
    await page.getByLabel('Campaign name').fill('Towels');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Towels/ })).toBeVisible();
    expect(await faults(page), 'SBA profile').toEqual([]);
    await page.keyboard.press('Alt+Shift+L');
    await expect(page.getByRole('list', { name: 'Campaigns on their way' })).toBeVisible();
    expect(await faults(page), 'launch').toEqual([]);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('dialog', { name: 'Sync' })).toBeVisible();
    expect(await faults(page, '[role="dialog"]'), 'sync').toEqual([]);
  });
}
