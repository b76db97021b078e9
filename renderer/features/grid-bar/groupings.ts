import type { GroupBy } from '../../../shared/api/choices.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { CAMPAIGN_COLUMN } from '../../../shared/search/value-filter.ts';

export const groupingTexts: Readonly<Record<GroupBy, string>> = {
  campaign: 'Campaign',
  type: 'Type',
  match: 'Match',
  status: 'Status',
  label: 'Label',
};

/** Kinds whose rows have one of the eight states. */
const STATED: ReadonlySet<Kind> = new Set<Kind>(['campaign', 'adItem', 'keyword']);

/** The groupings that a list offers. */
export function groupingsOf(kind: Kind, campaignId: number | null): readonly GroupBy[] {
  if (kind === 'media') return [];
  return [
    ...(campaignId === null && kind !== 'campaign' ? (['campaign'] as const) : []),
    ...(campaignId === null ? (['type'] as const) : []),
    ...(fieldNames(kind).includes('matchType') ? (['match'] as const) : []),
    ...(STATED.has(kind) ? (['status'] as const) : []),
    'label',
  ];
}

const BY_FIELD: Readonly<Record<string, GroupBy>> = {
  [CAMPAIGN_COLUMN]: 'campaign',
  campaignType: 'type',
  matchType: 'match',
  campaignState: 'status',
  rowState: 'status',
};

/** The grouping by the values of a column; null for none. */
export function groupingOfField(field: string, kind: Kind, campaignId: number | null): GroupBy | null {
  const by = BY_FIELD[field];
  return by !== undefined && groupingsOf(kind, campaignId).includes(by) ? by : null;
}
