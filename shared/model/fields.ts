import type { Cell, CellOf, FieldSpec } from './field-types.ts';
import { choice, count, date, factor, money, once, ref, service, text, user, word } from './field-types.ts';
import type { Kind } from './kinds.ts';

/**
 * Every field of every kind, once. Words of the service keep its spelling; see the document, "Resources and
 * their fields", and wire shapes, sections 4 and 5, for what each becomes on the wire.
 */
const CAMPAIGN = {
  name: user(0, text),
  campaignType: once(1, word('sponsoredProducts', 'sba', 'video')),
  targetingType: once(2, word('auto', 'manual')),
  totalBudget: user(3, money),
  dailyBudget: user(4, money),
  startDate: user(5, date),
  endDate: user(6, date),
  /** What the user wants of the campaign; `serviceStatus` is what the service says it is doing. */
  status: user(7, word('enabled', 'paused', 'completed')),
  serviceStatus: service(word('enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled')),
  /** The one state that is shown (`lifecycle/campaign-state.ts`), derived anew whenever what it rests on changes. */
  campaignState: service(
    choice('draft', 'processing', 'in-review', 'rejected', 'scheduled', 'live', 'paused', 'ended'),
  ),
  stateSource: service(choice('service', 'estimated', 'local')),
  /** When the service last said what the state rests on, as ISO 8601 in UTC. */
  stateAsOf: service(text),
} as const satisfies Record<string, FieldSpec>;

const AD_GROUP = {
  name: user(0, text),
  status: user(1, word('enabled', 'disabled')),
  /** Status of the newest review of the group. */
  reviewStatus: service(word('pending', 'in-progress', 'cancelled', 'approved', 'rejected')),
  reviewId: service(text),
} as const satisfies Record<string, FieldSpec>;

const AD_ITEM = {
  itemId: once(0, text),
  bid: user(1, money),
  status: user(2, word('enabled', 'disabled', 'deleted')),
  itemName: service(text),
  reviewStatus: service(word('pending', 'approved', 'rejected')),
  reviewReason: service(text),
  /** Where the item id came from; ids are never made up (document, "Versioning"). */
  itemIdSource: service(choice('search', 'service', 'import', 'typed')),
} as const satisfies Record<string, FieldSpec>;

const KEYWORD = {
  text: once(0, text),
  matchType: once(1, word('exact', 'phrase', 'broad')),
  bid: user(2, money),
  /** The partner's own switch. The outcome of the review is `reviewStatus`. */
  state: user(3, word('enabled', 'paused', 'archived')),
  reviewStatus: service(word('pending', 'approved', 'rejected')),
  reviewReason: service(text),
} as const satisfies Record<string, FieldSpec>;

const SBA_PROFILE = {
  brand: user(0, text),
  headline: user(1, text),
  clickUrl: user(2, text),
  logo: user(3, ref('media')),
  status: user(4, word('enabled', 'disabled')),
  reviewStatus: service(word('pending', 'approved', 'rejected')),
  reviewReason: service(text),
  logoUrl: service(text),
} as const satisfies Record<string, FieldSpec>;

const VIDEO_PROFILE = {
  video: user(0, ref('media')),
  status: user(1, word('enabled', 'disabled')),
  reviewStatus: service(word('pending', 'approved', 'rejected')),
  reviewReason: service(text),
  thumbnailUrl: service(text),
} as const satisfies Record<string, FieldSpec>;

const PLACEMENT_MULTIPLIER = {
  placement: once(0, word('Search Ingrid', 'Buy-Box')),
  multiplier: user(1, factor),
} as const satisfies Record<string, FieldSpec>;

const PLATFORM_MULTIPLIER = {
  platform: once(0, word('Desktop', 'Mobile', 'App')),
  multiplier: user(1, factor),
} as const satisfies Record<string, FieldSpec>;

/**
 * One file of the workspace's media library. A video also carries the name it gets on the service and the
 * caption that is uploaded with it; `remoteId` of the row is the service's mediaId. A video that somebody uploaded
 * elsewhere has no file here: its `sha256` and `fileName` are null (`isOnServiceOnly`).
 */
const MEDIA = {
  mediaType: once(0, choice('video', 'caption', 'logo')),
  mediaName: user(1, text),
  caption: user(2, ref('media')),
  fileName: once(3, text),
  sha256: once(4, text),
  bytes: once(5, count),
  /** What the probe found, as the JSON text of `MediaFacts`. */
  facts: once(6, text),
  mediaState: service(word('local', 'uploading', 'processing', 'available', 'failed')),
  stateReason: service(text),
  /** An image of a video that was uploaded elsewhere, and its length, where the service gives them. */
  thumbnailUrl: service(text),
  durationMs: service(count),
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

/** Fields whose words a deployment lists in its settings: of these any word may be written, and rules hold it to the list. */
export const LISTED_FIELDS: ReadonlySet<string> = new Set(['placement', 'platform']);

/** The declaration of a field by name, or undefined when the kind has no such field. */
export function fieldSpec(kind: Kind, field: string): FieldSpec | undefined {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return Object.hasOwn(specs, field) ? specs[field] : undefined;
}

/** Names of the fields of a kind in declaration order (the order of database columns and of row arrays). */
export const fieldNames = (kind: Kind): readonly string[] => Object.keys(FIELDS[kind]);
