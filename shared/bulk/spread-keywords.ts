import type { RowId } from '../model/scalars.ts';
import { normalizedText } from '../model/text.ts';

/** The rule for more keywords than an ad group can have. Spreading them solves it. */
export const FULL_RULE = 'keyword.too-many';

export interface SpreadKeyword {
  readonly id: RowId;
  readonly text: string;
}

/** The most campaigns that one step adds beside each full one: each of them needs a budget. */
const ADDED_MAX = 9;

/**
 * Divides the keywords of a full ad group in parts of about the same size, one for each further campaign: two parts, or
 * as many as it takes for each to be within the limit. Keywords with a word in common stay together, and so do all
 * match types of one text, so that none is in two parts.
 *
 * @param max the most distinct texts of an ad group
 * @returns the keywords that leave, by part: whole themes, the largest that fit first
 */
export function spreadKeywords(keywords: readonly SpreadKeyword[], max: number): readonly ReadonlySet<RowId>[] {
  const byText = Map.groupBy(keywords, ({ text }) => normalizedText(text));
  const texts = [...byText.keys()].toSorted();
  const parts: ReadonlySet<RowId>[] = [];
  let left: readonly string[] = texts;
  let themes = themesOf(texts);
  for (let count = Math.min(ADDED_MAX + 1, Math.max(2, Math.ceil(texts.length / max))); count > 1; count--) {
    const part = partOf(left, themes, Math.floor(left.length / count));
    if (part.size === 0) continue;
    parts.push(new Set([...part].flatMap((text) => byText.get(text) ?? []).map(({ id }) => id)));
    left = left.filter((text) => !part.has(text));
    themes = themes.map((theme) => theme.filter((text) => !part.has(text)));
  }
  return parts;
}

/** The texts of a part of this size. */
function partOf(texts: readonly string[], themes: readonly (readonly string[])[], size: number): ReadonlySet<string> {
  const part = new Set<string>();
  for (const theme of themes) {
    if (part.size + theme.length <= size) for (const text of theme) part.add(text);
  }
  // One theme may be larger than the part: then its last texts go, which are next to each other.
  for (const text of texts.toReversed()) if (part.size < size) part.add(text);
  return part;
}

/** Groups texts by the word that they share with most others, the largest group first. */
function themesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const wordsOf = (text: string): readonly string[] => [...new Set(text.split(' '))];
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const themes = Map.groupBy(texts, (text) => {
    // A word that most texts have does not distinguish groups.
    const words = wordsOf(text).filter((word) => (counts.get(word) ?? 0) <= texts.length / 2);
    const [theme = text] = words.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
    return theme;
  });
  return [...themes.values()].toSorted((a, b) => b.length - a.length);
}
