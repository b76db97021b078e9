import {
  findAlerts,
  type Paced,
  pacePlans,
  suggestBanners,
  suggestMultipliers,
  suggestPacing,
  suggestWhatIf,
} from './campaign-suggestions.ts';
import type { SuggestionFacts } from './facts.ts';
import { type BidRow, type Collected, drop, suggestForRows } from './row-suggestions.ts';
import { type DropReason, isDismissed, SUGGESTION_KINDS, type Suggestion, suggestionKey } from './suggestion.ts';
import { type WhatIfNumbers, whatIf } from './what-if.ts';

export interface Suggestions {
  /** By kind, then campaign by campaign, in the order of their rows. */
  readonly suggestions: readonly Suggestion[];
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** Combined effect of all suggested bids in a week; null without any. */
  readonly whatIf: WhatIfNumbers | null;
  readonly paced: readonly Paced[];
}

/** All suggestions for an account. The same facts give the same result, byte for byte. */
export function suggest(facts: SuggestionFacts): Suggestions {
  const into: Collected = { suggestions: [], dropped: new Map() };
  const paced = pacePlans(facts);
  const overPlan = new Set(
    paced.filter(({ numbers }) => numbers.projected > numbers.plan).flatMap(({ plan }) => plan.campaigns),
  );
  const bids: BidRow[] = [];
  for (const type of ['adItem', 'keyword'] as const)
    for (const bid of suggestForRows(facts, type, overPlan, into)) bids.push(bid);
  suggestMultipliers(facts, into);
  suggestPacing(facts, paced, into);
  suggestBanners(facts, into);
  suggestWhatIf(facts, bids, into);
  findAlerts(facts, paced, into);
  const shown = into.suggestions.filter((suggestion) => {
    const dismissal = facts.dismissals.size === 0 ? undefined : facts.dismissals.get(suggestionKey(suggestion));
    if (!isDismissed(dismissal, suggestion.weight, facts.today)) return true;
    drop(into, 'dismissed');
    return false;
  });
  const order = new Map(SUGGESTION_KINDS.map((kind, at) => [kind, at]));
  const place = ({ kind }: Suggestion): number => order.get(kind) ?? 0;
  shown.sort(
    (a, b) =>
      place(a) - place(b) ||
      (a.campaignId ?? 0) - (b.campaignId ?? 0) ||
      (a.id ?? 0) - (b.id ?? 0) ||
      (a.label < b.label ? -1 : a.label > b.label ? 1 : 0),
  );
  return {
    suggestions: shown,
    dropped: into.dropped,
    whatIf: bids.length === 0 ? null : whatIf(bids, facts.response),
    paced,
  };
}
