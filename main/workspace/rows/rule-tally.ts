import type { Finding, RuleTally, Severity } from '../../../shared/rules/finding.ts';

/** What stands in `finding_count.rules`: rule, severity, number of findings, and how many of them have a fix. */
type StoredTally = readonly [rule: string, severity: Severity, found: number, fixable: number];

/** Counts findings rule by rule, in the order of the rules' ids. */
export function countIssues(findings: readonly Finding[]): readonly RuleTally[] {
  const byRule = new Map<string, OpenTally>();
  for (const { rule, severity, fix } of findings) {
    const tally = byRule.get(rule) ?? { rule, severity, found: 0, fixable: 0 };
    byRule.set(rule, tally);
    tally.found += 1;
    if (fix !== null) tally.fixable += 1;
  }
  return [...byRule.values()].sort((a, b) => (a.rule < b.rule ? -1 : 1));
}

/** Tallies as they are stored; equal tallies make equal text. */
export const formatCounts = (tallies: readonly RuleTally[]): string =>
  JSON.stringify(tallies.map(({ rule, severity, found, fixable }): StoredTally => [rule, severity, found, fixable]));

/**
 * Reads what `tallyText` wrote. Thousands of campaigns share few texts, so what was read once is remembered.
 */
export function createTallyReader(): (text: string) => readonly RuleTally[] {
  const known = new Map<string, readonly RuleTally[]>();
  return (text) => {
    const read = known.get(text);
    if (read !== undefined) return read;
    if (known.size >= KNOWN_MAX) known.clear();
    const stored = JSON.parse(text) as readonly StoredTally[];
    const tallies = stored.map(([rule, severity, found, fixable]) => ({ rule, severity, found, fixable }));
    known.set(text, tallies);
    return tallies;
  };
}

const KNOWN_MAX = 5000;

/** Adds tallies of several campaigns together, rule by rule, in no order. */
export function addCounts(all: Iterable<readonly RuleTally[]>): readonly RuleTally[] {
  const byRule = new Map<string, OpenTally>();
  for (const tallies of all) {
    for (const tally of tallies) {
      const sum = byRule.get(tally.rule);
      if (sum === undefined) byRule.set(tally.rule, { ...tally });
      else {
        sum.found += tally.found;
        sum.fixable += tally.fixable;
      }
    }
  }
  return [...byRule.values()];
}

/** A tally that is still being counted. */
type OpenTally = { -readonly [Key in keyof RuleTally]: RuleTally[Key] };
