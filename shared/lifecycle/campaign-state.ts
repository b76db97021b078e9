import type { CampaignTree } from '../model/campaign-tree.ts';
import { isUnknownWord } from '../model/field-types.ts';
import { FIELDS, type Values } from '../model/fields.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import type { PlainDate, UnknownWord } from '../model/scalars.ts';
import { type CampaignState, isUndecided, needsReview, type ServiceStatus, type StateSource } from './states.ts';

/** Stored data about a campaign between two evaluations. */
export interface StatusMemory {
  /** When a read last showed its status, in milliseconds since 1970, and the date in the business time zone then. */
  readonly readAt: number | null;
  readonly readOn: PlainDate | null;
  /** Since that read no write to the campaign was accepted, and no review has changed. */
  readonly isCurrent: boolean;
  /** When the service last reported anything about it: a read, an accepted write, or a changed review. */
  readonly heardAt: number | null;
  /** The assumed status on the service. */
  readonly believed: 'scheduled' | 'live' | 'paused' | 'completed' | null;
  readonly wasLive: boolean;
  /** Reviews and their outcomes at the last evaluation; null before the first. */
  readonly reviews: string | null;
}

export const NOTHING_REMEMBERED: StatusMemory = {
  readAt: null,
  readOn: null,
  isCurrent: false,
  heardAt: null,
  believed: null,
  wasLive: false,
  reviews: null,
};

const isBelief = (word: string | null): word is NonNullable<StatusMemory['believed']> =>
  word === 'scheduled' || word === 'live' || word === 'paused' || word === 'completed';

export interface DerivedState {
  readonly state: CampaignState;
  readonly source: StateSource;
  /** When the service last reported the data behind the state, in milliseconds since 1970; null for a local draft and if unknown. */
  readonly asOf: number | null;
  readonly memory: StatusMemory;
}

/** The statuses that count as a report. `enabled` and `proposal` are intermediate. */
const REPORTS: ReadonlySet<string | null> = new Set(['scheduled', 'rescheduled', 'live', 'paused', 'completed']);

/** Statuses that only a campaign has which was live before. */
const WAS_LIVE: ReadonlySet<string | null> = new Set(['rescheduled', 'live', 'paused', 'completed']);

/** Updates the memory after a read that showed this status. */
export function afterStatusRead(
  memory: StatusMemory,
  word: ServiceStatus | null,
  at: { readonly ms: number; readonly day: PlainDate },
): StatusMemory {
  const believed = beliefOf(word, memory.believed);
  return {
    ...memory,
    readAt: at.ms,
    readOn: at.day,
    heardAt: at.ms,
    isCurrent: REPORTS.has(word),
    believed,
    wasLive: memory.wasLive || WAS_LIVE.has(word),
  };
}

/**
 * Updates what is known of a campaign after an accepted write; `status` is the status that was sent, if any. The
 * response to a write does not count as a report.
 */
export function afterCampaignWrite(memory: StatusMemory, status: unknown, ms: number): StatusMemory {
  const heard = { ...memory, isCurrent: false, heardAt: ms };
  if (status === 'paused' || status === 'completed') return { ...heard, believed: status, wasLive: true };
  const isTakenUp = status === 'enabled' && (memory.believed === 'paused' || memory.believed === 'completed');
  return isTakenUp ? { ...heard, believed: 'scheduled' } : heard;
}

function beliefOf(
  word: ServiceStatus | UnknownWord | null,
  before: StatusMemory['believed'],
): StatusMemory['believed'] {
  if (word === 'rescheduled') return 'scheduled';
  if (word === 'proposal') return null;
  // Between a pause and the schedule; for a new campaign it has no meaning.
  if (word === 'enabled') return before === null ? null : 'scheduled';
  return isBelief(word) ? word : before;
}

/**
 * The one state of a campaign that every screen, rule and message shows, and its source. The first match applies:
 *
 *   not on the service -------------------------------------------------> draft
 *   status completed / live --------------------------------------------> ended / live, for any review
 *   every enabled profile, item or keyword was rejected, no review open -> rejected
 *   status paused / scheduled, rescheduled -----------------------------> paused / scheduled
 *   newest review open -------------------------------------------------> in-review
 *   video of the enabled video profile not available yet ---------------> processing
 *   needs no review, or the newest one approved ------------------------> scheduled
 *   anything else ------------------------------------------------------> draft
 *
 * Only a status from a read counts, and only until an event that may have changed it. Without one the state is
 * estimated from accepted requests, decisions of reviews, the videos and the calendar; the assumed status is
 * stored, because a review of later changes does not stop a live campaign.
 *
 * @param today the date in the business time zone
 * @returns the state, and the memory for the next evaluation
 */
export function deriveCampaignState(
  tree: CampaignTree,
  before: StatusMemory,
  today: PlainDate,
  nowMs: number,
): DerivedState {
  if (tree.campaign.remoteId === null) return { state: 'draft', source: 'local', asOf: null, memory: before };
  const heard = afterReviews(tree, before, nowMs);
  const { serviceStatus } = tree.campaign.values;
  const believed = isReported(tree.campaign, heard, today) ? beliefOf(serviceStatus, heard.believed) : null;
  if (believed !== null) {
    const memory = { ...heard, believed, wasLive: heard.wasLive || believed === 'live' };
    return { state: stateOfStatus(serviceStatus, tree), source: 'service', asOf: heard.readAt, memory };
  }
  const state = estimate(tree, heard, today);
  const memory =
    state === 'live' || state === 'scheduled'
      ? { ...heard, believed: state, wasLive: heard.wasLive || state === 'live' }
      : heard;
  return { state, source: 'estimated', asOf: heard.heardAt, memory };
}

/** The state of a campaign on the service with this status: the table from its second row on. */
export function stateOfStatus(status: ServiceStatus | UnknownWord | null, tree: CampaignTree): CampaignState {
  if (status === 'completed') return 'ended';
  if (status === 'live') return 'live';
  if (isRejected(tree)) return 'rejected';
  if (status === 'paused') return 'paused';
  if (status === 'scheduled' || status === 'rescheduled') return 'scheduled';
  const underWay = underWayState(tree);
  if (underWay !== null) return underWay;
  return !takesReview(tree) || newestReview(tree) === 'approved' ? 'scheduled' : 'draft';
}

/** A status from a read, with no write since, and neither the first nor the last day of the campaign passed since. */
function isReported({ values, base }: Row<'campaign'>, memory: StatusMemory, today: PlainDate): boolean {
  const { readOn, isCurrent } = memory;
  if (!isCurrent || readOn === null || !REPORTS.has(values.serviceStatus)) return false;
  const { startDate, endDate } = theirs(values, base);
  const hasStarted = startDate !== null && readOn < startDate && startDate <= today;
  const hasEnded = endDate !== null && readOn <= endDate && endDate < today;
  return !hasStarted && !hasEnded;
}

function estimate(tree: CampaignTree, memory: StatusMemory, today: PlainDate): CampaignState {
  const { values, base } = tree.campaign;
  const { startDate, endDate } = theirs(values, base);
  const hasStarted = startDate === null || startDate <= today;
  if ((endDate !== null && endDate < today) || memory.believed === 'completed') return 'ended';
  if (memory.believed === 'live') return 'live';
  if (isRejected(tree)) return 'rejected';
  if (memory.believed === 'paused') return 'paused';
  // Submitting later changes does not unschedule a campaign; only approved parts go live.
  if (memory.believed === 'scheduled') return hasStarted && hasApproved(tree) ? 'live' : 'scheduled';
  const underWay = underWayState(tree);
  if (underWay !== null) return underWay;
  if (!isEligible(tree)) return 'draft';
  return hasStarted ? 'live' : 'scheduled';
}

/** Updates the memory when reviews have changed. Reviews seen for the first time are no change. */
function afterReviews(tree: CampaignTree, memory: StatusMemory, nowMs: number): StatusMemory {
  const now = outcomesOf(tree);
  const reviews = [...now].map(([key, outcome]) => `${key}=${outcome}`).join(' ');
  if (memory.reviews === null) return { ...memory, reviews };
  if (memory.reviews === reviews) return memory;
  const known = new Map(memory.reviews.split(' ').map((each) => each.split('=') as [string, string]));
  const hasMoved = [...now].some(([key, outcome]) => (known.get(key) ?? outcome) !== outcome);
  if (!hasMoved) return { ...memory, reviews };
  return { ...memory, reviews, isCurrent: false, heardAt: nowMs, believed: beliefAfter(tree, memory) };
}

/**
 * A live campaign is paused when a review rejects a profile that it shows; a scheduled one loses its schedule.
 * Outcomes of single parts in an open review do not count yet.
 */
function beliefAfter(tree: CampaignTree, { believed, wasLive }: StatusMemory): StatusMemory['believed'] {
  const shown = profilesOf(tree).filter(isOn);
  const isRefused = shown.some(({ values }) => values.reviewStatus === 'rejected');
  if (!isRefused || tree.adGroups.some(isUndecided)) return believed;
  if (believed === 'live') return 'paused';
  const hasAnother = shown.some(({ values }) => values.reviewStatus === 'approved');
  if (believed !== 'scheduled' || hasAnother) return believed;
  return wasLive ? 'paused' : null;
}

/** Reviews of groups and outcomes of profiles, by a key for each. */
function outcomesOf(tree: CampaignTree): ReadonlyMap<string, string> {
  const outcomes = new Map<string, string>();
  for (const { id, values } of tree.adGroups) {
    if (values.reviewStatus !== null) outcomes.set(`g${id}`, `${values.reviewId ?? ''}:${values.reviewStatus}`);
  }
  for (const { id, values } of profilesOf(tree)) {
    if (values.reviewStatus !== null) outcomes.set(`p${id}`, values.reviewStatus);
  }
  return outcomes;
}

/**
 * Whether only the calendar keeps the campaign from being live: its review is complete, and a profile, an item and
 * with manual targeting a keyword are approved; types without a review need an enabled item.
 */
function isEligible(tree: CampaignTree): boolean {
  if (!takesReview(tree)) return onService(tree.adItems).some(isOn);
  const review = newestReview(tree);
  // The review of a campaign made elsewhere may be unknown; its approved parts are known.
  return (review === null || review === 'approved' || review === 'rejected') && hasApproved(tree);
}

/** A profile, an item and with manual targeting a keyword that are on and approved; none of which is unknown here. */
function hasApproved(tree: CampaignTree): boolean {
  if (!takesReview(tree)) return true;
  const keywords = onService(tree.keywords);
  // Where keywords can't be read, those of a campaign made elsewhere are missing here; its review includes them.
  const needsKeyword = tree.campaign.values.targetingType === 'manual' && keywords.length > 0;
  const lists: readonly (readonly Row[])[] = [
    profilesOf(tree),
    onService(tree.adItems),
    ...(needsKeyword ? [keywords] : []),
  ];
  // A profile that is submitted again is pending, but its approved content stays in use until the decision.
  const isOpen = tree.adGroups.some(isUndecided);
  // For a part with an unknown review word, the review of the group decides.
  const isWholeApproved = newestReview(tree) === 'approved';
  const isApproved = (row: Row): boolean =>
    reviewOf(row) === 'approved' ||
    (isOpen && row.kind.endsWith('Profile') && reviewOf(row) === 'pending') ||
    (isWholeApproved && isUnknownReview(row));
  return lists.every((rows) => rows.some((row) => isOn(row) && isApproved(row)));
}

/** No review is open, and all that is on of the profiles, of the items or (manual targeting) of the keywords was rejected. */
function isRejected(tree: CampaignTree): boolean {
  if (!takesReview(tree) || tree.adGroups.some(isUndecided)) return false;
  const isManual = tree.campaign.values.targetingType === 'manual';
  const lists: readonly (readonly Row[])[] = [
    profilesOf(tree),
    onService(tree.adItems),
    isManual ? onService(tree.keywords) : [],
  ];
  const hasOutcome = lists.some((rows) => rows.some((row) => isDecided(reviewOf(row))));
  if (!hasOutcome) return newestReview(tree) === 'rejected';
  return lists.some((rows) => {
    const on = rows.filter(isOn);
    return on.length > 0 && on.every((row) => reviewOf(row) === 'rejected');
  });
}

function underWayState(tree: CampaignTree): CampaignState | null {
  if (tree.adGroups.some(isUndecided)) return 'in-review';
  // The profile is created once its video is available, so until then it is here alone.
  const shown = new Set(
    tree.videoProfiles.filter((row) => !isDeleted(row) && isOn(row)).map(({ values }) => values.video),
  );
  const isOnItsWay = tree.media.some(
    ({ id, values }) => shown.has(id) && (values.mediaState === 'uploading' || values.mediaState === 'processing'),
  );
  return isOnItsWay ? 'processing' : null;
}

/** The outcome of the newest review; IDs of reviews only increase. */
function newestReview({ adGroups }: CampaignTree): Values<'adGroup'>['reviewStatus'] {
  const [newest] = adGroups
    .map(({ values }) => values)
    .filter(({ reviewStatus }) => reviewStatus !== null)
    .toSorted((a, b) => order(b.reviewId) - order(a.reviewId));
  return newest?.reviewStatus ?? null;
}
const order = (reviewId: string | null): number => Number(reviewId ?? 0);

const isTypeUnknown = ({ values: { campaignType } }: Row<'campaign'>): boolean =>
  campaignType === null || isUnknownWord(FIELDS.campaign.campaignType, campaignType);

/** Whether a campaign needs a review to go live. If its type is unknown, its profiles and reviews decide. */
export const takesReview = (tree: CampaignTree): boolean =>
  needsReview(tree.campaign) || (isTypeUnknown(tree.campaign) && (hasProfile(tree) || newestReview(tree) !== null));

/** A profile to be created counts, because it is submitted for review. */
const hasProfile = ({ sbaProfiles, videoProfiles }: CampaignTree): boolean =>
  [...sbaProfiles, ...videoProfiles].some((row) => !isDeleted(row));

const profilesOf = ({ sbaProfiles, videoProfiles }: CampaignTree): readonly Row<'sbaProfile' | 'videoProfile'>[] =>
  onService([...sbaProfiles, ...videoProfiles]);

/** Unsent rows do not change the state. */
const onService = <R extends { readonly dirty: number }>(rows: readonly R[]): readonly R[] =>
  rows.filter((row) => !isNew(row));

/** The service's side of a row, which an unsent edit does not change. */
const theirs = <V extends object>(values: V, base: V | null): V => base ?? values;

function isOn(row: Row): boolean {
  const { status, state } = theirs(row.values, row.base) as { status?: string | null; state?: string | null };
  const word = row.kind === 'keyword' ? state : status;
  return word === null || word === undefined || word === 'enabled';
}

const reviewOf = (row: Row): string | null => (row.values as { reviewStatus?: string | null }).reviewStatus ?? null;
const isUnknownReview = (row: Row): boolean => {
  const word = reviewOf(row);
  return word !== null && isUnknownWord(FIELDS.adItem.reviewStatus, word);
};
const isDecided = (reviewStatus: string | null): boolean => reviewStatus === 'approved' || reviewStatus === 'rejected';
