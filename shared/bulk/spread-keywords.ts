import type { RowId } from '../model/scalars.ts';
import { normalizedText } from '../model/text.ts';

export interface SpreadKeyword {
  readonly id: RowId;
  readonly text: string;
}

/**
 * Divides the keywords of a full ad group in two of about the same size, for a second campaign. Keywords with a word in
 * common stay together, and so do all match types of one text, so that none is in both.
 *
 * @returns the keywords that leave: whole themes, the largest that fit into half of the distinct texts first
 */
export function spreadKeywords(keywords: readonly SpreadKeyword[]): ReadonlySet<RowId> {
  const byText = Map.groupBy(keywords, ({ text }) => normalizedText(text));
  const texts = [...byText.keys()].toSorted();
  const half = Math.floor(texts.length / 2);
  const moved = new Set<string>();
  for (const theme of themesOf(texts)) {
    if (moved.size + theme.length <= half) for (const text of theme) moved.add(text);
  }
  // One theme may be more than half of all: then its last texts go, which are next to each other.
  for (const text of texts.toReversed()) if (moved.size < half) moved.add(text);
  return new Set([...moved].flatMap((text) => byText.get(text) ?? []).map(({ id }) => id));
}

/** Groups texts by the word that they share with most others, the largest group first. */
function themesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const wordsOf = (text: string): readonly string[] => [...new Set(text.split(' '))];
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const themes = new Map<string, string[]>();
  for (const text of texts) {
    // A word that most texts have does not distinguish groups.
    const words = wordsOf(text).filter((word) => (counts.get(word) ?? 0) <= texts.length / 2);
    const [theme = text] = words.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
    themes.set(theme, [...(themes.get(theme) ?? []), text]);
  }
  return [...themes.values()].toSorted((a, b) => b.length - a.length);
}
