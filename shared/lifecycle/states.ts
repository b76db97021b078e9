import { isUnknownWord } from '../model/field-types.ts';
import { type AnyValues, FIELDS, type Values } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import type { Row } from '../model/row.ts';
import type { UnknownWord } from '../model/scalars.ts';

/**
 * Campaign status as the document names it ("States and transitions"). Screens show the state derived from it
 * (`campaign-state.ts`).
 *
 *   create --> enabled --> proposal --> enabled --> scheduled --> live --> completed
 *                             | not eligible: stays     pause |  ^   \          | extend
 *                             v                               v  |    \         v
 *                         change, resubmit                  paused    +--> rescheduled --> live
 *                                                             | re-enable (review complete, eligible)
 *                                                             +--> enabled --> rescheduled
 */
export type ServiceStatus = Exclude<Values<'campaign'>['serviceStatus'], UnknownWord | null>;

/** The word that is shown for a campaign, and where it is from (`campaign-state.ts`). */
export type CampaignState = NonNullable<Values<'campaign'>['campaignState']>;
export const CAMPAIGN_STATES = FIELDS.campaign.campaignState.type.choices;
export type StateSource = NonNullable<Values<'campaign'>['stateSource']>;

export interface Transition {
  readonly from: ServiceStatus;
  readonly to: ServiceStatus;
  /** The cause: the service, the review, or a call of ours (the status we send). */
  readonly by: 'service' | 'review' | 'paused' | 'enabled' | 'completed' | 'extend';
  readonly when: string;
}

export const CAMPAIGN_TRANSITIONS: readonly Transition[] = [
  { from: 'enabled', to: 'proposal', by: 'service', when: 'brand and video campaigns, soon after creation' },
  { from: 'proposal', to: 'enabled', by: 'review', when: 'the review is complete and the campaign eligible' },
  { from: 'enabled', to: 'scheduled', by: 'service', when: 'a profile, an item and a keyword are approved' },
  { from: 'scheduled', to: 'live', by: 'service', when: 'the start date is reached' },
  { from: 'rescheduled', to: 'live', by: 'service', when: 'the start date is reached' },
  { from: 'live', to: 'paused', by: 'paused', when: 'at once' },
  { from: 'live', to: 'paused', by: 'review', when: 'the review rejects the profile of a live campaign' },
  { from: 'paused', to: 'enabled', by: 'enabled', when: 'the review is complete and the campaign eligible' },
  { from: 'enabled', to: 'rescheduled', by: 'service', when: 'the campaign was paused before' },
  { from: 'live', to: 'completed', by: 'completed', when: 'at once' },
  { from: 'live', to: 'completed', by: 'service', when: 'the end date has passed' },
  { from: 'completed', to: 'rescheduled', by: 'extend', when: 'with an end after today' },
  { from: 'scheduled', to: 'proposal', by: 'review', when: 'the review rejects the profile before the start' },
  { from: 'rescheduled', to: 'paused', by: 'review', when: 'the review rejects the profile before the start' },
];

const STATUS_OF: Readonly<Partial<Record<CampaignState, ServiceStatus>>> = {
  live: 'live',
  paused: 'paused',
  ended: 'completed',
};

/** The transitions that a user can request in a state. */
export const offeredMoves = (state: CampaignState): readonly Transition[] =>
  CAMPAIGN_TRANSITIONS.filter(
    (move) => move.from === STATUS_OF[state] && move.by !== 'service' && move.by !== 'review',
  );

/** States of campaigns, reviews, components and media files as shown, by the stored or the service's word. */
export const STATUS_NAMES = {
  draft: 'Draft',
  processing: 'Processing',
  'in-review': 'In review',
  rejected: 'Rejected',
  scheduled: 'Scheduled',
  live: 'Live',
  paused: 'Paused',
  ended: 'Ended',
  completed: 'Ended',
  enabled: 'Enabled',
  proposal: 'In review',
  rescheduled: 'Scheduled',
  pending: 'In review',
  'in-progress': 'In review',
  cancelled: 'Canceled',
  approved: 'Approved',
  local: 'Not uploaded',
  uploading: 'Uploading',
  available: 'Ready',
  failed: 'Failed',
} as const;

/** The phases of a sync in their order, as shown. */
export const SYNC_PHASES = {
  resolving: 'Checking unconfirmed requests',
  pulling: 'Reading affected rows',
  planning: 'Preparing the plan',
  uploading: 'Uploading media',
  sending: 'Sending',
  'reading-back': 'Verifying results',
  submitting: 'Submitting for review',
  waiting: 'Waiting for the service',
  done: 'Done',
} as const;

/** Display name of a status; an unknown word of the service is quoted. */
export const statusName = (status: string): string =>
  Object.hasOwn(STATUS_NAMES, status) ? STATUS_NAMES[status as keyof typeof STATUS_NAMES] : `"${status}"`;

const WORDS: Readonly<Partial<Record<CampaignState, string>>> = {
  draft: 'a draft on the service',
  'in-review': 'in review',
  processing: 'waiting for its video',
};

/** A state within a sentence: "the campaign is ...". */
export const stateWords = (state: CampaignState): string => WORDS[state] ?? state;

/**
 * Review of an ad group, and processing of a video (document, "Review status"; wire shapes, section 4).
 *
 *   submit --> pending --> in-progress --> approved         request, upload, complete
 *                 |             |     \--> rejected              |
 *                 +--- cancel --+                          local --> uploading --> processing --> available
 *                        v                                   ^---- cut off ---|         \--> failed --> upload again
 *                    cancelled --> submit again
 *
 * The review of one part, which ad operations may revise:
 *
 *   pending --> approved <--> rejected        back to pending by re-enabling, new content or another submission
 */
export type ReviewState = Exclude<Values<'adGroup'>['reviewStatus'], UnknownWord | null>;
export type PartReview = Exclude<Values<'adItem'>['reviewStatus'], UnknownWord | null>;

/** Parses the service's word for a review in any spelling; unknown words are null and shown unchanged. */
export function reviewState(word: string): ReviewState | null {
  const known: Readonly<Record<string, ReviewState>> = {
    pending: 'pending',
    submitted: 'pending',
    inprogress: 'in-progress',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    approved: 'approved',
    rejected: 'rejected',
  };
  const key = word.toLowerCase().replace(/[\s_-]+/g, '');
  return Object.hasOwn(known, key) ? (known[key] ?? null) : null;
}

/**
 * Review outcome of one part: a profile, an item, a keyword. `complete` stands for both outcomes, and the reason
 * decides (wire shapes, section 5, "SBA profile"); unknown words are null.
 */
export function partReview(word: string, reason: string | null): PartReview | null {
  if (isComplete(word)) return (reason ?? '').trim() === '' ? 'approved' : 'rejected';
  const state = reviewState(word);
  return state === 'in-progress' ? 'pending' : state === 'cancelled' ? null : state;
}

/** A switch of a row; an empty one is the default, enabled. */
export const isOn = (status: string | null): boolean => status === null || status === 'enabled';

/** Whether a review is over without an outcome of its own: its components have one (wire shapes, section 2, "Two dialects"). */
export const isComplete = (word: string): boolean => word.trim().toLowerCase() === 'complete';

/**
 * Scheduled or live: enabled profiles can't change now (document, "SBA update"). A rescheduled campaign is neither:
 * the document names these two only, and the service accepts changes of a profile while it waits.
 */
export const isActive = ({ values }: Row<'campaign'>): boolean =>
  values.campaignState === 'live' ||
  (values.campaignState === 'scheduled' &&
    !(values.stateSource === 'service' && values.serviceStatus === 'rescheduled'));

/** A state that the service has not reported may be outdated: it causes warnings, but blocks nothing. */
export const isEstimated = ({ values }: Row<'campaign'>): boolean => values.stateSource !== 'service';

/** Whether the group has an open review, which blocks all changes except bids, budgets and disabling. */
export const isUnderReview = (group: Row<'adGroup'>): boolean =>
  group.values.reviewStatus === 'pending' || group.values.reviewStatus === 'in-progress';

/**
 * Whether the newest review of the group has no known outcome: it is open, or has a word that this version does not
 * know. An unknown word blocks nothing, because it may never change.
 */
export const isUndecided = (group: Row<'adGroup'>): boolean =>
  isUnderReview(group) || isUnknownWord(FIELDS.adGroup.reviewStatus, group.values.reviewStatus);

/** Campaign types whose parts are reviewed before they go live; the others start on their date. */
export const needsReview = (campaign: Row<'campaign'>): boolean =>
  campaign.values.campaignType === 'sba' || campaign.values.campaignType === 'video';

/**
 * The switches of the parts of a campaign (document, "Ad items, keywords and video profile"; wire shapes, section 4).
 *
 *   ad group, profiles   enabled <--> disabled
 *   ad item              enabled <--> disabled, either --> deleted, permanently
 *   keyword              enabled <--> paused,   either --> archived, permanently
 */
type Switch = Readonly<Record<string, readonly string[]>>;
type Known<State> = Exclude<State, UnknownWord | null>;
type Of<State extends string | null> = Readonly<Record<Known<State>, readonly Known<State>[]>>;

const ON_OFF = { enabled: ['disabled'], disabled: ['enabled'] } as const;

export const PART_STATE_TRANSITIONS = {
  adGroup: ON_OFF satisfies Of<Values<'adGroup'>['status']>,
  adItem: {
    enabled: ['disabled', 'deleted'],
    disabled: ['enabled', 'deleted'],
    deleted: [],
  } satisfies Of<Values<'adItem'>['status']>,
  keyword: {
    enabled: ['paused', 'archived'],
    paused: ['enabled', 'archived'],
    archived: [],
  } satisfies Of<Values<'keyword'>['state']>,
  sbaProfile: ON_OFF satisfies Of<Values<'sbaProfile'>['status']>,
  videoProfile: ON_OFF satisfies Of<Values<'videoProfile'>['status']>,
} as const;

const TABLES: Readonly<Partial<Record<Kind, Switch>>> = PART_STATE_TRANSITIONS;

/**
 * The final status in these values: `deleted` of an item, `archived` of a keyword; null without one. The service creates
 * no row with it, and such a row can be added again as another one.
 */
export function finalStatus(kind: Kind, { status, state }: Partial<AnyValues>): string | null {
  const word = kind === 'keyword' ? state : status;
  return typeof word === 'string' && TABLES[kind]?.[word]?.length === 0 ? word : null;
}

/** Whether the row is in a final state on the service: nothing of it can change. */
export const isTerminal = ({ kind, base, values }: Row): boolean => finalStatus(kind, base ?? values) !== null;
