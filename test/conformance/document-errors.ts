/**
 * The section "Errors", operation by operation, written down from the document: which texts it lists under which status.
 * `<Exception Message>` of the 429 is the service's own; ours counts changed elements.
 */
export type Operation = keyof typeof documentErrors;

const NOT_AUTHENTICATED = 'User not Authenticated';
const AD_OPS = 'AdOps role does not access to any campaigns';
const NO_ADVERTISER = "You don't have access to this advertiser";
const UNEXPECTED = 'There was an error processing the request';
const RATE = 'Rate limit exceeded: 1 operations per hour';
const USE_V2 = 'Please use V2 endpoints for multiple sba profiles';
const UPDATE_AND_ENABLE =
  'You cannot both update and enable this in the same time when campaign is active, because it was previously approved';
const BATCH = 'Maximum allowed size in batch is 50';

const access = [NOT_AUTHENTICATED, AD_OPS, NO_ADVERTISER];
const sbaUpdate422 = [
  'Campaign is Under review, modifying is not allowed',
  'Please use sbaProfile endpoints for sbaProfile',
  'Please use AdGroupMedia endpoints for AdGroupMedia',
  'Cannot define adGroup media for these campaigns',
  'You cannot update the enabled one for campaigns which are scheduled or currently live',
  'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live',
];

type ByStatus = Readonly<Record<number, readonly string[]>>;

function multiplierWrite(kind: 'placement' | 'platform', type: string, isCreate: boolean): ByStatus {
  const Kind = kind === 'placement' ? 'Placement' : 'Platform';
  const campaignAccess = [
    'You do not have access to view this campaign',
    AD_OPS,
    'You do not have access to change this bid multiplier',
  ];
  return {
    200: [
      'You cannot define bid multipliers for this campaign',
      `Invalid ${Kind} Type found`,
      `The ${kind} bid% cannot be less than 0 for ${Kind}Type: ${type}`,
      `The ${kind} bid% out of range for ${Kind}Type: ${type}`,
    ],
    400: [BATCH, 'Empty Input'],
    403: isCreate ? [NOT_AUTHENTICATED] : [NOT_AUTHENTICATED, ...campaignAccess],
    404: ['Campaign not found'],
    422: isCreate ? campaignAccess : [],
    429: [RATE],
    500: [UNEXPECTED],
  };
}

const multiplierList: ByStatus = {
  400: ['CampaignId not found in request'],
  403: [NOT_AUTHENTICATED],
  404: ['Campaign not found', 'No bid multipliers for this campaign type'],
  429: [RATE],
  500: [UNEXPECTED],
};

const documentErrors = {
  'Item endpoints': {
    400: ['Field [adGroupId] not found in request', 'Invalid request parameter(s)'],
    403: ["You don't have permission to edit this ad group."],
    404: ['AdGroup not found.', 'AdGroupItem not found.'],
    500: [UNEXPECTED],
  },
  'SBA list (V2)': {
    400: ['CampaignId not found in request', 'adGroupId not found in request'],
    403: access,
    404: ['AdGroup not found', 'Campaign not found'],
    422: ['Please use AdGroupMedia endpoints for AdGroupMedia'],
    429: [RATE],
    500: [UNEXPECTED],
  },
  'SBA create (V2)': {
    200: ['Exception in creating SBA Profile', UNEXPECTED],
    400: [BATCH, 'empty input'],
    403: access,
    404: ['AdGroup not found', 'Campaign not found'],
    422: [
      'Cannot define SBA Profile for video campaigns',
      'Campaign is Under review, adding is not allowed',
      'AdGroup already has media defined, please update existing instead of defining new one',
      'AdGroup already has search amplifier defined, please update existing instead of defining new one',
      USE_V2,
      'Cannot be more than 2 sba profiles in an adGroup',
    ],
    429: [RATE],
    500: [UNEXPECTED],
  },
  'SBA update (V2)': {
    400: [BATCH, 'empty input', 'Sba Profile Id validation failed', USE_V2, UPDATE_AND_ENABLE],
    403: access,
    404: [
      'AdGroup not found',
      'Campaign not found',
      'SBA Profile details not found for AdGroup',
      'AdGroup Media not found for AdGroup',
      'This endpoint is not allowed for this campaign type',
    ],
    422: sbaUpdate422,
    429: [RATE],
    500: [UNEXPECTED],
  },
  'SBA logo upload (V2)': {
    200: [
      'Invalid Upload Request',
      'Missing FILE',
      'Missing form param <SBABaseProfileRequest>',
      'Unable to upload the image.',
    ],
    400: [
      'Campaign Id validation failed',
      'AdGroup Id validation failed',
      'Sba Profile Id validation failed',
      'File name cannot be empty',
      'File size exceeds maximum limit of 1024 Kb',
      'Invalid ContentType. Media Type image/png allowed only',
      'ContentType and mimeType does not match',
      'empty input',
      USE_V2,
      UPDATE_AND_ENABLE,
    ],
    403: access,
    404: ['AdGroup not found'],
    422: sbaUpdate422,
    429: [RATE],
    500: ['WSResponse is not 200 or 409, it was: 500', 'Error in uploading the file', UNEXPECTED],
  },
  'Placement multipliers: create': multiplierWrite('placement', 'Search Ingrid', true),
  'Placement multipliers: update': multiplierWrite('placement', 'Search Ingrid', false),
  'Placement multipliers: list': multiplierList,
  'Platform multipliers: create': multiplierWrite('platform', 'App', true),
  'Platform multipliers: update': multiplierWrite('platform', 'App', false),
  'Platform multipliers: list': multiplierList,
} satisfies Readonly<Record<string, ByStatus>>;

export interface DocumentError {
  readonly operation: Operation;
  readonly status: number;
  readonly text: string;
}

export function listDocumentErrors(): readonly DocumentError[] {
  const operations = Object.entries(documentErrors) as readonly (readonly [Operation, ByStatus])[];
  return operations.flatMap(([operation, byStatus]) =>
    Object.entries(byStatus).flatMap(([status, texts]) =>
      texts.map((text) => ({ operation, status: Number(status), text })),
    ),
  );
}
