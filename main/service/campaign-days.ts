import type { ReportSnapshot } from '../../shared/api/reports.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { Summed } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { seriesRows } from '../cube/daily-queries.ts';

/** Sums in cents and whole counts; 0 for those in no report. */
export type DaySums = Record<Summed, number>;
export const NOTHING: Readonly<DaySums> = { sales: 0, spend: 0, orders: 0, units: 0, clicks: 0, impressions: 0 };

type Parts = Pick<ActiveAccount, 'cube' | 'reports'>;

/** Campaign metrics by day, joined from all reports. */
export type CampaignDays = Awaited<ReturnType<typeof campaignDays>>;

export async function campaignDays(account: Parts, span: DaySpan) {
  const series = await (await account.cube()).series('campaign', span);
  const { isKnown, fetchedAt } = series;
  const dayAt = (at: number): PlainDate => addDays(span.from, at);
  const days = Array.from(isKnown, (_, at) => dayAt(at));
  const covered = new Set(days.filter((_, at) => isKnown[at] === 1));
  return {
    fetchedAt,
    /** From the first to the last unknown day; null if all are known. */
    missing: missingOf(days, covered),
    /** The last known day. */
    through: days.findLast((day) => covered.has(day)) ?? null,
    /** Unreadable reports about unknown days of the span. */
    damaged: covered.size === days.length ? [] : await damagedReports(account, 'campaign', span, covered),
    isCovered: (day: PlainDate) => covered.has(day),
    rows: function* () {
      for (const { remoteId, day, sums } of seriesRows(series)) yield { remoteId, day: days[day] ?? dayAt(day), sums };
    },
  };
}

/** From the first to the last day without a report of this type; null for none. */
export async function unknownDays({ cube }: Parts, type: string, span: DaySpan): Promise<DaySpan | null> {
  const states = await (await cube()).dayStates(type, span, 14);
  const covered = new Set(states.filter(({ fetchedAt }) => fetchedAt !== null).map(({ day }) => day));
  return missingOf(
    states.map(({ day }) => day as PlainDate),
    covered,
  );
}

function missingOf(days: readonly PlainDate[], covered: ReadonlySet<string>): DaySpan | null {
  const open = days.filter((day) => !covered.has(day));
  const [from, to] = [open[0], open.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
}

async function damagedReports(
  { cube, reports }: Parts,
  type: string,
  { from, to }: DaySpan,
  covered: ReadonlySet<string>,
): Promise<readonly ReportSnapshot[]> {
  const problems = new Set((await (await cube()).reports()).flatMap(({ id, problem }) => (problem === '' ? [] : [id])));
  if (problems.size === 0) return [];
  const { snapshots } = await reports.list();
  return snapshots.filter(({ id, reportType, startDate, endDate }) => {
    if (!problems.has(id) || reportType !== type || startDate > to || endDate < from) return false;
    return !covered.has(startDate) || !covered.has(endDate);
  });
}
