import { createHash } from 'node:crypto';
import type { WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import { asNumber, numberOf } from '../store/db/db.ts';
import { type CubeFile, readSources, revisionOf, type Source } from './cube-file.ts';
import { metricNames, readContent } from './ingest.ts';
import { BID, dayNumber, dayOf } from './read-file-days.ts';
import { addColumn, crcOf, decodeSegment, encodeSegment, release, type Segment } from './segment.ts';

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

/** Something to add up: a day, or a settled month as one. */
export interface DaysPart {
  /** The first day of it. */
  readonly day: number;
  /** Days from a day to its fetch; of a month, of the day that was fetched soonest. */
  readonly age: number;
  /** Null where the content is damaged. */
  read(): Segment | null;
}

interface Held {
  readonly fetchedAt: number;
  readonly segment: Segment;
  readonly bytes: number;
  /** What is given back at once; null for a month, which is read later than it is looked up. */
  readonly content: Uint8Array | null;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A month is made one segment when all of its days are settled in every window. */
const LONGEST_WINDOW: WindowDays = 30;

/** What is held of segments, unpacked as far as their ids: two months of 100,000 rows a day, which mostly have the same IDs. */
const CACHE_BYTES = 48 * 2 ** 20;

/**
 * The days in the cube and their segments, read through a cache.
 *
 * @param damaged told of a day whose content is not what was written; it counts as unknown
 * @param settledMonth told of a month that was added up day by day and could be one segment
 */
export function createDays(
  db: CubeFile,
  damaged: (day: KnownDay) => void,
  settledMonth: (days: readonly KnownDay[]) => void,
) {
  let index: {
    readonly revision: number;
    readonly sources: readonly Source[];
    readonly days: Map<string, KnownDay>;
  } | null = null;
  const cache = new Map<string, Held>();
  let cached = 0;
  /** By source. */
  const lastIds = new Map<number, Uint32Array>();

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
  const drop = (key: string, { bytes, content }: Held): void => {
    cache.delete(key);
    cached -= bytes;
    if (content !== null) release(content);
  };
  const keep = (key: string, held: Held): void => {
    cache.set(key, held);
    cached += held.bytes;
    for (const [oldest, one] of cache) {
      if (cached <= CACHE_BYTES) break;
      drop(oldest, one);
    }
  };
  /** Days that have the same rows share their ids. */
  const sharing = (source: number, { ids, ...rest }: Segment): Segment => {
    const known = lastIds.get(source);
    const isSame =
      known !== undefined && known.length === ids.length && Buffer.compare(bytesOf(known), bytesOf(ids)) === 0;
    if (!isSame) lastIds.set(source, ids);
    return { ...rest, ids: isSame ? known : ids };
  };
  /** Null for one that was made of other days, or not yet. */
  const rollupOf = (own: readonly KnownDay[], month: string): (() => Segment | null) | null => {
    const [first] = own;
    if (first === undefined || own.length < daysInMonth(month) || !own.every((day) => isAsOne(day, first))) return null;
    const madeOf = rollupName(own);
    const key = `${first.source.id}/${month}/${madeOf}`;
    const held = cache.get(key);
    if (held !== undefined) {
      cache.delete(key);
      cache.set(key, held);
      return () => held.segment;
    }
    const where = [first.source.id, month, madeOf] as const;
    const crc = db.get('SELECT crc FROM rollup WHERE source = ? AND month = ? AND made_of = ?', ...where)?.[0];
    const content =
      crc === undefined
        ? null
        : db.blob('SELECT content FROM rollup WHERE source = ? AND month = ? AND made_of = ?', ...where);
    const segment = content === null || crcOf(content) !== crc ? null : decodeSegment(content);
    if (content === null || segment === null) {
      settledMonth(own);
      return null;
    }
    keep(key, { fetchedAt: 0, segment, bytes: content.length + segment.ids.byteLength, content: null });
    return () => segment;
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
      const all = current().days;
      const days: KnownDay[] = [];
      let [notSettled, unknown] = [0, 0];
      let fetchedAt: number | null = null;
      for (let day = from; day <= to; day++) {
        const found = sources.map(({ id }) => all.get(`${id}/${day}`)).find((each) => each !== undefined);
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
    /** Null for a day whose content is damaged. A segment may be read until other work has its turn: then another may take its place. */
    read: (known: KnownDay): Segment | null => {
      const key = `${known.source.id}/${known.day}`;
      const held = cache.get(key);
      if (held?.fetchedAt === known.fetchedAt) {
        cache.delete(key);
        cache.set(key, held);
        return held.segment;
      }
      if (held !== undefined) drop(key, held);
      const content = readContent(db, 'segment', known.source.id, known.day);
      const segment = content === null || crcOf(content) !== known.crc ? null : decodeSegment(content);
      if (content === null || segment === null) {
        damaged(known);
        return null;
      }
      const shared = sharing(known.source.id, segment);
      const bytes = content.length + (shared.ids === segment.ids ? segment.ids.byteLength : 0);
      keep(key, { fetchedAt: known.fetchedAt, segment: shared, bytes, content });
      return shared;
    },
    rollupOf,
  };
}

/** The days of a span as few parts: settled months as one, other days by themselves. */
export function partsOf(days: Days, known: readonly KnownDay[]): readonly DaysPart[] {
  const part = (day: KnownDay): DaysPart => ({
    day: day.day,
    age: day.fetchedOn - day.day,
    read: () => days.read(day),
  });
  return [...Map.groupBy(known, ({ day }) => dayOf(day).slice(0, 7))].flatMap(([month, own]) => {
    const read = days.rollupOf(own, month);
    const age = Math.min(...own.map(({ day, fetchedOn }) => fetchedOn - day));
    return read === null ? own.map(part) : [{ day: own[0]?.day ?? 0, age, read }];
  });
}

const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();

const isAsOne = ({ source, day, fetchedOn }: KnownDay, first: KnownDay): boolean =>
  source.id === first.source.id && isSettled(fetchedOn - day, LONGEST_WINDOW);

const rollupName = (days: readonly KnownDay[]): string =>
  createHash('sha256')
    .update(days.map(({ day, fetchedAt, crc }) => `${day} ${fetchedAt} ${crc}`).join())
    .digest('hex');

/**
 * Makes one segment of the days of a month. Bids do not add up, so it has none, and days with other columns than the first stay
 * by themselves: which column counts is decided for each of them.
 */
export async function makeRollup(
  db: CubeFile,
  days: Days,
  own: readonly KnownDay[],
  pause: () => Promise<void>,
): Promise<void> {
  const [first] = own;
  if (first === undefined) return;
  const size = numberOf(db, 'SELECT coalesce(max(id), 0) + 1 FROM entity');
  const names = metricNames(db);
  const has = new Uint8Array(size);
  const sums = new Map<number, Float64Array>();
  for (const day of own) {
    await pause();
    const segment = days.read(day);
    const columns = segment?.columns.filter(({ metric }) => names.get(metric) !== BID) ?? [];
    if (day === first) for (const { metric } of columns) sums.set(metric, new Float64Array(size));
    if (segment === null || columns.length !== sums.size) return;
    for (const id of segment.ids) has[id] = 1;
    for (const column of columns) {
      const into = sums.get(column.metric);
      if (into === undefined) return;
      addColumn(segment, column, into);
    }
  }
  const ids = Uint32Array.from(has.keys()).filter((id) => has[id] === 1);
  const columns = Array.from(sums, ([metric, all]) => ({
    metric,
    adds: true,
    values: Float64Array.from(ids, (id) => all[id] ?? 0),
  }));
  const content = encodeSegment({ ids, columns });
  const month = dayOf(first.day).slice(0, 7);
  db.run(
    'INSERT OR REPLACE INTO rollup VALUES (?, ?, ?, ?, ?)',
    ...[first.source.id, month, rollupName(own), crcOf(content), content],
  );
}
export type Days = ReturnType<typeof createDays>;
