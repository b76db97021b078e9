/**
 * Names of buttons, tabs and commands that a page of the user guide quotes stand *in italics*; bold is for emphasis.
 * `…` in a name stands for what the window fills in: *Put … back into the drafts*.
 */
const QUOTED = /\*([^*\n]+(?:\n[^*\n]+)?)\*/g;
const NOT_QUOTED = /\*\*[^*]+\*\*|`[^`\n]*`|```[\s\S]*?```/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const TEXT = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** Every text of a source file of messages, as it stands there. */
export const textsOf = (source: string): readonly string[] =>
  [...source.replace(COMMENT, '').matchAll(TEXT)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').toLowerCase(),
  );

/**
 * @param texts all texts of the window
 * @returns the names that a page quotes and that the window never shows, as they stand in the page
 */
export function unknownNames(page: string, texts: readonly string[]): readonly string[] {
  const names = [...page.replace(NOT_QUOTED, '').matchAll(QUOTED)].map(([, name = '']) => name.replace(/\s+/g, ' '));
  return names.filter((name) => {
    const parts = name.toLowerCase().split('…');
    return !texts.some((text) => parts.every((part) => text.includes(part.trim())));
  });
}
