import { SUMMED, type Summed, type WindowDays, wireNames } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { startCompletion } from '../../shared/suggestions/exposure.ts';
import type { CubeFile } from './cube-file.ts';
import { type Days, type DaysOfSpan, partsOf, type ReducedDays } from './days.ts';
import { metricNames } from './ingest.ts';
import type { Links } from './links.ts';
import { addColumn, type Column, type Segment } from './segment.ts';

/** The days to add up, and the attribution window. */
export interface SpanLook {
  readonly span: DaySpan;
  readonly window: WindowDays;
  readonly settledOnly: boolean;
}

/** Sums of a span for every entity of a type, by entity number. */
export interface EntitySums {
  readonly days: DaysOfSpan;
  readonly sums: Readonly<Record<Summed, Float64Array>>;
  /** Sums for which at least one day has a column. */
  readonly present: ReadonlySet<Summed>;
  /** 1 for an entity with a row on one of the days. */
  readonly has: Uint8Array;
  /** Clicks times the share of their purchases that is still expected. */
  readonly expected: Float64Array;
}

/**
 * Memory for cached sums, and their minimum number: the current span and the one before. 100,000 entities take 6 MB
 * each.
 */
const HELD_BYTES = 18 * 2 ** 20;
const HELD_MIN = 2;
const ENTITY_BYTES = 8 * (SUMMED.length + 1) + 1;

/** Sums include reduced months if the span has all of their days. */
export const MONTHS: ReducedDays = 'whole months';

/** The query that runs, and whether it was canceled. */
export interface Asking {
  readonly current: () => number;
  readonly isDropped: (ask: number) => boolean;
}

/** Thrown to stop the work for a canceled query. */
class Dropped extends Error {
  override readonly name = 'AbortError';
}

/**
 * Adds up spans of days for every entity of a type, and caches the last ones. Work pauses between segments, so that
 * other queries run.
 *
 * @param rest lets other queries run
 */
export function createSpanSums(
  db: CubeFile,
  days: Days,
  links: Pick<Links, 'size'>,
  rest: () => Promise<void>,
  asking: Asking,
) {
  /** Each with the queries that wait for it. */
  const held = new Map<string, { readonly sums: Promise<EntitySums>; readonly asks: Set<number> }>();
  /** Lets other queries run, and stops a canceled one. */
  const pause = async (): Promise<void> => {
    await rest();
    if (asking.isDropped(asking.current())) throw new Dropped();
  };
  let names: {
    readonly revision: number;
    readonly byId: ReadonlyMap<number, string>;
    readonly byName: ReadonlyMap<string, number>;
  } | null = null;

  const namesNow = () => {
    const revision = days.revision();
    if (names?.revision !== revision) {
      const byId = metricNames(db);
      names = { revision, byId, byName: new Map(Array.from(byId, ([id, name]) => [name, id])) };
    }
    return names;
  };
  const columnsFor = (window: WindowDays) => {
    const { byName } = namesNow();
    const wanted = SUMMED.map((name) => wireNames(name, window).flatMap((wire) => byName.get(wire) ?? []));
    /** Of several metrics that can provide a sum, the best one in the segment. */
    return (segment: Segment): readonly (Column | undefined)[] =>
      wanted.map((ids) => {
        for (const id of ids) {
          const found = segment.columns.find(({ metric }) => metric === id);
          if (found !== undefined) return found;
        }
        return undefined;
      });
  };

  /** The type; for campaigns without their own report, ad groups. */
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
    for (const part of partsOf(days, known.days)) {
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
    // Removed before it stops, so that a new query starts it again.
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

  return {
    /** Sums of a type over a span; for campaigns without their own report, those of ad groups. */
    sumsOf,
    /** The type; for campaigns without their own report, ad groups. */
    typeFor,
    /** Finds the columns of a segment for the sums, in the order of `SUMMED`. */
    columnsFor,
    /** Names of metrics in reports by their numbers, and the reverse. */
    metricNames: namesNow,
    /** Lets other queries run, and stops a canceled one. */
    pause,
  };
}

export type SpanSums = ReturnType<typeof createSpanSums>;
