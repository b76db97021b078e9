/** Kinds that are compared: all but files, which rows name. Apart from the rest, so that a window loads no more than this. */
export const COMPARED_KINDS = [
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'sbaProfile',
  'videoProfile',
  'placementMultiplier',
  'platformMultiplier',
] as const;
