import { unreachable } from '../result.ts';
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
  switch (kind) {
    case 'campaign':
      return [tree.campaign];
    case 'adGroup':
      return tree.adGroups;
    case 'adItem':
      return tree.adItems;
    case 'keyword':
      return tree.keywords;
    case 'sbaProfile':
      return tree.sbaProfiles;
    case 'videoProfile':
      return tree.videoProfiles;
    case 'placementMultiplier':
      return tree.placementMultipliers;
    case 'platformMultiplier':
      return tree.platformMultipliers;
    case 'media':
      return tree.media;
    default:
      return unreachable(kind);
  }
}
