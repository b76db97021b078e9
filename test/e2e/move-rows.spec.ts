import type { Locator, Page } from '@playwright/test';
import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

/** Two manual campaigns; the keywords of the first are in the grid. */
async function openPots(page: Page): Promise<DeskPage> {
  const desk = deskPage(page);
  await desk.ready();
  for (const [name, keywords] of [
    ['Pans', 'wok'],
    ['Pots', 'pot\nlid\nsieve'],
  ] as const) {
    await desk.newManual(name, keywords);
  }
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
  return desk;
}

const gutter = (desk: DeskPage, text: string): Locator =>
  desk.grid.getByRole('row').filter({ hasText: text }).getByRole('rowheader');
const campaign = (desk: DeskPage, name: string): Locator =>
  desk.navigation.getByRole('button', { name: new RegExp(`^${name}`) }).first();

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await to.hover({ position: { x: 60, y: 12 } });
}

test('rows go to another campaign by keys and by drag, are copied with Ctrl, and let go with Escape', {
  tag: ['@editing', '@long'],
}, async ({ page }) => {
  const desk = await openPots(page);
  const hands = handsOn(page);

  await test.step('by keys: picked up, carried to another campaign, put down or let go', async () => {
    await (await desk.cell('pot', 'Keyword')).click();
    await page.keyboard.press('Control+x');
    await expect(page.getByText('1 keyword ready to move.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('1 keyword ready to move.')).toBeHidden();
    await page.keyboard.press('Control+x');
    // The campaigns are one Tab stop, at the one that is open.
    await hands.reach(campaign(desk, 'Pots'));
    await page.keyboard.press('ArrowUp');
    await expect(campaign(desk, 'Pans')).toBeFocused();
    await page.keyboard.press('Control+v');
    await expect(page.getByText('1 keyword moved to Pans.')).toBeVisible();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
    await expect(await desk.cell('lid', 'Keyword')).toBeVisible();
    await desk.grid.focus();
    await page.keyboard.press('Control+x');
    await page.keyboard.press('Control+v');
    await expect(page.getByText('These rows are already in Pots.')).toBeVisible();
    await desk.openCampaign('Pans');
    await page.getByRole('button', { name: 'Paste into Pans' }).click();
    await expect(page.getByText('1 keyword moved to Pans.').first()).toBeVisible();
  });

  for (let moves = 0; moves < 2; moves += 1) await page.keyboard.press('Control+z');
  await desk.openCampaign('Pots');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');

  await test.step('by drag: taken back with Escape, moved, and copied with Ctrl', async () => {
    await drag(page, gutter(desk, 'pot'), campaign(desk, 'Pans'));
    await expect(page.getByText('Move 1 keyword')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');

    await drag(page, gutter(desk, 'pot'), campaign(desk, 'Pans'));
    await page.mouse.up();
    await expect(page.getByText('1 keyword moved to Pans.').first()).toBeVisible();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
    await page.keyboard.press('Control+z');
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');

    await gutter(desk, 'pot').click();
    await gutter(desk, 'sieve').click({ modifiers: ['Shift'] });
    await gutter(desk, 'lid').hover();
    await page.mouse.down();
    await page.keyboard.down('Control');
    await campaign(desk, 'Pans').hover();
    await campaign(desk, 'Pans').hover({ position: { x: 60, y: 12 } });
    await expect(page.getByText('Copy 3 keywords')).toBeVisible();
    await page.mouse.up();
    await page.keyboard.up('Control');
    await expect(page.getByText('3 keywords copied to Pans.')).toBeVisible();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
    await desk.openCampaign('Pans');
    await expect(page.getByRole('tab', { name: /^Keywords/ })).toContainText('4');
  });
});
