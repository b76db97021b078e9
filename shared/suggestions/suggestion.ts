import type { RowId } from '../model/scalars.ts';
import { ALERT_AMOUNTS, type AlertNumbers, explainAlert, explainSilent, explainSpendAfterPause } from './alerts.ts';
import { explainSwap, type SwapNumbers } from './banner-swap.ts';
import { type BidNumbers, type Evidence, explainBid } from './bid.ts';
import type { Explanation } from './explanation.ts';
import { explainHarvest, type HarvestNumbers } from './harvest.ts';
import { explainMultiplier, type MultiplierNumbers } from './multipliers.ts';
import { explainNoSale, type NoSaleNumbers } from './no-sale.ts';
import { explainPacing, type PacingNumbers } from './pacing.ts';
import { rounded } from './statistics.ts';
import { explainWhatIf, type WhatIfNumbers } from './what-if.ts';
import { type DuplicateNumbers, explainDuplicates, explainWords, type WordNumbers } from './words.ts';

export const SUGGESTION_KINDS = [
  'bid',
  'multiplier',
  'no-sale',
  'pacing',
  'harvest',
  'duplicate',
  'word',
  'paused-spend',
  'silent',
  'banner',
  'what-if',
  'alert',
] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

/** Why a row has no suggestion, in the order of the checks. */
export const DROP_REASONS = [
  'no-goal',
  'deleted',
  'archived',
  'paused',
  'held',
  'conflict',
  'unconfirmed',
  'failed',
  'edited',
  'little-evidence',
  'small-step',
  'floor',
  'cool-down',
  'issue',
  'account-cap',
  'budget',
  'over-plan',
  'texts-full',
  'match-types',
  'dismissed',
  'not-possible',
  'gone',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Effect of accepting: an edit with its cost, an instruction where no request of the service can do it, or nothing. */
export const EFFECTS = ['immediate', 'needs-review', 'not-possible', 'advice'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Types of rows with suggestions. */
export type SuggestedType =
  | 'campaign'
  | 'adGroup'
  | 'adItem'
  | 'keyword'
  | 'platformMultiplier'
  | 'placementMultiplier';

/** The numbers of a suggestion, by its kind. */
export interface NumbersByKind {
  readonly bid: BidNumbers;
  readonly multiplier: MultiplierNumbers;
  readonly 'no-sale': NoSaleNumbers;
  readonly pacing: PacingNumbers;
  readonly harvest: HarvestNumbers;
  readonly duplicate: DuplicateNumbers;
  readonly word: WordNumbers;
  readonly 'paused-spend': { readonly spend: number; readonly days: number };
  readonly silent: { readonly days: number; readonly groupImpressions: number };
  readonly banner: SwapNumbers;
  readonly 'what-if': WhatIfNumbers;
  readonly alert: AlertNumbers;
}

/** Numbers in hundredths: amounts in cents, and percentages of multipliers. The others are counts, fractions and ratios. */
const IN_HUNDREDTHS: {
  readonly [K in SuggestionKind]: (numbers: NumbersByKind[K]) => readonly (keyof NumbersByKind[K])[];
} = {
  bid: () => [
    ...(['bid', 'suggested', 'wanted', 'low', 'high', 'sales', 'orderValue', 'groupOrderValue'] as const),
    ...(['perClick', 'clickCost', 'spend', 'clicksTimesBid'] as const),
  ],
  multiplier: () => ['current', 'suggested', 'wantedMultiplier', 'wanted', 'base', 'perClick'],
  'no-sale': () => ['spend', 'orderCost'],
  pacing: () => [
    ...(['plan', 'spent', 'due', 'recent', 'deviation', 'projected', 'low', 'high'] as const),
    ...(['wantedBudget', 'dailyBudget', 'suggested'] as const),
  ],
  harvest: () => ['bid', 'perClick', 'cost', 'clickCost', 'wanted'],
  duplicate: () => ['spend', 'keepLow'],
  word: () => ['sales', 'spend', 'perClick', 'low', 'parentPerClick'],
  'paused-spend': () => ['spend'],
  silent: () => [],
  banner: () => [],
  'what-if': () => ['spend', 'newSpend', 'sales', 'newSales', 'low', 'high'],
  alert: ({ cause }) => ALERT_AMOUNTS[cause] ?? [],
};

type PlainNumbers = Readonly<Record<string, number | string | boolean | null>>;

/** The numbers of a suggestion, with amounts in currency units and percentages in percent. */
export function numbersInUnits<K extends SuggestionKind>({
  kind,
  numbers,
}: Pick<Suggesting<K>, 'kind' | 'numbers'>): PlainNumbers {
  const hundredths = new Set<PropertyKey>(IN_HUNDREDTHS[kind](numbers));
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      typeof value === 'number' && hundredths.has(name) ? rounded(value / 100) : value,
    ]),
  );
}

interface Suggesting<K extends SuggestionKind> {
  readonly kind: K;
  readonly type: SuggestedType;
  /** The row; null for the account, and for texts in several rows. */
  readonly id: RowId | null;
  readonly campaignId: RowId | null;
  readonly label: string;
  /** The field that accepting changes; null for advice and for a new keyword. */
  readonly field: string | null;
  /** Amounts in cents, multipliers in hundredths of a percent, words for states. */
  readonly current: number | string | null;
  readonly suggested: number | string | null;
  readonly evidence: Evidence;
  readonly low: number | null;
  readonly high: number | null;
  readonly effect: Effect;
  /** By how many cents a week accepting is expected to move spend. */
  readonly move: number;
  /** The number that must change by a quarter until a dismissed suggestion is shown again. */
  readonly weight: number;
  readonly numbers: NumbersByKind[K];
}
/** One suggestion, discriminated by its kind. */
export type Suggestion = { readonly [K in SuggestionKind]: Suggesting<K> }[SuggestionKind];

/** A key that is stable as long as the suggestion is about the same thing. */
export function suggestionKey(suggestion: Suggestion): string {
  const { kind, type, id, campaignId, field, label } = suggestion;
  // A multiplier that its campaign does not have yet has no row.
  if (kind === 'multiplier' && id === null) return [kind, type, '', field, campaignId, label].join(':');
  const isNamed = kind === 'word' || kind === 'alert' || kind === 'pacing';
  const other = isNamed ? label : (field ?? (kind === 'harvest' ? (suggestion.numbers.into ?? '') : ''));
  return [kind, type, id ?? '', other].join(':');
}

/** The sentences of a suggestion and its calculation, from the numbers of its value. */
export function explain(suggestion: Suggestion): Explanation {
  switch (suggestion.kind) {
    case 'bid':
      return explainBid(suggestion.numbers);
    case 'multiplier':
      return explainMultiplier(suggestion.numbers);
    case 'no-sale':
      return explainNoSale(suggestion.numbers);
    case 'pacing':
      return explainPacing(suggestion.numbers);
    case 'harvest':
      return explainHarvest(suggestion.numbers);
    case 'duplicate':
      return explainDuplicates(suggestion.numbers);
    case 'word':
      return explainWords(suggestion.numbers);
    case 'paused-spend':
      return explainSpendAfterPause(suggestion.numbers);
    case 'silent':
      return explainSilent(suggestion.numbers);
    case 'banner':
      return explainSwap(suggestion.numbers);
    case 'what-if':
      return explainWhatIf(suggestion.numbers);
    case 'alert':
      return explainAlert(suggestion.numbers);
  }
}

/** A suggestion that the user has dismissed, with its values at that time. */
export interface Dismissal {
  readonly key: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly weight: number;
}

const HIDDEN_DAYS = 30;

export const isDismissed = (dismissal: Dismissal | undefined, weight: number, today: number): boolean =>
  dismissal !== undefined &&
  today - dismissal.day < HIDDEN_DAYS &&
  (weight === dismissal.weight || Math.abs(weight - dismissal.weight) < dismissal.weight / 4);
