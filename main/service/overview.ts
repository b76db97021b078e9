import type { Overview, Pace } from '../../shared/api/overview.ts';
import { addDays, daysBetween, OPEN_END } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { SUMMED } from '../../shared/reports/account-metrics.ts';
import { quotient } from '../../shared/reports/metric.ts';
import { LEFT_OUT } from '../../shared/reports/metric-calendar.ts';
import { type DaySpan, daysIn, type Period, periodSpan, spanBefore } from '../../shared/reports/period.ts';
import { ok } from '../../shared/result.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { CampaignFacts } from '../store/reader/attention.ts';
import { type CampaignDays, campaignDays, type DaySums, NOTHING, unknownDays } from './campaign-days.ts';
import { startingUntil } from './launch.ts';
import { notReported } from './reports.ts';
import type { MainOperations, RouterContext } from './router.ts';

/** The home page of an account: sums of saved reports, upcoming starts, and budget pacing. */
export const overviewOperations = ({ events }: Pick<RouterContext, 'events'>): Pick<MainOperations, 'overview'> => ({
  overview: {
    get: async ({ account }, { period, campaignType }) => ok(await overview(account, period, campaignType)),
    request: async ({ account }, { workspaceId, period, again, kind }) => {
      const { reports } = account;
      const span = periodSpan(period, await reports.today());
      const wanted = { from: spanBefore(span).from, to: span.to };
      const days = again ? span : await unknownDays(account, kind, wanted);
      // Days already requested since the program started are not requested again.
      if (days === null || (!again && !reports.isFirstRequest(kind, days))) return ok({ requested: false });
      const options = { reportType: kind, startDate: days.from, endDate: days.to, byDate: true };
      const asked = await reports.request(options, again);
      // Every opened list calls this operation. Without a request, windows have nothing new to read and get no event.
      events.publish({ type: 'settings.changed', workspaceId, area: 'overview' });
      if (asked.ok) return ok({ requested: true });
      reports.forgetRequest(kind, days);
      return notReported(asked.error);
    },
  },
});

/** The attribution window of the displayed sales. */
const WINDOW_DAYS = 14;
const TILE_DAYS = 14;
const STARTING_DAYS = 14;
const LISTED = 7;
/** Most campaigns with a pace: the details of each show it. */
const PACED_MAX = 1000;
/** Flights that began more than this number of days ago have no pacing. */
const FLIGHT_DAYS_MAX = 366;

async function overview(
  account: ActiveAccount,
  period: Period,
  campaignType: CampaignFacts['campaignType'],
): Promise<Overview> {
  const { reports, workspace } = account;
  const today = await reports.today();
  const span = periodSpan(period, today);
  const before = spanBefore(span);
  // At once, because each waits for what the reader thread does for the rest of the window.
  const [all, read, starting, synced] = await Promise.all([
    workspace.campaignFacts(),
    campaignDays(account, { from: before.from, to: span.to }),
    startingUntil(account, today, addDays(today, STARTING_DAYS), campaignType, LISTED),
    lastSync(account),
  ]);
  const facts = all.filter((campaign) => campaignType === null || campaign.campaignType === campaignType);
  // Without a campaign on the service, report rows can't be assigned; the sums are then unknown, not 0.
  const isOnService = all.some(({ remoteId }) => remoteId !== null);
  const days = isOnService ? read : { ...read, isCovered: () => false };
  const byRemoteId = new Map(facts.flatMap((one) => (one.remoteId === null ? [] : [[one.remoteId, one] as const])));
  const sums = addUp(days, span, byRemoteId);
  const paces = await pacing(account, facts, today);
  return {
    today,
    span,
    through: days.through,
    fetchedAt: days.fetchedAt,
    missing: days.missing,
    damaged: [...days.damaged],
    hasCampaigns: all.length > 0,
    campaigns: sums.now.size,
    tiles: tilesOf(sums.byDay, span, before, days),
    days: dayList(span).map((day) => {
      const own = sums.byDay.get(day);
      const known = days.isCovered(day);
      const earlier = addDays(day, -daysIn(span));
      return {
        day,
        sales: known ? (own?.sales ?? 0) : null,
        spend: known ? (own?.spend ?? 0) : null,
        before: days.isCovered(earlier) ? (sums.byDay.get(earlier)?.sales ?? 0) : null,
        isSettled: days.through === null || isSettled(daysBetween(day, days.through) + 1, WINDOW_DAYS),
        campaigns: own?.campaigns.size ?? 0,
      };
    }),
    changes: largestChanges(sums, facts),
    starting: { total: starting.total, launches: starting.launches },
    pacing: paces,
    lastSync: synced,
  };
}

type SumsOfDay = DaySums & { readonly campaigns: ReadonlySet<string> };

interface Sums {
  readonly byDay: ReadonlyMap<string, SumsOfDay>;
  /** Campaigns with metrics in the period and in the one before, by remote ID. */
  readonly now: ReadonlyMap<string, DaySums>;
  readonly before: ReadonlyMap<string, DaySums>;
}

function addUp(days: CampaignDays, span: DaySpan, campaigns: ReadonlyMap<string, CampaignFacts>): Sums {
  const byDay = new Map<string, DaySums & { readonly campaigns: Set<string> }>();
  const now = new Map<string, DaySums>();
  const before = new Map<string, DaySums>();
  for (const { remoteId, day, sums: own } of days.rows()) {
    if (!campaigns.has(remoteId)) continue;
    const known = byDay.get(day) ?? { ...NOTHING, campaigns: new Set<string>() };
    known.campaigns.add(remoteId);
    byDay.set(day, known);
    addTo(known, own);
    const period = day < span.from ? before : now;
    period.set(remoteId, addTo(period.get(remoteId) ?? { ...NOTHING }, own));
  }
  return { byDay, now, before };
}

function addTo(sum: DaySums, own: DaySums): DaySums {
  for (const name of SUMMED) sum[name] += own[name];
  return sum;
}

const dayList = (span: DaySpan): readonly PlainDate[] =>
  Array.from({ length: daysIn(span) }, (_, at) => addDays(span.from, at));

const roas = ({ sales, spend }: DaySums): number | null => quotient('ratio', sales, spend);
const cpc = ({ spend, clicks }: DaySums): number | null => quotient('money', spend, clicks);

/** Each tile for the period, for the one before if it is completely known, and for the last days. */
function tilesOf(byDay: Sums['byDay'], span: DaySpan, before: DaySpan, days: CampaignDays): Overview['tiles'] {
  const sumOf = (part: DaySpan): DaySums =>
    dayList(part).reduce((sum, day) => addTo(sum, byDay.get(day) ?? NOTHING), { ...NOTHING });
  const isKnown = dayList(span).some(days.isCovered);
  const wasKnown = dayList(before).every(days.isCovered);
  const [now, earlier] = [sumOf(span), sumOf(before)];
  const last = Array.from({ length: TILE_DAYS }, (_, at) => addDays(span.to, at + 1 - TILE_DAYS));
  const tile = (value: (sums: DaySums) => number | null): Overview['tiles']['sales'] => ({
    now: isKnown ? value(now) : null,
    before: wasKnown ? value(earlier) : null,
    days: last.map((day) => (days.isCovered(day) ? value(byDay.get(day) ?? NOTHING) : null)),
  });
  return {
    sales: tile(({ sales }) => sales),
    spend: tile(({ spend }) => spend),
    roas: tile(roas),
    orders: tile(({ orders }) => orders),
    cpc: tile(cpc),
  };
}

function largestChanges({ now, before }: Sums, facts: readonly CampaignFacts[]): Overview['changes'] {
  if (before.size === 0) return [];
  return facts
    .flatMap(({ id, remoteId, name }) => {
      const change = (now.get(remoteId ?? '')?.sales ?? 0) - (before.get(remoteId ?? '')?.sales ?? 0);
      return change === 0 ? [] : [{ campaignId: id, name, change }];
    })
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, LISTED)
    .toSorted((a, b) => b.change - a.change);
}

/** Number of days from which the current spend is computed. */
const LATELY_DAYS = 7;
const SHARE = 10_000;
/** Minimum share of the budget that counts as left over. */
const LEFT_OVER = 0.1;

async function pacing(account: ActiveAccount, all: readonly CampaignFacts[], today: PlainDate) {
  const live = all.filter(({ state, remoteId }) => state === 'live' && remoteId !== null);
  const daily = live.reduce((sum, { dailyBudget }) => sum + (dailyBudget ?? 0), 0);
  const oldest = addDays(today, -FLIGHT_DAYS_MAX);
  const flights = live.flatMap((campaign) => {
    const flight = flightOf(campaign, today);
    return flight === null || flight.from < oldest ? [] : [{ campaign, ...flight }];
  });
  if (flights.length === 0) return { daily, total: 0, campaigns: [] };
  const from = flights.reduce(
    (first, flight) => (flight.from < first ? flight.from : first),
    addDays(today, -LATELY_DAYS),
  );
  const days = await campaignDays(account, { from, to: addDays(today, -1) });
  const byId = new Map(flights.map((flight) => [flight.campaign.remoteId, { ...flight, spent: 0, lately: 0 }]));
  const lateFrom = addDays(today, -LATELY_DAYS);
  for (const { remoteId, day, sums } of days.rows()) {
    const flight = byId.get(remoteId);
    if (flight === undefined || day < flight.from) continue;
    flight.spent += sums.spend;
    if (day >= lateFrom) flight.lately += sums.spend;
  }
  const states =
    days.missing === null ? [] : await (await account.cube()).dayStates('campaign', days.missing, WINDOW_DAYS);
  // A report may omit days on which no campaign had impressions, for example before an approval. These days count as
  // known.
  const leftOut = new Set<string>(states.flatMap(({ day, why }) => (why === LEFT_OUT ? [day] : [])));
  const isKnown = (first: PlainDate): boolean =>
    dayList({ from: first, to: addDays(today, -1) }).every((day) => days.isCovered(day) || leftOut.has(day));
  const paces = [...byId.values()].filter((flight) => isKnown(flight.from)).map((flight) => paceOf(flight, today));
  const order = { 'runs-out': 0, 'left-over': 1, 'on-pace': 2 } as const;
  return {
    daily,
    total: paces.length,
    campaigns: paces.toSorted((a, b) => order[a.is] - order[b.is] || b.budget - a.budget).slice(0, PACED_MAX),
  };
}

/** The days to which a budget applies: the flight of a total budget, else this month; both ends are included. */
function flightOf(campaign: CampaignFacts, today: PlainDate): (DaySpan & Pick<Pace, 'budget' | 'isTotal'>) | null {
  const { totalBudget, dailyBudget, startDate, endDate } = campaign;
  const start = (startDate ?? '') as PlainDate;
  if (start === '' || start >= today) return null;
  const isOpen = endDate === null || endDate === OPEN_END;
  if (totalBudget !== null && totalBudget > 0 && !isOpen)
    return { from: start, to: endDate as PlainDate, budget: totalBudget, isTotal: true };
  if (dailyBudget === null || dailyBudget <= 0) return null;
  const month = `${today.slice(0, 8)}01` as PlainDate;
  const nextMonth = `${addDays(month, 31).slice(0, 8)}01` as PlainDate;
  const from = start > month ? start : month;
  const last = addDays(nextMonth, -1);
  const to = isOpen || endDate > last ? last : (endDate as PlainDate);
  if (from >= today) return null;
  return { from, to, budget: dailyBudget * daysIn({ from, to }), isTotal: false };
}

interface Flight extends DaySpan, Pick<Pace, 'budget' | 'isTotal'> {
  readonly campaign: CampaignFacts;
  readonly spent: number;
  readonly lately: number;
}

/** Projects the budget if the campaign continues to spend as in the last week. */
function paceOf({ campaign, budget, isTotal, spent, lately, from, to }: Flight, today: PlainDate): Pace {
  const over = daysBetween(from, today);
  const perDay = lately / Math.min(LATELY_DAYS, over);
  const leftDays = Math.max(0, daysBetween(today, to) + 1);
  const left = Math.max(0, budget - spent);
  const lasts = perDay === 0 ? Infinity : Math.floor(left / perDay);
  const unspent = Math.round(left - perDay * leftDays);
  const is = lasts < leftDays ? 'runs-out' : unspent > LEFT_OVER * budget ? 'left-over' : 'on-pace';
  return {
    campaignId: campaign.id,
    name: campaign.name,
    budget,
    isTotal,
    spent,
    elapsed: Math.min(SHARE, Math.round((SHARE * over) / daysIn({ from, to }))),
    is,
    day: is === 'runs-out' ? addDays(today, lasts) : null,
    left: is === 'left-over' ? unspent : null,
  };
}

async function lastSync(account: ActiveAccount): Promise<Overview['lastSync']> {
  const report = (await account.sync()).report();
  if (report === null) return null;
  const { runId, state, changes, done, refused, refusedMore, inDoubt, questions, untouched } = report;
  const run = (await account.workspace.outbox.sentRuns()).find((each) => each.runId === runId);
  const head = { at: run?.at ?? null, isRunning: state === 'running' };
  // Rows, as the result counts them: a row can need several requests. A sync of reviews or files alone has no rows.
  if (changes.total > 0) {
    const { sent, failed, unresolved, notSent } = changes;
    return { ...head, sent, failed, unresolved, notSent };
  }
  return {
    ...head,
    sent: done,
    failed: refused.length + refusedMore,
    unresolved: inDoubt + questions,
    notSent: untouched,
  };
}
