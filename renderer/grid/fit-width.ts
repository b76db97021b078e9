/** Room beside the text: padding of a cell on both sides, and in the title the sort arrow. */
const PADDING = 18;
const TITLE_EXTRA = 22;

/**
 * The width in CSS pixels in which the widest of the texts stands whole.
 *
 * @param measure the width of a text in the font of the grid
 */
export function fitWidth(title: string, texts: readonly string[], measure: (text: string) => number): number {
  const widest = texts.reduce((most, text) => Math.max(most, measure(text)), 0);
  return Math.ceil(Math.max(widest, measure(title) + TITLE_EXTRA) + PADDING);
}

/** Measures in the font in which an element is drawn. */
export function measureIn(element: Element): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 7;
  context.font = getComputedStyle(element).font;
  return (text) => context.measureText(text).width;
}
