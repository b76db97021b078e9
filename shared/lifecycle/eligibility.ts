import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import { isServiceMedia } from '../model/media.ts';
import { addDays, daysBetween, OPEN_END } from '../model/plain-date.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import type { PlainDate, RowId } from '../model/scalars.ts';
import { changeImpact } from './change-impact.ts';
import { isOn, isTerminal, isUndecided, needsReview } from './states.ts';

export const STEPS = [
  'ad-group',
  'item',
  'keyword',
  'profile',
  'video',
  'sync',
  'submit',
  'review',
  'approval',
  'errors',
  'enable',
  'extend',
] as const;
export type StepName = (typeof STEPS)[number];

/**
 * What a campaign still needs to go live (document, "Campaign status": review complete, profile approved, one
 * ad item and one keyword approved), as a checklist with the cheapest missing step first.
 */
export interface Step {
  readonly step: StepName;
  /** Maximum duration of the step, in minutes; 0 for immediate actions of the user. */
  readonly minutes: number;
  /** And at least. */
  readonly least: number;
  readonly fix: StepFix;
}

/** How a missing step is fixed: at once where the user has nothing to choose, else at the place it names. */
export type StepFix =
  /** A row of this kind in the campaign; it needs only a name. */
  | { readonly way: 'create'; readonly kind: 'adGroup' }
  /** The user selects: rows of this kind are added in a form. */
  | { readonly way: 'add'; readonly kind: Kind }
  /** The cell to change. */
  | { readonly way: 'go'; readonly kind: Kind; readonly id: RowId; readonly field: string }
  | { readonly way: 'sync' }
  | { readonly way: 'submit' }
  /** The campaign gets these values, which the next sync sends. */
  | {
      readonly way: 'write';
      readonly id: RowId;
      readonly values: { readonly status: 'enabled'; readonly endDate?: PlainDate };
    }
  /** This service has no call for it; the user does it in the retailer's console. */
  | { readonly way: 'outside' }
  /** Only waiting helps; the service can be polled early. */
  | { readonly way: 'look'; readonly at: 'reviews' | 'videos' };

export interface Eligibility {
  readonly isEligible: boolean;
  /** Missing steps, cheapest first; empty when nothing but the start date is waited for. */
  readonly missing: readonly Step[];
}

const DAY = 1440;
/** Duration of an extended campaign without a known earlier one. */
const FLIGHT_DAYS = 30;

export interface EligibilityEnv {
  readonly profile: DeploymentSettings;
  readonly today: PlainDate;
  /** Whether the connection offers updates of campaigns. */
  readonly campaignUpdate: boolean;
}

/**
 * The steps that a campaign lacks on its own. The plan knows which of them a sync would carry out now
 * (`plan/offered-steps.ts`).
 */
export function eligibility(tree: CampaignTree, env: EligibilityEnv): Eligibility {
  const found =
    tree.campaign.values.campaignState === 'ended'
      ? extend(tree, env)
      : [...partsMissing(tree), ...waits(tree, env.profile), ...enable(tree, env)];
  const missing = found.toSorted((a, b) => a.minutes - b.minutes);
  return { isEligible: missing.length === 0, missing };
}

function partsMissing(tree: CampaignTree): Step[] {
  const steps: Step[] = [];
  const add = (step: StepName, fix: StepFix): void => void steps.push({ step, minutes: 0, least: 0, fix });
  const { campaign } = tree;
  const items = partsOf(tree.adItems, (row) => isOn(row.values.status));
  const keywords = partsOf(tree.keywords, (row) => isOn(row.values.state));
  const profiles = partsOf([...tree.sbaProfiles, ...tree.videoProfiles], (row) => isOn(row.values.status));
  if (tree.adGroups.every(isDeleted)) {
    add('ad-group', { way: 'create', kind: 'adGroup' });
  }
  if (items.on.length === 0) add('item', none(items, 'adItem', 'status'));
  if (campaign.values.targetingType === 'manual' && keywords.on.length === 0) {
    add('keyword', none(keywords, 'keyword', 'state'));
  }
  if (needsReview(campaign) && profiles.on.length === 0) {
    const kind = campaign.values.campaignType === 'video' ? 'videoProfile' : 'sbaProfile';
    add('profile', none(profiles, kind, 'status'));
  }
  for (const { on } of [items, keywords, profiles]) {
    const [first] = on;
    if (first === undefined || on.some((row) => row.values.reviewStatus !== 'rejected')) continue;
    add('approval', { way: 'go', kind: first.kind, id: first.id, field: FIELD_TO_FIX[first.kind] ?? 'reviewStatus' });
  }
  const all = [campaign, ...tree.adGroups, ...items.on, ...keywords.on, ...profiles.on];
  if (all.some((row) => row.dirty !== 0)) add('sync', { way: 'sync' });
  return steps;
}

/** Field in which a rejected part is fixed; the content of items and keywords can't be changed, so their row is shown. */
const FIELD_TO_FIX: Partial<Record<Kind, string>> = { sbaProfile: 'headline', videoProfile: 'video' };

interface Parts<R> {
  readonly on: readonly R[];
  readonly off: readonly R[];
}

function partsOf<R extends AnyRow>(rows: readonly R[], on: (row: R) => boolean): Parts<R> {
  const there = rows.filter((row) => !isDeleted(row));
  return { on: there.filter(on), off: there.filter((row) => !on(row) && !isTerminal(row)) };
}

/** Only the user knows why parts are disabled, so the fix opens their switch. */
function none({ off }: Parts<{ readonly id: RowId }>, kind: Kind, field: string): StepFix {
  const [first] = off;
  return first === undefined ? { way: 'add', kind } : { way: 'go', kind, id: first.id, field };
}

function waits({ campaign, adGroups, media, videoProfiles }: CampaignTree, profile: DeploymentSettings): Step[] {
  const steps: Step[] = [];
  if (!needsReview(campaign)) return steps;
  const used = new Set(videoProfiles.filter((row) => !isDeleted(row)).map((row) => row.values.video));
  const video = media.find((row) => used.has(row.id) && row.values.mediaState !== 'available');
  if (video !== undefined) steps.push(videoStep(video, profile.media.processingMinutes));
  const state = campaign.values.campaignState;
  const isDone = state === 'scheduled' || state === 'live';
  const { min, max } = profile.review.days;
  const takes = { minutes: max * DAY, least: min * DAY };
  if (adGroups.some(isUndecided)) {
    steps.push({ step: 'review', ...takes, fix: { way: 'look', at: 'reviews' } });
  } else if (!isDone) {
    steps.push({ step: 'submit', ...takes, fix: { way: 'submit' } });
  }
  return steps;
}

/** A paused campaign does not go live automatically: once all of it is approved, it must be enabled again. */
function enable(tree: CampaignTree, { campaignUpdate }: EligibilityEnv): Step[] {
  const { id, values, base } = tree.campaign;
  if (values.campaignState !== 'paused' || changeImpact('campaign', 'status', tree).cost !== 'immediate') return [];
  const there = (base ?? values).status;
  // Enabled in the drafts already, so it waits for the sync.
  if (there === 'paused' && values.status === 'enabled') return [];
  const isWritable = campaignUpdate && there === 'paused';
  const fix: StepFix = isWritable ? { way: 'write', id, values: { status: 'enabled' } } : { way: 'outside' };
  return [{ step: 'enable', minutes: 0, least: 0, fix }];
}

/** A completed campaign resumes with a later end: as long as before, or a default without a known end. */
function extend(tree: CampaignTree, { campaignUpdate, today }: EligibilityEnv): Step[] {
  const { id, values, base, dirty } = tree.campaign;
  if ((base ?? values).status !== 'completed') return [];
  if (values.status === 'enabled') {
    return dirty === 0 ? [] : [{ step: 'sync', minutes: 0, least: 0, fix: { way: 'sync' } }];
  }
  const endDate = laterEnd(values, today);
  const fix: StepFix = campaignUpdate
    ? { way: 'write', id, values: { status: 'enabled', ...(endDate === null ? {} : { endDate }) } }
    : { way: 'outside' };
  return [{ step: 'extend', minutes: 0, least: 0, fix }];
}

/** A last day that repeats the duration of the campaign, from its old last day or from today; null without an end. */
export function laterEnd({ startDate, endDate }: Row<'campaign'>['values'], today: PlainDate): PlainDate | null {
  if (endDate === null || endDate === OPEN_END) return null;
  const days = startDate === null ? FLIGHT_DAYS : Math.max(1, daysBetween(startDate, endDate));
  return addDays(endDate > today ? endDate : today, days);
}

function videoStep(video: Row<'media'>, minutes: number): Step {
  const { id, values } = video;
  const fix = isServiceMedia(video) ? videoElsewhere(video) : videoFix(id, values.mediaState);
  return { step: 'video', minutes, least: 0, fix };
}

function videoFix(id: RowId, state: Row<'media'>['values']['mediaState']): StepFix {
  if (state === 'failed') return { way: 'go', kind: 'media', id, field: 'mediaState' };
  return state === 'processing' ? { way: 'look', at: 'videos' } : { way: 'sync' };
}

/** Nothing of a video that was uploaded elsewhere can be sent from here. */
const videoElsewhere = ({ id, values }: Row<'media'>): StepFix =>
  values.mediaState === 'failed'
    ? { way: 'go', kind: 'media', id, field: 'mediaState' }
    : { way: 'look', at: 'videos' };

/** Durations at the service, from the deployment settings. */
export interface WaitSettings {
  readonly review: { readonly days: { readonly max: number } };
  readonly media: { readonly processingMinutes: number };
}

/** Last day to submit a campaign so that it is approved by its start; new media need most of an extra day. */
export function submitBy(start: PlainDate, profile: WaitSettings, hasNewVideo: boolean): PlainDate {
  const mediaDays = hasNewVideo ? Math.ceil(profile.media.processingMinutes / DAY) : 0;
  return addDays(start, -(profile.review.days.max + mediaDays));
}

/**
 * Maximum cost of a campaign from its first to its last day, both included.
 *
 * @returns null without two days in order, or without a daily budget
 */
export function flightCost(
  start: PlainDate | null,
  end: PlainDate | null,
  dailyCents: number | null,
  totalCents: number | null,
): { readonly days: number; readonly cents: number; readonly isCapped: boolean } | null {
  if (start === null || end === null || end === OPEN_END || dailyCents === null || end < start) return null;
  const days = daysBetween(start, end) + 1;
  const cents = days * dailyCents;
  return totalCents === null || totalCents >= cents
    ? { days, cents, isCapped: false }
    : { days, cents: totalCents, isCapped: true };
}
