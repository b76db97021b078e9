import { z } from 'zod';
import { STEPS } from '../lifecycle/eligibility.ts';
import { SWAP_STEPS } from '../lifecycle/swap.ts';
import { FIELDS } from '../model/fields.ts';
import { KNOWN_KINDS, REMOTE_ID_SOURCES } from '../model/kinds.ts';
import { ADD_CAMPAIGNS_MAX, LAUNCH_MAX, SWAPS_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { jsonText, KindSchema, RowIdSchema, seenName, WindowSchema } from './scalars.ts';

const remoteIdText = z.string().regex(/^[1-9]\d{0,18}$/);
const { campaignType, targetingType } = FIELDS.campaign;

/** The ID of a campaign or an ad group with its details. Times are milliseconds since 1970. */
export const RemoteIdEntry = z.strictObject({
  kind: z.enum(KNOWN_KINDS),
  id: z.string(),
  source: z.enum(REMOTE_ID_SOURCES),
  /** When it was added; null for IDs added before this was recorded. */
  at: z.int().nullable(),
  /** When the service last responded to a read of it; null if never recorded. */
  confirmedAt: z.int().nullable(),
  /** Its row; null when the account no longer has it. */
  rowId: RowIdSchema.nullable(),
  campaignId: RowIdSchema.nullable(),
  name: z.string().nullable(),
  /** Name of its campaign, if known. */
  campaign: z.string().nullable(),
});
export type RemoteIdEntry = z.infer<typeof RemoteIdEntry>;

/** A campaign on the service, with details from the user where the service can't be read. */
export const CampaignToAdd = z.strictObject({
  id: remoteIdText,
  name: z.string().max(255).nullable().default(null),
  campaignType: z.enum(campaignType.type.choices).nullable().default(null),
  targetingType: z.enum(targetingType.type.choices).nullable().default(null),
  adGroups: z.array(remoteIdText).max(100).default([]),
});
export type CampaignToAdd = z.infer<typeof CampaignToAdd>;

/** Result for one ID. */
export const AddCampaignOutcome = z.strictObject({
  kind: z.enum(KNOWN_KINDS),
  id: z.string(),
  /** The ID of its campaign, or its own. */
  campaign: z.string(),
  outcome: z.enum([
    'added',
    'known',
    /** The service has nothing under this id, or does not show it to this account. */
    'not-found',
    /** The ad group belongs to another campaign. */
    'other-campaign',
    /** The campaign already has its one ad group. */
    'second-group',
    /** A campaign or ad group sent from here is not settled, and this may be it. */
    'unsettled',
    'refused',
    'not-asked',
  ]),
  /** The service's message, if any. */
  detail: z.string(),
});
export type AddCampaignOutcome = z.infer<typeof AddCampaignOutcome>;

export const TakenIn = z.strictObject({
  outcomes: z.array(AddCampaignOutcome),
  /** Campaigns without a known ad group, which the rows below one need. */
  withoutGroup: z.array(z.string()),
  /** Why reading stopped early; null when everything was read. */
  stoppedBy: z.string().nullable(),
});
export type TakenIn = z.infer<typeof TakenIn>;

export const campaignIdsContract = {
  /** The known IDs, campaigns first; with `words`, only those with each word in ID, name or campaign. */
  list: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), ids: z.array(RemoteIdEntry) }),
  }),
  /** Those of these campaign IDs that are in the account already; no request is sent. */
  lookUp: operation({
    runs: 'reader',
    input: { ids: z.array(remoteIdText).max(ADD_CAMPAIGNS_MAX) },
    output: z.strictObject({ here: z.array(z.string()) }),
  }),
  /** Adds campaigns by their IDs and reads their rows. IDs that the service does not have are not stored. */
  add: operation({
    access: 'write',
    input: {
      source: z.enum(['typed', 'pasted', 'sheet', 'report']),
      campaigns: z.array(CampaignToAdd).min(1).max(ADD_CAMPAIGNS_MAX),
    },
    output: TakenIn,
    errors: ['SYNC_RUNNING'],
  }),
};

/** How a missing step is fixed, or where (`StepFix` of the lifecycle). */
export const LaunchFix = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('create'), kind: z.literal('adGroup') }),
  z.strictObject({ way: z.literal('add'), kind: KindSchema }),
  z.strictObject({ way: z.literal('go'), kind: KindSchema, id: RowIdSchema, field: z.string() }),
  z.strictObject({ way: z.literal('sync') }),
  z.strictObject({ way: z.literal('submit') }),
  z.strictObject({
    way: z.literal('write'),
    id: RowIdSchema,
    values: z.strictObject({ status: z.literal('enabled'), endDate: z.string().optional() }),
  }),
  z.strictObject({ way: z.literal('outside') }),
  z.strictObject({ way: z.literal('look'), at: z.enum(['reviews', 'videos']) }),
]);
export type LaunchFix = z.infer<typeof LaunchFix>;

/** A missing step (`Step` of the lifecycle): its duration in minutes, maximum and minimum, and its fix. */
export const LaunchStep = z.strictObject({ step: z.enum(STEPS), minutes: z.int(), least: z.int(), fix: LaunchFix });
export type LaunchStep = z.infer<typeof LaunchStep>;

/** What a campaign needs to go live: its missing steps, and by when it must be submitted. */
export const Launch = z.strictObject({
  campaignId: RowIdSchema,
  name: z.string(),
  campaignType: z.string().nullable(),
  /** The displayed state, its source, and when the service last reported the data behind it (ISO 8601, UTC). */
  state: z.enum(FIELDS.campaign.campaignState.type.choices),
  stateSource: z.enum(FIELDS.campaign.stateSource.type.choices),
  asOf: z.string().nullable(),
  /** State of the newest review of its first ad group that had one. */
  reviewStatus: z.string().nullable(),
  startDate: z.string().nullable(),
  endDate: z.string().nullable(),
  /** Missing steps that can be done now, the cheapest first. */
  missing: z.array(LaunchStep),
  /** Nothing is missing. If false and `missing` is empty, another step must be done first. */
  isReady: z.boolean(),
  /** A review must still be passed, whether submitted or not. */
  needsReview: z.boolean(),
  /** Last day on which it can be submitted to be live on its first day; null without a review or a first day. */
  submitBy: z.string().nullable(),
  /** That day has passed and the campaign was not submitted. */
  isLate: z.boolean(),
  /** One of its videos is not available on the service yet. */
  waitsForVideo: z.boolean(),
  /** Its first item, for the picture. */
  itemId: z.string().nullable(),
  dailyBudgetCents: z.int().nullable(),
  /** A later last day for one that ends within `EXTEND_DAYS`; else null, and where the service has no call for it. */
  extendTo: z.string().nullable(),
});
export type Launch = z.infer<typeof Launch>;

export const launchContract = {
  /**
   * Campaigns that are active or ended recently, by first day; those without one come last. The part `live` has live and
   * recently ended ones by their last day.
   */
  list: operation({
    task: 'launch',
    input: {
      part: z.enum(['all', 'upcoming', 'live']).default('all'),
      from: z.int().min(0),
      count: z.int().min(0).max(LAUNCH_MAX),
    },
    output: z.strictObject({
      total: z.int(),
      /** The day it is at the business. */
      today: z.string(),
      reviewDays: z.strictObject({ min: z.int(), max: z.int() }),
      mediaMinutes: z.int(),
      launches: z.array(Launch),
    }),
  }),
};

const KeptSwap = z.strictObject({
  campaignId: RowIdSchema,
  from: RowIdSchema,
  to: RowIdSchema,
  began: z.string(),
  asItIs: z.boolean(),
});

/** The JSON text of the swaps in a workspace. */
export const SwapsText = jsonText(z.array(KeptSwap).max(SWAPS_MAX));

const Move = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('edit'), id: RowIdSchema, canStay: z.boolean() }),
  z.strictObject({ way: z.literal('write'), id: RowIdSchema, status: z.enum(['enabled', 'disabled']) }),
  z.strictObject({ way: z.literal('sync') }),
  z.strictObject({ way: z.literal('submit') }),
  z.strictObject({ way: z.literal('look'), at: z.enum(['reviews', 'rows']) }),
]);
export type SwapMoveView = z.infer<typeof Move>;

const Shown = z.strictObject({ id: RowIdSchema, label: z.string() });

/** Two profiles of a campaign that are being swapped, or could be. */
export const SwapView = z.strictObject({
  /** The profile shown now, and its replacement. */
  from: Shown,
  to: Shown,
  /** Null until it was begun. */
  under: z
    .strictObject({
      step: z.enum([...SWAP_STEPS, 'done']),
      move: Move.nullable(),
      rejected: z.strictObject({ reason: z.string().nullable() }).nullable(),
    })
    .nullable(),
  /** The campaign whose swap, the oldest, is forgotten when this one is started; null while there is room. */
  forgets: z.string().nullable(),
});
export type SwapView = z.infer<typeof SwapView>;

/** Amounts are in cents. */
const LoggedBanner = z.strictObject({
  headline: z.string(),
  brand: z.string(),
  from: z.string(),
  /** Null while it is shown. */
  to: z.string().nullable(),
  /** Complete days with metrics; days of a swap do not count. */
  days: z.int(),
  impressions: z.number(),
  clicks: z.number(),
  spend: z.number(),
  sales: z.number(),
  isFirst: z.boolean(),
  /** Difference of the click rate to the previous banner, as fractions; null with too little data. */
  difference: z
    .strictObject({
      days: z.int(),
      own: z.number(),
      control: z.number(),
      difference: z.number(),
      low: z.number(),
      high: z.number(),
      verdict: z.enum(['better', 'worse', 'unclear']),
      moreDays: z.number().nullable(),
    })
    .nullable(),
});
export type LoggedBanner = z.infer<typeof LoggedBanner>;

const inCampaign = { campaignId: RowIdSchema };
const answer = SwapView.nullable();

/** Each returns the state of the swap; null for a campaign without two profiles of which one is shown. */
export const bannerSwapsContract = {
  state: operation({ input: inCampaign, output: answer }),
  /** The banners a campaign has shown, newest first, with the metrics of their complete days. */
  log: operation({ input: inCampaign, output: z.array(LoggedBanner) }),
  /** Starts a swap, or resumes a running one. */
  start: operation({ announced: true, access: 'write', input: inCampaign, output: answer }),
  /** Accepts the other profile as it is, without an edit. */
  keep: operation({ announced: true, access: 'write', input: inCampaign, output: answer }),
  /** Removes the swap; rows are not changed. */
  end: operation({ announced: true, access: 'write', input: inCampaign, output: answer }),
};

/** Templates of one workspace at most. */
export const TEMPLATES_MAX = 100;

/** The fields of the form of a new campaign, under a name: the user's entries only, nothing from the service. */
export const CampaignTemplate = z.strictObject({
  name: z.string().trim().min(1).max(80),
  shape: z.enum(['video', 'sba', 'auto', 'manual']),
  /** Texts by the fields of the form; items and keywords one a line. */
  form: z.record(z.string().max(40), z.string().max(200_000)),
});
export type CampaignTemplate = z.infer<typeof CampaignTemplate>;

/** In a team there may be more, when two computers added some at the same time. */
const templates = z.array(CampaignTemplate);

export const templatesContract = {
  /** Sorted by name. */
  list: operation({ output: templates }),
  /** Saves the template and replaces one of the same name. */
  save: operation({
    announced: true,
    access: 'write',
    // Stored templates may have any name.
    input: { template: CampaignTemplate.extend({ name: seenName(80) }) },
    output: templates,
    errors: ['BAD_TOOL'],
  }),
  remove: operation({
    announced: true,
    access: 'write',
    input: { name: z.string().max(80) },
    output: templates,
  }),
};
