import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';

export type Severity = 'error' | 'warning' | 'advice';

/**
 * What a rule says about one row. It carries facts, not sentences: `message` holds the key of a text and its
 * parameters, and whoever shows it writes the sentence (`shared/rules/messages.ts`).
 */
export interface Finding {
  /** Stable id of the rule, such as `keyword.bid-floor`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaignId: RowId | null;
  /** The field to change, or null when the row as a whole is meant. */
  readonly field: string | null;
  /** Facts for the text: limits, actual values, names. */
  readonly params: Readonly<Record<string, string | number>>;
  /** A change that would end the finding, when there is exactly one sensible one. */
  readonly fix: Fix | null;
}

export interface Fix {
  readonly field: string;
  readonly value: string | number | null;
}

/** How many findings of each severity a check found. */
export interface FindingCounts {
  readonly error: number;
  readonly warning: number;
  readonly advice: number;
}

/** How many findings one rule makes, and how many of them could be mended at once. */
export interface RuleTally {
  readonly rule: string;
  readonly severity: Severity;
  readonly found: number;
  readonly fixable: number;
}
