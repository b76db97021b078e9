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

/** Milliseconds from a key press to the frame in which its effect is painted; the presses alternate. */
export const keyToPaint = (page: Page, keys: readonly [string, string], times: number): Promise<readonly number[]> =>
  page.evaluate(
    async ({ keys: both, times: count }) => {
      const grid = document.querySelector<HTMLElement>('[role="grid"]');
      if (grid === null) throw new Error('no grid');
      grid.focus();
      const painted = (): Promise<void> =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 0)));
      const durations: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const before = grid.querySelector('#grid-active-cell');
        const start = performance.now();
        grid.dispatchEvent(new KeyboardEvent('keydown', { key: both[i % 2] ?? '', bubbles: true, cancelable: true }));
        await painted();
        durations.push(performance.now() - start);
        if (grid.querySelector('#grid-active-cell') === before) throw new Error('the key had no effect');
      }
      return durations.sort((a, b) => a - b);
    },
    { keys, times },
  );

/** A list of the same rows without any of ours: absolute lines in one canvas, drawn anew on every scroll event. */
export async function bareList(page: Page, rows: number, columns: number): Promise<void> {
  await page.setContent('<style>*{margin:0;font:12px sans-serif}</style><div id="box"></div>');
  await page.evaluate(
    ({ rows: count, columns: across }) => {
      const box = document.querySelector<HTMLElement>('#box');
      if (box === null) return;
      box.style.cssText = 'height:540px;overflow:auto;position:relative';
      const canvas = document.createElement('div');
      canvas.style.cssText = `height:${Math.min(count * 28, 8_000_000)}px;position:relative`;
      box.append(canvas);
      const draw = (): void => {
        const first = Math.floor(box.scrollTop / 28);
        const lines: HTMLElement[] = [];
        for (let i = first; i < first + 28; i += 1) {
          const line = document.createElement('div');
          line.style.cssText = `position:absolute;top:${i * 28}px;height:28px;width:100%`;
          for (let c = 0; c < across; c += 1) {
            const cell = document.createElement('span');
            cell.style.cssText = `position:absolute;left:${c * 120}px;width:110px;overflow:hidden`;
            cell.textContent = `row ${i} cell ${c}`;
            line.append(cell);
          }
          lines.push(line);
        }
        canvas.replaceChildren(...lines);
      };
      box.addEventListener('scroll', draw, { passive: true });
      draw();
    },
    { rows, columns },
  );
}
