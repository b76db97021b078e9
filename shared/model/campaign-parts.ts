import type { Kind } from './kinds.ts';

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
