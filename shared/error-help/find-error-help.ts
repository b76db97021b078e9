/** The next step for anything that no longer exists on the service. */
const REFRESH = {
  next: 'Refresh, then resolve the conflict.',
  place: 'refresh',
} as const;

/** Access, sizes and the service itself; any operation can return these (document, "Errors", "Authentication"). */
const ACCESS_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ['User not Authenticated'],
    cause:
      'The access token has expired, the key does not match the consumer ID, or the clock of this computer is wrong.',
    next: 'Update the token and check the key and the consumer ID in Credentials.',
    place: 'keys',
  },
  {
    says: ['AdOps role does not access to any campaigns'],
    cause: 'The token belongs to an ad reviewer, who has no access to campaigns.',
    next: 'Use the token of a user who can edit campaigns.',
    place: 'keys',
  },
  {
    says: ["You don't have access to this advertiser"],
    cause: 'The token is not for the advertiser ID of this account, or its user may only read.',
    next: 'Check the advertiser ID, or use the token of a user who can edit campaigns of this advertiser.',
    place: 'settings',
  },
  {
    says: ['You do not have access to view this campaign'],
    cause: 'The campaign belongs to another advertiser, or the user of the token no longer has access to it.',
    next: 'Check the account, and who has access to the campaign.',
    place: 'keys',
  },
  {
    says: ['CampaignId not found in request'],
    cause: 'The request had no campaign ID, because the campaign is not on the service yet.',
    next: 'Sync again, so that the campaign is created first.',
    place: 'sync',
  },
  {
    says: ['adGroupId not found in request'],
    cause: 'The request had no ad group ID, because the ad group is not on the service yet.',
    next: 'Sync again, so that the ad group is created first.',
    place: 'sync',
  },
  {
    says: ['Campaign not found'],
    cause: 'The campaign was deleted on the service or belongs to another account.',
    ...REFRESH,
  },
  {
    says: ['AdGroup not found.'],
    cause: 'The ad group was deleted on the service or belongs to another campaign.',
    ...REFRESH,
  },
  {
    says: ['Maximum allowed size in batch is <max>'],
    cause: 'The request had more than {max} changes.',
    next: 'Check the maximum changes per request in Account settings, then sync again.',
    place: 'settings',
  },
  {
    says: ['empty input'],
    cause: 'The request arrived empty. A proxy may have cut it off.',
    next: 'Sync again. If it fails again, contact your network administrator.',
    place: 'sync',
  },
  {
    says: ['Rate limit exceeded: <n> operations per hour'],
    cause: 'You reached the hourly change limit.',
    next: 'Wait until the limit refills, then sync the rest. Changing bids every 4 to 5 hours is usually enough.',
    place: 'sync',
  },
  {
    says: ['There was an error processing the request'],
    cause: 'The service failed without giving a reason. This is usually temporary.',
    next: 'Sync again later. Adslate first checks whether the change was made.',
    place: 'sync',
  },
];

/** Ad items and bids (document, "Per-element failures" and "Item endpoints HTTP errors"). */
const ITEM_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ['Item Id not found.'],
    cause: 'The catalog has no item with this ID. A digit may be missing, or the item was removed from the site.',
    next: 'Find the item by name and use its ID.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    says: ['ITEMID_NOT_FOUND, Input id: <id>'],
    cause:
      'The ID {id} has the wrong format for this account. Migrated accounts use 10 digits, other accounts "prod" and digits.',
    next: 'Repair item IDs.',
    field: 'itemId',
    place: 'repair-ids',
  },
  {
    says: ['Item not found, Input id: <id>'],
    cause: "Item {id} exists, but the catalog couldn't read it. This is usually temporary.",
    next: 'Sync again later. If it fails again, find the item by name.',
    field: 'itemId',
    place: 'sync',
  },
  {
    says: ['Cannot upload unpublished item, Input id: <id>'],
    cause: "Item {id} is not published on the site, so it can't be advertised yet.",
    next: 'Publish the item, or replace it with another item.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    says: ['Cannot upload item. item or base item not owned by you, Input id: <id>'],
    cause: 'Item {id} or its base item belongs to another seller or to another of your accounts.',
    next: 'Use one of your items, or sync this item from the account that owns it.',
    field: 'itemId',
    place: 'find-items',
  },
  {
    says: ['Item is missing bid value, Input id: <id>'],
    cause: 'Item {id} was sent without a bid.',
    next: 'Enter a bid.',
    field: 'bid',
    place: 'field',
  },
  {
    says: ['Bid should be higher than : <floor>'],
    cause: 'The bid is below {$floor}, the minimum for this campaign.',
    next: 'Raise the bid to {$floor} or more.',
    field: 'bid',
    place: 'field',
  },
  {
    says: ['Field [<name>] not found in request'],
    cause: 'The value {name} is missing.',
    next: 'Fill in the empty cells of the row and sync again.',
    place: 'row',
  },
  {
    says: ['Invalid request parameter(s)'],
    cause: 'A value has a format the service does not accept. It does not say which one.',
    next: 'Check the issues of the row. If there are none, sync rows one at a time, or contact support with the correlation ID.',
    place: 'row',
  },
  {
    says: ["You don't have permission to edit this ad group."],
    cause: "The ad group belongs to another advertiser, or these credentials can't edit it.",
    next: 'Check the account and its credentials.',
    place: 'keys',
  },
  {
    says: ['AdGroupItem not found.'],
    cause: 'The ad item was deleted on the service, or its item ID was migrated.',
    ...REFRESH,
  },
];

/** Logos (document, "SBA logo upload"). */
const LOGO_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ['Invalid Upload Request'],
    cause: "The service couldn't read the logo upload.",
    next: 'Sync again. If it fails again, contact support with the correlation ID.',
    field: 'logo',
    place: 'sync',
  },
  {
    says: ['Missing FILE'],
    cause: 'The upload arrived without the image. A proxy may have cut it off.',
    next: 'Sync again to send the logo again.',
    field: 'logo',
    place: 'sync',
  },
  {
    says: ['Missing form param <name>'],
    cause: "The service couldn't find which profile the logo is for.",
    next: 'Contact support with the correlation ID.',
    field: 'logo',
    place: 'settings',
  },
  {
    says: ['Unable to upload the image.'],
    cause: "The service couldn't store the image. This is usually temporary.",
    next: 'Sync again. If it fails again, save the logo as PNG and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['Campaign Id validation failed'],
    cause: 'The campaign of this logo was deleted on the service or belongs to another account.',
    ...REFRESH,
    field: 'logo',
  },
  {
    says: ['AdGroup Id validation failed'],
    cause: 'The ad group of this logo was deleted on the service or belongs to another campaign.',
    ...REFRESH,
    field: 'logo',
  },
  {
    says: ['File name cannot be empty'],
    cause: 'The image has no file name.',
    next: 'Attach the logo again from a file with a name that ends in .png.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['File size exceeds maximum limit of <kilobytes> Kb'],
    cause: 'The image is larger than {kilobytes} KB. Reviews accept up to 200 KB.',
    next: 'Resize the logo in Adslate to 100 × 100 pixels and up to 200 KB.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['Invalid ContentType. Media Type image/png allowed only'],
    cause: 'The image is not a PNG.',
    next: 'Save the logo as PNG and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['ContentType and mimeType does not match'],
    cause: 'The image format does not match the file name, for example a JPEG named .png.',
    next: 'Save the image as PNG and attach it again.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['WSResponse is not 200 or 409, it was: <status>'],
    cause: 'The image storage of the service returned {status}. This is usually temporary.',
    next: 'Sync again later.',
    field: 'logo',
    place: 'sync',
  },
  {
    says: ['Error in uploading the file'],
    cause: 'The service failed while storing the image. This is usually temporary.',
    next: 'Sync again later.',
    field: 'logo',
    place: 'sync',
  },
];

/** Bid multipliers (document, "Multipliers: create and update" and "Multipliers: list"). */
const MULTIPLIER_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ['You cannot define bid multipliers for this campaign', 'No bid multipliers for this campaign type'],
    cause: 'Only sponsored products campaigns have bid multipliers.',
    next: 'Delete the multiplier here.',
    place: 'row',
  },
  {
    says: ['Invalid Placement Type found'],
    cause:
      'This campaign does not support the placement. Manual campaigns have fewer placements than automatic campaigns.',
    next: 'Choose another placement, or delete the multiplier.',
    field: 'placement',
    place: 'field',
  },
  {
    says: ['Invalid Platform Type found'],
    cause: 'The service does not support this platform.',
    next: 'Choose another platform, or delete the multiplier.',
    field: 'platform',
    place: 'field',
  },
  {
    says: [
      'The placement bid% cannot be less than 0 for PlacementType: <type>',
      'The platform bid% cannot be less than 0 for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is below 0%.',
    next: 'Enter 0 or more.',
    field: 'multiplier',
    place: 'field',
  },
  {
    says: [
      'The placement bid% out of range for PlacementType: <type>',
      'The platform bid% out of range for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is above the maximum of the service.',
    next: 'Lower it, and check the decimal point.',
    field: 'multiplier',
    place: 'field',
  },
  {
    says: ['You do not have access to change this bid multiplier'],
    cause: 'These credentials can view this campaign, but not change its bids.',
    next: 'Ask the owner of the account for permission, or use other credentials.',
    place: 'keys',
  },
];

/** Brand and video profiles (document, "SBA create", "SBA update", "SBA list"). */
const PROFILE_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ['Exception in creating SBA Profile'],
    cause: 'The service failed while creating the SBA profile. The profile might exist.',
    next: 'Sync again. Adslate first checks whether the profile exists, so nothing is sent twice.',
    place: 'sync',
  },
  {
    says: ['Cannot define SBA Profile for <type> campaigns'],
    cause: "Campaigns of type {type} can't contain SBA profiles.",
    next: 'Delete the profile here, or copy it to an SBA campaign.',
    place: 'row',
  },
  {
    says: ['Campaign is Under review, adding is not allowed'],
    cause: "Rows can't be added to a campaign while it is in review.",
    next: 'Adslate sends it after the review. To send it sooner, cancel the review.',
    place: 'reviews',
  },
  {
    says: ['Campaign is Under review, modifying is not allowed'],
    cause: "Profiles can't be changed while their campaign is in review.",
    next: 'Adslate sends the change after the review. To send it sooner, cancel the review.',
    place: 'reviews',
  },
  {
    says: ['AdGroup already has media defined, please update existing instead of defining new one'],
    cause: "The ad group already has a video profile on the service, perhaps from the retailer's console.",
    next: 'Refresh, then change the existing profile.',
    place: 'refresh',
  },
  {
    says: ['AdGroup already has search amplifier defined, please update existing instead of defining new one'],
    cause: "The ad group already has an SBA profile on the service, perhaps from the retailer's console.",
    next: 'Refresh, then change the existing profile.',
    place: 'refresh',
  },
  {
    says: ['Please use V2 endpoints for multiple sba profiles'],
    cause: 'An ad group has several SBA profiles, but the request used an older version of the service.',
    next: 'Check the base URL in Account settings, and contact support with the correlation ID.',
    place: 'settings',
  },
  {
    says: ['Cannot be more than <max> sba profiles in an adGroup'],
    cause: 'The ad group already has {max} SBA profiles, the maximum, on the service.',
    next: 'Refresh. Then change an existing profile, or revert this one.',
    place: 'refresh',
  },
  {
    says: ['Sba Profile Id validation failed'],
    cause: 'The SBA profile was deleted on the service or belongs to another ad group.',
    ...REFRESH,
  },
  {
    says: [
      'You cannot both update and enable this in the same time when campaign is active, because it was previously approved',
    ],
    cause:
      'The profile was changed and enabled at the same time in an active campaign. The change must be approved first.',
    next: 'Disable the profile and sync. Enable it after it is approved.',
    field: 'status',
    place: 'field',
  },
  {
    says: ['SBA Profile details not found for AdGroup'],
    cause: 'The SBA profile is no longer in this ad group.',
    ...REFRESH,
  },
  {
    says: ['AdGroup Media not found for AdGroup'],
    cause: 'The ad group has no video profile on the service.',
    ...REFRESH,
  },
  {
    says: ['This endpoint is not allowed for this campaign type'],
    cause: 'The campaign has another type on the service.',
    next: 'Refresh, then check the campaign type.',
    place: 'refresh',
  },
  {
    says: ['Please use sbaProfile endpoints for sbaProfile'],
    cause: 'The profile is an SBA profile on the service, but was sent as a video profile.',
    next: 'Refresh, then check the campaign type.',
    place: 'refresh',
  },
  {
    says: ['Please use AdGroupMedia endpoints for AdGroupMedia'],
    cause: 'The profile is a video profile on the service, but was sent as an SBA profile.',
    next: 'Refresh, then check the campaign type.',
    place: 'refresh',
  },
  {
    says: ['Cannot define adGroup media for these campaigns'],
    cause: 'Only video campaigns can contain video profiles.',
    next: 'Delete the profile here, or copy it to a video campaign.',
    place: 'row',
  },
  {
    says: ['You cannot update the enabled one for campaigns which are scheduled or currently live'],
    cause: "The profile is enabled in a scheduled or live campaign, so it can't be changed.",
    next: 'Use "Swap banner without pausing", or pause the campaign first.',
    field: 'status',
    place: 'field',
  },
  {
    says: ['Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live'],
    cause: 'The profile is not approved yet. In scheduled or live campaigns, only approved profiles can be enabled.',
    next: 'Disable the profile and submit it for review. Enable it after it is approved.',
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

/** Reasons of Adslate not to send a logo (`main/sync/send.ts`); no request was made. */
const OWN_MESSAGES: readonly ErrorHelp[] = [
  {
    says: ["Can't read the logo file (<code>). Add it to the library again."],
    cause: "The logo is no longer in the data folder, or the disk can't read it ({code}). Nothing was sent.",
    next: 'Drop the logo on the media library again, then sync.',
    field: 'logo',
    place: 'field',
  },
  {
    says: ['The logo is no longer in the media library. Choose another one.'],
    cause: 'The logo was deleted from the media library. Nothing was sent.',
    next: 'Choose another logo, then sync.',
    field: 'logo',
    place: 'field',
  },
];

/** An explanation with the values of the message filled in. */
export interface FilledErrorHelp extends Omit<ErrorHelp, 'says' | 'field'> {
  /** The first of the messages with this help, the same for all of them. */
  readonly id: string;
  readonly field: string | null;
}

/**
 * The help for a message of the service (document, "Errors") or of Adslate.
 *
 * @returns null for an unknown message, which must be shown unchanged
 */
export function findErrorHelp(message: string): FilledErrorHelp | null {
  const text = message.trim().replace(/\s+/g, ' ');
  for (const { words, explanation } of PATTERNS) {
    const found = words.exec(text);
    if (found === null) continue;
    const { says, cause, next, field = null, place } = explanation;
    return { id: says[0], cause: filled(cause, found.groups), next: filled(next, found.groups), field, place };
  }
  return null;
}

const PATTERNS = [...EXPLANATIONS, ...OWN_MESSAGES].flatMap((explanation) =>
  explanation.says.map((says) => ({ words: patternOf(says), explanation })),
);

/** Matches the message alone, or after the heading that some error bodies put before it. */
function patternOf(says: string): RegExp {
  const words = says
    .replace(/\.$/, '')
    .split(/(<\w+>)/)
    .map((part) => (/^<\w+>$/.test(part) ? `(?${part}.*?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
  return new RegExp(`(?:^|: )${words.join('')}\\.?$`, 'iu');
}

const filled = (text: string, values: Readonly<Record<string, string>> | undefined): string =>
  text.replace(/\{(\$?)(\w+)\}/g, (_, sign: string, name: string) => `${sign}${values?.[name] ?? ''}`);

/**
 * The place of the next step. The window makes a button of each:
 *
 * - `field`: the cell of the message; `row` the whole row
 * - `repair-ids`, `find-items`: the tool for item IDs, the item search
 * - `reviews`: the reviews, where one can be canceled
 * - `refresh`: read from the service again; `sync`: review the plan and send again
 * - `keys`, `settings`: keys and tokens, settings of the account
 */
export type NextStepTarget =
  | 'field'
  | 'row'
  | 'repair-ids'
  | 'find-items'
  | 'reviews'
  | 'refresh'
  | 'sync'
  | 'keys'
  | 'settings';

/** Help for one message of the service, or several of the same meaning, in words a marketer can act on. */
interface ErrorHelp {
  /** The service's words; `<name>` matches a value in them. */
  readonly says: readonly [string, ...string[]];
  /** The cause; `{name}` is replaced by the value in the message, `{$name}` by an amount in dollars. */
  readonly cause: string;
  /** What to do, as a sentence. */
  readonly next: string;
  /** Name of the field in the model; absent for the whole row. */
  readonly field?: string;
  readonly place: NextStepTarget;
}
