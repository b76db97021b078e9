/**
 * Every refusal of the document's section "Errors", and what meets it before anything is sent.
 *
 *   rule      a rule warns: its id
 *   built     no draft can cause it, because the plan builds the request so
 *   unmet     a draft causes it, and nothing here warns: the reason
 *   outside   no draft causes it: access, load, failures of the service
 */
export type Met =
  | { readonly by: 'rule'; readonly rules: readonly string[] }
  | { readonly by: 'built'; readonly how: string }
  | { readonly by: 'unmet' | 'outside'; readonly why: string };

const rule = (...rules: readonly string[]): Met => ({ by: 'rule', rules });
const built = (how: string): Met => ({ by: 'built', how });
const outside = (why: string): Met => ({ by: 'outside', why });

const ids = built('ids come from the service and parents precede children in the plan');
const whole = built('the plan writes every field that the call needs');
const access = outside('who may do what is known to the service alone');
const server = outside('a failure of the service, not of the draft');

export const REFUSALS: readonly (readonly [message: string, met: Met])[] = [
  // Per-element failures
  ['Item Id not found.', rule('item.not-in-catalogue', 'item.id-unconfirmed')],
  ['ITEMID_NOT_FOUND, Input id: <id>', rule('item.id-legacy-after-migration', 'item.id-new-before-migration')],
  ['Item not found, Input id: <id>', rule('item.unreadable', 'item.id-unconfirmed')],
  ['Cannot upload unpublished item, Input id: <id>', rule('item.unpublished', 'item.id-unconfirmed')],
  [
    'Cannot upload item. item or base item not owned by you, Input id: <id>',
    rule('item.not-owned', 'item.id-unconfirmed'),
  ],
  ['Item is missing bid value, Input id: <id>', rule('item.bid-required')],
  ['Bid should be higher than : <floor>', rule('item.bid-floor', 'item.bid-positive', 'keyword.bid-floor-video')],
  // Item endpoints
  ['Field [adGroupId] not found in request', whole],
  ['Invalid request parameter(s)', built('bodies are written from typed cells')],
  ["You don't have permission to edit this ad group.", access],
  ['AdGroup not found.', ids],
  ['AdGroupItem not found.', rule('item.deleted-for-good')],
  ['There was an error processing the request', server],
  // SBA list and create
  ['CampaignId not found in request', whole],
  ['adGroupId not found in request', whole],
  ['User not Authenticated', access],
  ['AdOps role does not access to any campaigns', access],
  ["You don't have access to this advertiser", access],
  ['AdGroup not found', ids],
  ['Campaign not found', ids],
  ['Please use AdGroupMedia endpoints for AdGroupMedia', rule('sba.wrong-campaign')],
  ['<Exception Message> (429)', outside('how many requests others have sent is not known; the sync waits')],
  ['Exception in creating SBA Profile', server],
  ['Maximum allowed size in batch is 50', built('batches are cut at batch.max')],
  ['empty input', built('a batch has at least one element')],
  ['Cannot define SBA Profile for <campaignType> campaigns', rule('sba.wrong-campaign')],
  [
    'Campaign is Under review, adding is not allowed',
    rule('sba.under-review', 'item.under-review', 'keyword.under-review'),
  ],
  [
    'AdGroup already has media defined, please update existing instead of defining new one',
    rule('video-profile.too-many'),
  ],
  [
    'AdGroup already has search amplifier defined, please update existing instead of defining new one',
    built('V2 is used'),
  ],
  ['Please use V2 endpoints for multiple sba profiles', built('V2 is used')],
  ['Cannot be more than 2 sba profiles in an adGroup', rule('sba.too-many')],
  // SBA update
  ['Sba Profile Id validation failed', ids],
  [
    'You cannot both update and enable this in the same time when campaign is active, because it was previously approved',
    rule('sba.live-change-and-enable'),
  ],
  ['SBA Profile details not found for AdGroup', ids],
  ['AdGroup Media not found for AdGroup', ids],
  ['This endpoint is not allowed for this campaign type', rule('sba.wrong-campaign')],
  ['Campaign is Under review, modifying is not allowed', rule('sba.under-review', 'video-profile.under-review')],
  ['Please use sbaProfile endpoints for sbaProfile', rule('video-profile.wrong-campaign')],
  ['Cannot define adGroup media for these campaigns', rule('video-profile.wrong-campaign')],
  [
    'You cannot update the enabled one for campaigns which are scheduled or currently live',
    rule('sba.live-enabled-change', 'video-profile.live-change'),
  ],
  [
    'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live',
    rule('sba.live-unapproved-enable'),
  ],
  // Logo upload
  ['Invalid Upload Request', built('the form is written by one function')],
  ['Missing FILE', built('an upload is planned only with a file')],
  [
    'Missing form param <SBABaseProfileRequest>',
    built('the form is written by one function; the other casing is tried'),
  ],
  ['Unable to upload the image.', server],
  ['Campaign Id validation failed', ids],
  ['AdGroup Id validation failed', ids],
  ['File name cannot be empty', built('files are stored under a name')],
  ['File size exceeds maximum limit of 1024 Kb', rule('logo.upload-size', 'sba.logo-unusable')],
  ['Invalid ContentType. Media Type image/png allowed only', rule('logo.unreadable', 'sba.logo-unusable')],
  ['ContentType and mimeType does not match', rule('logo.unreadable', 'sba.logo-unusable')],
  ['WSResponse is not 200 or 409, it was: <statusCode>', server],
  ['Error in uploading the file', server],
  // Multipliers
  ['You cannot define bid multipliers for this campaign', rule('placement.wrong-campaign', 'platform.wrong-campaign')],
  ['Invalid Placement Type found', rule('placement.type-not-offered', 'placement.type-required')],
  ['Invalid Platform Type found', rule('platform.type-not-offered', 'platform.type-required')],
  ['The placement bid% cannot be less than 0 for PlacementType: <placementType>', rule('placement.below-range')],
  ['The placement bid% out of range for PlacementType: <placementType>', rule('placement.above-range')],
  ['The platform bid% cannot be less than 0 for PlatformType: <platformType>', rule('platform.below-range')],
  ['The platform bid% out of range for PlatformType: <platformType>', rule('platform.above-range')],
  ['Empty Input', built('a batch has at least one element')],
  ['You do not have access to view this campaign', access],
  ['You do not have access to change this bid multiplier', access],
  ['No bid multipliers for this campaign type', rule('placement.wrong-campaign', 'platform.wrong-campaign')],
];
