import type { SuggestionKind } from '../../shared/suggestions/suggestion.ts';

/** What kinds of suggestions are called in their tabs and on the overview. */
export const suggestionKindNames = {
  bid: 'Bids',
  multiplier: 'Multipliers',
  'no-sale': 'No sale',
  pacing: 'Budgets',
  harvest: 'Harvest',
  duplicate: 'Duplicates',
  word: 'Words',
  'paused-spend': 'Paused with spend',
  silent: 'No impressions',
  banner: 'Banner swaps',
  'what-if': 'Forecast',
  alert: 'Alerts',
} as const satisfies Readonly<Record<SuggestionKind, string>>;
