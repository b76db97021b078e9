/** A rule that finds something, with the lines below its title; 0 while it is folded. */
export interface RuleLines {
  readonly rule: string;
  readonly lines: number;
}

/** What stands in a line: the title of a rule, or the finding of a rule at a place of its list. */
export interface RulePlace {
  readonly rule: string;
  readonly place: number | 'title';
}

/** How many lines the titles and what is unfolded below them make. */
export const countLines = (groups: readonly RuleLines[]): number =>
  groups.reduce((sum, { lines }) => sum + 1 + lines, 0);

/** @returns null below the last line */
export function placeAt(groups: readonly RuleLines[], index: number): RulePlace | null {
  let line = index;
  for (const { rule, lines } of groups) {
    if (line === 0) return { rule, place: 'title' };
    if (line <= lines) return { rule, place: line - 1 };
    line -= lines + 1;
  }
  return null;
}

/** The part of a rule's list that is within sight. */
interface Sight {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}

/** Which places of which lists stand in the lines from `from` up to, but without, `to`. */
export function inSight(groups: readonly RuleLines[], from: number, to: number): readonly Sight[] {
  const seen: Sight[] = [];
  let first = 1;
  for (const { rule, lines } of groups) {
    const part = { rule, from: Math.max(0, from - first), to: Math.min(lines, to - first) };
    if (part.from < part.to) seen.push(part);
    first += lines + 1;
  }
  return seen;
}
