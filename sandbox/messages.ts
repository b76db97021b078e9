/**
 * All texts of the service. The first table has those of the document ("Errors", word for word, including similar
 * ones); the second has our texts for cases that the document does not describe, which clients can only distinguish by
 * `code`.
 */
export const messages = {
  // Authentication and access
  notAuthenticated: 'User not Authenticated',
  adOpsNoCampaigns: 'AdOps role does not access to any campaigns',
  noAdvertiserAccess: "You don't have access to this advertiser",
  noCampaignView: 'You do not have access to view this campaign',
  noMultiplierChange: 'You do not have access to change this bid multiplier',
  noAdGroupEdit: "You don't have permission to edit this ad group.",
  // Item endpoints
  fieldMissing: (field: string) => `Field [${field}] not found in request`,
  invalidParameters: 'Invalid request parameter(s)',
  itemAdGroupNotFound: 'AdGroup not found.',
  adGroupItemNotFound: 'AdGroupItem not found.',
  unexpected: 'There was an error processing the request',
  // Per-element failures of items and bids
  itemIdNotFound: 'Item Id not found.',
  itemIdWrongFormat: (id: string) => `ITEMID_NOT_FOUND, Input id: ${id}`,
  itemUnreadable: (id: string) => `Item not found, Input id: ${id}`,
  itemUnpublished: (id: string) => `Cannot upload unpublished item, Input id: ${id}`,
  itemNotOwned: (id: string) => `Cannot upload item. item or base item not owned by you, Input id: ${id}`,
  itemBidMissing: (id: string) => `Item is missing bid value, Input id: ${id}`,
  bidBelowFloor: (floor: string) => `Bid should be higher than : ${floor}`,
  // SBA and video profiles
  campaignIdMissing: 'CampaignId not found in request',
  adGroupIdMissing: 'adGroupId not found in request',
  adGroupNotFound: 'AdGroup not found',
  campaignNotFound: 'Campaign not found',
  useMediaEndpoints: 'Please use AdGroupMedia endpoints for AdGroupMedia',
  useSbaEndpoints: 'Please use sbaProfile endpoints for sbaProfile',
  sbaCreateException: 'Exception in creating SBA Profile',
  batchTooLarge: (max: number) => `Maximum allowed size in batch is ${max}`,
  emptyInputSba: 'empty input',
  emptyInputMultiplier: 'Empty Input',
  sbaWrongCampaignType: (campaignType: string) => `Cannot define SBA Profile for ${campaignType} campaigns`,
  underReviewAdd: 'Campaign is Under review, adding is not allowed',
  underReviewModify: 'Campaign is Under review, modifying is not allowed',
  mediaAlreadyDefined: 'AdGroup already has media defined, please update existing instead of defining new one',
  sbaAlreadyDefined: 'AdGroup already has search amplifier defined, please update existing instead of defining new one',
  useV2: 'Please use V2 endpoints for multiple sba profiles',
  tooManySbaProfiles: (max: number) => `Cannot be more than ${max} sba profiles in an adGroup`,
  sbaProfileIdInvalid: 'Sba Profile Id validation failed',
  updateAndEnable:
    'You cannot both update and enable this in the same time when campaign is active, because it was previously approved',
  sbaProfileNotFound: 'SBA Profile details not found for AdGroup',
  adGroupMediaNotFound: 'AdGroup Media not found for AdGroup',
  endpointNotAllowed: 'This endpoint is not allowed for this campaign type',
  mediaWrongCampaignType: 'Cannot define adGroup media for these campaigns',
  enabledNotUpdatable: 'You cannot update the enabled one for campaigns which are scheduled or currently live',
  disabledNotEnableable:
    'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live',
  // Logo upload
  invalidUpload: 'Invalid Upload Request',
  missingFile: 'Missing FILE',
  missingFormPart: 'Missing form param <SBABaseProfileRequest>',
  imageNotUploadable: 'Unable to upload the image.',
  campaignIdInvalid: 'Campaign Id validation failed',
  adGroupIdInvalid: 'AdGroup Id validation failed',
  fileNameEmpty: 'File name cannot be empty',
  fileTooLarge: (kilobytes: number) => `File size exceeds maximum limit of ${kilobytes} Kb`,
  logoNotPng: 'Invalid ContentType. Media Type image/png allowed only',
  logoTypeMismatch: 'ContentType and mimeType does not match',
  uploadServiceAnswer: (status: number) => `WSResponse is not 200 or 409, it was: ${status}`,
  uploadError: 'Error in uploading the file',
  // Multipliers
  multipliersNotForCampaign: 'You cannot define bid multipliers for this campaign',
  multipliersNotForType: 'No bid multipliers for this campaign type',
  placementInvalid: 'Invalid Placement Type found',
  platformInvalid: 'Invalid Platform Type found',
  placementNegative: (type: string) => `The placement bid% cannot be less than 0 for PlacementType: ${type}`,
  placementOutOfRange: (type: string) => `The placement bid% out of range for PlacementType: ${type}`,
  platformNegative: (type: string) => `The platform bid% cannot be less than 0 for PlatformType: ${type}`,
  platformOutOfRange: (type: string) => `The platform bid% out of range for PlatformType: ${type}`,
  // Rate
  rateExceeded: (operations: number) => `Rate limit exceeded: ${operations} operations per hour`,
} as const;

/** Our texts. Clients must not parse them: they get `code` "failure" and display the text. */
export const ownMessages = {
  pathNotFound: 'No such path',
  methodNotAllowed: 'Method not allowed for this path',
  nameTaken: (name: string) => `A campaign named "${name}" exists already`,
  nameInvalid: 'Name must have 1 to 255 printable characters',
  budgetMissing: 'A budget above 0 is needed',
  videoNeedsBothBudgets: 'A video campaign needs budget and dailyBudget',
  dailyAboveTotal: 'dailyBudget must not exceed budget',
  startInPast: 'startDate must not be before today',
  endNotAfterStart: 'endDate must be after startDate',
  endInPast: 'endDate must not be before today',
  needsManualTargeting: (campaignType: string) => `A ${campaignType} campaign needs targetingType manual`,
  moveNotAllowed: (from: string, to: string) => `A campaign that is ${from} cannot become ${to}`,
  notEligible: 'The review is not complete or the campaign is not eligible',
  secondAdGroup: 'Only one ad group is permitted per campaign',
  tooManyItems: (max: number) => `Maximum ${max} items per ad group`,
  duplicateItem: (id: string) => `Item is in this ad group already, Input id: ${id}`,
  duplicateKeyword: 'Keyword exists already with this match type',
  tooManyKeywords: (max: number) => `Maximum ${max} distinct keywords enabled per ad group`,
  keywordsNotForAuto: 'Keywords cannot be added to a campaign with automatic targeting',
  keywordTextInvalid: 'Keyword text must not be empty',
  keywordNotFound: 'Keyword not found',
  multiplierAbsent: (type: string) => `No bid multiplier for ${type} to update`,
  brandTooLong: (max: number) => `searchAmpName must have 1 to ${max} characters`,
  headlineTooLong: (max: number) => `headlineText must have at most ${max} characters`,
  clickUrlInvalid: (host: string) => `clickUrl must be an address on ${host}, encoded by the rules`,
  uploadRequestNotFound: 'Upload request not found',
  uploadRequestUsed: 'Upload request is completed already',
  videoNotUploaded: 'No video was uploaded for this request',
  mediaNotFound: 'Media not found',
  mediaNotAvailable: 'Media is not available yet',
  uploadExpired: 'Upload address expired or not valid',
  uploadHeaders: 'Upload addresses take no authorization headers',
  uploadType: 'Content-Type does not fit this upload address',
  uploadNotSaved: 'The uploaded file could not be saved',
  videoTooShortOrLong: (seconds: string) => `Video length is ${seconds} s; 5 to 45 s are allowed`,
  videoUnreadable: 'The file is not a readable .mp4 or .mov video',
  captionUnreadable: 'The caption file is not a readable .srt or .vtt file',
  reviewNotAllowed: (status: string) => `A campaign that is ${status} cannot be submitted for review`,
  reviewOpen: 'A review of this ad group is open already',
  reviewNeedsProfile: 'A review needs a video or SBA profile',
  reviewNeedsItem: 'A review needs at least one enabled item',
  reviewNotForType: 'sponsoredProducts campaigns need no review',
  reviewNotFound: 'Review not found',
  reviewNotCancellable: (status: string) => `A review that is ${status} cannot be cancelled`,
  reportTypeUnknown: 'reportType is not known',
  snapshotNotFound: 'Snapshot not found',
} as const;

/** Reasons for rejections: `reason` and `reviewReason` of the records. */
export const reviewReasons = {
  unspecified: 'Does not meet the advertising guidelines',
  item: 'Item page is not ready for advertising',
  keyword: 'Keyword does not fit the items',
  headline: 'Headline makes a claim that is not proven',
  captions: 'Caption text does not match the audio',
  logoBytes: 'Logo is larger than 200 Kb',
  logoPixels: 'Logo is not 100 x 100 px',
} as const;

/**
 * An HTTP-level refusal: the whole call gets one status and one message, and changes nothing. It is thrown, so that the
 * transaction rolls back the earlier elements; it is caught only in `wire/handle-call.ts` and, for the control
 * interface, in `wire/server.ts`.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}
