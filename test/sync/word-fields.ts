import type { Cell } from '../../shared/model/field-types.ts';
import type { Kind } from '../../shared/model/kinds.ts';

/** A field with words of the service, and how one of them becomes another on the wire. */
export interface Field {
  readonly kind: Kind;
  readonly field: string;
  /** The call, its member and the word of the document that is another one on the wire. */
  readonly wire: readonly [call: string, member: string, word: string];
  /** What is edited beside it; null where nothing else of the row can be. */
  readonly edit: readonly [field: string, value: Cell] | null;
  /** Whether documented calls alone show it. */
  readonly isDocumented: boolean;
}

export const OTHER = 'Never heard-of';

const of = (
  kind: Kind,
  field: string,
  wire: Field['wire'],
  edit: Field['edit'],
  isDocumented: boolean = true,
): Field => ({ kind, field, wire, edit, isDocumented });

const NAME = ['name', 'Another name'] as const;
const BID = ['bid', 199] as const;
const HEADLINE = ['headline', 'Another headline'] as const;
const FACTOR = ['multiplier', 777] as const;

export const TABLE: readonly Field[] = [
  of('campaign', 'campaignType', ['campaigns', 'campaignType', 'sba'], NAME, false),
  of('campaign', 'targetingType', ['campaigns', 'targetingType', 'manual'], NAME, false),
  of('campaign', 'status', ['campaigns', 'status', 'proposal'], NAME, false),
  of('campaign', 'serviceStatus', ['campaigns', 'status', 'proposal'], NAME, false),
  of('adGroup', 'status', ['adGroups', 'status', 'enabled'], NAME, false),
  of('adGroup', 'reviewStatus', ['review', 'reviewStatus', 'pending'], ['status', 'disabled']),
  of('adItem', 'status', ['adItems', 'status', 'enabled'], BID),
  of('adItem', 'reviewStatus', ['adItems', 'reviewStatus', 'pending'], BID),
  of('keyword', 'matchType', ['keywords', 'matchType', 'exact'], BID, false),
  of('keyword', 'state', ['keywords', 'state', 'enabled'], BID, false),
  of('keyword', 'reviewStatus', ['keywords', 'status', 'pending'], BID, false),
  of('sbaProfile', 'status', ['sba_profile', 'status', 'enabled'], HEADLINE),
  of('sbaProfile', 'reviewStatus', ['sba_profile', 'reviewStatus', 'pending'], HEADLINE),
  of('videoProfile', 'status', ['adGroup/media', 'status', 'enabled'], null),
  of('videoProfile', 'reviewStatus', ['adGroup/media', 'reviewStatus', 'pending'], ['status', 'disabled']),
  of('placementMultiplier', 'placement', ['multipliers/placement', 'placementType', 'Buy-Box'], FACTOR),
  of('platformMultiplier', 'platform', ['multipliers/platform', 'platformType', 'Mobile'], FACTOR),
  of('media', 'mediaState', ['media', 'status', 'available'], null),
];

/** Kinds that documented calls change. */
export const SENT_BY_DOCUMENT: ReadonlySet<Kind> = new Set<Kind>([
  'adItem',
  'sbaProfile',
  'placementMultiplier',
  'platformMultiplier',
]);
