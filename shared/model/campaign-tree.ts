import type { Row } from './row.ts';

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
