import type { CampaignTree } from '../model/campaign-tree.ts';
import { daysBetween, OPEN_END } from '../model/plain-date.ts';
import { isDeleted } from '../model/row.ts';
import { isMissing, type Report, type RuleEnv, rulesOf } from './rule.ts';

/** Total and daily budget, and whether they fit the flight and the bids. */
export const campaignBudget = rulesOf('campaign', 'budget', 'Campaign and ad group (fields named by the workflows)', {
  required: {
    bit: 13,
    severity: 'error',
    fields: ['dailyBudget', 'totalBudget'],
    text: 'Campaign "{label}" has no budget. Type a daily budget, a total budget, or both.',
  },
  'daily-required': {
    bit: 14,
    severity: 'error',
    fields: ['dailyBudget'],
    text: 'Video campaign "{label}" has no daily budget; a video campaign needs both budgets. Type a daily budget.',
  },
  'total-required': {
    bit: 15,
    severity: 'error',
    fields: ['totalBudget'],
    text: 'Video campaign "{label}" has no total budget; a video campaign needs both budgets. Type a total budget.',
  },
  'daily-positive': {
    bit: 16,
    severity: 'error',
    fields: ['dailyBudget'],
    text: 'The daily budget of campaign "{label}" is {daily:money}; it must be above 0. Type an amount.',
  },
  'total-positive': {
    bit: 17,
    severity: 'error',
    fields: ['totalBudget'],
    text: 'The total budget of campaign "{label}" is {total:money}; it must be above 0. Type an amount.',
  },
  'daily-over-total': {
    bit: 18,
    severity: 'error',
    fields: ['dailyBudget', 'totalBudget'],
    text: 'The daily budget of campaign "{label}" ({daily:money}) is above its total budget ({total:money}). Lower the daily or raise the total budget.',
  },
  'runs-out': {
    bit: 19,
    severity: 'warning',
    fields: ['totalBudget', 'dailyBudget'],
    section: 'practice',
    text: 'At {daily:money} a day campaign "{label}" spends its total budget in {days} of {flight} days. Raise the total or lower the daily budget.',
  },
  'starves-flight': {
    bit: 20,
    severity: 'warning',
    fields: ['dailyBudget'],
    section: 'practice',
    text: 'At {daily:money} a day campaign "{label}" can spend {most:money} of {total:money} until it ends. Raise the daily budget or lengthen the flight.',
  },
  'few-clicks': {
    bit: 21,
    severity: 'advice',
    fields: ['dailyBudget'],
    scope: 'campaign',
    section: 'practice',
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

/** Compares what the days of the flight can spend with what there is. Only before the flight: later, spending is known elsewhere. */
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
