/** What stands in a name for what is known when the campaign is created. */
export interface NameFacts {
  /** Days as 2030-06-01; empty for one that is not known. */
  readonly today: string;
  readonly start: string;
  readonly end: string;
}

/**
 * Fills `[today]`, `[month]`, `[start]` and `[end]` into a name. A token without a fact, and anything else in brackets,
 * stays as it is typed: a name that is visibly unfinished is mended, one with a hole in it is not noticed.
 */
export function filledName(name: string, { today, start, end }: NameFacts): string {
  const facts: Readonly<Record<string, string>> = { today, month: today.slice(0, 7), start, end };
  return name.replace(/\[(today|month|start|end)\]/gi, (token, word: string) => facts[word.toLowerCase()] || token);
}
