import type { MetricsDay } from '../../shared/api/metrics.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { FIRST_WINDOW, type WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import {
  type Completion,
  dayWeight,
  eventWeight,
  isSettled,
  learnCompletion,
} from '../../shared/suggestions/exposure.ts';
import type {
  CampaignFacts,
  CampaignSeries,
  DayNews,
  PlaceFacts,
  RowsFacts,
  SuggestionFacts,
} from '../../shared/suggestions/facts.ts';
import { nearestGoal, type ScopedGoal } from '../../shared/suggestions/goals.ts';
import { COOL_DOWN_DAYS } from '../../shared/suggestions/row-suggestions.ts';
import type { Dismissal, Effect } from '../../shared/suggestions/suggestion.ts';
import { learnResponse } from '../../shared/suggestions/what-if.ts';
import { seriesRows, type WeightedTerm } from '../cube/daily-queries.ts';
import type { createQueries } from '../cube/queries.ts';
import { dayNumber, dayOf } from '../cube/read-file-days.ts';
import type { Db } from '../store/db/db.ts';
import { readLabelNames } from '../store/notes/read-notes.ts';
import { type CampaignFacts as AccountCampaign, readCampaignFacts } from '../store/reader/attention.ts';
import {
  type AccountRow,
  readCampaignMarks,
  readMultipliers,
  readSuggestionRows,
  readUnsentKeywords,
} from './account-rows.ts';
import { gatherBanners } from './banner-log.ts';

/** The user's settings, and facts that only the main thread has. */
export interface SuggestionSetup {
  readonly today: PlainDate;
  readonly zone: string;
  readonly goals: readonly ScopedGoal[];
  /** Month plans in cents. */
  readonly plans: readonly { readonly scope: ScopedGoal['scope']; readonly plan: number }[];
  readonly dismissals: readonly Dismissal[];
  readonly limits: SuggestionFacts['limits'];
  readonly keywordEffect: Effect;
  readonly budgetEffect: Effect;
}

/** Sums of a day as reported on one business day, by campaign type. */
export interface SeenDay {
  readonly day: number;
  readonly fetchedOn: number;
  readonly campaignType: string;
  readonly sums: Readonly<Record<string, number>>;
}

/** Queries of the cube; suggestions run in its thread. */
export interface SuggestionCube
  extends Pick<
    ReturnType<typeof createQueries>,
    'weighted' | 'entities' | 'rowOfEntity' | 'series' | 'days' | 'lastReduced' | 'version' | 'bidChanges'
  > {
  readonly seen: (type: string) => readonly SeenDay[];
  readonly dayStates: (type: string, span: DaySpan, window: WindowDays) => readonly MetricsDay[];
}

const WEEK = 7;
const MONTH = 28;
const SHOWN_DAYS = 14;
/** Period in which bid changes are evaluated, with two weeks on each side of them. */
const CHANGE_DAYS = 56;
/** Days of campaigns for weekday and month patterns. */
const SERIES_DAYS = 70;
/** Days of campaigns for comparing banners. */
const SWAP_DAYS = 120;
/** The weight of days halves every 180 days; after two years it is a sixteenth. */
const DAYS_MAX = 730;

/** The last day in the used period that is reduced to its month; null without any. */
export function lastReducedDay(cube: SuggestionCube, today: PlainDate): PlainDate | null {
  const span = { from: addDays(today, -DAYS_MAX), to: addDays(today, -1) };
  const found = (['keyword', 'adItem'] as const).flatMap((kind) => cube.lastReduced(kind, span, FIRST_WINDOW) ?? []);
  return found.toSorted().at(-1) ?? null;
}

/** Collects the inputs of suggestions: metrics of the cube, rows of the account, goals of the user. */
export async function gatherFacts(account: Db, cube: SuggestionCube, setup: SuggestionSetup): Promise<SuggestionFacts> {
  const today = dayNumber(setup.today);
  const campaigns = await gatherCampaigns(account, cube, setup, today);
  const placeOf = new Map(campaigns.map(({ id }, at) => [id, at]));
  const campaignFacts = readCampaignFacts(account);
  const typeOf = new Map(campaignFacts.map(({ id, campaignType }) => [id, campaignType ?? '']));
  const startOf = new Map(
    campaignFacts.map(({ id, startDate }) => [id, startDate === null ? null : dayNumber(startDate as PlainDate)]),
  );
  const rowsOf = async (kind: 'keyword' | 'adItem'): Promise<Gathered> => {
    const effect = kind === 'keyword' ? setup.keywordEffect : 'immediate';
    const rows = readSuggestionRows(account, kind, setup.zone, effect)
      .filter(({ campaignId }) => placeOf.has(campaignId))
      .map((row) => ({ ...row, startedOn: latest(row.startedOn, startOf.get(row.campaignId) ?? null) }));
    return gatherRows(cube, kind, rows, { today, placeOf, typeOf });
  };
  const [keywords, adItems] = [await rowsOf('keyword'), await rowsOf('adItem')];
  const newest = [keywords.newest, adItems.newest].filter((day) => day !== null);
  const labels = readLabelNames(account, 'campaign');
  const changesOf = (kind: 'keyword' | 'adItem') =>
    cube.bidChanges(kind, { from: dayOf(today - CHANGE_DAYS), to: dayOf(today - 1) }, 2 * WEEK);
  return {
    today,
    newestDay: newest.length === 0 ? null : Math.max(...newest),
    weekDays: Math.max(keywords.weekDays, adItems.weekDays),
    monthDays: Math.max(keywords.monthDays, adItems.monthDays),
    campaigns,
    keywords: { ...keywords.facts, unsent: readUnsentKeywords(account) },
    adItems: adItems.facts,
    placeMetrics: await gatherPlaces(account, cube, today, campaigns),
    swaps: Array.from(
      await gatherBanners(account, cube, { ...setup, daysMax: SWAP_DAYS, campaignId: null }),
      ([id, banners]) => ({ campaign: placeOf.get(id), swap: banners.at(-1)?.swap ?? null }),
    ).flatMap(({ campaign, swap }) => (campaign === undefined || swap === null ? [] : [{ campaign, ...swap }])),
    plans: setup.plans.map(({ scope, plan }) => ({
      scope,
      plan,
      label:
        scope.of === 'label'
          ? scope.label
          : (campaigns.find(({ id }) => scope.of === 'campaign' && id === scope.campaignId)?.name ?? ''),
      campaigns: campaigns.flatMap(({ id }, at) =>
        scope.of === 'account' ||
        (scope.of === 'campaign' && scope.campaignId === id) ||
        (scope.of === 'label' && (labels.get(id) ?? []).includes(scope.label))
          ? [at]
          : [],
      ),
    })),
    days: [
      ...newsOf(cube.dayStates('campaign', { from: dayOf(today - SERIES_DAYS), to: dayOf(today - 1) }, FIRST_WINDOW)),
      ...(await gatherCoverage(cube, today)),
    ],
    response: learnResponse([...(await changesOf('keyword')), ...(await changesOf('adItem'))]),
    dismissals: new Map(setup.dismissals.map((dismissal) => [dismissal.key, dismissal])),
    limits: setup.limits,
  };
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

async function gatherCampaigns(
  account: Db,
  cube: SuggestionCube,
  { goals, budgetEffect }: SuggestionSetup,
  today: number,
): Promise<readonly CampaignFacts[]> {
  const labels = readLabelNames(account, 'campaign');
  const marks = readCampaignMarks(account);
  const firstDay = today - SERIES_DAYS;
  const series = await cube.series('campaign', { from: dayOf(firstDay), to: dayOf(today - 1) }, FIRST_WINDOW);
  const emptySince = (since: number) => (): Float64Array =>
    Float64Array.from({ length: SERIES_DAYS }, (_, at) =>
      series.isKnown[at] === 1 && firstDay + at >= since ? 0 : Number.NaN,
    );
  const empty = emptySince(firstDay);
  const byRemoteId = new Map<string, CampaignSeries>();
  for (const { remoteId, day, sums } of seriesRows(series)) {
    const known = byRemoteId.get(remoteId) ?? seriesOf(firstDay, empty);
    byRemoteId.set(remoteId, known);
    for (const name of COLUMNS) known[name][day] = (known[name][day] ?? 0) + sums[name];
  }
  return readCampaignFacts(account)
    .filter(({ remoteId }) => remoteId !== null)
    .map((campaign): CampaignFacts => {
      const { id, name, state, dailyBudget, totalBudget, campaignType, startDate } = campaign;
      // A campaign without metrics had none to have before it started.
      const since = startDate === null ? firstDay : dayNumber(startDate as PlainDate);
      return {
        id,
        name,
        isVideo: campaignType === 'video',
        isLive: state === 'live',
        goal: nearestGoal(goals, { id, labels: labels.get(id) ?? [] }),
        dailyBudget,
        totalBudget,
        budgetEffect,
        barred: barredBy(campaign) ?? marks.get(id) ?? null,
        series: byRemoteId.get(campaign.remoteId ?? '') ?? seriesOf(firstDay, emptySince(since)),
      };
    });
}

const COLUMNS = ['impressions', 'clicks', 'spend', 'orders', 'sales'] as const;
const seriesOf = (firstDay: number, empty: () => Float64Array): CampaignSeries => ({
  firstDay,
  impressions: empty(),
  clicks: empty(),
  spend: empty(),
  orders: empty(),
  sales: empty(),
});

const barredBy = ({ state }: AccountCampaign) =>
  state === 'ended' ? 'archived' : state === 'paused' ? 'paused' : null;

interface Gathered {
  readonly facts: RowsFacts;
  readonly newest: number | null;
  readonly weekDays: number;
  readonly monthDays: number;
}

interface Places {
  readonly today: number;
  readonly placeOf: ReadonlyMap<RowId, number>;
  readonly typeOf: ReadonlyMap<RowId, string>;
}

async function gatherRows(
  cube: SuggestionCube,
  kind: 'keyword' | 'adItem',
  rows: readonly AccountRow[],
  { today, placeOf, typeOf }: Places,
): Promise<Gathered> {
  const from = today - DAYS_MAX;
  const days = cube.days(kind, { from: dayOf(from), to: dayOf(today - 1) }, FIRST_WINDOW);
  const newest = days.at(-1)?.day ?? null;
  const isInLast = (count: number) => (day: number) => today - day <= count;
  const weights = (weight: (day: number, age: number) => number): Float64Array => {
    const made = new Float64Array(DAYS_MAX);
    for (const { day, fetchedOn } of days) made[day - from] = weight(day, fetchedOn - day);
    return made;
  };
  const since = (day: number): number => (newest ?? day) - day;
  const memory = (day: number, age: number): number => dayWeight([1], age, since(day)).orders;
  const types = [...new Set(rows.map(({ campaignId }) => typeOf.get(campaignId) ?? ''))].toSorted();
  const completions = types.map((type) => completionOf(cube.seen(kind), type));
  const last = (count: number) => weights((day) => (isInLast(count)(day) ? 1 : 0));
  const settled = weights((_, age) => (isSettled(age, FIRST_WINDOW) ? 1 : 0));
  const all = weights(() => 1);
  const recent = last(COOL_DOWN_DAYS - 1);
  const terms: readonly WeightedTerm[] = [
    { metric: 'orders', weights: weights(memory) },
    { metric: 'sales', weights: weights(memory) },
    { metric: 'clicks', weights: settled },
    { metric: 'orders', weights: settled },
    { metric: 'spend', weights: settled },
    { metric: 'clicks', weights: all },
    { metric: 'spend', weights: all },
    { metric: 'clicks', times: 'bid', weights: all },
    { metric: 'clicks', weights: last(WEEK) },
    { metric: 'spend', weights: last(WEEK) },
    { metric: 'spend', weights: last(MONTH) },
    { metric: 'impressions', weights: last(SHOWN_DAYS) },
    { metric: 'clicks', weights: recent },
    { metric: 'clicks', times: 'bid', weights: recent },
    { metric: 'clicks', without: 'bid', weights: all },
    { metric: 'clicks', without: 'bid', weights: recent },
    ...completions.map(
      (completion): WeightedTerm => ({
        metric: 'clicks',
        weights: weights((day, age) => dayWeight(completion, age, since(day)).clicks),
      }),
    ),
    ...Array.from(
      { length: SHOWN_DAYS },
      (_, at): WeightedTerm => ({
        metric: 'spend',
        weights: weights((day) => (today - day === at + 1 ? 1 : 0)),
      }),
    ),
  ];
  const sums = await cube.weighted(kind, from, FIRST_WINDOW, terms);
  const at = new Map(rows.map(({ id }, place) => [id as number, place]));
  const columns = terms.map(() => new Float64Array(rows.length));
  const rowOf = cube.rowOfEntity(kind, kind);
  for (let id = 0; id < rowOf.length; id++) {
    const place = at.get(rowOf[id] ?? 0);
    if (place === undefined) continue;
    for (const [term, column] of columns.entries()) column[place] = (column[place] ?? 0) + (sums[term]?.[id] ?? 0);
  }
  const column = (term: number): Float64Array => columns[term] ?? new Float64Array(rows.length);
  const typeAt = rows.map(({ campaignId }) => types.indexOf(typeOf.get(campaignId) ?? ''));
  const [rawClicks, recentClicks, recentBids] = [column(5), column(12), column(13)];
  const [bidless, recentBidless] = [column(14), column(15)];
  // Days whose report has no bids count with the present one.
  const clicksTimesBid = column(7).map(
    (product, place) => product + ((product > 0 ? bidless[place] : rawClicks[place]) ?? 0) * (rows[place]?.bid ?? 0),
  );
  const pauses = pausedSpend(rows, today, (daysAgo) => column(16 + types.length + daysAgo - 1));
  return {
    newest,
    weekDays: days.filter(({ day }) => isInLast(WEEK)(day)).length,
    monthDays: days.filter(({ day }) => isInLast(MONTH)(day)).length,
    facts: {
      rows: rows.map(({ campaignId, ...row }, place) => {
        const clicks = (recentClicks[place] ?? 0) - (recentBidless[place] ?? 0);
        const wasOther = (recentBids[place] ?? 0) > 0 && recentBids[place] !== clicks * (row.bid ?? 0);
        return { ...row, campaign: placeOf.get(campaignId) ?? 0, sentOn: wasOther ? today : row.sentOn };
      }),
      counted: {
        clicks: Float64Array.from(rows, (_, place) => columns[16 + (typeAt[place] ?? 0)]?.[place] ?? 0),
        orders: column(0),
        sales: column(1),
        weight: eventWeight(days.map(({ day, fetchedOn }) => memory(day, fetchedOn - day))),
      },
      settled: { clicks: column(2), orders: column(3), spend: column(4) },
      clicks: rawClicks,
      spend: column(6),
      clicksTimesBid,
      weekClicks: column(8),
      weekSpend: column(9),
      monthSpend: column(10),
      impressions: column(11),
      impressionDays: days.filter(({ day }) => isInLast(SHOWN_DAYS)(day)).length,
      ...pauses,
    },
  };
}

/** Spend of paused rows on complete days after the pause; the first one is ignored. */
function pausedSpend(rows: readonly AccountRow[], today: number, spendOn: (daysAgo: number) => Float64Array) {
  const spendAfterPause = new Float64Array(rows.length);
  const daysAfterPause = new Float64Array(rows.length);
  const columns = Array.from({ length: SHOWN_DAYS }, (_, at) => spendOn(at + 1));
  for (const [place, { pausedOn, isEnabled }] of rows.entries()) {
    if (pausedOn === null || isEnabled) continue;
    for (const [at, column] of columns.entries()) {
      const spend = column[place] ?? 0;
      if (today - at - 1 <= pausedOn + 1 || spend === 0) continue;
      spendAfterPause[place] = (spendAfterPause[place] ?? 0) + spend;
      daysAfterPause[place] = (daysAfterPause[place] ?? 0) + 1;
    }
  }
  return { spendAfterPause, daysAfterPause };
}

/** The share of final orders reported at each age, from settled days that have an early report. */
function completionOf(seen: readonly SeenDay[], campaignType: string): Completion {
  const name = `attributedOrders${FIRST_WINDOW}days`;
  const own = seen.filter((one) => one.campaignType === campaignType);
  const byDay = Map.groupBy(own, ({ day }) => day);
  const history = [...byDay.values()].flatMap((reports) => {
    const final = reports.at(-1);
    if (final === undefined || !isSettled(final.fetchedOn - final.day, FIRST_WINDOW)) return [];
    return reports.map((one) => ({
      age: one.fetchedOn - one.day,
      seen: one.sums[name] ?? 0,
      final: final.sums[name] ?? 0,
    }));
  });
  return learnCompletion(FIRST_WINDOW, history);
}

/** Placement names in reports, mapped to those of multipliers. */
const PLACEMENTS: Readonly<Record<string, string>> = { Search: 'Search Ingrid', Item: 'Buy-Box' };
const PLACES = [
  { report: 'platform', type: 'platformMultiplier' },
  { report: 'pageType', type: 'placementMultiplier' },
] as const;

async function gatherPlaces(
  account: Db,
  cube: SuggestionCube,
  today: number,
  campaigns: readonly CampaignFacts[],
): Promise<readonly PlaceFacts[]> {
  const byRemoteId = new Map(readCampaignFacts(account).map(({ id, remoteId }) => [remoteId, id]));
  const placeOf = new Map(campaigns.map(({ id }, at) => [id, at]));
  const found = new Map<string, PlaceFacts>();
  for (const { report, type } of PLACES) {
    const weights = new Float64Array(DAYS_MAX).fill(1);
    const terms = (['clicks', 'orders', 'sales'] as const).map((metric) => ({ metric, weights }));
    const [clicks, orders, sales] = await cube.weighted(report, today - DAYS_MAX, FIRST_WINDOW, terms);
    const multipliers = new Map(readMultipliers(account, type).map((one) => [`${one.campaignId} ${one.key}`, one]));
    for (const { id, keys, words } of cube.entities(report, null)) {
      const campaignId = byRemoteId.get(keys['campaignId'] ?? '');
      const campaign = campaignId === undefined ? undefined : placeOf.get(campaignId);
      const word = keys[report] ?? words[report] ?? '';
      const name = type === 'placementMultiplier' ? PLACEMENTS[word] : word;
      if (campaign === undefined || name === undefined || name === '') continue;
      const key = `${campaignId} ${name}`;
      const multiplier = multipliers.get(key);
      // Reports by ad group, and reports with other columns for other days, have several entities of a place.
      const known = found.get(`${type} ${key}`);
      found.set(`${type} ${key}`, {
        campaign,
        type,
        key: name,
        rowId: multiplier?.id ?? null,
        current: multiplier?.current ?? 0,
        clicks: (known?.clicks ?? 0) + (clicks?.[id] ?? 0),
        orders: (known?.orders ?? 0) + (orders?.[id] ?? 0),
        sales: (known?.sales ?? 0) + (sales?.[id] ?? 0),
        barred: multiplier?.barred ?? null,
      });
    }
  }
  return [...found.values()].toSorted((a, b) => a.campaign - b.campaign || (a.key < b.key ? -1 : 1));
}

/**
 * The share of the campaigns' spend that is reported for their items, over days of the last month that are in both
 * reports. Campaigns without item rows are left out: not every campaign type has them.
 */
async function gatherCoverage(cube: SuggestionCube, today: number): Promise<readonly DayNews[]> {
  const from = today - MONTH;
  const span = { from: dayOf(from), to: dayOf(today - 1) };
  const inItems = new Set(cube.days('adItem', span, FIRST_WINDOW).map(({ day }) => day));
  const both = cube.days('campaign', span, FIRST_WINDOW).filter(({ day }) => inItems.has(day));
  const weights = new Float64Array(MONTH);
  for (const { day } of both) weights[day - from] = 1;
  const spendOf = async (report: 'campaign' | 'adItem'): Promise<ReadonlyMap<string, number>> => {
    const [spend] = await cube.weighted(report, from, FIRST_WINDOW, [{ metric: 'spend', weights }]);
    const sums = new Map<string, number>();
    for (const { id, keys } of cube.entities(report, null)) {
      const campaign = keys['campaignId'] ?? '';
      sums.set(campaign, (sums.get(campaign) ?? 0) + (spend?.[id] ?? 0));
    }
    return sums;
  };
  const [whole, items] = [await spendOf('campaign'), await spendOf('adItem')];
  let [told, spent] = [0, 0];
  for (const [campaign, spend] of items) {
    if (spend === 0) continue;
    told += spend;
    spent += whole.get(campaign) ?? 0;
  }
  return spent === 0 ? [] : [{ is: 'coverage', share: told / spent }];
}

const newsOf = (days: readonly MetricsDay[]): readonly DayNews[] =>
  days.flatMap(({ day, state, changed }): readonly DayNews[] => {
    const at = dayNumber(day as PlainDate);
    if (state === 'gap') return [{ is: 'gap', day: at }];
    const sales = `attributedSales${FIRST_WINDOW}days`;
    const [before, after] = [changed?.before[sales], changed?.after[sales]];
    return state !== 'restated' || before === undefined || after === undefined
      ? []
      : [{ is: 'restated', day: at, before, after }];
  });
