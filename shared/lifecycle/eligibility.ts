import type { CampaignTree } from '../model/campaign-tree.ts';
import { addDays } from '../model/plain-date.ts';
import { isDeleted } from '../model/row.ts';
import type { PlainDate } from '../model/scalars.ts';
import type { DeploymentProfile } from '../profile/profile.ts';
import { isUnderReview, needsReview } from './service-state.ts';

/**
 * What a campaign still needs to go live (document, "Campaign status": review complete, profile approved, one
 * ad item and one keyword approved), as a checklist with the cheapest missing step first.
 */
export interface Step {
  readonly step:
    | 'ad-group'
    | 'item'
    | 'keyword'
    | 'profile'
    | 'video'
    | 'sync'
    | 'submit'
    | 'review'
    | 'approval'
    | 'start';
  readonly text: string;
  /** How long the step takes at most, in minutes; 0 for what the user does at once. */
  readonly minutes: number;
}

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
  const add = (step: Step['step'], text: string): void => void steps.push({ step, text, minutes: 0 });
  const isThere = (row: { readonly dirty: number }): boolean => !isDeleted(row);
  const isReviewed = needsReview(tree.campaign);
  if (!tree.adGroups.some(isThere)) add('ad-group', 'Add an ad group.');
  const items = tree.adItems.filter((row) => isThere(row) && isOn(row.values.status));
  if (items.length === 0) add('item', 'Add an ad item.');
  const keywords = tree.keywords.filter((row) => isThere(row) && isOn(row.values.state));
  if (tree.campaign.values.targetingType === 'manual' && keywords.length === 0) add('keyword', 'Add a keyword.');
  const profiles = [...tree.sbaProfiles, ...tree.videoProfiles].filter(
    (row) => isThere(row) && isOn(row.values.status),
  );
  if (isReviewed && profiles.length === 0) {
    add('profile', tree.campaign.values.campaignType === 'video' ? 'Add a video.' : 'Add a brand profile.');
  }
  for (const [name, rows] of Object.entries({ item: items, keyword: keywords, profile: profiles })) {
    const isRejected = rows.length > 0 && rows.every((row) => row.values.reviewStatus === 'rejected');
    if (isRejected) add('approval', `Replace or correct the rejected ${name}s and submit them again.`);
  }
  const all = [tree.campaign, ...tree.adGroups, ...items, ...keywords, ...profiles];
  if (all.some((row) => row.dirty !== 0)) add('sync', 'Sync the changes.');
  return steps;
}

function waits({ campaign, adGroups, media, videoProfiles }: CampaignTree, profile: DeploymentProfile): Step[] {
  const steps: Step[] = [];
  if (!needsReview(campaign)) return steps;
  const used = new Set(videoProfiles.filter((row) => !isDeleted(row)).map((row) => row.values.video));
  if (media.some((row) => used.has(row.id) && row.values.mediaState !== 'available')) {
    const minutes = profile.media.processingMinutes;
    steps.push({ step: 'video', text: `Upload the video and wait about ${minutes} minutes for it.`, minutes });
  }
  const state = campaign.values.serviceStatus;
  const isDone = state === 'scheduled' || state === 'live' || state === 'rescheduled';
  const { min, max } = profile.review.days;
  const text = `The review takes ${min} to ${max} days.`;
  if (adGroups.some(isUnderReview)) steps.push({ step: 'review', text, minutes: max * DAY });
  else if (!isDone) steps.push({ step: 'submit', text: `Submit for review. ${text}`, minutes: max * DAY });
  return steps;
}

const isOn = (status: string | null): boolean => status === null || status === 'enabled';

/** Last day on which a campaign can be submitted so that it is approved by its start; media needs most of a day of its own. */
export function submitBy(start: PlainDate, profile: DeploymentProfile, hasNewVideo: boolean): PlainDate {
  const mediaDays = hasNewVideo ? Math.ceil(profile.media.processingMinutes / DAY) : 0;
  return addDays(start, -(profile.review.days.max + mediaDays));
}
