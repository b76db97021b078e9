import { type MetricsGrouping, REPORT_OF_GROUPING } from '../../shared/api/metrics.ts';
import { weekOf } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import {
  changeOf,
  type MetricColumnKey,
  metricFrom,
  partsOf,
  SUMMED,
  type Summed,
  type Sums,
  type WindowDays,
} from '../../shared/reports/account-metrics.ts';
import { metricOf, quotient, type ReportedKind } from '../../shared/reports/metric.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { SIGNALS } from '../../shared/search/query.ts';
import { asText } from '../store/db/db.ts';
import type { CubeFile } from './cube-file.ts';
import { createDailyQueries } from './daily-queries.ts';
import { type Days, type KnownDay, partsOf as partsOfDays } from './days.ts';
import { createLinks } from './links.ts';
import { BID, dayNumber, dayOf } from './read-file-days.ts';
import { placeOf, sumOf, valueAt } from './segment.ts';
import { type Asking, createSpanSums, type EntitySums, MONTHS, type SpanLook } from './span-sums.ts';

/** Freshness of an answer about a span. */
export interface Answered {
  readonly version: string;
  readonly fetchedAt: number | null;
  readonly notSettledDays: number;
  readonly unknownDays: number;
}

export interface RowSums {
  readonly sums: Sums;
  /** Hundredths of a percent. */
  readonly notSettled: number;
  readonly trend: readonly (number | null)[];
}

export interface GroupSums {
  readonly key: string;
  readonly label: string;
  readonly rowId: RowId | null;
  readonly sums: Sums;
  /** Further metrics by their names in reports. */
  readonly others: Readonly<Record<string, number>>;
}

export interface Grouped extends Answered {
  readonly groups: readonly GroupSums[];
  /** Sum of the groups; `total` comes from the campaigns' own report. */
  readonly sum: Sums;
  readonly total: Sums;
}

/** A column of rows: a sum, a column of the grid, 1 for rows in a report, or the trend of spend. */
export type RowColumn = Summed | MetricColumnKey | 'has' | 'trend';

const TREND_DAYS = 14;
const TREND_WEEK = 7;
/** Changes of spend below this count as steady, in hundredths of a percent. */
const STEADY = 1000;
/** Reports from which a total is taken. */
const TOTAL_TYPES = ['campaign', 'adGroup'] as const;

/**
 * Queries of the cube. Work pauses between segments, so that other queries run.
 *
 * @param account the account's database, which links entities to rows
 */
export function createQueries(
  db: CubeFile,
  account: Parameters<typeof createLinks>[1],
  days: Days,
  rest: () => Promise<void>,
  asking: Asking,
) {
  const links = createLinks(db, account, days);
  const spans = createSpanSums(db, days, links, rest, asking);
  const { columnsFor, metricNames, pause, sumsOf, typeFor } = spans;
  const daily = createDailyQueries(days, links, spans);

  const answered = (
    { days: { fetchedAt, notSettled, unknown } }: Pick<EntitySums, 'days'>,
    kind: ReportedKind | null = null,
  ): Answered => ({
    version: links.version(kind),
    fetchedAt,
    notSettledDays: notSettled,
    unknownDays: unknown,
  });

  const sumsAt = ({ sums, present }: EntitySums, entities: readonly number[]): Sums =>
    Object.fromEntries(
      [...present].map((name) => [name, entities.reduce((sum, entity) => sum + (sums[name][entity] ?? 0), 0)]),
    );

  const totalOf = ({ sums, present, days: { days: known } }: EntitySums): Sums => {
    if (known.length === 0) return {};
    return Object.fromEntries([...present].map((name) => [name, sumOf({ values: sums[name] })]));
  };

  /** Spend by day up to the last day of the span. */
  const trendsOf = (type: string, { span, window }: SpanLook, entities: readonly (readonly number[])[]) => {
    const to = dayNumber(span.to);
    const from = to - TREND_DAYS + 1;
    const known = days.of(type, { from: dayOf(from), to: span.to }, window).days;
    const trends = entities.map(() => Array.from({ length: TREND_DAYS }, (): number | null => null));
    const spend = SUMMED.indexOf('spend');
    const columnsOf = columnsFor(window);
    for (const day of known) {
      const segment = days.read(day);
      const column = segment === null ? undefined : columnsOf(segment)[spend];
      if (segment === null) continue;
      for (const [at, own] of entities.entries()) {
        let sum = 0;
        for (const entity of own) {
          const place = column === undefined ? -1 : placeOf(segment, entity);
          if (place >= 0 && column !== undefined) sum += valueAt(column, place);
        }
        (trends[at] as (number | null)[])[day.day - from] = sum;
      }
    }
    return trends;
  };

  /** A number for every row of a kind by its ID; NaN for rows that are in no report. */
  const rowSums = async (
    kind: ReportedKind,
    look: SpanLook,
    wanted: readonly Summed[],
  ): Promise<Map<Summed, Float64Array>> => {
    const found = await sumsOf(kind, look);
    const rowOf = links.rowOfEntity(typeFor(kind, look.span, look.window), kind);
    return new Map(
      wanted.map((name) => [name, byRow(rowOf, found.present.has(name) ? found.has : NO_ENTITIES, found.sums[name])]),
    );
  };

  const rowSum = async (kind: ReportedKind, look: SpanLook, name: Summed): Promise<Float64Array> =>
    (await rowSums(kind, look, [name])).get(name) ?? NO_ROWS;

  /** 1 for every row that is in a report. */
  const rowsThere = async (kind: ReportedKind, look: SpanLook): Promise<Float64Array> => {
    const { has } = await sumsOf(kind, look);
    const rowOf = links.rowOfEntity(typeFor(kind, look.span, look.window), kind);
    const there = new Float64Array(rowOf.reduce((most, row) => Math.max(most, row), 0) + 1).fill(Number.NaN);
    for (let entity = 0; entity < rowOf.length; entity++) if (has[entity] === 1) there[rowOf[entity] ?? 0] = 1;
    return there;
  };

  /**
   * The change of spend: the last days of the span compared with as many before, as the position of the trend's word in
   * a search. A day without a report counts in neither week, and its weekday in the other week does not either.
   */
  const rowTrends = async (kind: ReportedKind, look: SpanLook): Promise<Float64Array> => {
    const from = dayNumber(look.span.to) - TREND_DAYS + 1;
    const span = { from: dayOf(from), to: look.span.to };
    const { has, days: found } = await sumsOf(kind, { ...look, span });
    const known = new Set(found.days.map(({ day }) => day - from));
    const counted = Array.from({ length: TREND_WEEK }, (_, at) => known.has(at) && known.has(at + TREND_WEEK));
    const week = (start: number) => {
      const weights = new Float64Array(TREND_DAYS);
      for (const [at, isCounted] of counted.entries()) weights[start + at] = Number(isCounted);
      return { metric: 'spend' as const, weights };
    };
    const type = typeFor(kind, span, look.window);
    const spend = await daily.weighted(type, from, look.window, [week(0), week(TREND_WEEK)]);
    const rowOf = links.rowOfEntity(type, kind);
    const [before = NO_ROWS, now = NO_ROWS] = spend.map((sums) => byRow(rowOf, has, sums));
    return now.map((sum, row) => {
      if (Number.isNaN(sum) || !counted.includes(true)) return Number.NaN;
      const change = changeOf(sum, before[row] ?? 0);
      const word =
        change === null ? (sum > 0 ? 'up' : 'flat') : change > STEADY ? 'up' : change < -STEADY ? 'down' : 'flat';
      return SIGNALS.trend.indexOf(word);
    });
  };

  const othersOf = async (type: string, look: SpanLook, groupOf: readonly Int32Array[], groups: number) => {
    const { byId } = metricNames();
    const others = new Map<string, Float64Array>();
    const isOther = (name: string): boolean => name !== BID && metricOf(name) === null;
    if (![...byId.values()].some(isOther)) return others;
    for (const part of partsOfDays(days, days.of(type, look.span, look.window, look.settledOnly, MONTHS).days)) {
      const segment = part.read();
      for (const column of segment?.columns ?? []) {
        const name = byId.get(column.metric) ?? '';
        if (segment === null || !isOther(name)) continue;
        const into = others.get(name) ?? new Float64Array(groups);
        others.set(name, into);
        // A row with two labels is in two groups.
        for (const own of groupOf) {
          for (let place = 0; place < column.values.length; place++) {
            const group = own[segment.ids[column.at?.[place] ?? place] ?? 0] ?? -1;
            if (group >= 0) into[group] = (into[group] ?? 0) + (column.values[place] ?? 0);
          }
        }
      }
      await pause();
    }
    return others;
  };

  /** The report for totals: of campaigns, else of ad groups, else of the rows themselves. */
  const totalType = (type: string, look: SpanLook): string =>
    TOTAL_TYPES.find((each) => days.of(each, look.span, look.window, false, MONTHS).days.length > 0) ?? type;

  const byCalendar = async (
    type: string,
    group: 'day' | 'week' | 'month',
    look: SpanLook,
    from: DaySpan,
  ): Promise<Grouped> => {
    const shift = dayNumber(from.from) - dayNumber(look.span.from);
    // Days of the comparison span are named after the days of the span; months are not, so they can't be used.
    const byMonth = group === 'month' && shift === 0;
    const reduced = byMonth ? MONTHS : 'none';
    const known = days.of(type, look.span, look.window, look.settledOnly, reduced);
    const columnsOf = columnsFor(look.window);
    const groups = new Map<string, Partial<Record<Summed, number>>>();
    const daily = known.days.map((day) => ({ day: day.day, read: () => days.read(day) }));
    for (const part of byMonth ? partsOfDays(days, known.days) : daily) {
      await pause();
      const segment = part.read();
      if (segment === null) continue;
      const date = dayOf(part.day + shift);
      const key = group === 'day' ? date : group === 'week' ? weekOf(date) : date.slice(0, 7);
      const own = groups.get(key) ?? {};
      groups.set(key, own);
      for (const [at, column] of columnsOf(segment).entries()) {
        const name = SUMMED[at];
        if (column !== undefined && name !== undefined) own[name] = (own[name] ?? 0) + sumOf(column);
      }
    }
    const all = await sumsOf(type, look, reduced);
    const total = await sumsOf(totalType(type, look), look, reduced);
    const list = Array.from(groups, ([key, sums]): GroupSums => ({ key, label: key, rowId: null, sums, others: {} }));
    return {
      ...answered(all),
      groups: list.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      sum: totalOf(all),
      total: totalOf(total),
    };
  };

  const ofRows = async (
    kind: ReportedKind,
    ids: readonly RowId[],
    look: SpanLook,
    withTrend: boolean,
  ): Promise<Answered & { readonly rows: readonly (RowSums | undefined)[] }> => {
    const found = await sumsOf(kind, look);
    const type = typeFor(kind, look.span, look.window);
    const entities = links
      .entitiesOfRows(type, kind, ids)
      .map((own) => own.filter((entity) => found.has[entity] === 1));
    const trends = withTrend ? trendsOf(type, look, entities) : [];
    const rows = entities.map((own, at): RowSums | undefined => {
      if (own.length === 0) return undefined;
      const sums = sumsAt(found, own);
      const open = own.reduce((sum, entity) => sum + (found.expected[entity] ?? 0), 0);
      const notSettled = sums.clicks === undefined || sums.clicks === 0 ? 0 : Math.round((10_000 * open) / sums.clicks);
      return { sums, notSettled, trend: trends[at] ?? [] };
    });
    return { ...answered(found, kind), rows };
  };

  return {
    /** Metrics of rows of a kind, in the order of the list; undefined for rows that are in no report. */
    ofRows,
    /**
     * One number for every row of a kind by its ID, for the thread that sorts and sums rows; NaN if unknown. Columns
     * are sums or columns of the grid.
     */
    rowColumns: async (
      kind: ReportedKind,
      look: SpanLook,
      previous: SpanLook | null,
      columns: readonly RowColumn[],
    ): Promise<readonly Float64Array[]> => {
      const read = async (column: RowColumn): Promise<Float64Array> => {
        if (column === 'has') return rowsThere(kind, look);
        if (column === 'trend') return rowTrends(kind, look);
        if (typeof column === 'string') return rowSum(kind, look, column);
        const window = column.window ?? look.window;
        const parts = partsOf(column.name);
        const now = await rowSums(kind, { ...look, window }, parts);
        const before =
          column.isChange && previous !== null ? await rowSums(kind, { ...previous, window }, parts) : null;
        const spendOf = async (days: SpanLook | null): Promise<number> =>
          days === null || column.name !== 'spendShare'
            ? 0
            : (totalOf(await sumsOf(totalType(kind, days), days)).spend ?? 0);
        const totals = [await spendOf(look), await spendOf(before === null ? null : previous)] as const;
        return columnOf(column, now, before, totals);
      };
      const made: Float64Array[] = [];
      for (const column of columns) made.push(await read(column));
      return made;
    },
    version: links.version,
    /** @param from the days that calendar groups are named after, if the look is about the comparison span */
    grouped: async (group: MetricsGrouping, wanted: string | null, look: SpanLook, from: DaySpan): Promise<Grouped> => {
      const type = typeFor(wanted ?? REPORT_OF_GROUPING[group], look.span, look.window);
      if (group === 'day' || group === 'week' || group === 'month') return byCalendar(type, group, look, from);
      const found = await sumsOf(type, look);
      const total = await sumsOf(totalType(type, look), look);
      const { groupOf, keys } = links.groups(type, group, found.has);
      const others = await othersOf(type, look, groupOf, keys.length);
      const sums = [...found.present].map((name) => {
        const values = found.sums[name];
        const into = new Float64Array(keys.length);
        for (const groups of groupOf) {
          for (let entity = 0; entity < groups.length; entity++) {
            const value = values[entity] ?? 0;
            const at = value === 0 ? -1 : (groups[entity] ?? -1);
            if (at >= 0) into[at] = (into[at] ?? 0) + value;
          }
        }
        return [name, into] as const;
      });
      return {
        ...answered(found),
        groups: keys.map(({ key, label, rowId }, at) => ({
          key,
          label,
          rowId,
          sums: Object.fromEntries(sums.map(([name, values]) => [name, values[at] ?? 0])),
          others: Object.fromEntries(Array.from(others, ([name, values]) => [name, values[at] ?? 0])),
        })),
        sum: totalOf(found),
        total: totalOf(total),
      };
    },
    total: async (look: SpanLook): Promise<Sums> => totalOf(await sumsOf(totalType('campaign', look), look)),
    /** The entities of a type with their names and rows; row 0 for an entity without a row here. */
    entities: links.entities,
    /** The row of a kind for each entity of a type, by entity number. */
    rowOfEntity: links.rowOfEntity,
    ...daily,
    days: (type: string, span: DaySpan, window: WindowDays): readonly KnownDay[] => days.of(type, span, window).days,
    /** The last of these days that is reduced to its month; null without any. */
    lastReduced: (type: string, span: DaySpan, window: WindowDays): PlainDate | null => {
      const last = days.of(type, span, window, false, 'all').days.findLast(({ isReduced }) => isReduced);
      return last === undefined ? null : dayOf(last.day);
    },
    sources: days.sources,
    /** Units of metrics by their names in reports. */
    units: (): Readonly<Record<string, string>> =>
      Object.fromEntries(db.all('SELECT name, unit FROM metric').map(([name, unit]) => [asText(name), asText(unit)])),
  };
}

const NO_ROWS = new Float64Array(0);
const NO_ENTITIES = new Uint8Array(0);

/** Adds up the values of entities by their rows; NaN for a row without an entity that `has` marks. */
function byRow(rowOf: Int32Array, has: Uint8Array, values: Float64Array): Float64Array {
  const into = new Float64Array(rowOf.reduce((most, row) => Math.max(most, row), 0) + 1).fill(Number.NaN);
  for (let entity = 0; entity < rowOf.length; entity++) {
    const row = rowOf[entity] ?? 0;
    if (row === 0 || has[entity] !== 1) continue;
    const before = into[row] ?? 0;
    into[row] = (Number.isNaN(before) ? 0 : before) + (values[entity] ?? 0);
  }
  return into;
}

function columnOf(
  { name, isChange }: MetricColumnKey,
  now: ReadonlyMap<Summed, Float64Array>,
  before: ReadonlyMap<Summed, Float64Array> | null,
  [spendNow, spendBefore]: readonly [number, number],
): Float64Array {
  const size = Math.max(...Array.from(now.values(), (values) => values.length));
  const made = new Float64Array(size);
  const told = (arrays: ReadonlyMap<Summed, Float64Array>, row: number, totalSpend: number): number | null => {
    const sums: Partial<Record<Summed, number>> = {};
    for (const [each, values] of arrays) {
      const value = values[row];
      if (value !== undefined && !Number.isNaN(value)) sums[each] = value;
    }
    if (name !== 'spendShare') return metricFrom(name, sums);
    return sums.spend === undefined ? null : quotient('percent', sums.spend, totalSpend);
  };
  for (let row = 0; row < size; row++) {
    const value = told(now, row, spendNow);
    const earlier = before === null ? null : told(before, row, spendBefore);
    made[row] = (isChange ? changeOf(value, earlier) : value) ?? Number.NaN;
  }
  return made;
}
