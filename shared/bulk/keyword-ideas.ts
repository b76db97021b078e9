import { normalizedText } from '../model/text.ts';

/** A search term of a report, with the orders it led to. */
export interface SearchTerm {
  readonly text: string;
  readonly orders: number;
}

export interface KeywordIdea {
  readonly text: string;
  readonly source: 'report' | 'items';
  /** Orders of a search term, or items that have these words in their names. */
  readonly count: number;
}

/** Words that are not used in keywords. */
const LOOSE = new Set('a an and at by for from in of on or pack per set the to with x'.split(' '));
const WORDS_MAX = 3;
export const IDEAS_MAX = 60;

/**
 * Keywords that a campaign does not have yet: first search terms that led to orders, then parts of its items' names, in
 * two or three words without numbers, those of most items first.
 *
 * @param names of items, one per item
 * @param used texts of the keywords that the campaign has
 */
export function keywordIdeas(
  names: readonly string[],
  terms: readonly SearchTerm[],
  used: readonly string[],
): readonly KeywordIdea[] {
  const known = new Set(used.map(normalizedText));
  const isNew = ({ text }: KeywordIdea): boolean => {
    if (known.has(text)) return false;
    known.add(text);
    return true;
  };
  const ordered = terms
    .filter(({ orders }) => orders > 0)
    .toSorted((a, b) => b.orders - a.orders)
    .map(({ text, orders }): KeywordIdea => ({ text: normalizedText(text), source: 'report', count: orders }));
  const counts = new Map<string, number>();
  for (const name of names) for (const phrase of phrasesOf(name)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  const named = [...counts]
    .map(([text, count]): KeywordIdea => ({ text, source: 'items', count }))
    .toSorted((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  return [...ordered, ...named].filter(isNew).slice(0, IDEAS_MAX);
}

const isNamed = (word: string): boolean => !LOOSE.has(word) && !/\d/.test(word);

/** The last two and three words of each part of a name, without sizes and connecting words. */
function phrasesOf(name: string): ReadonlySet<string> {
  const found = new Set<string>();
  // A comma ends a thought: "water bottle, blue" is no "bottle blue".
  for (const part of name.split(/[,;|()–—]/)) {
    const words = normalizedText(part).split(' ');
    for (let from = 0; from < words.length; from++) {
      for (let count = 2; count <= WORDS_MAX && from + count <= words.length; count++) {
        const phrase = words.slice(from, from + count);
        const next = words[from + count];
        // The noun comes last: "brushed steel" alone is not a product.
        const isWhole = next === undefined || !isNamed(next);
        if (isWhole && phrase.every(isNamed)) found.add(phrase.join(' '));
      }
    }
  }
  return found;
}
