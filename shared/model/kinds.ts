/**
 * The kinds of row a workspace holds. The order is stored (as a small integer in the history tables),
 * so new kinds are appended and none is ever removed.
 */
export const KINDS = [
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'sbaProfile',
  'videoProfile',
  'placementMultiplier',
  'platformMultiplier',
  'media',
] as const;

export type Kind = (typeof KINDS)[number];

/** Where a kind hangs: campaigns and media belong to the account, the rest to a campaign or its ad group. */
export const PARENT_OF: Readonly<Record<Kind, 'account' | 'campaign' | 'adGroup'>> = {
  campaign: 'account',
  adGroup: 'campaign',
  adItem: 'adGroup',
  keyword: 'adGroup',
  sbaProfile: 'adGroup',
  videoProfile: 'adGroup',
  placementMultiplier: 'campaign',
  platformMultiplier: 'campaign',
  media: 'account',
};

export const kindCode = (kind: Kind): number => KINDS.indexOf(kind);
