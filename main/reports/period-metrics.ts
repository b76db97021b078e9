import { addDays, daysBetween } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { type FigureColumn, type Figures, quotient, type ReportedKind } from '../../shared/reports/metric.ts';
import { type Period, periodSpan } from '../../shared/reports/period.ts';
import type { DailyMetrics, MetricSums } from './daily-metrics.ts';

/** Metrics of all rows of a kind on the days of a period. */
export interface PeriodMetrics {
  /** Names the days and the reports: the same text stands for the same numbers. */
  readonly source: string;
  readonly of: (remoteId: string) => RowMetrics | undefined;
  readonly column: (figure: string) => FigureColumn;
}

export interface RowMetrics {
  readonly figures: Figures;
  /** Spend in cents of the last 14 days, the oldest first; empty when they are not covered. */
  readonly trend: readonly number[];
}

/** Days of the line beside the figures. */
export const TREND_DAYS = 14;

/** Adds up what reports have of rows in a period, and remembers it as long as the days and the reports are the same. */
export function createPeriodMetrics(daily: DailyMetrics, today: () => Promise<PlainDate>) {
  const kept = new Map<string, Promise<PeriodMetrics>>();
  return async (kind: ReportedKind, period: Period): Promise<PeriodMetrics> => {
    const day = await today();
    const span = periodSpan(period, day);
    const source = `${kind} ${span.from}..${span.to} ${day} ${await daily.version(kind)}`;
    const made = kept.get(source) ?? addUp(daily, kind, span, day, source);
    kept.delete(source);
    kept.set(source, made);
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
    return made;
  };
}

/** Four kinds in one period; 200,000 rows take some 60 MB. */
const KEPT = 4;

async function addUp(
  daily: DailyMetrics,
  kind: ReportedKind,
  span: ReturnType<typeof periodSpan>,
  today: PlainDate,
  source: string,
): Promise<PeriodMetrics> {
  const sums = new Map<string, MetricSums>();
  (await daily.days(kind, span)).each((id, _, { sales, spend, orders, clicks, impressions }) => {
    const known = sums.get(id);
    const sum = {
      sales: sales + (known?.sales ?? 0),
      spend: spend + (known?.spend ?? 0),
      orders: orders + (known?.orders ?? 0),
      clicks: clicks + (known?.clicks ?? 0),
      impressions: impressions + (known?.impressions ?? 0),
    };
    sums.set(id, sum);
  });
  const from = addDays(today, -TREND_DAYS);
  const trends = new Map<string, number[]>();
  (await daily.days(kind, { from, to: addDays(today, -1) })).each((id, day, { spend }) => {
    const trend = trends.get(id) ?? Array.from({ length: TREND_DAYS }, () => 0);
    const at = daysBetween(from, day);
    trend[at] = (trend[at] ?? 0) + spend;
    trends.set(id, trend);
  });
  return {
    source,
    of: (remoteId) => {
      const sum = sums.get(remoteId);
      return sum === undefined ? undefined : { figures: figuresFrom(sum), trend: trends.get(remoteId) ?? [] };
    },
    column: (figure) => {
      const remoteIds: string[] = [];
      const values: number[] = [];
      for (const [id, sum] of sums) {
        const value = figuresFrom(sum)[figure];
        if (value === undefined) continue;
        remoteIds.push(id);
        values.push(value);
      }
      return { remoteIds, values };
    },
  };
}

/** Sums by their names in reports, and the rates they make. */
function figuresFrom({ sales, spend, orders, clicks, impressions }: MetricSums): Figures {
  const rates = {
    ctr: quotient('percent', clicks, impressions),
    cpc: quotient('money', spend, clicks),
    roas14days: quotient('ratio', sales, spend),
  };
  const told = Object.entries(rates).filter((rate): rate is [string, number] => rate[1] !== null);
  return {
    impressions,
    clicks,
    adSpend: spend,
    attributedOrders14days: orders,
    attributedSales14days: sales,
    ...Object.fromEntries(told),
  };
}
