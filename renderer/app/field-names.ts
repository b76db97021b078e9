import { STATUS_NAMES } from '../../shared/lifecycle/states.ts';
import { fieldLabel, LISTED_FIELDS } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { SuggestionKind } from '../../shared/suggestions/suggestion.ts';
import { inSentence, plural } from './locale/numbers.ts';
import type { QuickFilter } from './store/navigation-slice.ts';

/** Display names of kinds, fields and choices. The service's own terms appear in IDs and tooltips only. */
export const KIND_NAMES: Readonly<Record<Kind, { readonly one: string; readonly many: string }>> = {
  campaign: { one: 'campaign', many: 'Campaigns' },
  adGroup: { one: 'ad group', many: 'Ad groups' },
  adItem: { one: 'ad item', many: 'Ad items' },
  keyword: { one: 'keyword', many: 'Keywords' },
  sbaProfile: { one: 'SBA profile', many: 'SBA profiles' },
  videoProfile: { one: 'video profile', many: 'Video profiles' },
  placementMultiplier: { one: 'placement multiplier', many: 'Placement multipliers' },
  platformMultiplier: { one: 'platform multiplier', many: 'Platform multipliers' },
  media: { one: 'media file', many: 'Media' },
};

/** How the label of a row without a name goes on after the name of its kind. */
const NAMELESS = /^(?: \d+| without (?:a name|an ID|text|a headline).*)?$/;

/** A row by its kind and label: `keyword garden hose`. The label of a row without a name begins with the kind already. */
export function rowName(kind: Kind, label: string): string {
  const { one } = KIND_NAMES[kind];
  return label.startsWith(one) && NAMELESS.test(label.slice(one.length)) ? label : `${one} ${label}`;
}

/** Rows of a kind: 3 keywords. */
export function rowsText(count: number, kind: Kind): string {
  const { one, many } = KIND_NAMES[kind];
  return plural(count, one, inSentence(many));
}

const REPORT_NAMES: Readonly<Record<string, string>> = {
  campaign: 'By campaign',
  adGroup: 'By ad group',
  adItem: 'By ad item',
  keyword: 'By keyword',
  platform: 'By platform',
  pageType: 'By page type',
  brand: 'By brand',
  category: 'By category',
};

/** The display name of a report type. A type that only a deployment has is shown as it is. */
export const reportName = (type: string): string => REPORT_NAMES[type] ?? type;

export const fieldName = fieldLabel;

const CHOICES: Readonly<Record<string, string>> = {
  ...STATUS_NAMES,
  sponsoredProducts: 'Sponsored products',
  sba: 'Search Brand Amplifier (SBA)',
  video: 'Video',
  auto: 'Automatic',
  manual: 'Manual',
  disabled: 'Disabled',
  deleted: 'Deleted',
  estimated: 'Estimated',
  exact: 'Exact',
  phrase: 'Phrase',
  broad: 'Broad',
  archived: 'Archived',
  search: 'Item search',
  service: 'Service',
  import: 'Import',
  typed: 'Entered manually',
  caption: 'Caption',
  logo: 'Logo',
  poster: 'Poster',
};

/** A value of the service that this version does not know, marked as such. It comes first: narrow columns cut the rest. */
const unknownWord = (word: string): string => `${word} (unknown to this version)`;

/** Display name of a choice; empty for the empty one. */
export const choiceName = (choice: string): string =>
  Object.hasOwn(CHOICES, choice) ? (CHOICES[choice] ?? choice) : choice === '' ? '' : unknownWord(choice);

/** Display name of a field's choice. Placements and platforms are names already, which a deployment lists. */
export const wordName = (field: string, choice: string): string =>
  LISTED_FIELDS.has(field) ? choice : choiceName(choice);

/** The state of a campaign, marked as estimated if the service has not reported it. */
export const stateText = (state: string, source: string | null): string =>
  source === 'estimated' ? `${choiceName(state)} (estimated)` : choiceName(state);

/** Explains an estimated state and the time it is from. */
export const estimatedText = (when: string | null): string =>
  when === null ? 'Estimated: not reported by the service yet.' : `Estimated, as of ${when}.`;

export const ONLY_NAMES: readonly (readonly [QuickFilter, string])[] = [
  ['all', 'All'],
  ['changed', 'Changed'],
  ['attention', 'Needs attention'],
  ['errors', 'Errors'],
  ['warnings', 'Warnings'],
  ['rejected', 'Rejected'],
  ['conflicts', 'Conflicts'],
  ['in-doubt', 'Unconfirmed'],
  ['held', 'On hold'],
  ['waiting', 'Pending'],
  ['commented', 'Open comments'],
  ['resolved', 'Resolved comments'],
];

/** Names of suggestion kinds in their tabs and on the overview. */
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
