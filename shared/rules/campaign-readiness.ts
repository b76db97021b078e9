import type { CampaignState } from '../lifecycle/campaign-states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { addDays, daysBetween } from '../model/plain-date.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

/** What a campaign lacks before it can go live (document, "Campaign status": eligibility), and whether there is time. */
export const campaignReadiness = rulesOf('campaign', 'ready', 'Campaign status', {
  'no-ad-group': {
    bit: 30,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    text: 'Campaign "{label}" has no ad group, so nothing can be advertised. Add an ad group.',
  },
  'no-item': {
    bit: 31,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    text: 'Campaign "{label}" has no enabled ad item; it needs at least one approved item to go live. Add an item.',
  },
  'no-keyword': {
    bit: 32,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    text: 'Campaign "{label}" has no enabled keyword; with manual targeting it needs at least one to go live. Add a keyword.',
  },
  'no-brand-profile': {
    bit: 33,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    text: 'Brand campaign "{label}" has no brand profile; it needs an approved one to go live. Add a brand profile.',
  },
  'no-video-profile': {
    bit: 34,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    text: 'Video campaign "{label}" has no video; it needs an approved video profile to go live. Add a video.',
  },
  'start-too-soon': {
    bit: 35,
    severity: 'warning',
    fields: ['startDate'],
    section: 'Limits',
    scope: 'campaign',
    text: 'Campaign "{label}" starts on {start:day}, but its review may last until {ready:day}. Submit it at once, or start later.',
  },
  'all-items-rejected': {
    bit: 36,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    needs: 'service state',
    text: 'The review rejected every ad item of campaign "{label}", so it cannot go live. Replace an item and submit again.',
  },
  'all-keywords-rejected': {
    bit: 37,
    severity: 'warning',
    fields: [],
    scope: 'campaign',
    needs: 'service state',
    text: 'The review rejected every keyword of campaign "{label}", so it cannot go live. Add other keywords and submit again.',
  },
});

const WAITING: ReadonlySet<CampaignState | null> = new Set([
  null,
  'draft',
  'processing',
  'in-review',
  'rejected',
] as const);

export function checkReadiness(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { campaign } = tree;
  const { campaignType, targetingType, status, campaignState } = campaign.values;
  if (status === 'completed' || isDeleted(campaign)) return;
  // A campaign that was or will be live lacks nothing, whatever of it could be read.
  if (!WAITING.has(campaignState)) return;
  const rules = campaignReadiness;
  if (!tree.adGroups.some((row) => !isDeleted(row))) report.add(rules['no-ad-group'], campaign);
  const items = counts(tree.adItems, (row) => row.values.status !== 'disabled' && row.values.status !== 'deleted');
  if (items.on === 0) report.add(rules['no-item'], campaign);
  else if (items.rejected === items.on) report.add(rules['all-items-rejected'], campaign);
  if (targetingType === 'manual') {
    const keywords = counts(tree.keywords, (row) => row.values.state !== 'paused' && row.values.state !== 'archived');
    if (keywords.on === 0) report.add(rules['no-keyword'], campaign);
    else if (keywords.rejected === keywords.on) report.add(rules['all-keywords-rejected'], campaign);
  }
  const noSba = !tree.sbaProfiles.some((row) => !isDeleted(row));
  if (campaignType === 'sba' && noSba) report.add(rules['no-brand-profile'], campaign);
  const noVideo = !tree.videoProfiles.some((row) => !isDeleted(row));
  if (campaignType === 'video' && noVideo) report.add(rules['no-video-profile'], campaign);
  if (campaignType === 'sba' || campaignType === 'video') checkStart(tree, env, report);
}

/** A review takes days; a start inside them is missed unless the review is asked for at once. */
function checkStart({ campaign }: CampaignTree, { profile, today }: RuleEnv, report: Report): void {
  const { startDate: start, serviceStatus } = campaign.values;
  // Of a campaign that was made elsewhere and never read nobody knows what it waits for.
  const isWaiting = isNew(campaign) || serviceStatus !== null;
  if (start === null || !isWaiting || start < today) return;
  const ready = addDays(today, profile.review.days.max);
  if (daysBetween(start, ready) > 0) report.add(campaignReadiness['start-too-soon'], campaign, { start, ready });
}

interface OnRow extends Row<'adItem' | 'keyword'> {}

function counts<R extends OnRow>(rows: readonly R[], isOn: (row: R) => boolean): { on: number; rejected: number } {
  let on = 0;
  let rejected = 0;
  for (const row of rows) {
    if (isDeleted(row) || !isOn(row)) continue;
    on++;
    if (row.values.reviewStatus === 'rejected') rejected++;
  }
  return { on, rejected };
}
