import { FIRST_WINDOW, SUMMED, type Summed, type WindowDays } from '../../shared/reports/account-metrics.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import { type DaySpan, daysIn } from '../../shared/reports/period.ts';
import type { BidChange } from '../../shared/suggestions/what-if.ts';
import type { Days, KnownDay } from './days.ts';
import type { Links } from './links.ts';
import { BID, dayOf } from './read-file-days.ts';
import { addColumn, type Column, placeOf, type Segment, valueAt } from './segment.ts';
import type { SpanSums } from './span-sums.ts';

/** A weighted sum for each entity: the metric of each day times the day's weight. */
export interface WeightedTerm {
  readonly metric: Summed;
  /** Multiplies each day's number by another one of the same row, such as its bid. */
  readonly times?: string;
  /** Counts only days whose report has no such number. */
  readonly without?: string;
  /** Weights of days, from the first one. */
  readonly weights: Float64Array;
}

/** Rows as columns, because a message between threads copies objects slowly. */
export interface Series {
  /** 1 for each day of the span with a report. */
  readonly isKnown: Uint8Array;
  readonly fetchedAt: number | null;
  readonly remoteIds: readonly string[];
  /** Of each row: the position in `remoteIds`, and the day since the first. */
  readonly entity: Uint32Array;
  readonly day: Uint16Array;
  /** A column for each of `SUMMED`; 0 for a sum that no report has. */
  readonly sums: readonly Float64Array[];
}

/** The rows of a series, in the order of their days. */
export function* seriesRows({ remoteIds, entity, day, sums }: Series) {
  for (const [at, place] of entity.entries()) {
    const own = {} as Record<Summed, number>;
    for (const [column, name] of SUMMED.entries()) own[name] = sums[column]?.[at] ?? 0;
    yield { remoteId: remoteIds[place] ?? '', day: day[at] ?? 0, sums: own };
  }
}

/** Queries of suggestions, which use each day separately. */
export function createDailyQueries(days: Days, links: Pick<Links, 'size' | 'remoteIds'>, spans: SpanSums) {
  const { columnsFor, metricNames, pause, typeFor } = spans;
  /** `use` must not keep the segment: its memory may be reused after the next pause. */
  const eachDay = async (known: readonly KnownDay[], use: (segment: Segment, day: number) => void): Promise<void> => {
    for (const day of known) {
      await pause();
      const segment = days.read(day);
      if (segment !== null) use(segment, day.day);
    }
  };
  return {
    /** All rows of a source on all days, for sources with few rows. */
    series: async (kind: ReportedKind, span: DaySpan, window: WindowDays = FIRST_WINDOW): Promise<Series> => {
      const type = typeFor(kind, span, window);
      const known = days.of(type, span, window);
      const columnsOf = columnsFor(window);
      const remoteIds = links.remoteIds(type, kind);
      const isKnown = new Uint8Array(Math.max(0, daysIn(span)));
      const entities = new Map<string, number>();
      const rows = { entity: [] as number[], day: [] as number[] };
      const sums = SUMMED.map((): number[] => []);
      await eachDay(known.days, (segment, date) => {
        const day = date - known.from;
        isKnown[day] = 1;
        const columns = columnsOf(segment);
        for (let place = 0; place < segment.rows; place++) {
          const remoteId = remoteIds[segment.ids[place] ?? 0] ?? '';
          const entity = entities.get(remoteId) ?? entities.size;
          entities.set(remoteId, entity);
          rows.entity.push(entity);
          rows.day.push(day);
          for (const [at, values] of sums.entries()) {
            const column = columns[at];
            values.push(column === undefined ? 0 : valueAt(column, place));
          }
        }
      });
      return {
        isKnown,
        fetchedAt: known.fetchedAt,
        remoteIds: [...entities.keys()],
        entity: Uint32Array.from(rows.entity),
        day: Uint16Array.from(rows.day),
        sums: sums.map((values) => Float64Array.from(values)),
      };
    },
    /** Weighted sums of every entity over all days since `from`, by the number of the entity. */
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
      await eachDay(known, (segment, day) => {
        const columns = columnsOf(segment);
        for (const [at, { metric, times, without, weights }] of terms.entries()) {
          const column = columns[SUMMED.indexOf(metric)];
          const weight = weights[day - from] ?? 0;
          if (column === undefined || weight === 0) continue;
          const into = made[at] as Float64Array;
          const named = times ?? without;
          const other = named === undefined ? undefined : factorOf(segment, metricNames().byName.get(named));
          if (times !== undefined) addProduct(segment, column, other, into, weight);
          else if (other === undefined) addColumn(segment, column, into, weight);
        }
      });
      return made;
    },
    /** Rows whose bid changed once in a span, with the days before and after the change. */
    bidChanges: async (type: string, span: DaySpan, sideDays: number): Promise<readonly BidChange[]> => {
      const bidId = metricNames().byName.get(BID);
      const known = days.of(type, span, FIRST_WINDOW);
      if (bidId === undefined || known.unknown > 0) return [];
      const size = links.size();
      const [first, last, changedOn] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
      await eachDay(known.days, (segment, day) => {
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
      await eachDay(known.days, (segment, day) => {
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
