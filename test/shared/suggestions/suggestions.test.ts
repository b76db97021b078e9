import { describe, expect, test } from 'vitest';
import { asRowId } from '../../../shared/model/scalars.ts';
import * as alerts from '../../../shared/suggestions/alerts.ts';
import * as bannerSwap from '../../../shared/suggestions/banner-swap.ts';
import * as bid from '../../../shared/suggestions/bid.ts';
import * as exposure from '../../../shared/suggestions/exposure.ts';
import type { SuggestionFacts } from '../../../shared/suggestions/facts.ts';
import * as holdSpend from '../../../shared/suggestions/hold-spend.ts';
import * as multipliers from '../../../shared/suggestions/multipliers.ts';
import * as noSale from '../../../shared/suggestions/no-sale.ts';
import * as pacing from '../../../shared/suggestions/pacing.ts';
import * as shrinkage from '../../../shared/suggestions/shrinkage.ts';
import { suggest } from '../../../shared/suggestions/suggest.ts';
import { explain, isDismissed, type Suggestion, suggestionKey } from '../../../shared/suggestions/suggestion.ts';
import * as whatIf from '../../../shared/suggestions/what-if.ts';
import { ASSUMED } from '../../../shared/suggestions/what-if.ts';
import * as words from '../../../shared/suggestions/words.ts';
import { type Arithmetic, CASES } from './cases.ts';

const arithmetic: Arithmetic = {
  ...alerts,
  ...bannerSwap,
  ...bid,
  ...exposure,
  ...holdSpend,
  ...multipliers,
  ...noSale,
  ...pacing,
  ...shrinkage,
  ...whatIf,
  ...words,
};

describe('the arithmetic of suggestions', () => {
  test.each(Object.entries(CASES))('%s', (_, check) => check(arithmetic));
});

type Metrics = readonly [campaign: number, text: string, clicks: number, orders: number, adGroup?: number];

/**
 * Two campaigns, each with an ad group that advertises an item and has keywords; the first text sells.
 *
 * @param others rows beside those
 */
function twoCampaigns(
  items: readonly [string, string],
  texts: readonly [string, string, string],
  others: { readonly keywords: readonly Metrics[]; readonly adItems: readonly Metrics[] } = {
    keywords: [],
    adItems: [],
  },
): SuggestionFacts {
  const none = new Float64Array(0);
  const series = { firstDay: 0, impressions: none, clicks: none, spend: none, orders: none, sales: none };
  const campaigns = ['Pans', 'Gifts'].map((name, at) => ({
    ...{ id: asRowId(at + 1), name, isVideo: false, isLive: true, dailyBudget: 100_000, totalBudget: null, series },
    goal: { scope: { of: 'account' as const }, goal: { is: 'roas' as const, target: 300 } },
    ...{ budgetEffect: 'immediate' as const, barred: null },
  }));
  const rowsOf = (rows: readonly Metrics[]) => {
    const column = (at: 2 | 3, times = 1) => Float64Array.from(rows, (row) => row[at] * times);
    const empty = new Float64Array(rows.length);
    return {
      rows: rows.map(([campaign, text, , , adGroup = 10 + campaign], at) => ({
        ...{ id: asRowId(100 * rows.length + at), campaign, adGroupId: asRowId(adGroup), label: text, text },
        ...{ matchType: 'exact' as const, bid: 50, isEnabled: true, barred: null, effect: 'immediate' as const },
        ...{ sentOn: null, pausedOn: null, startedOn: null },
      })),
      counted: { clicks: column(2), orders: column(3), sales: column(3, 3000) },
      settled: { clicks: column(2), orders: column(3), spend: column(2, 40) },
      ...{ clicks: column(2), spend: column(2, 40), clicksTimesBid: column(2, 50), weekClicks: empty },
      ...{
        weekSpend: empty,
        monthSpend: empty,
        impressions: empty,
        impressionDays: 14,
        spendAfterPause: empty,
        daysAfterPause: empty,
      },
    };
  };
  const [best, other, theirs] = texts;
  return {
    ...{
      today: 20_000,
      newestDay: 19_999,
      weekDays: 7,
      monthDays: 28,
      campaigns,
      placeMetrics: [],
      swaps: [],
      plans: [],
    },
    keywords: rowsOf([[0, best, 300, 30], [0, other, 300, 3], [1, theirs, 300, 3], ...others.keywords]),
    adItems: rowsOf([[0, items[0], 0, 0], [1, items[1], 0, 0], ...others.adItems]),
    ...{ days: [], response: ASSUMED, dismissals: new Map() },
    limits: { floorItem: null, floorVideoKeyword: null, max: null, multiplierMax: 0, textsMax: 200 },
  };
}

test('a text that sells is added to another campaign with the same item, where it is not there yet', () => {
  const harvested = (facts: SuggestionFacts) => suggest(facts).suggestions.filter(({ kind }) => kind === 'harvest');
  const [found, ...more] = harvested(twoCampaigns(['7', '7'], ['copper pan', 'pan', 'gift']));
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    label: 'copper pan',
    campaignId: 2,
    suggested: 48,
    numbers: { into: 11, matchType: 'exact' },
  });
  expect(explain(found as Suggestion).summary).toContain(
    'Add this text to "Gifts" as exact match with a bid of $0.48.',
  );
  expect(suggestionKey(found as Suggestion)).toBe('harvest:keyword:300:11');
  // The keyword is new: the bid of the one it comes from stays.
  expect(found?.current).toBeNull();
  expect(harvested(twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']))).toEqual([]);
  expect(harvested(twoCampaigns(['7', '7'], ['copper pan', 'pan', 'copper pan']))).toEqual([]);
});

test('a text that sells is still suggested for another campaign after its own bid was edited here', () => {
  const facts = twoCampaigns(['7', '7'], ['copper pan', 'pan', 'gift']);
  const harvestedWith = (barred: 'edited' | 'deleted') => {
    const rows = facts.keywords.rows.map((row) => ({ ...row, barred }));
    const { suggestions } = suggest({ ...facts, keywords: { ...facts.keywords, rows } });
    return suggestions.filter(({ kind }) => kind === 'harvest').map(({ label }) => label);
  };
  expect(harvestedWith('edited')).toEqual(['copper pan']);
  expect(harvestedWith('deleted')).toEqual([]);
});

test('a row is said to have no impressions only if it has had time for some, and its days are known', () => {
  const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
  const silent = (startedOn: number | null, impressionDays = 14) => {
    const rows = facts.keywords.rows.map((row) => ({ ...row, startedOn }));
    const keywords = { ...facts.keywords, rows, impressionDays, impressions: Float64Array.of(0, 900, 900) };
    return suggest({ ...facts, keywords }).suggestions.filter(({ kind }) => kind === 'silent');
  };
  const [found, ...more] = silent(null);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ label: 'copper pan', numbers: { days: 14, groupImpressions: 900 } });
  expect(silent(facts.today - 15)).toEqual([found]);
  expect(silent(facts.today - 14)).toEqual([]);
  expect(silent(null, 6)).toEqual([]);
  expect(explain(silent(null, 12)[0] as Suggestion).summary).toContain('without impressions for 12 days');
});

test('multipliers that campaigns do not have yet are told apart by campaign and place', () => {
  const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
  const place = (campaign: number, key: string, orders: number) => ({
    ...{ campaign, key, orders, clicks: 1000, sales: 3000 * orders, type: 'platformMultiplier' as const },
    ...{ rowId: null, current: 0, barred: null },
  });
  const { suggestions } = suggest({
    ...facts,
    placeMetrics: [0, 1].flatMap((at) => [place(at, 'App', 90), place(at, 'Mobile', 60), place(at, 'Site', 30)]),
    limits: { ...facts.limits, multiplierMax: 90_000 },
  });
  const found = suggestions.filter(({ kind }) => kind === 'multiplier');
  expect(found.map(({ campaignId, label }) => [campaignId, label])).toEqual([
    [1, 'App'],
    [1, 'Mobile'],
    [2, 'App'],
    [2, 'Mobile'],
  ]);
  expect(new Set(found.map(suggestionKey)).size).toBe(4);
});

test('the likely range of a month does not begin below what is spent already', () => {
  const pace = pacing.projectMonth({
    ...{
      plan: 100_000,
      spent: 90_000,
      daysGone: [0, 1, 2],
      daysLeft: [3],
      weights: Array.from({ length: 7 }, () => 1),
    },
    ...{ recent: { mean: 5000, deviation: 9000 }, dailyBudget: null },
  });
  expect(pace).toMatchObject({ low: 90_000, projected: 95_000 });
  expect(pacing.explainPacing(pace).summary).toContain('$950.00, likely between $900.00 and $1,065.34.');
});

test('an alert about an unusual day says what was spent on it, and what is typical for its weekday', () => {
  const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
  // Each seventh day has twice the spend; the last one four times as much as those.
  const spend = Float64Array.from({ length: 57 }, (_, at) => (at === 56 ? 80_000 : at % 7 === 0 ? 20_000 : 10_000));
  const none = new Float64Array(0);
  const series = { firstDay: 19_943, spend, impressions: none, clicks: none, orders: none, sales: none };
  const { suggestions } = suggest({
    ...facts,
    campaigns: facts.campaigns.map((campaign, at) => (at === 0 ? { ...campaign, series } : campaign)),
  });
  const [alert] = suggestions.flatMap((one) => (one.kind === 'alert' && one.campaignId === 1 ? [one.numbers] : []));
  expect(alert).toMatchObject({ cause: 'spend-off', value: 80_000 });
  expect(alert?.expected).toBeGreaterThan(15_000);
  expect(alert?.expected).toBeLessThan(30_000);
});

test('a dismissed alert about a value of zero stays hidden while the value is the same', () => {
  const dismissal = { key: 'alert', day: 10, weight: 0 };
  expect(isDismissed(dismissal, 0, 11)).toBe(true);
  expect(isDismissed(dismissal, 1, 11)).toBe(false);
  expect(isDismissed(dismissal, 0, 40)).toBe(false);
});

test('keywords that share several items are one duplicate, with all of them', () => {
  const facts = twoCampaigns(['7', '7'], ['pan', 'pot', 'pan'], {
    keywords: [[1, 'pan', 0, 0, 12]],
    adItems: [
      [0, '8', 0, 0],
      [1, '8', 0, 0],
      [1, '8', 0, 0, 12],
    ],
  });
  const { suggestions } = suggest(facts);
  const duplicates = suggestions.filter(({ kind }) => kind === 'duplicate');
  expect(duplicates).toMatchObject([{ label: 'pan', numbers: { rows: 3 } }]);
});

test('plans of labels and of the account are told apart, in the list and in notifications', () => {
  const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
  const series = { ...facts.campaigns[0]?.series, firstDay: 19_940, spend: new Float64Array(60).fill(10_000) };
  const label = (name: string) => ({ scope: { of: 'label' as const, label: name }, plan: 1, label: name });
  const plans = [label('Summer'), label('Gifts'), { scope: { of: 'account' as const }, plan: 1, label: '' }];
  const { suggestions } = suggest({
    ...facts,
    campaigns: facts.campaigns.map((campaign) => ({ ...campaign, series }) as typeof campaign),
    plans: plans.map((plan) => ({ ...plan, campaigns: [0, 1] })),
  });
  const told = suggestions.filter((one) => one.kind === 'pacing' || (one.kind === 'alert' && one.campaignId === null));
  expect(told).toHaveLength(6);
  expect(new Set(told.map(suggestionKey)).size).toBe(6);
  expect(told.filter(({ kind }) => kind === 'alert').map((one) => one.label)).toEqual([
    'Gifts: Over the monthly plan',
    'Over the monthly plan',
    'Summer: Over the monthly plan',
  ]);
  const over = { value: 200, expected: 100 };
  expect(alerts.alertNotice('over-plan', [{ ...over, name: 'Summer' }])).toMatch(/^Summer is projected/);
  expect(
    alerts.alertNotice('over-plan', [
      { ...over, name: 'Summer' },
      { ...over, name: null },
    ]),
  ).toBe('2 plans for this month are projected to be exceeded');
});

test('a past day whose report is not there yet counts as a day to come, not as one without spend', () => {
  const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
  // 24 October 2024; 100.00 on each day, and a plan of as much.
  const today = 20_020;
  const paceWith = (missing: readonly number[]) => {
    const spend = Float64Array.from({ length: 60 }, (_, at) =>
      missing.includes(today - 60 + at) ? Number.NaN : 10_000,
    );
    const campaigns = facts.campaigns.map((one) => ({
      ...one,
      series: { ...one.series, firstDay: today - 60, spend },
    }));
    const plan = { scope: { of: 'campaign' as const, campaignId: asRowId(1) }, plan: 310_000, label: '' };
    return suggest({ ...facts, today, campaigns, plans: [{ ...plan, campaigns: [0] }] }).paced[0]?.numbers;
  };
  expect(paceWith([])).toMatchObject({ spent: 230_000, due: 230_000, projected: 310_000, wantedBudget: 10_000 });
  const pace = paceWith([today - 1, today - 9]);
  expect(pace).toMatchObject({ spent: 210_000, daysLeft: 10 });
  for (const [name, value] of [
    ['due', 210_000],
    ['projected', 310_000],
    ['wantedBudget', 10_000],
  ] as const)
    expect(Math.abs((pace?.[name] ?? 0) - value), name).toBeLessThan(0.05 * value);
});

test('held spend is that of keywords and items together, and each keeps its own', () => {
  const hold = (perDay: number | null): SuggestionFacts => {
    const facts = twoCampaigns(['7', '8'], ['copper pan', 'pan', 'gift']);
    const goal = { scope: { of: 'account' as const }, goal: { is: 'hold' as const, perDay } };
    const spent = (rows: SuggestionFacts['keywords'], week: readonly number[]) => ({
      ...rows,
      weekSpend: Float64Array.from(week),
      monthSpend: Float64Array.from(week, (cents) => 4 * cents),
    });
    return {
      ...facts,
      campaigns: facts.campaigns.map((campaign) => ({ ...campaign, goal })),
      // The items of the first campaign report the clicks of its keywords once more; the second has no clicks on keywords.
      keywords: spent(facts.keywords, [7000, 7000, 0]),
      adItems: spent(facts.adItems, [14_000, 14_000]),
    };
  };
  expect(holdSpend.heldWithoutAmount(hold(null))).toEqual([
    { scope: { of: 'account' }, goal: { is: 'hold', perDay: 4000 } },
  ]);
  const predicted = (perDay: number | null): number => {
    const found = suggest(hold(perDay)).suggestions.filter(({ kind, type }) => kind === 'bid' && type === 'keyword');
    const bidOf = (label: string) => Number(found.find((one) => one.label === label)?.suggested ?? 50);
    return ['copper pan', 'pan'].reduce((sum, label) => sum + 7000 * (bidOf(label) / 50) ** 1.1, 0);
  };
  expect(predicted(4000)).toBeGreaterThan(13_000);
  expect(predicted(4000)).toBeLessThan(14_300);
  expect(predicted(null)).toBe(predicted(4000));
  expect(predicted(8000)).toBeGreaterThan(predicted(4000));
});
