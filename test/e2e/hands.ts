import { expect, type Locator, type Page } from '@playwright/test';

/** Both hands on the keyboard: what is used here is reached by keys and nothing else. */
export interface Hands {
  /** Presses Tab until the focus is on the target, as somebody without a mouse does. */
  reach(target: Locator): Promise<void>;
  /** Reaches a button, waits until it can be pressed, and presses it. */
  push(target: Locator): Promise<void>;
  /** Runs a command by its name in the palette. */
  command(name: string): Promise<void>;
}

/** More stops than the fullest screen has: a target beyond them cannot be reached at all. */
const STOPS_MAX = 150;

export function handsOn(page: Page): Hands {
  const { keyboard } = page;
  const reach: Hands['reach'] = async (target) => {
    await expect(target).toBeVisible();
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${String(target)} is not reached by ${STOPS_MAX} presses of Tab`);
  };
  return {
    reach,
    push: async (target) => {
      // A disabled button takes no focus, so it is waited for first.
      await expect(target).toBeEnabled({ timeout: 30_000 });
      await reach(target);
      await keyboard.press('Enter');
    },
    command: async (name) => {
      await keyboard.press('Control+k');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await keyboard.type(name);
      await keyboard.press('Enter');
    },
  };
}
