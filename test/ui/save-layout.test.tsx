import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { layoutBeforeReload, saveLayout } from '../../renderer/app/save-layout.ts';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import type { Layout } from '../../shared/api/scalars.ts';

beforeEach(() => {
  vi.useFakeTimers();
  window.sessionStorage.clear();
});
afterEach(() => void vi.useRealTimers());

/** Main with its preferences, and what is on its way to it; each message arrives when the test says so, or never. */
function aMain() {
  let stored: Layout = {};
  let underWay: { readonly layout: Layout; readonly answer: (has: boolean) => void }[] = [];
  return {
    stored: () => stored,
    send: (layout: Layout) => new Promise<boolean>((answer) => underWay.push({ layout, answer })),
    /** The oldest message arrives and is answered, or is refused. */
    settle: (isTaken: boolean): void => {
      const oldest = underWay.shift();
      if (oldest === undefined) return;
      if (isTaken) stored = oldest.layout;
      oldest.answer(isTaken);
    },
    /** The line of a page that is gone: its first messages still arrive, and nobody hears the answer. */
    hangUp: (arriving: number): void => {
      for (const { layout } of underWay.slice(0, arriving)) stored = layout;
      underWay = [];
    },
    isIdle: () => underWay.length === 0,
  };
}

/** A page of the tab, which begins with what the one before has left. */
async function openPage(main: ReturnType<typeof aMain>) {
  const store = createAppStore();
  const kept = saveLayout({ store, left: await layoutBeforeReload(), send: main.send });
  kept.restore(main.stored());
  return { store, kept, width: () => store.getState().sizes.navigation };
}

const step = fc.oneof(
  fc.record({ is: fc.constant('resize' as const), to: fc.integer({ min: 180, max: 320 }) }),
  fc.record({ is: fc.constant('rest' as const), ms: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ is: fc.constant('settle' as const), isTaken: fc.boolean() }),
  fc.record({ is: fc.constant('asked again' as const) }),
  fc.record({ is: fc.constant('reload' as const), arriving: fc.nat(3), isLate: fc.boolean() }),
);

test('however soon a page is reloaded after a change, the next one shows what it showed, and main has it in the end', async () => {
  let reloads = 0;
  let left = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      window.sessionStorage.clear();
      const main = aMain();
      let page = await openPage(main);
      let wanted = page.width();
      for (const each of steps) {
        if (each.is === 'resize') {
          wanted = each.to;
          page.store.getState().resizePane('navigation', wanted);
        } else if (each.is === 'rest') await vi.advanceTimersByTimeAsync(each.ms);
        else if (each.is === 'settle') main.settle(each.isTaken);
        else if (each.is === 'asked again') page.kept.restore(main.stored());
        else {
          window.dispatchEvent(new Event('pagehide'));
          reloads += 1;
          if (window.sessionStorage.length > 0) left += 1;
          // A page that is gone hears and does nothing any more.
          page.kept.close();
          if (!each.isLate) main.hangUp(each.arriving);
          page = await openPage(main);
          if (each.isLate) main.hangUp(each.arriving);
        }
        await vi.advanceTimersByTimeAsync(0);
        expect(page.width()).toBe(wanted);
      }
      for (let i = 0; i < 3 || !main.isIdle(); i += 1) {
        main.settle(true);
        await vi.advanceTimersByTimeAsync(1000);
        page.kept.restore(main.stored());
      }
      expect(page.width()).toBe(wanted);
      expect(main.stored()['size.navigation'] ?? 212).toBe(wanted);
      expect(window.sessionStorage).toHaveLength(0);
      page.kept.close();
    }),
    { numRuns: 300 },
  );
  expect(reloads, 'pages were reloaded').toBeGreaterThan(100);
  expect(left, 'and some of them before main had their layout').toBeGreaterThan(50);
});

test.each([
  ['no JSON', '{"size.navigation": 3'],
  ['another shape', '{"size":{"navigation":300}}'],
  ['a list', '[300]'],
  ['null', 'null'],
])('what main would not take as a layout is not taken from the tab either: %s', async (_, text) => {
  window.sessionStorage.setItem('adslate.layout', text);
  expect(await layoutBeforeReload()).toBeNull();
  expect(window.sessionStorage).toHaveLength(0);
});

test('what is left is the layout and nothing else of the window', async () => {
  const page = await openPage(aMain());
  page.store.getState().openWorkspace('practice-1');
  page.store.getState().setFilter('secret');
  window.dispatchEvent(new Event('pagehide'));
  expect(window.sessionStorage).toHaveLength(0);
  page.store.getState().resizePane('navigation', 300);
  window.dispatchEvent(new Event('pagehide'));
  const text = window.sessionStorage.getItem('adslate.layout') ?? '';
  expect(JSON.parse(text)).toMatchObject({ 'size.navigation': 300 });
  expect(text).not.toMatch(/practice-1|secret/);
  page.kept.close();
});
