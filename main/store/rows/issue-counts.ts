import type { Issue, RuleTally, Severity } from '../../../shared/rules/rule.ts';

/** An entry of `finding_count.rules`: rule, severity, number of issues, and how many have a fix. */
type StoredTally = readonly [rule: string, severity: Severity, found: number, fixable: number];

/** Counts issues by rule, ordered by rule ID. */
export function countIssues(issues: readonly Issue[]): readonly RuleTally[] {
  const byRule = new Map<string, OpenTally>();
  for (const { rule, severity, fix } of issues) {
    const tally = byRule.get(rule) ?? { rule, severity, found: 0, fixable: 0 };
    byRule.set(rule, tally);
    tally.found += 1;
    if (fix !== null) tally.fixable += 1;
  }
  return [...byRule.values()].sort((a, b) => (a.rule < b.rule ? -1 : 1));
}

/** Counts as stored; equal counts give equal text. */
export const formatCounts = (tallies: readonly RuleTally[]): string =>
  JSON.stringify(tallies.map(({ rule, severity, found, fixable }): StoredTally => [rule, severity, found, fixable]));

/** Reads the text of `formatCounts`. Thousands of campaigns share few texts, so results are cached. */
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

/** Adds up the counts of several campaigns by rule, in no order. */
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

/** A mutable count. */
type OpenTally = { -readonly [Key in keyof RuleTally]: RuleTally[Key] };

/**
 * Arithmetic on `issues`, a mask of up to 50 bits: too wide for JavaScript's bit operators, but exact as a number. A
 * bit is passed as its value, 2 ** n.
 */
const HALF = 2 ** 25;

const hasBit = (mask: number, value: number): boolean => Math.floor(mask / value) % 2 === 1;

export const withBit = (mask: number, value: number): number => (hasBit(mask, value) ? mask : mask + value);

export function commonBits(a: number, b: number): number {
  const high = Math.floor(a / HALF) & Math.floor(b / HALF);
  const low = (a % HALF) & (b % HALF);
  return high * HALF + low;
}

export const withoutBits = (mask: number, bits: number): number => mask - commonBits(mask, bits);
