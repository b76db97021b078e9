import { test } from 'vitest';
import { HERE } from '../../store/without-threads.ts';
import { openApp } from '../app.tsx';
import { expect, page } from '../page.ts';

/** Threads of a store whose calls wait while they are held, as those of an account with a million rows do. */
function heldThreads() {
  let free = Promise.resolve();
  let letGo = (): void => {};
  const account: typeof HERE.account = <Calls extends object>(...order: Parameters<typeof HERE.account<Calls>>) => {
    const client = HERE.account<Calls>(...order);
    const calls = new Proxy(client.calls, {
      get: (target, name) => {
        const call: unknown = Reflect.get(target, name);
        if (typeof call !== 'function') return call;
        return async (...args: readonly unknown[]): Promise<unknown> => {
          await free;
          return Reflect.apply(call, target, args);
        };
      },
    });
    return { ...client, calls };
  };
  return {
    threads: { ...HERE, account },
    hold: (): void => {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      letGo = resolve;
    },
    release: (): void => letGo(),
  };
}

test('an undo, a redo and a launch timeline that take long say so in the status bar until they are over', async () => {
  const held = heldThreads();
  const app = await openApp({ core: { threads: held.threads } });
  await app.newManual('Hoses', 'garden hose\texact\t1.50');
  await app.openKeywords();
  const bid = await app.cell('garden hose', 'Bid');
  await bid.click();
  await page.keyboard.type('1.75');
  await page.keyboard.press('Enter');
  // Held before it is written, it would be what the undo waits for.
  await expect(page.getByRole('button', { name: /^Undo: .*\bbid\b/i })).toBeVisible();

  const bar = page.getByRole('contentinfo', { name: 'Account status' });
  const saysOf = async (act: () => Promise<void>, words: string): Promise<void> => {
    held.hold();
    try {
      await act();
      await expect(bar.getByRole('status').filter({ hasText: words })).toBeVisible();
      await expect(bar.getByRole('progressbar', { name: words })).toBeVisible();
    } finally {
      held.release();
    }
    await expect(bar.getByText(words)).toBeHidden();
  };
  await saysOf(() => page.keyboard.press('Control+z'), 'Undoing…');
  await expect(bid).toHaveText('$1.50');
  await saysOf(() => page.keyboard.press('Control+y'), 'Redoing…');
  await expect(bid).toHaveText('$1.75');
  await saysOf(() => page.keyboard.press('Alt+8'), 'Loading the launch timeline…');
  await expect(page.getByRole('list', { name: 'Upcoming and live campaigns' })).toContainText('Hoses');
});
