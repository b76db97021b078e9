import type { Page } from '@playwright/test';

/** What is measured inside the page, frame by frame, as a person would see it. */
export interface Frames {
  /** Share of frames that took longer than 32 ms. */
  readonly slow: number;
  readonly frames: number;
}

/** Scrolls an element by so many pixels with each frame, back and forth, and counts slow frames. */
export const scrollBy = (page: Page, selector: string, step: number, frames: number): Promise<Frames> =>
  page.evaluate(
    ({ selector: where, step: by, frames: count }) =>
      new Promise<Frames>((resolve) => {
        const box = document.querySelector(where);
        if (box === null) throw new Error(`nothing to scroll at ${where}`);
        let last = performance.now();
        let seen = -1;
        let slow = 0;
        let direction = 1;
        const frame = (): void => {
          const now = performance.now();
          if (seen >= 0 && now - last > 32) slow += 1;
          last = now;
          seen += 1;
          if (seen >= count) {
            resolve({ slow: slow / count, frames: count });
            return;
          }
          if (box.scrollTop + box.clientHeight >= box.scrollHeight - by) direction = -1;
          if (box.scrollTop < by) direction = 1;
          box.scrollTop += direction * by;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, step, frames },
  );

/** Watches frames from now on; the answer ends it and says how many milliseconds the longest took. */
export async function longestFrame(page: Page): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle(() => {
    const seen = { longest: 0, last: performance.now(), isOver: false };
    const frame = (): void => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
      if (!seen.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return seen;
  });
  return () =>
    watch.evaluate((seen) => {
      seen.isOver = true;
      return seen.longest;
    });
}

/** Milliseconds from a key press to the frame in which its effect is painted; the presses alternate. */
export const keyToPaint = (
  page: Page,
  /** The element that hears keys, and the cell that is active. */
  where: { readonly listener: string; readonly active: string },
  keys: readonly [string, string],
  times: number,
): Promise<readonly number[]> =>
  page.evaluate(
    async ({ where: { listener, active }, keys: both, times: count }) => {
      const painted = (): Promise<void> =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 0)));
      const durations: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const before = document.querySelector(active);
        const target = document.querySelector<HTMLElement>(listener);
        if (target === null) throw new Error(`nothing hears keys at ${listener}`);
        const start = performance.now();
        target.dispatchEvent(new KeyboardEvent('keydown', { key: both[i % 2] ?? '', bubbles: true, cancelable: true }));
        await painted();
        durations.push(performance.now() - start);
        if (document.querySelector(active) === before) throw new Error('the key had no effect');
      }
      return durations.sort((a, b) => a - b);
    },
    { where, keys, times },
  );

/** Growth from one measure to the next, by the line that lies nearest to all of them. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const below = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return above / below;
}

/** What the page's script has in use once nothing is left to be collected, in bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Names of the scripts the page has loaded so far. */
export const scriptsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js'))
      .map((path) => path.slice(path.lastIndexOf('/') + 1)),
  );
