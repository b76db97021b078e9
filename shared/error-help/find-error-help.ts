/** Something that is there no more: what to do about it is the same for all of them. */
const REFRESH = {
  next: 'Refresh from the service and look at the conflict this makes.',
  place: 'refresh',
} as const;

/** Access, sizes and the service itself; any operation can say these (document, "Errors", "Authentication"). */
const ACCESS_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'not-authenticated',
    says: ['User not Authenticated'],
    cause: 'The token has run out, the key does not belong to the consumer id, or the clock of this computer is wrong.',
    next: 'Put in a new token, and check key and consumer id.',
    place: 'keys',
  },
  {
    id: 'adops-role',
    says: ['AdOps role does not access to any campaigns'],
    cause: 'The user behind the token reviews advertising and has no campaigns of its own.',
    next: 'Use a token of a user who may edit campaigns.',
    place: 'keys',
  },
  {
    id: 'advertiser-access',
    says: ["You don't have access to this advertiser"],
    cause: 'The token is valid, but not for the advertiser id of this account.',
    next: 'Check the advertiser id, or use a token of this advertiser.',
    place: 'settings',
  },
  {
    id: 'campaign-access',
    says: ['You do not have access to view this campaign'],
    cause: 'The campaign belongs to another advertiser, or the user behind the token was taken off it.',
    next: 'Check which account this is, and who may see the campaign.',
    place: 'keys',
  },
  {
    id: 'campaign-id-missing',
    says: ['CampaignId not found in request'],
    cause: 'The service misses the id of the campaign, which it gives when the campaign is created.',
    next: 'Sync again, so that the campaign goes first.',
    place: 'sync',
  },
  {
    id: 'ad-group-id-missing',
    says: ['adGroupId not found in request'],
    cause: 'The service misses the id of the ad group, which it gives when the ad group is created.',
    next: 'Sync again, so that the ad group goes first.',
    place: 'sync',
  },
  {
    id: 'campaign-gone',
    says: ['Campaign not found'],
    cause: 'The service does not know this campaign: it was removed elsewhere, or belongs to another account.',
    ...REFRESH,
  },
  {
    id: 'ad-group-gone',
    says: ['AdGroup not found.'],
    cause: 'The service does not know this ad group: it was removed elsewhere, or belongs to another campaign.',
    ...REFRESH,
  },
  {
    id: 'batch-size',
    says: ['Maximum allowed size in batch is <max>'],
    cause: 'More than {max} elements went in one request.',
    next: 'Check in the settings how many elements a request may have, and sync again.',
    place: 'settings',
  },
  {
    id: 'empty-input',
    says: ['empty input'],
    cause: 'The request arrived without its content, perhaps cut off by a proxy on the way.',
    next: 'Sync again. If it stays, ask whoever looks after your network.',
    place: 'sync',
  },
  {
    id: 'rate',
    says: ['Rate limit exceeded: <n> operations per hour'],
    cause: 'More was changed in this hour than the service takes.',
    next: 'Wait; what is left goes with the next sync. Calm bids: every four to five hours is enough.',
    place: 'sync',
  },
  {
    id: 'service-failed',
    says: ['There was an error processing the request'],
    cause: 'The service failed and does not say why; mostly this passes by itself.',
    next: 'Sync again later. Adslate looks first whether the change was carried out.',
    place: 'sync',
  },
];

/** Ad items and bids (document, "Per-element failures" and "Item endpoints HTTP errors"). */
const ITEM_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'item-unknown',
    says: ['Item Id not found.'],
    cause: 'The catalogue has no item with this id: a digit is missing, or the item was taken off the site.',
    next: 'Search the item by name and use the id that the search gives.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    id: 'item-format',
    says: ['ITEMID_NOT_FOUND, Input id: <id>'],
    cause:
      'The id {id} has the form of the other side of the item id migration: ten digits after it, "prod" and digits before it.',
    next: 'Mend the item ids: the item search says which ids were meant.',
    field: 'itemId',
    place: 'mend-ids',
  },
  {
    id: 'item-unreadable',
    says: ['Item not found, Input id: <id>'],
    cause: 'The item {id} exists, but the catalogue could not read it just now; often this passes by itself.',
    next: 'Send it again later. If it stays, search the item by name.',
    field: 'itemId',
    place: 'sync',
  },
  {
    id: 'item-unpublished',
    says: ['Cannot upload unpublished item, Input id: <id>'],
    cause: 'The item {id} is not published on the site, so it cannot be advertised yet.',
    next: 'Publish the item, or put another item in its place.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    id: 'item-not-owned',
    says: ['Cannot upload item. item or base item not owned by you, Input id: <id>'],
    cause: 'The item {id}, or the item it is a variant of, belongs to another seller or to another of your accounts.',
    next: 'Search for your own item, or send this one from the account that owns it.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    id: 'item-bid-missing',
    says: ['Item is missing bid value, Input id: <id>'],
    cause: 'The item {id} was sent without a bid.',
    next: 'Type a bid.',
    field: 'bid',
    place: 'field',
  },
  {
    id: 'bid-below-floor',
    says: ['Bid should be higher than : <floor>'],
    cause: 'The bid is below the least the service takes for this campaign, {floor}.',
    next: 'Raise the bid above {floor}.',
    field: 'bid',
    place: 'field',
  },
  {
    id: 'field-missing',
    says: ['Field [<name>] not found in request'],
    cause: 'The service misses the value {name}.',
    next: 'Fill the empty cells of the row and send it again.',
    place: 'row',
  },
  {
    id: 'parameters',
    says: ['Invalid request parameter(s)'],
    cause: 'A value of this request has a form that the service does not take; it does not say which.',
    next: 'Look at the findings of the row. If there are none, send rows one by one to find it, and ask support with the correlation id.',
    place: 'row',
  },
  {
    id: 'ad-group-not-yours',
    says: ["You don't have permission to edit this ad group."],
    cause: 'The ad group belongs to another advertiser, or the key in use may not edit it.',
    next: 'Check which account and key this is.',
    place: 'keys',
  },
  {
    id: 'ad-item-gone',
    says: ['AdGroupItem not found.'],
    cause:
      'The service does not know this ad item in this ad group: it was removed elsewhere, or its item id was migrated.',
    ...REFRESH,
  },
];

/** Logos (document, "SBA logo upload"). */
const LOGO_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'logo-request',
    says: ['Invalid Upload Request'],
    cause: 'The service could not read the upload of the logo as a whole.',
    next: 'Sync again. If it stays, ask support with the correlation id.',
    field: 'logo',
    place: 'sync',
  },
  {
    id: 'logo-missing',
    says: ['Missing FILE'],
    cause: 'The upload arrived without the picture, perhaps cut off on the way.',
    next: 'Sync again; the logo is sent anew.',
    field: 'logo',
    place: 'sync',
  },
  {
    id: 'logo-form',
    says: ['Missing form param <name>'],
    cause:
      'The service did not find the part of the upload that says which profile the logo is for, in either spelling.',
    next: 'Ask support with the correlation id.',
    field: 'logo',
    place: 'settings',
  },
  {
    id: 'logo-not-stored',
    says: ['Unable to upload the image.'],
    cause: 'The service could not store the picture; mostly this passes by itself.',
    next: 'Sync again. If it stays, save the logo anew as PNG and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    id: 'logo-campaign',
    says: ['Campaign Id validation failed'],
    cause: 'The service does not know the campaign of this logo, or it belongs to another account.',
    ...REFRESH,
    field: 'logo',
  },
  {
    id: 'logo-ad-group',
    says: ['AdGroup Id validation failed'],
    cause: 'The service does not know the ad group of this logo, or it belongs to another campaign.',
    ...REFRESH,
    field: 'logo',
  },
  {
    id: 'logo-name',
    says: ['File name cannot be empty'],
    cause: 'The picture has no file name.',
    next: 'Attach the logo again from a file with a name that ends in .png.',
    field: 'logo',
    place: 'field',
  },
  {
    id: 'logo-size',
    says: ['File size exceeds maximum limit of <kilobytes> Kb'],
    cause: 'The picture is larger than {kilobytes} KB. The review wants it far smaller still: 200 KB at most.',
    next: 'Let Adslate fit the logo to 100 x 100 pixels and at most 200 KB.',
    field: 'logo',
    place: 'field',
  },
  {
    id: 'logo-type',
    says: ['Invalid ContentType. Media Type image/png allowed only'],
    cause: 'The picture is no PNG.',
    next: 'Save the logo as PNG and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    id: 'logo-type-differs',
    says: ['ContentType and mimeType does not match'],
    cause: 'The content of the picture is another than its name says, for example a JPEG called .png.',
    next: 'Open the picture, save it as PNG, and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    id: 'logo-store-answer',
    says: ['WSResponse is not 200 or 409, it was: <status>'],
    cause: "The service's own store of pictures answered with {status}; mostly this passes by itself.",
    next: 'Sync again later.',
    field: 'logo',
    place: 'sync',
  },
  {
    id: 'logo-upload-error',
    says: ['Error in uploading the file'],
    cause: 'The service failed while it stored the picture; mostly this passes by itself.',
    next: 'Sync again later.',
    field: 'logo',
    place: 'sync',
  },
];

/** Bid multipliers (document, "Multipliers: create and update" and "Multipliers: list"). */
const MULTIPLIER_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'multiplier-campaign',
    says: ['You cannot define bid multipliers for this campaign', 'No bid multipliers for this campaign type'],
    cause: 'Only sponsored products campaigns have bid multipliers.',
    next: 'Delete the multiplier here.',
    place: 'row',
  },
  {
    id: 'multiplier-placement',
    says: ['Invalid Placement Type found'],
    cause:
      'The placement is not offered for this campaign. Manual campaigns have fewer placements than automatic ones.',
    next: 'Choose another placement, or delete the multiplier.',
    field: 'placement',
    place: 'field',
  },
  {
    id: 'multiplier-platform',
    says: ['Invalid Platform Type found'],
    cause: 'The service does not offer this platform.',
    next: 'Choose one of these, or delete the multiplier.',
    field: 'platform',
    place: 'field',
  },
  {
    id: 'multiplier-negative',
    says: [
      'The placement bid% cannot be less than 0 for PlacementType: <type>',
      'The platform bid% cannot be less than 0 for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is below 0 %.',
    next: 'Type 0 or more.',
    field: 'multiplier',
    place: 'field',
  },
  {
    id: 'multiplier-range',
    says: [
      'The placement bid% out of range for PlacementType: <type>',
      'The platform bid% out of range for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is above what the service takes.',
    next: 'Lower it; check the decimal point.',
    field: 'multiplier',
    place: 'field',
  },
  {
    id: 'multiplier-access',
    says: ['You do not have access to change this bid multiplier'],
    cause: 'The key in use may look at this campaign, but not change its bids.',
    next: 'Ask the owner of the account for the right, or use another key.',
    place: 'keys',
  },
];

/** Brand and video profiles (document, "SBA create", "SBA update", "SBA list"). */
const PROFILE_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'sba-create-failed',
    says: ['Exception in creating SBA Profile'],
    cause: 'The service failed while it created the brand profile; it may be there all the same.',
    next: 'Nothing is sent twice: Adslate looks for the profile first. Sync again.',
    place: 'sync',
  },
  {
    id: 'sba-wrong-campaign',
    says: ['Cannot define SBA Profile for <type> campaigns'],
    cause: 'Campaigns of type {type} take no brand profile.',
    next: 'Delete the profile here, or copy it to a search brand campaign.',
    place: 'row',
  },
  {
    id: 'review-adding',
    says: ['Campaign is Under review, adding is not allowed'],
    cause: 'Nothing can be added to a campaign while it is under review.',
    next: 'Wait until the review ends; the row is kept and goes with the next sync. Or cancel the review.',
    place: 'reviews',
  },
  {
    id: 'review-changing',
    says: ['Campaign is Under review, modifying is not allowed'],
    cause: 'Profiles cannot change while their campaign is under review.',
    next: 'Wait until the review ends; the change is kept and goes with the next sync. Or cancel the review.',
    place: 'reviews',
  },
  {
    id: 'video-defined',
    says: ['AdGroup already has media defined, please update existing instead of defining new one'],
    cause: 'The ad group has a video profile on the service already, perhaps made in the console.',
    next: 'Refresh from the service, then change the profile that is there.',
    place: 'refresh',
  },
  {
    id: 'sba-defined',
    says: ['AdGroup already has search amplifier defined, please update existing instead of defining new one'],
    cause: 'The ad group has a brand profile on the service already, perhaps made in the console.',
    next: 'Refresh from the service, then change the profile that is there.',
    place: 'refresh',
  },
  {
    id: 'sba-v2',
    says: ['Please use V2 endpoints for multiple sba profiles'],
    cause:
      'The account has several brand profiles in one ad group, and the request went to the older version of the service.',
    next: 'Check in the settings that the address of the service is the right one, and ask support with the correlation id.',
    place: 'settings',
  },
  {
    id: 'sba-too-many',
    says: ['Cannot be more than <max> sba profiles in an adGroup'],
    cause: 'An ad group holds at most {max} brand profiles, and it has as many on the service.',
    next: 'Refresh from the service. Then change one of those that are there, or take this one back.',
    place: 'refresh',
  },
  {
    id: 'sba-id',
    says: ['Sba Profile Id validation failed'],
    cause: 'The service does not know this brand profile under its id: it belongs to another ad group, or is gone.',
    ...REFRESH,
  },
  {
    id: 'sba-update-and-enable',
    says: [
      'You cannot both update and enable this in the same time when campaign is active, because it was previously approved',
    ],
    cause:
      'Wording and status were changed together on an active campaign. The new wording has to be approved before it is enabled.',
    next: 'Set the status back to disabled and sync; enable the profile once the review has approved it.',
    field: 'status',
    place: 'field',
  },
  {
    id: 'sba-gone',
    says: ['SBA Profile details not found for AdGroup'],
    cause: 'The brand profile is not in this ad group any more.',
    ...REFRESH,
  },
  {
    id: 'video-profile-gone',
    says: ['AdGroup Media not found for AdGroup'],
    cause: 'The ad group has no video profile on the service.',
    ...REFRESH,
  },
  {
    id: 'endpoint-type',
    says: ['This endpoint is not allowed for this campaign type'],
    cause: 'The campaign on the service is of another type than here.',
    next: 'Refresh from the service and compare the type of the campaign.',
    place: 'refresh',
  },
  {
    id: 'use-sba',
    says: ['Please use sbaProfile endpoints for sbaProfile'],
    cause: 'What the service has here is a brand profile, and it was sent as a video profile.',
    next: 'Refresh from the service and compare the type of the campaign.',
    place: 'refresh',
  },
  {
    id: 'use-video',
    says: ['Please use AdGroupMedia endpoints for AdGroupMedia'],
    cause: 'What the service has here is a video profile, and it was sent as a brand profile.',
    next: 'Refresh from the service and compare the type of the campaign.',
    place: 'refresh',
  },
  {
    id: 'video-wrong-campaign',
    says: ['Cannot define adGroup media for these campaigns'],
    cause: 'Only video campaigns take a video profile.',
    next: 'Delete the profile here, or copy it to a video campaign.',
    place: 'row',
  },
  {
    id: 'enabled-is-live',
    says: ['You cannot update the enabled one for campaigns which are scheduled or currently live'],
    cause:
      'The profile is enabled in a campaign that is scheduled or live, and what is shown cannot change under review.',
    next: 'Swap it without a pause: change the other profile, have it approved, then enable it. Or pause the campaign first.',
    field: 'status',
    place: 'field',
  },
  {
    id: 'disabled-not-approved',
    says: ['Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live'],
    cause:
      'The profile is not approved yet, and only an approved one can be enabled while the campaign is scheduled or live.',
    next: 'Set the status back to disabled, ask for its review, and enable it once it is approved.',
    field: 'status',
    place: 'field',
  },
];

export const EXPLANATIONS: readonly ErrorHelp[] = [
  ...ITEM_MESSAGES,
  ...PROFILE_MESSAGES,
  ...LOGO_MESSAGES,
  ...MULTIPLIER_MESSAGES,
  ...ACCESS_MESSAGES,
];

/** An explanation with the values of the message filled in. */
export type FilledErrorHelp = Omit<ErrorHelp, 'says' | 'field'> & { readonly field: string | null };

/**
 * What a message of the service means (document, "Errors").
 *
 * @returns null for a message that is not known: it has to be shown as it came
 */
export function findErrorHelp(message: string): FilledErrorHelp | null {
  const text = message.trim().replace(/\s+/g, ' ');
  for (const { words, explanation } of PATTERNS) {
    const found = words.exec(text);
    if (found === null) continue;
    const { id, cause, next, field = null, place } = explanation;
    return { id, cause: filled(cause, found.groups), next: filled(next, found.groups), field, place };
  }
  return null;
}

const PATTERNS = EXPLANATIONS.flatMap((explanation) =>
  explanation.says.map((says) => ({ words: patternOf(says), explanation })),
);

/** The message as a whole, or after the heading that some error bodies put before it. */
function patternOf(says: string): RegExp {
  const words = says
    .replace(/\.$/, '')
    .split(/(<\w+>)/)
    .map((part) => (/^<\w+>$/.test(part) ? `(?${part}.*?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
  return new RegExp(`(?:^|: )${words.join('')}\\.?$`, 'iu');
}

const filled = (text: string, values: Readonly<Record<string, string>> | undefined): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values?.[name] ?? '');

/**
 * Where the next step is taken. The window makes a button of each:
 *
 * - `field`: the cell the message is about; `row` the row as a whole
 * - `mend-ids`, `find-items`: the tool for item ids, the item search
 * - `reviews`: the reviews, where one can be cancelled
 * - `refresh`: reading from the service again; `sync`: looking at the plan and sending again
 * - `keys`, `settings`: keys and tokens, settings of the account
 */
export type NextStepTarget =
  | 'field'
  | 'row'
  | 'mend-ids'
  | 'find-items'
  | 'reviews'
  | 'refresh'
  | 'sync'
  | 'keys'
  | 'settings';

/** One message of the service, or several that mean the same, in words a marketer can act on. */
interface ErrorHelp {
  readonly id: string;
  /** The service's words; `<name>` stands for a value it fills in. */
  readonly says: readonly string[];
  /** Why this is said; `{name}` is replaced by the value of the message. */
  readonly cause: string;
  /** What to do, as a sentence. */
  readonly next: string;
  /** The field it is about, by its name in the model; without one the row as a whole is meant. */
  readonly field?: string;
  readonly place: NextStepTarget;
}
