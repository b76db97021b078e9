import type { Page } from '@playwright/test';

/**
 * Texts that are cut off although nothing says so: a part of them stands beyond the edge of a box that hides what is
 * beyond it. A text that ends in dots was shortened on purpose, and one in a box that scrolls can be reached.
 */
export const clippedTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const SLACK = 2;
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (parent === null || text === '' || parent.closest('script, style, svg, option') !== null) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // The text of an area lies inside it and is not laid out as the node that holds it.
      if (parent instanceof HTMLTextAreaElement) {
        const { overflowY } = getComputedStyle(parent);
        const isCut = !/auto|scroll/.test(overflowY) && parent.scrollHeight > parent.clientHeight + SLACK;
        if (isCut || parent.scrollWidth > parent.clientWidth + SLACK) found.add(text.slice(0, 60));
        continue;
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (isCut(parent, rect)) found.add(text.slice(0, 60));
    }
    return [...found];

    function isCut(start: Element, rect: DOMRect): boolean {
      let wide = true;
      let high = true;
      for (let box: Element | null = start; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        // For ears only.
        if ((edge.width <= 1 && edge.height <= 1) || style.clipPath !== 'none') return false;
        if (style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX)) wide = false;
        if (style.webkitLineClamp !== 'none' || /auto|scroll/.test(style.overflowY)) high = false;
        const hidesX = /hidden|clip/.test(style.overflowX);
        const hidesY = /hidden|clip/.test(style.overflowY);
        if (wide && hidesX && (rect.left < edge.left - SLACK || rect.right > edge.right + SLACK)) return true;
        if (high && hidesY && (rect.top < edge.top - SLACK || rect.bottom > edge.bottom + SLACK)) return true;
        if (!wide && !high) return false;
      }
      return false;
    }
  });
