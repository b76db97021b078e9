import type { WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import { asNumber } from '../store/db/db.ts';
import { type CubeFile, readSources, revisionOf, type Source } from './cube-file.ts';
import { readContent } from './ingest.ts';
import { dayNumber } from './read-file-days.ts';
import { crcOf, decodeSegment, type Segment } from './segment.ts';

/** A day of a source that is in the cube. */
export interface KnownDay {
  readonly source: Source;
  readonly day: number;
  readonly fetchedAt: number;
  readonly fetchedOn: number;
  readonly rows: number;
  readonly crc: number;
}

/** Days of a span of a type of report. */
export interface DaysOfSpan {
  readonly from: number;
  readonly to: number;
  /** In order; a day that is unknown, or left out because it is not settled, is missing. */
  readonly days: readonly KnownDay[];
  readonly fetchedAt: number | null;
  readonly notSettled: number;
  readonly unknown: number;
}

/** What is held of segments, unpacked as far as their ids. */
const CACHE_BYTES = 96 * 2 ** 20;

/**
 * The days in the cube and their segments, read through a cache.
 *
 * @param damaged told of a day whose content is not what was written; it counts as unknown
 */
export function createDays(db: CubeFile, damaged: (day: KnownDay) => void) {
  let index: {
    readonly revision: number;
    readonly sources: readonly Source[];
    readonly days: Map<string, KnownDay>;
  } | null = null;
  const cache = new Map<string, { readonly fetchedAt: number; readonly segment: Segment; readonly bytes: number }>();
  let cached = 0;

  const current = () => {
    const revision = revisionOf(db);
    if (index?.revision !== revision) {
      const sources = readSources(db);
      const byId = new Map(sources.map((source) => [source.id, source]));
      const days = new Map<string, KnownDay>();
      for (const row of db.all('SELECT source, day, fetched_at, fetched_on, rows, crc FROM segment')) {
        const [id = 0, day = 0, fetchedAt = 0, fetchedOn = 0, rows = 0, crc = 0] = row.map(asNumber);
        const source = byId.get(id);
        if (source !== undefined) days.set(`${id}/${day}`, { source, day, fetchedAt, fetchedOn, rows, crc });
      }
      index = { revision, sources, days };
    }
    return index;
  };
  const sourcesOf = (type: string): readonly Source[] => current().sources.filter((source) => source.type === type);

  return {
    revision: (): number => current().revision,
    sources: (): readonly Source[] => current().sources,
    sourcesOf,
    known: (): readonly KnownDay[] => [...current().days.values()],
    /** Of several sources the one that tells the fewest rows apart counts for a day. */
    of: (type: string, span: DaySpan, window: WindowDays, settledOnly = false): DaysOfSpan => {
      const [from, to] = [dayNumber(span.from), dayNumber(span.to)];
      const sources = sourcesOf(type);
      const days: KnownDay[] = [];
      let [notSettled, unknown] = [0, 0];
      let fetchedAt: number | null = null;
      for (let day = from; day <= to; day++) {
        const found = sources.map(({ id }) => current().days.get(`${id}/${day}`)).find((each) => each !== undefined);
        if (found === undefined) {
          unknown++;
          continue;
        }
        if (!isSettled(found.fetchedOn - day, window)) {
          notSettled++;
          if (settledOnly) continue;
        }
        fetchedAt = Math.max(fetchedAt ?? 0, found.fetchedAt);
        days.push(found);
      }
      return { from, to, days, fetchedAt, notSettled, unknown };
    },
    /** Null for a day whose content is damaged. */
    read: (known: KnownDay): Segment | null => {
      const key = `${known.source.id}/${known.day}`;
      const held = cache.get(key);
      if (held !== undefined) {
        cache.delete(key);
        if (held.fetchedAt === known.fetchedAt) {
          cache.set(key, held);
          return held.segment;
        }
        cached -= held.bytes;
      }
      const content = readContent(db, 'segment', known.source.id, known.day);
      const segment = content === null || crcOf(content) !== known.crc ? null : decodeSegment(content);
      if (content === null || segment === null) {
        damaged(known);
        return null;
      }
      const bytes = content.length + segment.ids.byteLength;
      cache.set(key, { fetchedAt: known.fetchedAt, segment, bytes });
      cached += bytes;
      for (const [oldest, one] of cache) {
        if (cached <= CACHE_BYTES) break;
        cache.delete(oldest);
        cached -= one.bytes;
      }
      return segment;
    },
  };
}
export type Days = ReturnType<typeof createDays>;
