import type { Kind } from './kinds.ts';
import type { AnyRow, Row } from './row.ts';

/**
 * A campaign with everything that hangs from it: what a rule, the lifecycle or the plan looks at. Media is the
 * part of the library that the campaign's profiles use (logos, videos and their captions).
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

/** The rows of one kind in a campaign; of media those that its profiles use. */
export function rowsIn(tree: CampaignTree, kind: Kind): readonly AnyRow[] {
  if (kind === 'campaign') return [tree.campaign];
  return kind === 'media' ? tree.media : tree[`${kind}s`];
}

/** The row of a campaign and all that hang from it, without the library's. */
export const treeRows = ({ campaign, media: _media, ...lists }: CampaignTree): readonly AnyRow[] => [
  campaign,
  ...Object.values(lists).flat(),
];

/** What may hang from a campaign of each type (document, "Campaign types"); media belong to the account. */
const PARTS: Readonly<Record<string, readonly Kind[]>> = {
  video: ['adGroup', 'videoProfile', 'adItem', 'keyword'],
  sba: ['adGroup', 'sbaProfile', 'adItem', 'keyword'],
  sponsoredProducts: ['adGroup', 'adItem', 'keyword', 'placementMultiplier', 'platformMultiplier'],
};
const ANY: readonly Kind[] = ['adGroup', 'adItem', 'keyword'];

/** The kinds below a campaign, in the order in which they are listed; a type that is not known yet takes what all take. */
export const campaignParts = (campaignType: string): readonly Kind[] => PARTS[campaignType] ?? ANY;

/** Whether rows of a kind may hang from such a campaign; automatic targeting takes no keywords. */
export const takesPart = (campaignType: string, targetingType: string, kind: Kind): boolean =>
  campaignParts(campaignType).includes(kind) && !(kind === 'keyword' && targetingType === 'auto');
