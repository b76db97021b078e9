import { faults } from './axe.ts';
import { clippedTexts } from './clipped.ts';
import { deskPage, sendButton, syncPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';

type Page = Parameters<typeof faults>[0];

/** A window of 1280 × 800 zoomed so far has so many CSS pixels; and the two windows of the guide. */
const WINDOWS = [
  { name: '1280 × 800 at 200 %', width: 640, height: 400 },
  { name: '1280 × 800 at 150 %', width: 853, height: 533 },
  { name: '1280 × 800', width: 1280, height: 800 },
  { name: '1280 × 800 at 50 %', width: 2560, height: 1600 },
  { name: '1920 × 1080', width: 1920, height: 1080 },
] as const;

test('at every zoom from 50 to 200 % nothing is cut off or pushed out of the window', {
  tag: ['@everyone', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  await withKeywords(page);
  await desk.openList('Keywords');

  for (const { name, width, height } of WINDOWS) {
    await page.setViewportSize({ width, height });
    await test.step(name, async () => {
      const look = async (what: string): Promise<void> => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect.soft(wide, `${name}, ${what}: nothing is pushed out of the window`).toBeLessThanOrEqual(0);
        expect.soft(await clippedTexts(page), `${name}, ${what}: no text is cut`).toEqual([]);
        expect.soft(await overlaps(page), `${name}, ${what}: no control lies under another`).toEqual([]);
      };
      await expect(page.getByRole('button', { name: /^Sync/ })).toBeInViewport({ ratio: 1 });
      await expect(await desk.cell('pot', 'Keyword')).toBeInViewport();
      await expect(desk.navigation.getByRole('listitem').first()).toBeInViewport();
      const box = await desk.grid.boundingBox();
      expect(box?.width).toBeGreaterThan(150);
      expect(box?.height).toBeGreaterThan(100);
      await expect(page.getByRole('tab', { name: /^Keywords/, selected: true })).toBeInViewport({ ratio: 0.9 });
      await look('keywords');
      await hands.command('sync…');
      await expect(sendButton(page)).toBeInViewport();
      const rows = syncPage(page).getByRole('button', { name: /^Go to row: / });
      const rights = await rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
      expect.soft(Math.max(...rights), `${name}: a long name pushes no button away`).toBeLessThanOrEqual(width);
      await look('sync');
      await page.keyboard.press('Escape');
      await hands.command('deployment settings');
      await page.getByRole('button', { name: 'Save settings' }).scrollIntoViewIfNeeded();
      await expect(page.getByRole('button', { name: 'Save settings' })).toBeInViewport();
      await look('settings');
      await page.keyboard.press('Escape');
      await hands.command('launch timeline');
      await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toBeVisible();
      await look('launch');
      await hands.command('reports');
      await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
      await look('reports');
      await page.setViewportSize({ width: 1280, height: 800 });
      await desk.openList('Keywords');
    });
  }

  await test.step('the counts of views have room beside an open tool', async () => {
    await (await desk.cell('pot', 'Keyword')).click();
    await hands.command('bulk edit…');
    await expect(page.getByRole('tab', { name: 'Change', selected: true })).toBeVisible();
    const views = page.getByRole('tablist', { name: 'Views' });
    await expect.poll(() => views.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  });
});

test('with forced colours no screen has a fault, and with reduced motion nothing moves', {
  tag: ['@everyone', '@long'],
}, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await withKeywords(page);
  const moving = (): Promise<number> =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(await faults(page), 'keywords').toEqual([]);
  await page.keyboard.press('Alt+8');
  await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toBeVisible();
  expect(await moving()).toBe(0);
  expect(await faults(page), 'launch').toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(syncPage(page)).toBeVisible();
  expect(await moving()).toBe(0);
  expect(await faults(page, 'main'), 'sync').toEqual([]);
});

/** Buttons and tabs of one pane of which the parts in sight lie over one another. */
const overlaps = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const SLACK = 2;
    const seen = [...document.querySelectorAll<HTMLElement>('[data-pane] button')].flatMap((control) => {
      let { left, top, right, bottom } = control.getBoundingClientRect();
      for (let box = control.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.overflowX === 'visible') continue;
        const edge = box.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      const isSeen = right - left > SLACK && bottom - top > SLACK && control.checkVisibility({ opacityProperty: true });
      return isSeen ? [{ control, pane: control.closest('[data-pane]'), left, top, right, bottom }] : [];
    });
    return seen.flatMap((one, at) =>
      seen.slice(at + 1).flatMap((other) => {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        const isOver =
          one.pane === other.pane && across > SLACK && down > SLACK && !one.control.contains(other.control);
        const nameOf = ({ control }: typeof one): string => control.textContent || control.ariaLabel || '';
        return isOver ? [`${nameOf(one)} and ${nameOf(other)}`] : [];
      }),
    );
  });

async function withKeywords(page: Page): Promise<void> {
  const desk = deskPage(page);
  await desk.ready();
  // A name wider than the side of the plan, which has it among the warnings.
  await desk.newManual(`Pots${'k'.repeat(60)}`, 'pot\npan');
}

test('motion is turned off in the settings, and stays off', { tag: ['@everyone', '@long'] }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const desk = deskPage(page);
  await withKeywords(page);
  const motion = page.getByRole('switch', { name: 'Motion' });
  const lasts = () =>
    motion.evaluate((input) => getComputedStyle(input.nextElementSibling ?? input).transitionProperty);
  await handsOn(page).command('motion');
  expect(await lasts()).not.toBe('none');
  await motion.setChecked(false, { force: true });
  expect(await lasts()).toBe('none');
  await page.reload();
  await desk.ready();
  await handsOn(page).command('motion');
  await expect(motion).not.toBeChecked();
  expect(await lasts()).toBe('none');
});
