import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Kind } from '../model/kinds.ts';
import { addDays } from '../model/plain-date.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import type { PlainDate, RowId } from '../model/scalars.ts';
import type { DeploymentProfile } from '../profile/profile.ts';
import { isUnderReview, needsReview } from './service-state.ts';
import { isGone } from './switch-states.ts';

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
] as const;
export type StepName = (typeof STEPS)[number];

/**
 * What a campaign still needs to go live (document, "Campaign status": review complete, profile approved, one
 * ad item and one keyword approved), as a checklist with the cheapest missing step first.
 */
export interface Step {
  readonly step: StepName;
  /** How long the step takes at most, in minutes; 0 for what the user does at once. */
  readonly minutes: number;
  /** And at least. */
  readonly least: number;
  readonly fix: StepFix;
}

/** What ends a step, or leads to where it ends. Only what asks for no choice of the user is done at once. */
export type StepFix =
  /** A row of this kind under the campaign; it needs nothing but a name. */
  | { readonly way: 'create'; readonly kind: 'adGroup' }
  /** The user says which: rows of this kind are added in a form. */
  | { readonly way: 'add'; readonly kind: Kind }
  /** The cell to change. */
  | { readonly way: 'go'; readonly kind: Kind; readonly id: RowId; readonly field: string }
  | { readonly way: 'sync' }
  | { readonly way: 'submit' }
  /** Nothing to do but wait; the service can be asked before the next look. */
  | { readonly way: 'look'; readonly at: 'reviews' | 'videos' };

export interface Eligibility {
  readonly isEligible: boolean;
  /** Missing steps, cheapest first; empty when nothing but the start date is waited for. */
  readonly missing: readonly Step[];
}

const DAY = 1440;

export function eligibility(tree: CampaignTree, profile: DeploymentProfile): Eligibility {
  const missing = [...partsMissing(tree), ...waits(tree, profile)].toSorted((a, b) => a.minutes - b.minutes);
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
    add('approval', { way: 'go', kind: first.kind, id: first.id, field: MENDED[first.kind] ?? 'reviewStatus' });
  }
  const all = [campaign, ...tree.adGroups, ...items.on, ...keywords.on, ...profiles.on];
  if (all.some((row) => row.dirty !== 0)) add('sync', { way: 'sync' });
  return steps;
}

/** Where a rejected part is mended; what an item or a keyword shows cannot be changed, so its row is shown. */
const MENDED: Partial<Record<Kind, string>> = { sbaProfile: 'headline', videoProfile: 'video' };

interface Parts<R> {
  readonly on: readonly R[];
  readonly off: readonly R[];
}

function partsOf<R extends AnyRow>(rows: readonly R[], on: (row: R) => boolean): Parts<R> {
  const there = rows.filter((row) => !isDeleted(row));
  return { on: there.filter(on), off: there.filter((row) => !on(row) && !isGone(row)) };
}

/** Why parts are switched off is known to the user alone, so the fix leads to their switch. */
function none({ off }: Parts<{ readonly id: RowId }>, kind: Kind, field: string): StepFix {
  const [first] = off;
  return first === undefined ? { way: 'add', kind } : { way: 'go', kind, id: first.id, field };
}

function waits({ campaign, adGroups, media, videoProfiles }: CampaignTree, profile: DeploymentProfile): Step[] {
  const steps: Step[] = [];
  if (!needsReview(campaign)) return steps;
  const used = new Set(videoProfiles.filter((row) => !isDeleted(row)).map((row) => row.values.video));
  const video = media.find((row) => used.has(row.id) && row.values.mediaState !== 'available');
  if (video !== undefined) steps.push(videoStep(video, profile.media.processingMinutes));
  const state = campaign.values.serviceStatus;
  const isDone = state === 'scheduled' || state === 'live' || state === 'rescheduled';
  const { min, max } = profile.review.days;
  const takes = { minutes: max * DAY, least: min * DAY };
  if (adGroups.some(isUnderReview)) {
    steps.push({ step: 'review', ...takes, fix: { way: 'look', at: 'reviews' } });
  } else if (!isDone) {
    steps.push({ step: 'submit', ...takes, fix: { way: 'submit' } });
  }
  return steps;
}

function videoStep({ id, values }: Row<'media'>, minutes: number): Step {
  return { step: 'video', minutes, least: 0, fix: videoFix(id, values.mediaState) };
}

function videoFix(id: RowId, state: Row<'media'>['values']['mediaState']): StepFix {
  if (state === 'failed') return { way: 'go', kind: 'media', id, field: 'mediaState' };
  return state === 'processing' ? { way: 'look', at: 'videos' } : { way: 'sync' };
}

const isOn = (status: string | null): boolean => status === null || status === 'enabled';

/** Last day on which a campaign can be submitted so that it is approved by its start; media needs most of a day of its own. */
export function submitBy(start: PlainDate, profile: DeploymentProfile, hasNewVideo: boolean): PlainDate {
  const mediaDays = hasNewVideo ? Math.ceil(profile.media.processingMinutes / DAY) : 0;
  return addDays(start, -(profile.review.days.max + mediaDays));
}
