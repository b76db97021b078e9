import { type AlertCause, alertLabel, COVERAGE_MIN, findOutlier, OVER_PLAN, RESTATED } from './alerts.ts';
import { compareBanners } from './banner-swap.ts';
import { evidenceOf } from './bid.ts';
import type { CampaignFacts, CampaignSeries, PlanFacts, SuggestionFacts } from './facts.ts';
import { stepMultiplier, wantedMultipliers } from './multipliers.ts';
import {
  CAPPED_DAYS,
  cappedDays,
  type PacingNumbers,
  projectMonth,
  recentDay,
  type SpentDay,
  weekdayWeights,
} from './pacing.ts';
import { type BidRow, type Collected, drop, NO_CHANGE } from './row-suggestions.ts';
import { chanceOfNoOrder, type Rates, rowRate, shrinkRates } from './shrinkage.ts';
import { rounded, sumOf } from './statistics.ts';
import { whatIf } from './what-if.ts';

/** 1970-01-01 was a Thursday; Sunday is 0. */
const weekdayOf = (day: number): number => (day + 4) % 7;
const WEEK = 7;
const MIN_BUDGET = 1;
const NO_SALES_AT = 0.05;

/** The last known days of a column, oldest first. */
function lastKnown(
  series: CampaignSeries,
  column: Float64Array,
  count: number,
): readonly { day: number; value: number }[] {
  const found: { day: number; value: number }[] = [];
  for (let at = column.length - 1; at >= 0 && found.length < count; at--) {
    const value = column[at] ?? Number.NaN;
    if (!Number.isNaN(value)) found.push({ day: series.firstDay + at, value });
  }
  return found.reverse();
}

const spentDays = (series: CampaignSeries, count: number): readonly SpentDay[] =>
  lastKnown(series, series.spend, count).map(({ day, value }) => ({ weekday: weekdayOf(day), spend: value }));

/** The days of the month of a day, as numbers. */
function monthOf(day: number): { readonly first: number; readonly last: number } {
  const date = new Date(day * 86_400_000);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 86_400_000;
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / 86_400_000;
  return { first, last };
}

const daysBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

export interface Paced {
  readonly plan: PlanFacts;
  readonly numbers: PacingNumbers;
}

/** Projects the end of the month's plans from the last days; a plan without campaigns has no projection. */
export function pacePlans({
  today,
  campaigns,
  plans,
}: Pick<SuggestionFacts, 'today' | 'campaigns' | 'plans'>): readonly Paced[] {
  return plans.flatMap((plan) => {
    const chosen = plan.campaigns.flatMap((at) => campaigns[at] ?? []);
    return chosen.length === 0 ? [] : [{ plan, numbers: pacePlan(today, chosen, plan) }];
  });
}

function pacePlan(today: number, campaigns: readonly CampaignFacts[], { plan }: PlanFacts): PacingNumbers {
  const together = addUp(campaigns.map(({ series }) => series));
  const { first, last } = monthOf(today);
  // A past day without a report is still to come: its spend is unknown, not zero.
  const days = daysBetween(first, last).map((day) => ({
    weekday: weekdayOf(day),
    spend: day < today ? valueOn(together, together.spend, day) : null,
  }));
  const weights = weekdayWeights(spentDays(together, 8 * WEEK));
  const budgets = campaigns.map(({ dailyBudget }) => dailyBudget);
  return projectMonth({
    plan,
    spent: sumOf(days, ({ spend }) => spend ?? 0),
    daysGone: days.filter(({ spend }) => spend !== null).map(({ weekday }) => weekday),
    daysLeft: days.filter(({ spend }) => spend === null).map(({ weekday }) => weekday),
    weights,
    recent: recentDay(spentDays(together, 2 * WEEK), weights),
    dailyBudget: budgets.length === 1 ? (budgets[0] ?? null) : null,
  });
}

function valueOn(series: CampaignSeries, column: Float64Array, day: number): number | null {
  const value = column[day - series.firstDay];
  return value === undefined || Number.isNaN(value) ? null : value;
}

function addUp(all: readonly CampaignSeries[]): CampaignSeries {
  const firstDay = Math.min(...all.map((series) => series.firstDay));
  const end = Math.max(...all.map((series) => series.firstDay + series.spend.length));
  const column = (of: (series: CampaignSeries) => Float64Array): Float64Array =>
    Float64Array.from({ length: end - firstDay }, (_, at) => {
      const known = all.flatMap((series) => valueOn(series, of(series), firstDay + at) ?? []);
      return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0);
    });
  return {
    firstDay,
    impressions: column(({ impressions }) => impressions),
    clicks: column(({ clicks }) => clicks),
    spend: column(({ spend }) => spend),
    orders: column(({ orders }) => orders),
    sales: column(({ sales }) => sales),
  };
}

/** Daily budgets that land the month's plan. */
export function suggestPacing(facts: SuggestionFacts, paced: readonly Paced[], into: Collected): void {
  for (const {
    plan: { label, campaigns },
    numbers,
  } of paced) {
    const campaign = campaigns.length === 1 ? facts.campaigns[campaigns[0] ?? 0] : undefined;
    const budget = campaign?.dailyBudget ?? null;
    const suggested = Math.min(numbers.suggested ?? 0, campaign?.totalBudget ?? Number.POSITIVE_INFINITY);
    const canChange = campaign !== undefined && campaign.barred === null && budget !== null && suggested >= MIN_BUDGET;
    const isChange = canChange && Math.abs(suggested - budget) * 50 >= budget;
    if (campaign !== undefined && campaign.barred !== null) drop(into, campaign.barred);
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'pacing',
      type: 'campaign',
      id: campaign?.id ?? null,
      campaignId: campaign?.id ?? null,
      label,
      ...(isChange && { field: 'dailyBudget', current: budget, suggested, effect: campaign.budgetEffect }),
      evidence: 'firm',
      low: numbers.low,
      high: numbers.high,
      weight: numbers.projected,
      numbers,
    });
  }
}

/** Combined effect of the suggested bids of each campaign in a week. */
export function suggestWhatIf(facts: SuggestionFacts, bids: readonly BidRow[], into: Collected): void {
  const byCampaign = Map.groupBy(bids, ({ campaign }) => campaign);
  for (const [at, campaign] of facts.campaigns.entries()) {
    const rows = byCampaign.get(at);
    if (rows === undefined) continue;
    const numbers = whatIf(rows, facts.response);
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'what-if',
      type: 'campaign',
      id: campaign.id,
      campaignId: campaign.id,
      label: campaign.name,
      evidence: 'fair',
      low: numbers.low,
      high: numbers.high,
      weight: numbers.newSales,
      numbers,
    });
  }
}

/** Suggests multipliers of platforms and placements from the results of clicks there. */
export function suggestMultipliers(facts: SuggestionFacts, into: Collected): void {
  const { placeMetrics, campaigns, limits } = facts;
  for (const type of ['platformMultiplier', 'placementMultiplier'] as const) {
    const places = placeMetrics.filter((place) => place.type === type);
    const column = (value: (place: (typeof places)[number]) => number) => Float64Array.from(places, value);
    const rates = shrinkRates(
      {
        clicks: column(({ clicks }) => clicks),
        orders: column(({ orders }) => orders),
        sales: column(({ sales }) => sales),
      },
      places.map(({ campaign }) => campaign),
      campaigns.length,
    );
    if (rates === null) continue;
    for (const [at, campaign] of campaigns.entries()) {
      const own = places.filter((place) => place.campaign === at);
      const group = rates.groups[at];
      const goal = campaign.goal?.goal;
      if (campaign.isVideo || own.length < 2 || group === undefined || goal === undefined || goal.is === 'none')
        continue;
      if (own.some(({ clicks }) => evidenceOf(clicks * group.theta) === 'none')) {
        drop(into, 'little-evidence');
        continue;
      }
      const worth = own.map((place) => ({ place, rate: rowRate(place, group, rates.rowShape) }));
      const share = goal.is === 'roas' ? 100 / goal.target : 1;
      const { base, multipliers } = wantedMultipliers(
        worth.map(({ place, rate }) => ({ key: place.key, wanted: rate.perClick * share })),
      );
      for (const [index, { key, wanted, multiplier }] of multipliers.entries()) {
        const one = worth[index];
        if (one === undefined) continue;
        const { place, rate } = one;
        const suggested = stepMultiplier(place.current, multiplier, limits.multiplierMax);
        if (place.barred !== null || Math.abs(suggested - place.current) < 200) {
          drop(into, place.barred ?? 'small-step');
          continue;
        }
        const { clicks, orders } = place;
        const { perClick } = rate;
        into.suggestions.push({
          kind: 'multiplier',
          type,
          id: place.rowId,
          campaignId: campaign.id,
          label: key,
          field: 'multiplier',
          current: place.current,
          suggested,
          evidence: evidenceOf(clicks * group.theta),
          low: null,
          high: null,
          effect: 'immediate',
          move: 0,
          weight: clicks,
          numbers: {
            key,
            current: place.current,
            suggested,
            wantedMultiplier: multiplier,
            wanted,
            base,
            clicks,
            orders,
            perClick,
          },
        });
      }
    }
  }
}

export function suggestBanners({ swaps, campaigns }: SuggestionFacts, into: Collected): void {
  for (const swap of swaps) {
    const campaign = campaigns[swap.campaign];
    const numbers = compareBanners(swap);
    if (campaign === undefined || numbers === null) continue;
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'banner',
      type: 'campaign',
      id: campaign.id,
      campaignId: campaign.id,
      label: campaign.name,
      evidence: numbers.verdict === 'unclear' ? 'fair' : 'firm',
      weight: swap.after.clicks,
      numbers,
    });
  }
}

/** Finds alerts, at most one of a cause for each campaign; the newest day is yesterday. */
export function findAlerts(facts: SuggestionFacts, paced: readonly Paced[], into: Collected): void {
  const tell = (
    { id, name }: { readonly id: CampaignFacts['id'] | null; readonly name: string | null },
    cause: AlertCause,
    value: number,
    expected: number,
  ): void => {
    into.suggestions.push({
      ...NO_CHANGE,
      kind: 'alert',
      type: 'campaign',
      id,
      campaignId: id,
      label: alertLabel(name, cause),
      evidence: 'firm',
      weight: value,
      numbers: { cause, value, expected },
    });
  };
  const week = daysBetween(facts.today - SETTLED_AFTER - WEEK, facts.today - SETTLED_AFTER - 1);
  const sums = facts.campaigns.map(({ series }) => sumsOn(series, week));
  const rates = shrinkRates(
    {
      clicks: Float64Array.from(sums, ({ clicks }) => clicks),
      orders: Float64Array.from(sums, ({ orders }) => orders),
      sales: Float64Array.from(sums, ({ sales }) => sales),
    },
    sums.map((_, at) => at),
    sums.length,
  );
  for (const [at, campaign] of facts.campaigns.entries()) {
    const settled = sums[at];
    if (facts.newestDay === null || settled === undefined) continue;
    alertsOf(campaign, settled, rates, (...alert) => tell(campaign, ...alert));
  }
  for (const {
    plan: { campaigns, plan, label },
    numbers: { projected },
  } of paced) {
    const campaign = campaigns.length === 1 ? facts.campaigns[campaigns[0] ?? 0] : undefined;
    if (projected > plan * (1 + OVER_PLAN))
      tell(campaign ?? { id: null, name: label || null }, 'over-plan', projected, plan);
  }
  const gaps = facts.days.filter((day) => day.is === 'gap').map(({ day }) => day);
  if (gaps.length > 0) tell(ACCOUNT, 'gap', gaps.length, facts.today - Math.min(...gaps));
  const restated = facts.days
    .filter((day) => day.is === 'restated')
    .filter(({ before, after }) => Math.abs(after - before) > RESTATED * before)
    .at(-1);
  if (restated !== undefined) tell(ACCOUNT, 'restated', restated.after, restated.before);
  const coverage = facts.days.find((day) => day.is === 'coverage');
  if (coverage !== undefined && coverage.share < COVERAGE_MIN) tell(ACCOUNT, 'coverage', coverage.share, COVERAGE_MIN);
}

const ACCOUNT = { id: null, name: null };

/** A week of which every day is settled in the usual window. */
const SETTLED_AFTER = 16;

interface WeekSums {
  readonly clicks: number;
  readonly spend: number;
  readonly orders: number;
  readonly sales: number;
}

function sumsOn(series: CampaignSeries, days: readonly number[]): WeekSums {
  const sum = (column: Float64Array): number => sumOf(days, (day) => valueOn(series, column, day) ?? 0);
  return { clicks: sum(series.clicks), spend: sum(series.spend), orders: sum(series.orders), sales: sum(series.sales) };
}

function alertsOf(
  { series, goal, isLive, dailyBudget }: CampaignFacts,
  { clicks, spend, orders, sales }: WeekSums,
  rates: Rates | null,
  tell: (cause: AlertCause, value: number, expected: number) => void,
): void {
  if (isLive) {
    const weights = weekdayWeights(spentDays(series, 8 * WEEK));
    for (const [cause, column] of [
      ['spend-off', series.spend],
      ['impressions-off', series.impressions],
    ] as const) {
      const days = lastKnown(series, column, 15);
      const weightOn = (day: number): number => weights[weekdayOf(day)] ?? 1;
      const outlier = findOutlier(days.map(({ day, value }) => value / weightOn(day)));
      const last = days.at(-1);
      if (outlier !== null && last !== undefined) {
        tell(cause, last.value, rounded(outlier.expected * weightOn(last.day)));
      }
    }
    const shown = lastKnown(series, series.impressions, WEEK);
    if (shown.length === WEEK && shown.every(({ value }) => value === 0)) tell('no-impressions', WEEK, 1);
  }
  const roas = spend > 0 ? sales / spend : 0;
  const target = goal?.goal.is === 'roas' ? goal.goal.target / 100 : null;
  if (target !== null && roas > 0 && roas < target) tell('roas-under-target', rounded(roas), target);
  if (orders === 0 && clicks > 0 && rates !== null) {
    const account = { alpha: rates.groupShape, beta: rates.groupShape / rates.theta };
    const chance = chanceOfNoOrder(account, clicks);
    if (chance <= NO_SALES_AT) tell('no-sales', spend, rounded(chance));
  }
  const days = lastKnown(series, series.spend, WEEK).map(({ value }) => ({ spend: value, dailyBudget }));
  const capped = cappedDays(days);
  if (capped >= CAPPED_DAYS && (target === null || roas >= target)) tell('capped', capped, WEEK);
}
