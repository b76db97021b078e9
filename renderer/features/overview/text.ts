import type { Launch } from '../../../shared/api/campaigns.ts';
import type { Overview, Pace } from '../../../shared/api/overview.ts';
import { countText, dayText, moneyText, plural, weekdayText, wholeMoneyText } from '../../app/locale/numbers.ts';
import type { Client } from '../../app/transport/connection.ts';

type WhatIf = NonNullable<Awaited<ReturnType<Client['suggestions']['list']>>['whatIf']>;

const signedText = (cents: number): string =>
  `${cents >= 0.5 ? '+' : cents <= -0.5 ? '−' : ''}${wholeMoneyText(Math.abs(Math.round(cents)))}`;

/** The next step of a campaign before it starts, short enough for a column. */
const NEXT: Readonly<Record<Launch['missing'][number]['step'], string>> = {
  'ad-group': 'No ad group yet',
  item: 'No items yet',
  keyword: 'No keywords yet',
  profile: 'No profile yet',
  video: 'No ready video yet',
  sync: 'Changes not sent yet',
  submit: 'Not submitted yet',
  review: 'Waiting for the review',
  approval: 'Fix what was rejected',
  errors: 'Fix the errors',
  enable: 'Not enabled',
  extend: 'Extend the campaign',
};

export const overviewTexts = {
  lastSync: (time: string) => (time === '' ? 'Last sync:' : `Last sync ${time}:`),
  syncing: 'in progress',
  sentOf: (sent: number, all: number) => (all === 0 ? 'nothing sent' : `${countText(sent)} of ${countText(all)} sent`),
  needAttention: (n: number) => (n === 1 ? '1 needs attention' : `${countText(n)} need attention`),
  offline: 'Offline. ',
  through: (day: string) => `Data through ${day}`,
  received: (time: string) => `Received ${time}`,
  scope: 'Campaigns to show',
  all: 'All campaigns',
  damaged: (from: string, to: string) => `The report for ${from} to ${to} is damaged, so its days are missing.`,
  again: 'Get latest data',
  tiles: 'Metrics of the period',
  names: { sales: 'Sales', spend: 'Spend', roas: 'ROAS', orders: 'Orders', cpc: 'Cost per click' },
  noMetrics: 'No metrics yet',
  noSales: 'No sales and no spend in this period',
  noCampaigns: 'No campaigns yet',
  get: 'Get the last 30 days',
  campaigns: (n: number) => plural(n, 'campaign'),
  before: (value: string) => `before ${value}`,
  up: 'up',
  down: 'down',
  chart: 'Sales and spend',
  noChart: 'Sales and spend of each day are shown here.',
  chartDay: 'Day',
  sales: 'Sales',
  spend: 'Spend',
  roas: 'ROAS',
  notSettled: 'Not settled',
  notSettledHint: 'Not settled: sales can still rise.',
  salesBefore: (days: number) => `Sales, ${plural(days, 'day')} before`,
  dayOf: (day: string, sales: string, spend: string, roas: string) =>
    `${day}: sales ${sales}, spend ${spend}, ROAS ${roas}`,
  starting: 'Starting in the next 14 days',
  startingNone: 'No campaign starts in the next 14 days.',
  launch: 'Launch',
  next: ({ submitBy, isLate, isReady, missing, needsReview, state }: Launch): string => {
    if (submitBy !== null && needsReview && state === 'draft')
      return isLate ? `Submit was due ${dayText(submitBy)}` : `Submit by ${weekdayText(submitBy)}`;
    const [first] = missing;
    if (first !== undefined) return NEXT[first.step];
    return isReady ? 'Nothing missing' : '';
  },
  pacing: 'Budget pacing',
  pacingNone: 'Live campaigns with a budget and metrics are listed here.',
  aDay: (amount: string) => `${amount} a day`,
  spent: (spent: string, budget: string) => `${spent} of ${budget} spent`,
  pace: ({ is, day, left }: Pace): string => {
    if (is === 'runs-out' && day !== null) return `Runs out ${dayText(day)}`;
    return is === 'left-over' && left !== null ? `${wholeMoneyText(left)} left over` : 'On pace';
  },
  lastSyncTitle: 'Last sync',
  result: ({ sent, failed, unresolved, notSent }: NonNullable<Overview['lastSync']>): string => {
    if (sent + failed + unresolved + notSent === 0) return 'nothing sent';
    return [
      `${countText(sent)} of ${countText(sent + failed + unresolved + notSent)} sent`,
      ...(failed > 0 ? [`${countText(failed)} failed`] : []),
      ...(unresolved > 0 ? [`${countText(unresolved)} unresolved`] : []),
    ].join(', ');
  },
  showResults: 'Show results',
  suggestions: 'Suggestions',
  showAll: 'Show all',
  noTarget: 'Set a target ROAS or keep spend steady, and Adslate suggests bids.',
  setTarget: 'Set a target',
  whatIf: ({ spend, newSpend, sales, low, high }: WhatIf): string =>
    `All bids, a week: sales ${signedText(low - sales)} to ${signedText(high - sales)}, spend ${signedText(newSpend - spend)}.`,
  changes: 'Largest changes',
  amount: moneyText,
} as const;
