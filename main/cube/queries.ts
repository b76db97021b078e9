import type { MetricsGrouping } from '../../shared/api/metrics.ts';
import { weekOf } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import {
  changeOf,
  FIRST_WINDOW,
  type MetricColumnKey,
  metricFrom,
  partsOf,
  SUMMED,
  type Summed,
  type Sums,
  type WindowDays,
  wireNames,
} from '../../shared/reports/account-metrics.ts';
import { metricOf, quotient, type ReportedKind } from '../../shared/reports/metric.ts';
import { type DaySpan, daysIn } from '../../shared/reports/period.ts';
import { SIGNALS } from '../../shared/search/query.ts';
import { startCompletion } from '../../shared/suggestions/exposure.ts';
import type { BidChange } from '../../shared/suggestions/what-if.ts';
import { asText } from '../store/db/db.ts';
import type { CubeFile, Source } from './cube-file.ts';
import { type Days, type DaysOfSpan, type KnownDay, partsOf as partsOfDays, type ReducedDays } from './days.ts';
import { metricNames } from './ingest.ts';
import { createLinks, type Links } from './links.ts';
import { BID, dayNumber, dayOf } from './read-file-days.ts';
import { addColumn, type Column, placeOf, type Segment, sumOf, valueAt } from './segment.ts';

/** Which days are added up, and how purchases are counted. */
export interface SpanLook {
  readonly span: DaySpan;
  readonly window: WindowDays;
  readonly settledOnly: boolean;
}

/** What a span holds of every entity of a type, by the number of the entity. */
interface EntitySums {
  readonly days: DaysOfSpan;
  readonly sums: Readonly<Record<Summed, Float64Array>>;
  /** Sums that at least one of the days has a column for. */
  readonly present: ReadonlySet<Summed>;
  /** 1 for an entity with a row on one of the days. */
  readonly has: Uint8Array;
  /** Clicks times the share of their purchases that is still expected. */
  readonly expected: Float64Array;
}

/** Answers about a span, and where they come from. */
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
  /** Further metrics by their names on the wire. */
  readonly others: Readonly<Record<string, number>>;
}

export interface Grouped extends Answered {
  readonly groups: readonly GroupSums[];
  /** Of the groups, and of the campaigns' own report. */
  readonly sum: Sums;
  readonly total: Sums;
}

/** One number for each entity, added up over days of which each counts so much. */
export interface WeightedTerm {
  readonly metric: Summed;
  /** Multiplies each day's number by another one of the same row, such as its bid. */
  readonly times?: string;
  /** For each day from the first one. */
  readonly weights: Float64Array;
}

/** A column of rows: a sum, what a column of the grid shows, whether there is anything, or where spend goes. */
export type RowColumn = Summed | MetricColumnKey | 'has' | 'trend';

const TREND_DAYS = 14;
const TREND_WEEK = 7;
/** A change of spend below this counts as none, in hundredths of a percent. */
const STEADY = 1000;
/** What is held of spans that were added up, and how many are in any case: one and the one before. 100,000 entities take 6 MB each. */
const HELD_BYTES = 18 * 2 ** 20;
const HELD_MIN = 2;
const ENTITY_BYTES = 8 * (SUMMED.length + 1) + 1;

/** Sums of a span have months that are one piece as well, where the span has all of their days. */
const MONTHS: ReducedDays = 'whole months';

/** Which question is answered at the moment, and whether the caller still waits for it. */
export interface Asking {
  readonly current: () => number;
  readonly isDropped: (ask: number) => boolean;
}

/** Ends the work for a question that nobody waits for any longer. */
class Dropped extends Error {
  override readonly name = 'AbortError';
}

/** Whose report a total is taken from. */
const TOTAL_TYPES = ['campaign', 'adGroup'] as const;

/** The report that has the rows of a grouping. */
const TYPE_OF: Readonly<Record<MetricsGrouping, string>> = {
  campaign: 'campaign',
  adGroup: 'adGroup',
  item: 'adItem',
  keyword: 'keyword',
  text: 'keyword',
  match: 'keyword',
  brand: 'brand',
  category: 'category',
  platform: 'platform',
  page: 'pageType',
  type: 'campaign',
  targeting: 'campaign',
  label: 'campaign',
  day: 'campaign',
  week: 'campaign',
  month: 'campaign',
};

/**
 * Questions about the cube. Work is cut at segments, between which other questions are answered.
 *
 * @param account the database of the account, which links entities to rows
 */
export function createQueries(
  db: CubeFile,
  account: Parameters<typeof createLinks>[1],
  days: Days,
  rest: () => Promise<void>,
  asking: Asking,
) {
  const links: Links = createLinks(db, account, days);
  /** With the questions that wait for it. */
  const held = new Map<string, { readonly sums: Promise<EntitySums>; readonly asks: Set<number> }>();
  /** Lets other questions be answered, and ends the one that is no longer waited for. */
  const pause = async (): Promise<void> => {
    await rest();
    if (asking.isDropped(asking.current())) throw new Dropped();
  };
  let names: {
    readonly revision: number;
    readonly byId: ReadonlyMap<number, string>;
    readonly byName: ReadonlyMap<string, number>;
  } | null = null;

  const metricsOf = () => {
    const revision = days.revision();
    if (names?.revision !== revision) {
      const byId = metricNames(db);
      names = { revision, byId, byName: new Map(Array.from(byId, ([id, name]) => [name, id])) };
    }
    return names;
  };
  const columnsFor = (window: WindowDays) => {
    const { byName } = metricsOf();
    const wanted = SUMMED.map((name) => wireNames(name, window).flatMap((wire) => byName.get(wire) ?? []));
    /** Of the names under which a segment may hold a sum the best one it has. */
    return (segment: Segment): readonly (Column | undefined)[] =>
      wanted.map((ids) => {
        for (const id of ids) {
          const found = segment.columns.find(({ metric }) => metric === id);
          if (found !== undefined) return found;
        }
        return undefined;
      });
  };

  /** The type, or for campaigns without a report of their own the one of ad groups. */
  const typeFor = (type: string, span: DaySpan, window: WindowDays): string =>
    type === 'campaign' &&
    days.of(type, span, window, false, MONTHS).days.length === 0 &&
    days.of('adGroup', span, window, false, MONTHS).days.length > 0
      ? 'adGroup'
      : type;

  const addUp = async (
    type: string,
    { span, window, settledOnly }: SpanLook,
    reduced: ReducedDays,
    isWanted: () => boolean,
  ): Promise<EntitySums> => {
    const known = days.of(type, span, window, settledOnly, reduced);
    const size = links.size();
    const arrays = SUMMED.map(() => new Float64Array(size));
    const present = new Set<Summed>();
    const has = new Uint8Array(size);
    const expected = new Float64Array(size);
    const columnsOf = columnsFor(window);
    for (const part of partsOfDays(days, known.days)) {
      await rest();
      if (!isWanted()) throw new Dropped();
      const segment = part.read();
      if (segment === null) continue;
      const columns = columnsOf(segment);
      for (const [at, column] of columns.entries()) {
        const name = SUMMED[at];
        if (column === undefined || name === undefined) continue;
        present.add(name);
        addColumn(segment, column, arrays[at] as Float64Array);
      }
      for (let row = 0; row < segment.rows; row++) has[segment.ids[row] ?? 0] = 1;
      const open = 1 - startCompletion(part.age, window);
      const clicks = columns[SUMMED.indexOf('clicks')];
      if (open > 0 && clicks !== undefined) addColumn(segment, clicks, expected, open);
    }
    const sums = Object.fromEntries(SUMMED.map((name, at) => [name, arrays[at]])) as Record<Summed, Float64Array>;
    return { days: known, sums, present, has, expected };
  };

  const sumsOf = (wanted: string, look: SpanLook, reduced: ReducedDays = MONTHS): Promise<EntitySums> => {
    const type = typeFor(wanted, look.span, look.window);
    const key = [days.revision(), type, look.span.from, look.span.to, look.window, look.settledOnly, reduced].join(' ');
    const made = held.get(key) ?? begin(key, type, look, reduced);
    made.asks.add(asking.current());
    held.delete(key);
    held.set(key, made);
    const most = Math.max(HELD_MIN, Math.floor(HELD_BYTES / (ENTITY_BYTES * links.size())));
    for (const oldest of held.keys()) if (held.size > most) held.delete(oldest);
    return made.sums;
  };
  const begin = (key: string, type: string, look: SpanLook, reduced: ReducedDays) => {
    const asks = new Set([asking.current()]);
    // Forgotten before it ends, so that a question that comes now begins it again.
    const isWanted = (): boolean => {
      const wanted = [...asks].some((ask) => !asking.isDropped(ask));
      if (!wanted && held.get(key)?.asks === asks) held.delete(key);
      return wanted;
    };
    const sums = addUp(type, look, reduced, isWanted);
    sums.catch(() => {
      if (held.get(key)?.asks === asks) held.delete(key);
    });
    return { sums, asks };
  };

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

  /** Spend by day up to the last one of the span. */
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

  /** A number for every row of a kind by its id; NaN for rows that no report has. */
  const rowSums = async (
    kind: ReportedKind,
    look: SpanLook,
    wanted: readonly Summed[],
  ): Promise<Map<Summed, Float64Array>> => {
    const found = await sumsOf(kind, look);
    const rowOf = links.rowOfEntity(typeFor(kind, look.span, look.window), kind);
    const size = rowOf.reduce((most, row) => Math.max(most, row), 0) + 1;
    const byName = new Map<Summed, Float64Array>();
    for (const name of wanted) {
      const into = new Float64Array(size).fill(Number.NaN);
      const values = found.sums[name];
      for (let entity = 0; entity < rowOf.length && found.present.has(name); entity++) {
        const row = rowOf[entity] ?? 0;
        if (row === 0 || found.has[entity] !== 1) continue;
        const before = into[row] ?? 0;
        into[row] = (Number.isNaN(before) ? 0 : before) + (values[entity] ?? 0);
      }
      byName.set(name, into);
    }
    return byName;
  };

  /** 1 for every row with something in a report. */
  const rowsThere = async (kind: ReportedKind, look: SpanLook): Promise<Float64Array> => {
    const { has } = await sumsOf(kind, look);
    const rowOf = links.rowOfEntity(typeFor(kind, look.span, look.window), kind);
    const there = new Float64Array(rowOf.reduce((most, row) => Math.max(most, row), 0) + 1).fill(Number.NaN);
    for (let entity = 0; entity < rowOf.length; entity++) if (has[entity] === 1) there[rowOf[entity] ?? 0] = 1;
    return there;
  };

  /** Where spend goes: the last days of the span against as many before, as a place among the words of a search. */
  const rowTrends = async (kind: ReportedKind, look: SpanLook): Promise<Float64Array> => {
    const to = dayNumber(look.span.to);
    const spanOf = (last: number): DaySpan => ({ from: dayOf(last - TREND_WEEK + 1), to: dayOf(last) });
    const spendOf = async (last: number) =>
      (await rowSums(kind, { ...look, span: spanOf(last) }, ['spend'])).get('spend') ?? new Float64Array(0);
    const [now, before] = [await spendOf(to), await spendOf(to - TREND_WEEK)];
    return now.map((spend, row) => {
      const change = changeOf(spend || 0, before[row] || 0);
      const word =
        change === null ? (spend > 0 ? 'up' : 'flat') : change > STEADY ? 'up' : change < -STEADY ? 'down' : 'flat';
      return Number.isNaN(spend) && Number.isNaN(before[row] ?? Number.NaN) ? Number.NaN : SIGNALS.trend.indexOf(word);
    });
  };

  const othersOf = async (type: string, look: SpanLook, groupOf: Int32Array, groups: number) => {
    const { byId } = metricsOf();
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
        for (let place = 0; place < column.values.length; place++) {
          const group = groupOf[segment.ids[column.at?.[place] ?? place] ?? 0] ?? -1;
          if (group >= 0) into[group] = (into[group] ?? 0) + (column.values[place] ?? 0);
        }
      }
      await pause();
    }
    return others;
  };

  /** Totals of record: of campaigns, without a report about them of ad groups, and else of the rows themselves. */
  const totalType = (type: string, look: SpanLook): string =>
    TOTAL_TYPES.find((each) => days.of(each, look.span, look.window, false, MONTHS).days.length > 0) ?? type;

  const byCalendar = async (
    type: string,
    group: 'day' | 'week' | 'month',
    look: SpanLook,
    from: DaySpan,
  ): Promise<Grouped> => {
    const shift = dayNumber(from.from) - dayNumber(look.span.from);
    // The days before are named after the days now, which months are not.
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
    /** Metrics of rows of a kind, by their places in the list; undefined for those that no report has. */
    ofRows,
    /**
     * One number for every row of a kind by its id, for the thread that sorts and adds up rows; NaN where it cannot be told.
     * Columns are sums, or what a column of the grid shows.
     */
    rowColumns: async (
      kind: ReportedKind,
      look: SpanLook,
      previous: SpanLook | null,
      columns: readonly RowColumn[],
    ): Promise<readonly Float64Array[]> => {
      const made: Float64Array[] = [];
      for (const column of columns) {
        if (column === 'has') {
          made.push(await rowsThere(kind, look));
          continue;
        }
        if (column === 'trend') {
          made.push(await rowTrends(kind, look));
          continue;
        }
        if (typeof column === 'string') {
          made.push((await rowSums(kind, look, [column])).get(column) ?? new Float64Array(0));
          continue;
        }
        const window = column.window ?? look.window;
        const parts = partsOf(column.name);
        const now = await rowSums(kind, { ...look, window }, parts);
        const before =
          column.isChange && previous !== null ? await rowSums(kind, { ...previous, window }, parts) : null;
        const { spend = 0 } = totalOf(await sumsOf(totalType(kind, look), look));
        made.push(columnOf(column, now, before, spend));
      }
      return made;
    },
    version: (kind: ReportedKind | null): string => links.version(kind),
    /** @param from the days that groups of the calendar are named after, where these are the days before */
    grouped: async (group: MetricsGrouping, wanted: string | null, look: SpanLook, from: DaySpan): Promise<Grouped> => {
      const type = typeFor(wanted ?? TYPE_OF[group], look.span, look.window);
      if (group === 'day' || group === 'week' || group === 'month') return byCalendar(type, group, look, from);
      const found = await sumsOf(type, look);
      const total = await sumsOf(totalType(type, look), look);
      const { groupOf, keys } = links.groups(type, group, found.has);
      const others = await othersOf(type, look, groupOf[0] ?? new Int32Array(0), keys.length);
      const sums = [...found.present].map((name) => {
        const values = found.sums[name];
        const into = new Float64Array(keys.length);
        // A row with two labels is in two groups.
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
    /** Every row of a source on every day, for sources of few rows: the IDs of a kind, days after the first, sums in step. */
    series: async (kind: ReportedKind, span: DaySpan, window: WindowDays = FIRST_WINDOW) => {
      const type = typeFor(kind, span, window);
      const known = days.of(type, span, window);
      const columnsOf = columnsFor(window);
      const remoteIds = links.remoteIds(type, kind);
      const isKnown = new Uint8Array(Math.max(0, daysIn(span)));
      const rows: { remoteId: string; day: number; sums: Sums }[] = [];
      for (const day of known.days) {
        await pause();
        const segment = days.read(day);
        if (segment === null) continue;
        isKnown[day.day - known.from] = 1;
        const columns = columnsOf(segment);
        for (let place = 0; place < segment.rows; place++) {
          const sums: Partial<Record<Summed, number>> = {};
          for (const [at, column] of columns.entries()) {
            const name = SUMMED[at];
            if (column !== undefined && name !== undefined) sums[name] = valueAt(column, place);
          }
          rows.push({ remoteId: remoteIds[segment.ids[place] ?? 0] ?? '', day: day.day - known.from, sums });
        }
      }
      return { isKnown, fetchedAt: known.fetchedAt, rows };
    },
    /** The entities of a type with what they are called, and the rows they stand for; 0 for one that is no row here. */
    entities: (type: string, kind: ReportedKind | null) => links.entities(type, kind),
    /** The row of a kind that each entity of a type stands for, by the number of the entity. */
    rowOfEntity: (type: string, kind: ReportedKind) => links.rowOfEntity(type, kind),
    /** Weighted sums of every entity over all days from a first one, by the number of the entity. */
    weighted: async (
      type: string,
      from: number,
      window: WindowDays,
      terms: readonly WeightedTerm[],
    ): Promise<readonly Float64Array[]> => {
      const last = from + Math.max(0, ...terms.map(({ weights }) => weights.length)) - 1;
      const known = days.of(type, { from: dayOf(from), to: dayOf(last) }, window).days;
      const made = terms.map(() => new Float64Array(links.size()));
      const columnsOf = columnsFor(window);
      for (const day of known) {
        await pause();
        const segment = days.read(day);
        if (segment === null) continue;
        const columns = columnsOf(segment);
        for (const [at, { metric, times, weights }] of terms.entries()) {
          const column = columns[SUMMED.indexOf(metric)];
          const weight = weights[day.day - from] ?? 0;
          if (column === undefined || weight === 0) continue;
          const into = made[at] as Float64Array;
          if (times === undefined) addColumn(segment, column, into, weight);
          else addProduct(segment, column, factorOf(segment, metricsOf().byName.get(times)), into, weight);
        }
      }
      return made;
    },
    /** Rows whose bid changed once in a span, with the days before and after the day of the change. */
    bidChanges: async (type: string, span: DaySpan, sideDays: number): Promise<readonly BidChange[]> => {
      const bidId = metricsOf().byName.get(BID);
      const known = days.of(type, span, FIRST_WINDOW);
      if (bidId === undefined || known.unknown > 0) return [];
      const size = links.size();
      const [first, last, changedOn] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
      const eachBid = async (use: (day: KnownDay, segment: Segment) => void): Promise<void> => {
        for (const day of known.days) {
          await pause();
          const segment = days.read(day);
          if (segment !== null) use(day, segment);
        }
      };
      await eachBid(({ day }, segment) => {
        const bids = factorOf(segment, bidId);
        for (let index = 0; bids !== undefined && index < bids.values.length; index++) {
          const id = segment.ids[bids.at?.[index] ?? index] ?? 0;
          const bid = bids.values[index] ?? 0;
          if (bid <= 0) continue;
          if (first[id] === 0) first[id] = bid;
          else if (last[id] !== bid) changedOn[id] = changedOn[id] === 0 ? day : MORE_THAN_ONCE;
          last[id] = bid;
        }
      });
      const isInside = (day: number): boolean => day - sideDays >= known.from && day + sideDays <= known.to;
      const ids = Array.from(changedOn.keys()).filter((id) => isInside(changedOn[id] ?? 0));
      const sums = new Map(ids.map((id) => [id, { clicks: 0, newClicks: 0, spend: 0, newSpend: 0 }]));
      const columnsOf = columnsFor(FIRST_WINDOW);
      await eachBid(({ day }, segment) => {
        const columns = columnsOf(segment);
        const at = (name: Summed, place: number): number => {
          const column = columns[SUMMED.indexOf(name)];
          return column === undefined ? 0 : valueAt(column, place);
        };
        for (const [id, sum] of sums) {
          const after = day - (changedOn[id] ?? 0);
          const place = after === 0 || Math.abs(after) > sideDays ? -1 : placeOf(segment, id);
          if (place < 0) continue;
          sum[after < 0 ? 'clicks' : 'newClicks'] += at('clicks', place);
          sum[after < 0 ? 'spend' : 'newSpend'] += at('spend', place);
        }
      });
      return Array.from(sums, ([id, sum]) => ({ ratio: (last[id] ?? 0) / (first[id] ?? 1), ...sum }));
    },
    days: (type: string, span: DaySpan, window: WindowDays): readonly KnownDay[] => days.of(type, span, window).days,
    /** The last of these days of which only the month is kept; null without any. */
    lastReduced: (type: string, span: DaySpan, window: WindowDays): PlainDate | null => {
      const last = days.of(type, span, window, false, 'all').days.findLast(({ isReduced }) => isReduced);
      return last === undefined ? null : dayOf(last.day);
    },
    sources: (): readonly Source[] => days.sources(),
    /** Units of metrics by their names on the wire. */
    units: (): Readonly<Record<string, string>> =>
      Object.fromEntries(db.all('SELECT name, unit FROM metric').map(([name, unit]) => [asText(name), asText(unit)])),
  };
}

const MORE_THAN_ONCE = -1;

const factorOf = ({ columns }: Segment, metric: number | undefined): Column | undefined =>
  columns.find((column) => column.metric === metric);

function addProduct(
  segment: Segment,
  column: Column,
  factor: Column | undefined,
  into: Float64Array,
  weight: number,
): void {
  if (factor === undefined) return;
  for (let index = 0; index < column.values.length; index++) {
    const place = column.at?.[index] ?? index;
    const id = segment.ids[place] ?? 0;
    into[id] = (into[id] ?? 0) + weight * (column.values[index] ?? 0) * valueAt(factor, place);
  }
}

function columnOf(
  { name, isChange }: MetricColumnKey,
  now: ReadonlyMap<Summed, Float64Array>,
  before: ReadonlyMap<Summed, Float64Array> | null,
  totalSpend: number,
): Float64Array {
  const size = Math.max(...Array.from(now.values(), (values) => values.length));
  const made = new Float64Array(size);
  const told = (arrays: ReadonlyMap<Summed, Float64Array>, row: number): number | null => {
    const sums: Partial<Record<Summed, number>> = {};
    for (const [each, values] of arrays) {
      const value = values[row];
      if (value !== undefined && !Number.isNaN(value)) sums[each] = value;
    }
    if (name !== 'spendShare') return metricFrom(name, sums);
    return sums.spend === undefined ? null : quotient('percent', sums.spend, totalSpend);
  };
  for (let row = 0; row < size; row++) {
    const value = told(now, row);
    made[row] = (isChange ? changeOf(value, before === null ? null : told(before, row)) : value) ?? Number.NaN;
  }
  return made;
}
