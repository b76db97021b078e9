import type { Capabilities } from './plan-types.ts';

/** The calls beyond the documented ones that services of this family may offer, by what they allow (wire shapes, section 3). */
export const CAPABILITY_NAMES = [
  'campaignRead',
  'campaignUpdate',
  'adGroupRead',
  'adGroupUpdate',
  'keywordRead',
  'keywordUpdate',
  'videoProfileUpdate',
] as const satisfies readonly (keyof Capabilities)[];
export type CapabilityName = (typeof CAPABILITY_NAMES)[number];

/** The request behind each. */
export const CAPABILITY_REQUESTS: Readonly<Record<CapabilityName, string>> = {
  campaignRead: 'GET /api/v1/campaigns',
  campaignUpdate: 'PUT /api/v1/campaigns',
  adGroupRead: 'GET /api/v1/adGroups',
  adGroupUpdate: 'PUT /api/v1/adGroups',
  keywordRead: 'GET /api/v1/keywords',
  keywordUpdate: 'PUT /api/v1/keywords',
  videoProfileUpdate: 'PUT /api/v1/adGroup/media',
};
