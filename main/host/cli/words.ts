import type { Kind } from '../../../shared/model/kinds.ts';

/** The kinds of row in the words of the sheet's Type column. */
const WORDS: Readonly<Record<Kind, string>> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
  media: 'media',
};
export const wordOf = (kind: Kind): string => WORDS[kind];
