import type { Kind } from '../model/kinds.ts';

/**
 * The columns of the import and export sheet: one table, one row per thing. Order here is the order of export;
 * an import takes them in any order.
 */
export const COLUMNS = [
  'Type',
  'Campaign',
  'Ad group',
  'Campaign type',
  'Targeting',
  'Status',
  'Total budget',
  'Daily budget',
  'Start',
  'End',
  'Item id',
  'Bid',
  'Keyword',
  'Match type',
  'Brand',
  'Headline',
  'Click URL',
  'Logo',
  'Video',
  'Caption',
  'Media name',
  'Placement',
  'Platform',
  'Multiplier',
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Kinds that have a row of their own, under the name they have in the `Type` column. Media travels with profiles. */
export const TYPE_NAMES = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
} as const satisfies Partial<Record<Kind, string>>;
export type SheetKind = keyof typeof TYPE_NAMES;

/** Which field a column fills, by kind. Logo, Video, Caption and Media name lead to files, not to cells. */
export const FIELD_OF: Readonly<Record<SheetKind, Partial<Record<Column, string>>>> = {
  campaign: {
    Campaign: 'name',
    'Campaign type': 'campaignType',
    Targeting: 'targetingType',
    Status: 'status',
    'Total budget': 'totalBudget',
    'Daily budget': 'dailyBudget',
    Start: 'startDate',
    End: 'endDate',
  },
  adGroup: { 'Ad group': 'name', Status: 'status' },
  adItem: { 'Item id': 'itemId', Bid: 'bid', Status: 'status' },
  keyword: { Keyword: 'text', 'Match type': 'matchType', Bid: 'bid', Status: 'state' },
  sbaProfile: { Brand: 'brand', Headline: 'headline', 'Click URL': 'clickUrl', Status: 'status' },
  videoProfile: { Status: 'status' },
  placementMultiplier: { Placement: 'placement', Multiplier: 'multiplier' },
  platformMultiplier: { Platform: 'platform', Multiplier: 'multiplier' },
};

/** Columns of files, by kind. */
export const FILE_COLUMNS: Readonly<Partial<Record<SheetKind, readonly Column[]>>> = {
  sbaProfile: ['Logo'],
  videoProfile: ['Video', 'Caption', 'Media name'],
};

/** Columns that say which row is meant and where it hangs; every kind may fill them. */
export const LINK_COLUMNS: ReadonlySet<Column> = new Set<Column>([
  'Type',
  'Campaign',
  'Ad group',
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
]);

/** Headers are compared without case, blanks and signs; these are other words for the same column. */
const SYNONYMS: Readonly<Record<string, Column>> = {
  kind: 'Type',
  rowtype: 'Type',
  entity: 'Type',
  campaignname: 'Campaign',
  adgroupname: 'Ad group',
  targetingtype: 'Targeting',
  state: 'Status',
  budget: 'Total budget',
  startdate: 'Start',
  enddate: 'End',
  item: 'Item id',
  cpc: 'Bid',
  maxcpc: 'Bid',
  keywords: 'Keyword',
  keywordtext: 'Keyword',
  match: 'Match type',
  brandname: 'Brand',
  searchampname: 'Brand',
  headlinetext: 'Headline',
  logofile: 'Logo',
  videofile: 'Video',
  captionfile: 'Caption',
  placementtype: 'Placement',
  platformtype: 'Platform',
  bidmultiplier: 'Multiplier',
  id: 'Row id',
  aditemid: 'Row id',
  keywordid: 'Row id',
  sbaprofileid: 'Row id',
  adgroupmediaid: 'Row id',
  comments: 'Comment',
  note: 'Comment',
};

const headerKey = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const BY_KEY: ReadonlyMap<string, Column> = new Map([
  ...COLUMNS.map((column) => [headerKey(column), column] as const),
  ...Object.entries(SYNONYMS),
]);

/** The column a header means, or null when it is none of ours. */
export const columnOf = (header: string): Column | null => BY_KEY.get(headerKey(header)) ?? null;

const KIND_BY_TYPE: ReadonlyMap<string, SheetKind> = new Map(
  Object.entries(TYPE_NAMES).map(([kind, name]) => [headerKey(name), kind as SheetKind]),
);

/** The kind a `Type` cell means: `Ad Group`, `adGroup` and `ad_group` are the same. */
export const sheetKind = (text: string): SheetKind | null =>
  KIND_BY_TYPE.get(text) ?? KIND_BY_TYPE.get(headerKey(text)) ?? null;
