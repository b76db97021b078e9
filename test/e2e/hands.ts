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
    const passed: string[] = [];
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      const at = await target.evaluate(focusBeside);
      if (at === null) return;
      if (passed.at(-1) !== at) passed.push(at);
      await keyboard.press('Tab');
    }
    const trail = passed.slice(0, 40).join(' > ');
    throw new Error(`${String(target)} is not reached by ${STOPS_MAX} presses of Tab, which passed ${trail}`);
  };
  return {
    reach,
    push: async (target) => {
      // A disabled button takes no focus, so it is waited for first.
      await expect(target).toBeEnabled();
      await reach(target);
      await keyboard.press('Enter');
    },
    command: async (name) => {
      await keyboard.press('Control+k');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await keyboard.type(name);
      await keyboard.press('Enter');
      // What is entered before the list has come runs when it has.
      await expect(page.getByRole('dialog', { name: 'Commands' })).toBeHidden();
    },
  };
}

/**
 * What has the focus instead of the element, in words for a report; null when the element has it. Runs in the page, after
 * the timers that were due: the focus trap of a dialog has its say about a date field only in one.
 */
async function focusBeside(element: Element): Promise<string | null> {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  const focused = document.activeElement;
  if (focused === element) return null;
  if (focused === null) return 'nothing';
  const name = focused.getAttribute('aria-label') ?? focused.getAttribute('name') ?? focused.textContent ?? '';
  return `${focused.tagName.toLowerCase()} "${name.slice(0, 30)}"`;
}
