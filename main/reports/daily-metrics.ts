import type { ReportSnapshot } from '../../shared/api/reports.ts';
import { parseDecimal } from '../../shared/model/decimal.ts';
import { addDays, daysBetween } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { ATTRIBUTION_WINDOWS, columnOf, type ReportedKind } from '../../shared/reports/metric.ts';
import { type DaySpan, daysIn } from '../../shared/reports/period.ts';
import type { ReportRows } from './read-report-file.ts';
import type { ReportStore } from './report-store.ts';

/**
 * Metrics of rows day by day, from all kept reports of a type with a daily breakdown. The newest report that covers a day
 * counts for it. What is read of a report is held in memory as numbers: 200,000 rows take some 10 MB.
 */
export type DailyMetrics = ReturnType<typeof createDailyMetrics>;

/** Sums in cents and whole counts. Sales and orders are of one attribution window. */
export interface MetricSums {
  readonly sales: number;
  readonly spend: number;
  readonly orders: number;
  readonly clicks: number;
  readonly impressions: number;
}

const METRICS = ['sales', 'spend', 'orders', 'clicks', 'impressions'] as const satisfies readonly (keyof MetricSums)[];
export const NOTHING: MetricSums = { sales: 0, spend: 0, orders: 0, clicks: 0, impressions: 0 };

/** The days of a span as kept reports have them. */
export interface DaysOfRows {
  /** Changes when other reports are kept. */
  readonly version: string;
  /** When the newest of the reports was received; null without any. */
  readonly fetchedAt: number | null;
  /** The first and the last day that no report covers; null when all are covered. */
  readonly missing: DaySpan | null;
  /** The last day that a report covers. */
  readonly through: PlainDate | null;
  /** Reports that cover days of the span and cannot be read. */
  readonly damaged: readonly ReportSnapshot[];
  readonly isCovered: (day: PlainDate) => boolean;
  /** Calls for every row of the reports in the span. */
  readonly each: (take: (remoteId: string, day: PlainDate, sums: MetricSums) => void) => void;
}

/** One report, row by row: whose it is, which day after the first of the report, and its numbers side by side. */
interface Table {
  readonly ids: readonly string[];
  readonly row: Uint32Array;
  readonly day: Uint16Array;
  readonly values: Float64Array;
}

/** Reports held at once; an account shows one type over half a year at most times. */
const HELD = 8;

export function createDailyMetrics(store: Pick<ReportStore, 'list' | 'read'>) {
  const held = new Map<string, Promise<Table | null>>();

  const tableOf = (snapshot: ReportSnapshot, kind: ReportedKind): Promise<Table | null> => {
    const key = `${snapshot.id} ${kind}`;
    const reading =
      held.get(key) ??
      store.read(snapshot.id).then((found) => (found.ok ? readTable(found.value, kind, snapshot) : null));
    held.delete(key);
    held.set(key, reading);
    for (const oldest of held.keys()) {
      if (held.size <= HELD) break;
      held.delete(oldest);
    }
    return reading;
  };

  /** Kept reports about rows of a kind with a daily breakdown, newest first. */
  const daily = async (kind: ReportedKind): Promise<readonly ReportSnapshot[]> =>
    (await store.list()).snapshots.filter(({ reportType, byDate }) => reportType === kind && byDate);

  return {
    /** The reports that an answer is made of, without reading them. */
    version: async (kind: ReportedKind): Promise<string> => (await daily(kind)).map(({ id }) => id).join(' '),
    days: async (kind: ReportedKind, span: DaySpan): Promise<DaysOfRows> => {
      const snapshots = await daily(kind);
      const count = Math.max(0, daysIn(span));
      const sources: (number | null)[] = Array.from({ length: count }, () => null);
      const tables: Table[] = [];
      const firstDays: PlainDate[] = [];
      const damaged: ReportSnapshot[] = [];
      let fetchedAt: number | null = null;
      for (const snapshot of snapshots) {
        const days = daysCovered(snapshot, span).filter((at) => sources[at] === null);
        if (days.length === 0) continue;
        const table = await tableOf(snapshot, kind);
        if (table === null) {
          damaged.push(snapshot);
          continue;
        }
        for (const at of days) sources[at] = tables.length;
        tables.push(table);
        firstDays.push(snapshot.startDate as PlainDate);
        fetchedAt = Math.max(fetchedAt ?? 0, snapshot.fetchedAt);
      }
      const open = sources.flatMap((source, at) => (source === null ? [at] : []));
      const last = sources.findLastIndex((source) => source !== null);
      const [first, end] = [open[0], open.at(-1)];
      return {
        version: snapshots.map(({ id }) => id).join(' '),
        fetchedAt,
        missing:
          first === undefined || end === undefined
            ? null
            : { from: addDays(span.from, first), to: addDays(span.from, end) },
        through: last < 0 ? null : addDays(span.from, last),
        damaged,
        isCovered: (day) => sources[daysBetween(span.from, day)] != null,
        each: (take) => {
          const names = Array.from({ length: count }, (_, at) => addDays(span.from, at));
          for (const [source, { ids, row, day, values }] of tables.entries()) {
            const shift = daysBetween(span.from, firstDays[source] ?? span.from);
            for (let at = 0; at < row.length; at++) {
              const in_ = (day[at] ?? 0) + shift;
              if (sources[in_] !== source) continue;
              const first = METRICS.length * at;
              const [sales = 0, spend = 0, orders = 0, clicks = 0, impressions = 0] = values.subarray(
                first,
                first + METRICS.length,
              );
              take(ids[row[at] ?? 0] ?? '', names[in_] ?? span.from, { sales, spend, orders, clicks, impressions });
            }
          }
        },
      };
    },
  };
}

/** Places in the span of the days that a report has whole: metrics of a day are there on the next. */
function daysCovered({ startDate, endDate, fetchedOn }: ReportSnapshot, span: DaySpan): readonly number[] {
  const whole = addDays(fetchedOn as PlainDate, -1);
  const from = daysBetween(span.from, startDate as PlainDate);
  const to = daysBetween(span.from, (endDate < whole ? endDate : whole) as PlainDate);
  return Array.from({ length: Math.max(0, daysIn(span)) }, (_, at) => at).filter((at) => at >= from && at <= to);
}

/** Windows that a report may count sales and orders in, the most usual first. */
const WINDOWS = ['14days', ...ATTRIBUTION_WINDOWS.filter((window) => window !== '14days'), null] as const;

function readTable([names = [], ...lines]: ReportRows, kind: ReportedKind, { startDate }: ReportSnapshot): Table {
  const find = (name: string): number => names.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  const counted = (metric: string): number =>
    WINDOWS.map((window) => find(columnOf(metric, window))).find((at) => at >= 0) ?? -1;
  const columns = [
    counted('attributedSales'),
    find('adSpend'),
    counted('attributedOrders'),
    find('clicks'),
    find('impressions'),
  ];
  const [idAt, dayAt] = [find(`${kind}Id`), Math.max(find('date'), find('reportDate'))];
  const places = new Map<string, number>();
  const dayPlaces = new Map<string, number>();
  const row = new Uint32Array(lines.length);
  const day = new Uint16Array(lines.length);
  const values = new Float64Array(METRICS.length * lines.length);
  for (const [at, line] of lines.entries()) {
    const id = (line[idAt] ?? '').trim();
    const place = places.get(id) ?? places.size;
    places.set(id, place);
    row[at] = place;
    const text = (line[dayAt] ?? '').slice(0, 10);
    const known = dayPlaces.get(text) ?? daysBetween(startDate as PlainDate, text as PlainDate);
    dayPlaces.set(text, known);
    day[at] = known;
    for (const [metric, column] of columns.entries()) {
      values[METRICS.length * at + metric] = numberIn(line[column], metric < 2 ? 2 : 0);
    }
  }
  return { ids: [...places.keys()], row, day, values };
}

const PLAIN = /^\d{1,9}(?:\.(\d{1,2}))?$/;

/** In the smallest step; 0 for a cell that holds no number. Plain numbers, which nearly all are, take the short way. */
function numberIn(cell: string | undefined, places: 0 | 2): number {
  if (cell === undefined || cell === '') return 0;
  const plain = PLAIN.exec(cell);
  if (plain !== null && (places === 2 || plain[1] === undefined)) return Math.round(Number(cell) * 10 ** places);
  const read = parseDecimal(cell.trim(), places);
  return read.ok ? read.value.units : 0;
}
