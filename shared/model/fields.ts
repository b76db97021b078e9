import { canonicalClickUrl } from './click-url.ts';
import type { Cell, CellOf, FieldSpec } from './field-types.ts';
import { choice, count, date, factor, money, once, ref, service, text, user, word } from './field-types.ts';
import { KINDS, type Kind } from './kinds.ts';
import { OPEN_END } from './plain-date.ts';

/**
 * Every field of every kind with all its details. Words of the service keep its spelling; see the document, "Resources
 * and their fields", and wire shapes, sections 4 and 5. The order is that of database columns, of row arrays, of the
 * grid and of the members in a request: new fields are appended to their kind.
 */
const CAMPAIGN = {
  name: user(0, text, {
    label: 'Name',
    heading: 'Campaign',
    headings: ['campaignname'],
    key: true,
    wire: { write: 'name', isRequired: true },
    grid: { width: 220 },
    form: 'campaign',
  }),
  campaignType: once(1, word('sponsoredProducts', 'sba', 'video'), {
    label: 'Type',
    heading: 'Campaign type',
    aliases: ['type'],
    wire: { write: 'campaignType', on: 'create' },
    grid: { width: 150 },
  }),
  targetingType: once(2, word('auto', 'manual'), {
    label: 'Targeting',
    heading: 'Targeting',
    headings: ['targetingtype'],
    aliases: ['targeting'],
    wire: { write: 'targetingType', on: 'create' },
  }),
  totalBudget: user(3, money, {
    label: 'Total budget',
    heading: 'Total budget',
    headings: ['budget'],
    aliases: ['budget', 'total'],
    wire: { write: 'budget', read: ['totalBudget'] },
    form: 'campaign',
  }),
  dailyBudget: user(4, money, {
    label: 'Daily budget',
    heading: 'Daily budget',
    aliases: ['daily'],
    wire: { write: 'dailyBudget' },
    form: 'campaign',
  }),
  startDate: user(5, date, {
    label: 'Start date',
    heading: 'Start',
    headings: ['startdate'],
    aliases: ['start'],
    wire: { write: 'startDate' },
    form: 'campaign',
  }),
  endDate: user(6, date, {
    label: 'End date',
    heading: 'End',
    headings: ['enddate'],
    aliases: ['end'],
    wire: { write: 'endDate' },
    // The service writes an open end as a far date where nothing is written here.
    canonical: (day: string | null) => day ?? OPEN_END,
    form: 'campaign',
  }),
  /** The status that the user wants; `serviceStatus` is the one that the service reports. */
  status: user(7, word('enabled', 'paused', 'completed'), {
    label: 'Run',
    heading: 'Status',
    after: 'Targeting',
    headings: ['state'],
    wire: { write: 'status' },
  }),
  serviceStatus: service(word('enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'), {
    label: 'Service status',
    wire: { read: ['status'] },
    grid: { width: 110, hidden: true },
  }),
  /** The displayed state (`lifecycle/campaign-state.ts`), derived again whenever its inputs change. */
  campaignState: service(
    choice('draft', 'processing', 'in-review', 'rejected', 'scheduled', 'live', 'paused', 'ended'),
    { label: 'Status', grid: { width: 150 } },
  ),
  stateSource: service(choice('service', 'estimated', 'local'), {
    label: 'Status source',
    grid: { hidden: true, inDetails: false },
  }),
  /** When the service last reported the data behind the state, as ISO 8601 in UTC. */
  stateAsOf: service(text, { label: 'Status as of', grid: { hidden: true, inDetails: false } }),
} as const satisfies Record<string, FieldSpec>;

const AD_GROUP = {
  name: user(0, text, {
    label: 'Name',
    heading: 'Ad group',
    after: 'Campaign',
    headings: ['adgroupname'],
    key: true,
    wire: { write: 'name', isRequired: true },
    grid: { width: 220 },
  }),
  status: user(1, word('enabled', 'disabled'), { label: 'Enabled', heading: 'Status', wire: { write: 'status' } }),
  /** Status of the newest review of the group. */
  reviewStatus: service(word('pending', 'in-progress', 'cancelled', 'approved', 'rejected'), {
    label: 'Review',
    aliases: ['review'],
  }),
  reviewId: service(text, { label: 'Review ID', search: false, grid: { hidden: true } }),
} as const satisfies Record<string, FieldSpec>;

const REVIEW_STATUS = { label: 'Review', aliases: ['review'], wire: { read: ['reviewStatus'] } } as const;
const REVIEW_REASON = {
  label: 'Review reason',
  aliases: ['reason'],
  wire: { read: ['reviewReason'] },
  grid: { width: 200 },
} as const;

const AD_ITEM = {
  itemId: once(0, text, {
    label: 'Item ID',
    heading: 'Item id',
    headings: ['item'],
    aliases: ['item'],
    wire: { write: 'itemId', isRequired: true },
  }),
  bid: user(1, money, {
    label: 'Bid',
    heading: 'Bid',
    headings: ['cpc', 'maxcpc'],
    wire: { write: 'bid', isRequired: true },
  }),
  status: user(2, word('enabled', 'disabled', 'deleted'), {
    label: 'Enabled',
    heading: 'Status',
    wire: { write: 'status' },
  }),
  itemName: service(text, {
    label: 'Item',
    key: true,
    wire: { read: ['itemName', 'name'] },
    grid: { width: 240 },
  }),
  reviewStatus: service(word('pending', 'approved', 'rejected'), REVIEW_STATUS),
  reviewReason: service(text, { ...REVIEW_REASON, wire: { read: ['reviewReason', 'reviewComments'] } }),
  /** Source of the item ID; IDs are never made up (document, "Versioning"). */
  itemIdSource: service(choice('search', 'service', 'import', 'typed'), { label: 'ID source', grid: { hidden: true } }),
} as const satisfies Record<string, FieldSpec>;

const KEYWORD = {
  text: once(0, text, {
    label: 'Keyword',
    heading: 'Keyword',
    headings: ['keywords', 'keywordtext'],
    aliases: ['keyword'],
    key: true,
    wire: { write: 'keywordText', read: ['text'], on: 'create', isRequired: true },
    limit: 'keywords.textMax',
    grid: { width: 220 },
  }),
  matchType: once(1, word('exact', 'phrase', 'broad'), {
    label: 'Match type',
    heading: 'Match type',
    headings: ['match'],
    aliases: ['match'],
    wire: { write: 'matchType', on: 'create', isRequired: true },
  }),
  bid: user(2, money, { label: 'Bid', heading: 'Bid', wire: { write: 'bid', isRequired: true } }),
  /** The partner's own switch. The outcome of the review is `reviewStatus`. */
  state: user(3, word('enabled', 'paused', 'archived'), {
    label: 'Run',
    heading: 'Status',
    aliases: ['status'],
    wire: { write: 'state' },
  }),
  reviewStatus: service(word('pending', 'approved', 'rejected'), {
    ...REVIEW_STATUS,
    // `state` is the partner's switch and `status` the outcome of the review (wire shapes, section 4).
    wire: { read: ['reviewStatus', 'status'] },
  }),
  reviewReason: service(text, { ...REVIEW_REASON, wire: { read: ['reviewReason', 'reviewComments'] } }),
} as const satisfies Record<string, FieldSpec>;

const SBA_PROFILE = {
  brand: user(0, text, {
    label: 'Brand name',
    heading: 'Brand',
    headings: ['brandname', 'searchampname'],
    wire: { write: 'searchAmpName', read: ['brandName'], isRequired: true },
    limit: 'sba.brandMax',
    grid: { width: 150 },
    form: 'banner',
  }),
  headline: user(1, text, {
    label: 'Headline',
    heading: 'Headline',
    headings: ['headlinetext'],
    key: true,
    wire: { write: 'headlineText', read: ['headline'] },
    limit: 'sba.headlineMax',
    grid: { width: 240 },
    form: 'banner',
  }),
  clickUrl: user(2, text, {
    label: 'Click URL',
    heading: 'Click URL',
    aliases: ['url'],
    wire: { write: 'clickUrl', isRequired: true },
    canonical: (address: string | null) => (address === null ? null : canonicalClickUrl(address).url),
    grid: { width: 260 },
    form: 'banner',
  }),
  /** Has a separate call, so no request has a member for it. */
  logo: user(3, ref('media'), { label: 'Logo', heading: 'Logo', headings: ['logofile'], grid: { width: 160 } }),
  status: user(4, word('enabled', 'disabled'), {
    label: 'Enabled',
    heading: 'Status',
    wire: { write: 'status', on: 'update' },
  }),
  reviewStatus: service(word('pending', 'approved', 'rejected'), REVIEW_STATUS),
  reviewReason: service(text, REVIEW_REASON),
  logoUrl: service(text, { label: 'Logo URL', search: false, wire: { read: ['logoUrl'] }, grid: { hidden: true } }),
} as const satisfies Record<string, FieldSpec>;

const VIDEO_PROFILE = {
  video: user(0, ref('media'), {
    label: 'Video',
    heading: 'Video',
    headings: ['videofile'],
    wire: { write: 'mediaId' },
    grid: { width: 180 },
  }),
  status: user(1, word('enabled', 'disabled'), {
    label: 'Enabled',
    heading: 'Status',
    wire: { write: 'status', on: 'update' },
  }),
  reviewStatus: service(word('pending', 'approved', 'rejected'), REVIEW_STATUS),
  reviewReason: service(text, REVIEW_REASON),
  thumbnailUrl: service(text, {
    label: 'Thumbnail URL',
    search: false,
    wire: { read: ['thumbnail', 'thumbnailUrl'] },
    grid: { hidden: true, inDetails: false },
  }),
} as const satisfies Record<string, FieldSpec>;

const MULTIPLIER = {
  label: 'Multiplier (%)',
  heading: 'Multiplier',
  headings: ['bidmultiplier'],
  wire: { write: 'multiplier', isRequired: true },
} as const;

const PLACEMENT_MULTIPLIER = {
  placement: once(0, word('Search Ingrid', 'Buy-Box'), {
    label: 'Placement',
    heading: 'Placement',
    headings: ['placementtype'],
    wire: { write: 'placementType', isRequired: true },
    grid: { width: 150 },
  }),
  multiplier: user(1, factor, MULTIPLIER),
} as const satisfies Record<string, FieldSpec>;

const PLATFORM_MULTIPLIER = {
  platform: once(0, word('Desktop', 'Mobile', 'App'), {
    label: 'Platform',
    heading: 'Platform',
    after: 'Placement',
    headings: ['platformtype'],
    // The platform operations use either name for the type (document, "Platform multipliers").
    wire: { write: 'platformType', read: ['placementType'], isRequired: true },
  }),
  multiplier: user(1, factor, MULTIPLIER),
} as const satisfies Record<string, FieldSpec>;

/**
 * One file of the workspace's media library. A video also has its name on the service and the caption that is uploaded
 * with it; `remoteId` of the row is the service's mediaId. A video that was uploaded elsewhere has no file here: its
 * `sha256` and `fileName` are null (`isServiceMedia`). Spreadsheets have caption and name beside the video of a profile.
 */
const MEDIA = {
  mediaType: once(0, choice('video', 'caption', 'logo', 'poster'), { label: 'Type', grid: { lock: 'file' } }),
  mediaName: user(1, text, {
    label: 'Media name',
    heading: 'Media name',
    after: 'Video',
    key: true,
    limit: 'media.nameMax',
    grid: { width: 170, lock: 'uploaded-elsewhere' },
  }),
  caption: user(2, ref('media'), {
    label: 'Caption',
    heading: 'Caption',
    after: 'Video',
    headings: ['captionfile'],
    grid: { width: 160, lock: 'uploaded-elsewhere' },
  }),
  fileName: once(3, text, { label: 'File', grid: { width: 200, lock: 'file' } }),
  sha256: once(4, text, { label: 'Checksum', search: false, grid: { hidden: true, lock: 'file', inDetails: false } }),
  bytes: once(5, count, { label: 'Size', grid: { lock: 'file', unit: 'bytes' } }),
  /** The result of the file probe, as the JSON text of `MediaFacts`. */
  facts: once(6, text, {
    label: 'File details',
    search: false,
    grid: { hidden: true, lock: 'file', inDetails: false },
  }),
  mediaState: service(word('local', 'uploading', 'processing', 'available', 'failed'), { label: 'Status' }),
  stateReason: service(text, { label: 'Status reason', grid: { width: 180 } }),
  /** Thumbnail and length of a video that was uploaded elsewhere, if the service returns them. */
  thumbnailUrl: service(text, {
    label: 'Thumbnail URL',
    search: false,
    grid: { hidden: true, inDetails: false },
  }),
  durationMs: service(count, { label: 'Length (milliseconds)', grid: { hidden: true, inDetails: false } }),
} as const satisfies Record<string, FieldSpec>;

export const FIELDS = {
  campaign: CAMPAIGN,
  adGroup: AD_GROUP,
  adItem: AD_ITEM,
  keyword: KEYWORD,
  sbaProfile: SBA_PROFILE,
  videoProfile: VIDEO_PROFILE,
  placementMultiplier: PLACEMENT_MULTIPLIER,
  platformMultiplier: PLATFORM_MULTIPLIER,
  media: MEDIA,
} as const satisfies Record<Kind, Record<string, FieldSpec>>;

export type FieldsOf<K extends Kind> = (typeof FIELDS)[K];

/** The values of a row of this kind, one cell per field. */
export type Values<K extends Kind> = {
  readonly [F in keyof FieldsOf<K>]: FieldsOf<K>[F] extends { readonly type: infer T extends FieldSpec['type'] }
    ? CellOf<T>
    : never;
};

/** Values when the kind is only known at run time. */
export type AnyValues = Readonly<Record<string, Cell>>;

/** Fields whose words a deployment lists in its settings: any word can be entered, and rules compare it with the list. */
export const LISTED_FIELDS: ReadonlySet<string> = new Set(['placement', 'platform']);

/** The declaration of a field by name, or undefined when the kind has no such field. */
export function fieldSpec(kind: Kind, field: string): FieldSpec | undefined {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return Object.hasOwn(specs, field) ? specs[field] : undefined;
}

/** Names of the fields of a kind in declaration order (the order of database columns and of row arrays). */
export const fieldNames = (kind: Kind): readonly string[] => Object.keys(FIELDS[kind]);

/** The fields of a kind by name, in declaration order, where the kind is only known at run time. */
export const fieldSpecs = (kind: Kind): Readonly<Record<string, FieldSpec>> => FIELDS[kind];

/**
 * The label of a field on screen; a name that is no field is returned unchanged.
 *
 * @param of kind of the row, if known: a switch has another label in campaigns than in items
 */
export const fieldLabel = (field: string, of: Kind | null = null): string =>
  (of === null ? undefined : fieldSpec(of, field)?.label) ??
  KINDS.map((kind) => fieldSpec(kind, field)).find((spec) => spec !== undefined)?.label ??
  field;

/**
 * Maximum characters of a text, in code points, or null without a limit or if the settings do not have it.
 *
 * @param settings deployment settings, or the part that the window has
 */
export function lengthLimit(settings: object, kind: Kind, field: string): number | null {
  const found = fieldSpec(kind, field)
    ?.limit?.split('.')
    .reduce<unknown>((part, key) => (isGroup(part) ? part[key] : undefined), settings);
  return typeof found === 'number' ? found : null;
}
const isGroup = (part: unknown): part is Readonly<Record<string, unknown>> => typeof part === 'object' && part !== null;
