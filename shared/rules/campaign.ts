import { type CampaignState, isEstimated, offeredMoves, stateWords } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { addDays, daysBetween, OPEN_END } from '../model/plain-date.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import type { PlainDate } from '../model/scalars.ts';
import { controlCharacterAt, isLongerThan } from '../model/text.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';

/** The document gives no limit; longer names do not fit the lists of the retailer's console. */
const NAME_MAX = 255;

/** Name, type, targeting and flight of a campaign. */
export const campaignBasics = rulesOf('campaign', 'campaign', 'Campaign and ad group (fields named by the workflows)', {
  'name-required': {
    bit: 0,
    severity: 'error',
    fields: ['name'],
    name: 'Campaign without a name',
    text: 'This campaign has no name. Enter a name.',
  },
  'name-characters': {
    bit: 1,
    severity: 'error',
    fields: ['name'],
    name: 'Damaged campaign name',
    text: 'The name of campaign "{label}" contains an invisible or incomplete character at position {at}. Enter the name again.',
  },
  'name-length': {
    bit: 2,
    severity: 'error',
    fields: ['name'],
    name: 'Campaign name too long',
    text: 'The name of campaign "{label}" has more than {max} characters. Shorten it.',
  },
  'type-required': {
    bit: 3,
    severity: 'error',
    fields: ['campaignType'],
    name: 'No campaign type',
    text: `Campaign "{label}" has no type. Choose sponsored products, SBA or video. You can't change the type after the campaign is created.`,
  },
  'targeting-required': {
    bit: 4,
    severity: 'error',
    fields: ['targetingType'],
    name: 'No targeting type',
    text: 'Campaign "{label}" has no targeting type. Choose automatic or manual.',
  },
  'targeting-manual': {
    bit: 5,
    severity: 'error',
    fields: ['targetingType'],
    name: 'Manual targeting needed',
    text: 'Campaign "{label}" is of type {type}, which supports manual targeting only. Choose manual.',
  },
  'start-missing': {
    bit: 6,
    severity: 'warning',
    fields: ['startDate'],
    section: 'practice',
    name: 'No start date',
    text: 'Campaign "{label}" has no start date, so it may start today. Enter a start date.',
  },
  'start-before-today': {
    bit: 7,
    severity: 'error',
    fields: ['startDate'],
    name: 'Start date in the past',
    text: 'The start date of campaign "{label}", {start:day}, is before today ({today:day}). Choose today or a later date.',
  },
  'end-before-start': {
    bit: 8,
    severity: 'error',
    fields: ['endDate', 'startDate'],
    name: 'End date not after start date',
    text: 'The end date of campaign "{label}", {end:day}, is not after its start date, {start:day}. Choose a later end date or remove it.',
  },
  'end-passed': {
    bit: 9,
    severity: 'error',
    fields: ['endDate'],
    name: 'End date in the past',
    text: 'The end date of new campaign "{label}", {end:day}, is in the past. Choose a later end date or remove it.',
  },
  'start-far': {
    bit: 10,
    severity: 'warning',
    fields: ['startDate'],
    section: 'practice',
    name: 'Start date far away',
    text: 'Campaign "{label}" starts on {start:day}, more than a year from now. Check the year.',
  },
  'flight-long': {
    bit: 11,
    severity: 'advice',
    fields: ['endDate'],
    section: 'practice',
    name: 'Very long campaign',
    text: 'Campaign "{label}" runs for {days} days. Check the year of its end date.',
  },
  'name-blanks': {
    bit: 12,
    severity: 'advice',
    fields: ['name'],
    section: 'practice',
    name: 'Extra spaces in a campaign name',
    text: 'The name of campaign "{label}" has several spaces in a row, which makes it hard to find. Use single spaces.',
  },
  'name-unseen': {
    bit: 40,
    severity: 'warning',
    fields: ['name'],
    section: 'practice',
    name: 'Invisible characters in a campaign name',
    text: 'The name of campaign "{shown}" contains invisible characters, so it can look like another name. Enter the name again.',
  },
});

const NEEDS_MANUAL: ReadonlySet<string | null> = new Set(['video', 'sba']);

export function checkCampaignBasics({ campaign }: CampaignTree, env: RuleEnv, report: Report): void {
  const { name, campaignType, targetingType } = campaign.values;
  const rules = campaignBasics;
  if (isMissing(campaign, 'name')) report.add(rules['name-required'], campaign);
  if (name !== null) {
    const at = controlCharacterAt(name);
    if (at >= 0 || !name.isWellFormed()) report.add(rules['name-characters'], campaign, { at: at + 1 });
    if (isLongerThan(name, NAME_MAX)) report.add(rules['name-length'], campaign, { max: NAME_MAX });
    reportUnseen(rules['name-unseen'], campaign, 'name', name, report);
    if (/\S\s{2,}\S/u.test(name)) {
      const value = name.replace(/\s+/gu, ' ').trim();
      report.add(rules['name-blanks'], campaign, {}, { field: 'name', value });
    }
  }
  if (isMissing(campaign, 'campaignType')) report.add(rules['type-required'], campaign);
  if (NEEDS_MANUAL.has(campaignType) && (targetingType === 'auto' || isMissing(campaign, 'targetingType'))) {
    const fix = { field: 'targetingType', value: 'manual' };
    report.add(rules['targeting-manual'], campaign, { type: campaignType ?? '' }, fix);
  } else if (isMissing(campaign, 'targetingType')) report.add(rules['targeting-required'], campaign);
  checkFlight(campaign, env.today, report);
}

/** Whether a campaign has no day to run: it must end on a later day than it starts. */
export const endsTooEarly = (start: PlainDate, end: PlainDate): boolean => end <= start;

function checkFlight(campaign: CampaignTree['campaign'], today: PlainDate, report: Report): void {
  const rules = campaignBasics;
  const { startDate, endDate, status } = campaign.values;
  const end = endDate === OPEN_END ? null : endDate;
  if (startDate === null) {
    if (isNew(campaign)) report.add(rules['start-missing'], campaign);
  } else {
    // A flight that has begun keeps its start; only a newly set start must be in the future.
    const isSet = isNew(campaign) || (campaign.base !== null && campaign.base.startDate !== startDate);
    if (isSet && startDate < today) {
      const fix = { field: 'startDate', value: today };
      report.add(rules['start-before-today'], campaign, { start: startDate, today }, fix);
    }
    if (daysBetween(today, startDate) > 366) report.add(rules['start-far'], campaign, { start: startDate });
  }
  if (end === null) return;
  // A new campaign without a start date starts today.
  const start = startDate ?? (isNew(campaign) ? today : null);
  if (start !== null && endsTooEarly(start, end)) report.add(rules['end-before-start'], campaign, { start, end });
  else if (start !== null && daysBetween(start, end) > 730) {
    report.add(rules['flight-long'], campaign, { days: daysBetween(start, end) });
  }
  if (end < today && isNew(campaign) && status !== 'completed') report.add(rules['end-passed'], campaign, { end });
}

/** Total and daily budget, and whether they fit the flight and the bids. */
export const campaignBudget = rulesOf('campaign', 'budget', 'Campaign and ad group (fields named by the workflows)', {
  required: {
    bit: 13,
    severity: 'error',
    fields: ['dailyBudget', 'totalBudget'],
    name: 'No budget',
    text: 'Campaign "{label}" has no budget. Enter a daily budget, a total budget, or both.',
  },
  'daily-required': {
    bit: 14,
    severity: 'error',
    fields: ['dailyBudget'],
    name: 'No daily budget',
    text: 'Video campaign "{label}" has no daily budget. Video campaigns need both budgets. Enter a daily budget.',
  },
  'total-required': {
    bit: 15,
    severity: 'error',
    fields: ['totalBudget'],
    name: 'No total budget',
    text: 'Video campaign "{label}" has no total budget. Video campaigns need both budgets. Enter a total budget.',
  },
  'daily-positive': {
    bit: 16,
    severity: 'error',
    fields: ['dailyBudget'],
    name: 'Daily budget is zero',
    text: 'The daily budget of campaign "{label}" is {daily:money}, but it must be above 0. Enter an amount.',
  },
  'total-positive': {
    bit: 17,
    severity: 'error',
    fields: ['totalBudget'],
    name: 'Total budget is zero',
    text: 'The total budget of campaign "{label}" is {total:money}, but it must be above 0. Enter an amount.',
  },
  'daily-over-total': {
    bit: 18,
    severity: 'error',
    fields: ['dailyBudget', 'totalBudget'],
    name: 'Daily budget above the total',
    text: 'The daily budget of campaign "{label}" ({daily:money}) is above its total budget ({total:money}). Lower the daily budget or raise the total budget.',
  },
  'runs-out': {
    bit: 19,
    severity: 'warning',
    fields: ['totalBudget', 'dailyBudget'],
    section: 'practice',
    name: 'Budget ends early',
    text: 'At {daily:money} per day, campaign "{label}" spends its total budget in {days} of {flight} days. Raise the total budget or lower the daily budget.',
  },
  'starves-flight': {
    bit: 20,
    severity: 'warning',
    fields: ['dailyBudget'],
    section: 'practice',
    name: "Budget can't be spent",
    text: 'At {daily:money} per day, campaign "{label}" can spend only {most:money} of {total:money} before it ends. Raise the daily budget or choose a later end date.',
  },
  'few-clicks': {
    bit: 21,
    severity: 'advice',
    fields: ['dailyBudget'],
    scope: 'campaign',
    section: 'practice',
    name: 'Budget for few clicks',
    text: 'The daily budget of campaign "{label}" ({daily:money}) pays for fewer than {clicks} clicks at its highest bid ({bid:money}). Raise the budget or lower the bid.',
  },
});

const FEW_CLICKS = 5;

export function checkCampaignBudget(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { campaign } = tree;
  const { totalBudget: total, dailyBudget: daily, campaignType } = campaign.values;
  const rules = campaignBudget;
  if (campaignType === 'video') {
    if (isMissing(campaign, 'dailyBudget')) report.add(rules['daily-required'], campaign);
    if (isMissing(campaign, 'totalBudget')) report.add(rules['total-required'], campaign);
  } else if (daily === null && total === null) {
    const isEmptied = isMissing(campaign, 'dailyBudget') || isMissing(campaign, 'totalBudget');
    if (isEmptied) report.add(rules.required, campaign);
  }
  if (daily !== null && daily <= 0) report.add(rules['daily-positive'], campaign, { daily });
  if (total !== null && total <= 0) report.add(rules['total-positive'], campaign, { total });
  if (daily === null || daily <= 0) return;
  if (total !== null && total > 0) {
    if (daily > total) report.add(rules['daily-over-total'], campaign, { daily, total });
    else checkPace(tree, daily, total, env, report);
  }
  const bid = highestBid(tree);
  if (bid > 0 && bid <= daily && daily < bid * FEW_CLICKS) {
    report.add(rules['few-clicks'], campaign, { daily, bid, clicks: FEW_CLICKS });
  }
}

/**
 * Compares the possible spend over the days of the flight with the total budget. Only before the flight: the past
 * spend is not in the draft.
 */
function checkPace({ campaign }: CampaignTree, daily: number, total: number, env: RuleEnv, report: Report): void {
  const { startDate: start, endDate: end } = campaign.values;
  if (start === null || end === null || end === OPEN_END || end <= start || start < env.today) return;
  const flight = daysBetween(start, end) + 1;
  const most = daily * flight;
  if (most < total / 2) report.add(campaignBudget['starves-flight'], campaign, { daily, total, most });
  const days = Math.ceil(total / daily);
  if (days < flight / 2) report.add(campaignBudget['runs-out'], campaign, { daily, days, flight });
}

function highestBid({ adItems, keywords }: CampaignTree): number {
  let highest = 0;
  for (const row of keywords) {
    const { bid } = row.values;
    if (bid !== null && bid > highest && row.values.state !== 'archived' && !isDeleted(row)) highest = bid;
  }
  for (const row of adItems) {
    const { bid } = row.values;
    if (bid !== null && bid > highest && row.values.status !== 'deleted' && !isDeleted(row)) highest = bid;
  }
  return highest;
}

/** Rules for what a campaign needs before it can go live (document, "Campaign status": eligibility), and for the time left. */
export const campaignReadiness = rulesOf(
  'campaign',
  'ready',
  { section: 'Campaign status', scope: 'campaign' },
  {
    'no-ad-group': {
      bit: 30,
      severity: 'warning',
      name: 'No ad group',
      text: `Campaign "{label}" has no ad group, so it can't show ads. Add an ad group.`,
    },
    'no-item': {
      bit: 31,
      severity: 'warning',
      name: 'No enabled item',
      text: 'Campaign "{label}" has no enabled ad item. A campaign needs at least one approved item to go live. Add an item.',
    },
    'no-keyword': {
      bit: 32,
      severity: 'warning',
      name: 'No enabled keyword',
      text: 'Campaign "{label}" has no enabled keyword. With manual targeting, a campaign needs at least one keyword to go live. Add a keyword.',
    },
    'no-brand-profile': {
      bit: 33,
      severity: 'warning',
      name: 'No SBA profile',
      text: 'SBA campaign "{label}" has no SBA profile. It needs an approved profile to go live. Add an SBA profile.',
    },
    'no-video-profile': {
      bit: 34,
      severity: 'warning',
      name: 'No video',
      text: 'Video campaign "{label}" has no video. It needs an approved video to go live. Add a video.',
    },
    'start-too-soon': {
      bit: 35,
      severity: 'warning',
      fields: ['startDate'],
      section: 'Limits',
      name: 'Review may end late',
      text: 'Campaign "{label}" starts on {start:day}, but its review can take until {ready:day}. Submit it now, or choose a later start date.',
    },
    'all-items-rejected': {
      bit: 36,
      severity: 'warning',
      needs: 'service state',
      name: 'All items rejected',
      text: `The review rejected every ad item of campaign "{label}", so it can't go live. Replace an item and resubmit.`,
    },
    'all-keywords-rejected': {
      bit: 37,
      severity: 'warning',
      needs: 'service state',
      name: 'All keywords rejected',
      text: `The review rejected every keyword of campaign "{label}", so it can't go live. Add other keywords and resubmit.`,
    },
  },
);

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
  // A campaign that is live, was live or will be needs nothing, whichever parts could be read.
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

/** A review takes days; a start within them is missed unless the campaign is submitted at once. */
function checkStart({ campaign }: CampaignTree, { profile, today }: RuleEnv, report: Report): void {
  const { startDate: start, serviceStatus } = campaign.values;
  // The state of a campaign that was made elsewhere and never read is unknown.
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

/** Rules for status changes that are not possible from the present state; with an estimated state they only warn. */
export const campaignState = rulesOf(
  'campaign',
  'campaign-state',
  { section: 'Campaign status', fields: ['status'], needs: 'service state' },
  {
    'born-enabled': {
      bit: 22,
      severity: 'warning',
      needs: 'draft',
      name: 'Enabled when created',
      text: 'The service creates every campaign as enabled. After it is created, Adslate changes campaign "{label}" to {status}, if the connection supports that.',
    },
    'pause-from-live': {
      bit: 23,
      severity: 'error',
      name: "Can't be paused now",
      text: `Campaign "{label}" can't be paused, because it is {state}, not live. Revert the change, or wait until it is live.`,
    },
    'end-from-live': {
      bit: 24,
      severity: 'error',
      name: "Can't be ended now",
      text: `Campaign "{label}" can't be ended, because it is {state}, not live. Revert the change, or wait until it is live.`,
    },
    'extend-needs-end': {
      bit: 25,
      severity: 'error',
      fields: ['endDate'],
      name: 'Campaign has ended',
      text: 'Campaign "{label}" has ended. To restart it, choose an end date after today ({today:day}) or remove the end date.',
    },
    'completed-shows-nothing': {
      bit: 26,
      severity: 'warning',
      name: 'Change without effect',
      text: 'Campaign "{label}" has ended, so this change has no effect. To restart it, set its status to enabled and choose a later end date.',
    },
    'reenable-needs-review': {
      bit: 27,
      severity: 'warning',
      scope: 'campaign',
      name: 'Review needed to resume',
      text: `Campaign "{label}" can't resume yet, because not every component is approved. Submit it for review first.`,
    },
    'delete-impossible': {
      bit: 28,
      severity: 'warning',
      needs: 'draft',
      fields: [],
      name: "Campaign can't be deleted",
      text: `Campaign "{label}" is marked for deletion, but the service can't delete campaigns. Revert the deletion and end the campaign instead.`,
    },
    'start-after-live': {
      bit: 29,
      severity: 'warning',
      fields: ['startDate'],
      name: 'Start date of a live campaign',
      text: 'Campaign "{label}" is already {state}, so a new start date moves its schedule. Check the date.',
    },
    'pause-estimated': {
      bit: 42,
      severity: 'warning',
      name: 'Pausing might fail',
      text: 'The service might not pause campaign "{label}", which is probably {state}. Only live campaigns can be paused. Refresh the account, or wait until the campaign is live.',
    },
    'end-estimated': {
      bit: 43,
      severity: 'warning',
      name: 'Ending might fail',
      text: 'The service might not end campaign "{label}", which is probably {state}. Only live campaigns can be ended. Refresh the account, or wait until the campaign is live.',
    },
  },
);

const rules = campaignState;

/** Whether the service accepts this target now; an unknown state gives no issue. */
const isOffered = (state: CampaignState | null, target: 'paused' | 'completed'): boolean =>
  state === null || offeredMoves(state).some((move) => move.by === target);

const RUNNING: ReadonlySet<CampaignState | null> = new Set(['live', 'paused'] as const);

export function checkCampaignState(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { campaign } = tree;
  const { base } = campaign;
  if (isNew(campaign)) checkNew(campaign, report);
  else if (isDeleted(campaign)) report.add(rules['delete-impossible'], campaign);
  if (isNew(campaign) || base === null) return;
  const { status, campaignState: state, startDate } = campaign.values;
  const wants = status === base.status ? null : status;
  checkEnding(campaign, wants, base.status, report);
  if (base.status === 'completed' || (state === 'ended' && !isEstimated(campaign)))
    checkCompleted(campaign, wants, env, report);
  if (wants === 'enabled' && base.status === 'paused' && hasUnapprovedProfile(tree)) {
    report.add(rules['reenable-needs-review'], campaign);
  }
  if (startDate !== base.startDate && RUNNING.has(state)) {
    report.add(rules['start-after-live'], campaign, { state: stateOf(campaign) });
  }
}

type Campaign = CampaignTree['campaign'];
type Status = Campaign['values']['status'];

function checkNew(campaign: Campaign, report: Report): void {
  const { status } = campaign.values;
  if (status !== null && status !== 'enabled') report.add(rules['born-enabled'], campaign, { status });
}

/** Only a live campaign can be paused or ended. `proposal` comes from a read, and a sync reads again before it decides. */
function checkEnding(campaign: Campaign, wants: Status, before: Status, report: Report): void {
  const { campaignState: state, serviceStatus } = campaign.values;
  const isEnding = wants === 'paused' || wants === 'completed';
  if (!isEnding || isOffered(state, wants === 'paused' ? 'paused' : 'completed')) return;
  const isUnsure = isEstimated(campaign) && serviceStatus !== 'proposal';
  const reported = wants === 'paused' ? rules['pause-from-live'] : rules['end-from-live'];
  const estimated = wants === 'paused' ? rules['pause-estimated'] : rules['end-estimated'];
  report.add(
    isUnsure ? estimated : reported,
    campaign,
    { state: stateOf(campaign) },
    { field: 'status', value: before },
  );
}

/** A completed campaign can only be resumed by enabling it with a later end. */
function checkCompleted(campaign: Campaign, wants: Status, { today }: RuleEnv, report: Report): void {
  const { status, endDate } = campaign.values;
  if (wants === 'enabled') {
    const isOpen = endDate === null || endDate === OPEN_END;
    if (!isOpen && endDate <= today) report.add(rules['extend-needs-end'], campaign, { today });
  } else if (status === 'completed' && campaign.dirty !== 0) {
    report.add(rules['completed-shows-nothing'], campaign, {}, { field: 'status', value: 'enabled' });
  }
}

const stateOf = ({ values }: Campaign): string =>
  values.campaignState === null ? 'in an unknown state' : stateWords(values.campaignState);

function hasUnapprovedProfile({ sbaProfiles, videoProfiles }: CampaignTree): boolean {
  const profiles = [...sbaProfiles, ...videoProfiles].filter(
    (row) => !isDeleted(row) && row.values.status !== 'disabled',
  );
  return profiles.length > 0 && !profiles.some((row) => row.values.reviewStatus === 'approved');
}
