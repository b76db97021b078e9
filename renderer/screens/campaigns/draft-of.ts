import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import type { CampaignShape } from '../../store/dialog-slice.ts';
import { type CampaignDraft, EMPTY_DRAFT } from './draft.ts';

/** The rows of one campaign that a form can hold; what only the service gives is no part of it. */
export interface CampaignRows {
  readonly campaign: WindowRow;
  readonly items: readonly WindowRow[];
  readonly keywords: readonly WindowRow[];
  readonly profiles: readonly WindowRow[];
}

const text = (kind: Kind, row: WindowRow, field: string): string =>
  formatCell(kind, field, row.cells[fieldNames(kind).indexOf(field)] ?? null);

export function shapeOf(campaign: WindowRow): CampaignShape {
  const type = campaign.cells[fieldNames('campaign').indexOf('campaignType')];
  if (type === 'video' || type === 'sba') return type;
  return campaign.cells[fieldNames('campaign').indexOf('targetingType')] === 'auto' ? 'auto' : 'manual';
}

/** The form that would create such a campaign again, items and keywords with their bids. Its days are left to the user. */
export function draftOf({ campaign, items, keywords, profiles }: CampaignRows): CampaignDraft {
  const [profile] = profiles.filter((row) => !isDeleted(row));
  const lines = (kind: 'adItem' | 'keyword', rows: readonly WindowRow[], fields: readonly string[]): string =>
    rows
      .filter((row) => !isDeleted(row))
      .map((row) => fields.map((field) => text(kind, row, field)).join('\t'))
      .join('\n');
  return {
    ...EMPTY_DRAFT,
    name: text('campaign', campaign, 'name'),
    totalBudget: text('campaign', campaign, 'totalBudget'),
    dailyBudget: text('campaign', campaign, 'dailyBudget'),
    items: lines('adItem', items, ['itemId', 'bid']),
    keywords: lines('keyword', keywords, ['text', 'matchType', 'bid']),
    ...(profile === undefined
      ? {}
      : {
          brand: text('sbaProfile', profile, 'brand'),
          headline: text('sbaProfile', profile, 'headline'),
          clickUrl: text('sbaProfile', profile, 'clickUrl'),
        }),
  };
}

/** A stored form as a draft; fields that the form does not have any more are passed over. */
export function draftFrom(form: Readonly<Record<string, string>>): CampaignDraft {
  const known = Object.entries(EMPTY_DRAFT).map(([field, empty]): [string, string] => [field, form[field] ?? empty]);
  return { ...EMPTY_DRAFT, ...Object.fromEntries(known) };
}
