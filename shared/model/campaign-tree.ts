import type { Kind } from './kinds.ts';
import type { AnyRow, Row } from './row.ts';

/**
 * A campaign with all its rows, as rules, lifecycle and plan need it. `media` has the library files that the
 * campaign's profiles use (logos, videos and their captions).
 */
export interface CampaignTree {
  readonly campaign: Row<'campaign'>;
  readonly adGroups: readonly Row<'adGroup'>[];
  readonly adItems: readonly Row<'adItem'>[];
  readonly keywords: readonly Row<'keyword'>[];
  readonly sbaProfiles: readonly Row<'sbaProfile'>[];
  readonly videoProfiles: readonly Row<'videoProfile'>[];
  readonly placementMultipliers: readonly Row<'placementMultiplier'>[];
  readonly platformMultipliers: readonly Row<'platformMultiplier'>[];
  readonly media: readonly Row<'media'>[];
}

/** The rows of one kind in a campaign; for media those that its profiles use. */
export function rowsIn(tree: CampaignTree, kind: Kind): readonly AnyRow[] {
  if (kind === 'campaign') return [tree.campaign];
  return kind === 'media' ? tree.media : tree[`${kind}s`];
}

/** The row of a campaign and all rows below it, without the library's. */
export const treeRows = ({ campaign, media: _media, ...lists }: CampaignTree): readonly AnyRow[] => [
  campaign,
  ...Object.values(lists).flat(),
];

/** Kinds of rows in a campaign of each type (document, "Campaign types"); media belong to the account. */
const PARTS: Readonly<Record<string, readonly Kind[]>> = {
  video: ['adGroup', 'videoProfile', 'adItem', 'keyword'],
  sba: ['adGroup', 'sbaProfile', 'adItem', 'keyword'],
  sponsoredProducts: ['adGroup', 'adItem', 'keyword', 'placementMultiplier', 'platformMultiplier'],
};
const ANY: readonly Kind[] = ['adGroup', 'adItem', 'keyword'];

/** The kinds below a campaign, in listed order; an unknown type has those common to all types. */
export const campaignParts = (campaignType: string): readonly Kind[] => PARTS[campaignType] ?? ANY;

/** Whether such a campaign can have rows of a kind; automatic targeting has no keywords. */
export const takesPart = (campaignType: string, targetingType: string, kind: Kind): boolean =>
  campaignParts(campaignType).includes(kind) && !(kind === 'keyword' && targetingType === 'auto');
