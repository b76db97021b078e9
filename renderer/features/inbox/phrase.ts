/** Start and end of a phrase in a text. */
export interface Marked {
  readonly from: number;
  readonly to: number;
}

/** A shorter run of common words may be a coincidence. */
const WORDS_MIN = 2;

/**
 * The longest phrase of a text that a reviewer's reason contains: any words in quotes, or at least `WORDS_MIN`
 * consecutive words.
 *
 * @returns its position in the text; null if the reason contains none
 */
export function markedPhrase(reason: string, text: string): Marked | null {
  const said = fold(reason);
  const words = [...text.matchAll(/[\p{L}\p{N}']+/gu)];
  let best: (Marked & { readonly words: number }) | null = null;
  for (const [start, first] of words.entries()) {
    for (let end = words.length - 1; end >= start; end--) {
      const last = words[end];
      if (last === undefined) continue;
      const marked = { from: first.index, to: last.index + last[0].length, words: end - start + 1 };
      if (best !== null && marked.words <= best.words) break;
      const phrase = fold(text.slice(marked.from, marked.to));
      const isQuoted = new RegExp(`["“'‘]${escaped(phrase)}["”'’]`).test(said);
      if ((marked.words >= WORDS_MIN || isQuoted) && hasPhrase(said, phrase)) best = marked;
    }
  }
  return best === null ? null : { from: best.from, to: best.to };
}

const fold = (text: string): string => text.toLowerCase();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const hasPhrase = (said: string, phrase: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(phrase)}(?![\\p{L}\\p{N}])`, 'u').test(said);
