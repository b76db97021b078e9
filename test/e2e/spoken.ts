import { expect, type Page } from '@playwright/test';

/** What a screen reader would say: of the place of the focus, and of what changes elsewhere by itself. */
interface Spoken {
  /** Role, name and value of what has the focus; of the active cell while the grid has it. */
  focus(): Promise<string>;
  /** Waits until a live region has said something that matches, since the last call of `hear`. */
  hear(text: RegExp, timeout?: number): Promise<void>;
  /** All that live regions have said, in order. */
  all(): Promise<readonly string[]>;
}

/** Listens to every live region of the page from now on. */
export async function listenTo(page: Page): Promise<Spoken> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const LIVE = ':is([role="status"], [role="alert"], [role="log"], [aria-live], output):not([aria-live="off"])';
    const tell = (region: Element): void => {
      const text = (region.textContent ?? '').replace(/\s+/g, ' ').trim();
      if (text !== '' && said.at(-1) !== text) said.push(text);
    };
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const around = element?.closest(LIVE);
        if (around != null) regions.add(around);
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          if (node.matches(LIVE)) regions.add(node);
          for (const inner of node.querySelectorAll(LIVE)) regions.add(inner);
        }
      }
      for (const region of regions) tell(region);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const all = (): Promise<readonly string[]> => page.evaluate(() => Reflect.get(window, 'said') as readonly string[]);
  let heard = 0;
  return {
    all,
    hear: async (text, timeout = 10_000) => {
      await expect
        .poll(async () => (await all()).slice(heard).find((line) => text.test(line)) ?? null, {
          message: `something like ${String(text)} is said`,
          timeout,
        })
        .not.toBeNull();
      heard = (await all()).findIndex((line, i) => i >= heard && text.test(line)) + 1;
    },
    focus: async () => {
      const active = page.locator('[role="grid"]:focus [id="grid-active-cell"]');
      const place = (await active.count()) > 0 ? active : page.locator(':focus');
      const [line = ''] = (await place.ariaSnapshot()).split('\n');
      return line.replace(/^- /, '');
    },
  };
}
