import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import { asNumber, asText, numberOf } from '../store/db/db.ts';
import { bumpRevision, type CubeFile, readSources, revisionOf, type Source } from './cube-file.ts';
import { metricNames, readContent } from './ingest.ts';
import { BID, dayNumber, dayOf } from './read-file-days.ts';
import { addColumn, decodeSegment, encodeSegment, release, type Segment } from './segment.ts';

/** A day of a source that is in the cube. */
export interface KnownDay {
  readonly source: Source;
  readonly day: number;
  readonly fetchedAt: number;
  readonly fetchedOn: number;
  readonly rows: number;
  readonly crc: number;
  /** The day's metrics are stored only as part of its month. */
  readonly isReduced: boolean;
}

/** Which reduced days to include: none, those of months entirely in the span, or all. */
export type ReducedDays = 'none' | 'whole months' | 'all';

/** Days of a span of a type of report. */
export interface DaysOfSpan {
  readonly from: number;
  readonly to: number;
  /** In order; unknown days, and unsettled ones that were excluded, are missing. */
  readonly days: readonly KnownDay[];
  readonly fetchedAt: number | null;
  readonly notSettled: number;
  readonly unknown: number;
}

/** A day, or a settled month as one. */
export interface DaysPart {
  /** The first day. */
  readonly day: number;
  /** Days from a day to its fetch; for a month, the smallest such number of its days. */
  readonly age: number;
  /** Null if the content is damaged. */
  read(): Segment | null;
}

interface Held {
  readonly fetchedAt: number;
  readonly segment: Segment;
  readonly bytes: number;
  /** Memory released when the entry leaves the cache; null for months, whose segment may be read later. */
  readonly content: Uint8Array | null;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A month is combined into one segment when all of its days are settled in every window. */
const LONGEST_WINDOW: WindowDays = 30;

/** Size of the segment cache: two months of 100,000 rows a day, which mostly have the same IDs. */
const CACHE_BYTES = 48 * 2 ** 20;

/**
 * The days in the cube and their segments, read through a cache.
 *
 * @param damaged called with a day whose content is damaged; it counts as unknown
 * @param settledMonth called with a month that was summed day by day and could be one segment
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
    /** The days that each combined month was made from. */
    readonly months: ReadonlyMap<string, string>;
  } | null = null;
  const cache = new Map<string, Held>();
  let cached = 0;
  /** The last ID list by source. */
  const lastIds = new Map<number, Uint32Array>();

  const current = () => {
    const revision = revisionOf(db);
    if (index?.revision !== revision) {
      const sources = readSources(db);
      const byId = new Map(sources.map((source) => [source.id, source]));
      const days = new Map<string, KnownDay>();
      for (const row of db.all(
        'SELECT source, day, fetched_at, fetched_on, rows, crc, length(content) = 0 FROM segment',
      )) {
        const [id = 0, day = 0, fetchedAt = 0, fetchedOn = 0, rows = 0, crc = 0, reduced = 0] = row.map(asNumber);
        const source = byId.get(id);
        const isReduced = reduced === 1;
        if (source !== undefined) days.set(`${id}/${day}`, { source, day, fetchedAt, fetchedOn, rows, crc, isReduced });
      }
      const months = new Map(
        db
          .all('SELECT source, month, made_of FROM rollup')
          .map(([id, month, madeOf]) => [`${asNumber(id)}/${asText(month)}`, asText(madeOf)]),
      );
      index = { revision, sources, days, months };
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
  /** Days with the same rows share one ID list. */
  const sharing = (source: number, { ids, ...rest }: Segment): Segment => {
    const known = lastIds.get(source);
    const isSame =
      known !== undefined && known.length === ids.length && Buffer.compare(bytesOf(known), bytesOf(ids)) === 0;
    if (!isSame) lastIds.set(source, ids);
    return { ...rest, ids: isSame ? known : ids };
  };
  /** The month's segment; null if there is none, or if it was made from other days. */
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
    const segment = content === null || crc32(content) !== crc ? null : decodeSegment(content);
    if (content === null || segment === null) {
      if (first.isReduced) own.forEach(damaged);
      else settledMonth(own);
      return null;
    }
    keep(key, { fetchedAt: 0, segment, bytes: content.length + segment.ids.byteLength, content: null });
    return () => segment;
  };
  /** Whether a month whose days are all reduced can be summed: it has all days, and was made from them. */
  const isWholeMonth = (month: string, own: readonly KnownDay[]): boolean => {
    const [first] = own;
    return (
      first !== undefined &&
      own.length === daysInMonth(month) &&
      own.every(({ source, isReduced }) => isReduced && source.id === first.source.id) &&
      current().months.get(`${first.source.id}/${month}`) === rollupName(own)
    );
  };
  const sourcesOf = (type: string): readonly Source[] => current().sources.filter((source) => source.type === type);

  return {
    revision: (): number => current().revision,
    sources: (): readonly Source[] => current().sources,
    sourcesOf,
    known: (): readonly KnownDay[] => [...current().days.values()],
    /** If a day is in several sources, the one with the fewest key columns is used. */
    of: (
      type: string,
      span: DaySpan,
      window: WindowDays,
      settledOnly = false,
      reduced: ReducedDays = 'none',
    ): DaysOfSpan => {
      const [from, to] = [dayNumber(span.from), dayNumber(span.to)];
      const sources = sourcesOf(type);
      const all = current().days;
      const found: KnownDay[] = [];
      for (let day = from; day <= to; day++) {
        const own = sources.flatMap(({ id }) => all.get(`${id}/${day}`) ?? []);
        const known = own.find(({ isReduced }) => !isReduced) ?? (reduced === 'none' ? undefined : own[0]);
        if (known !== undefined) found.push(known);
      }
      const months =
        reduced === 'whole months' && found.some(({ isReduced }) => isReduced)
          ? Map.groupBy(found, ({ day }) => monthOf(day))
          : new Map<string, KnownDay[]>();
      const leftOut = [...months].flatMap(([month, own]) =>
        isWholeMonth(month, own) ? [] : own.filter(({ isReduced }) => isReduced),
      );
      const usable = leftOut.length === 0 ? found : found.filter((day) => !leftOut.includes(day));
      const days: KnownDay[] = [];
      let notSettled = 0;
      let fetchedAt: number | null = null;
      for (const known of usable) {
        if (!isSettled(known.fetchedOn - known.day, window)) {
          notSettled++;
          if (settledOnly) continue;
        }
        fetchedAt = Math.max(fetchedAt ?? 0, known.fetchedAt);
        days.push(known);
      }
      return { from, to, days, fetchedAt, notSettled, unknown: Math.max(0, to - from + 1) - usable.length };
    },
    /**
     * The day as it is now, even if it was replaced since it was found. Null for a day whose content is damaged, or only
     * in its month. The segment must not be used after a pause: its memory may be released.
     */
    read: ({ source, day }: KnownDay): Segment | null => {
      const key = `${source.id}/${day}`;
      const known = current().days.get(key);
      if (known === undefined || known.isReduced) return null;
      const held = cache.get(key);
      if (held?.fetchedAt === known.fetchedAt) {
        cache.delete(key);
        cache.set(key, held);
        return held.segment;
      }
      if (held !== undefined) drop(key, held);
      const content = readContent(db, 'segment', known.source.id, known.day);
      const segment = content === null || crc32(content) !== known.crc ? null : decodeSegment(content);
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

/** The days of a span in as few parts as possible: settled months as one, other days separately. */
export function partsOf(days: Days, known: readonly KnownDay[]): readonly DaysPart[] {
  const part = (day: KnownDay): DaysPart => ({
    day: day.day,
    age: day.fetchedOn - day.day,
    read: () => days.read(day),
  });
  return [...Map.groupBy(known, ({ day }) => monthOf(day))].flatMap(([month, own]) => {
    const read = days.rollupOf(own, month);
    const age = Math.min(...own.map(({ day, fetchedOn }) => fetchedOn - day));
    return read === null ? own.map(part) : [{ day: own[0]?.day ?? 0, age, read }];
  });
}

/** Format: 2026-05. */
const monthOf = (day: number): string => dayOf(day).slice(0, 7);
const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();

const isAsOne = ({ source, day, fetchedOn }: KnownDay, first: KnownDay): boolean =>
  source.id === first.source.id && isSettled(fetchedOn - day, LONGEST_WINDOW);

const rollupName = (days: readonly KnownDay[]): string =>
  createHash('sha256')
    .update(days.map(({ day, fetchedAt, crc }) => `${day} ${fetchedAt} ${crc}`).join())
    .digest('hex');

/**
 * Combines the days of a month into one segment. It has no bids, because they can't be added up. If days have other
 * columns than the first, they stay separate, because the column that counts is chosen for each of them.
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
  const month = monthOf(first.day);
  db.run(
    'INSERT OR REPLACE INTO rollup VALUES (?, ?, ?, ?, ?)',
    first.source.id,
    month,
    rollupName(own),
    crc32(content),
    content,
  );
}

/** The result of reducing days to months. */
export interface KeptMonths {
  /** Number of days newly reduced. */
  readonly days: number;
  /** Months that keep their days: one is missing, needs confirmation, or has other columns. */
  readonly left: readonly { readonly reportType: string; readonly month: string }[];
}

/**
 * Reduces the days before a month to months: each complete month becomes one segment, and the content of its days is
 * deleted. The days still count as known, so they are not requested again. All or nothing.
 */
export async function keepMonths(
  db: CubeFile,
  days: Days,
  before: string,
  pause: () => Promise<void>,
): Promise<KeptMonths> {
  const older = days.known().filter(({ day, isReduced }) => !isReduced && monthOf(day) < before);
  const whole: (readonly KnownDay[])[] = [];
  const left: { reportType: string; month: string }[] = [];
  for (const unordered of Map.groupBy(older, ({ source, day }) => `${source.id}/${monthOf(day)}`).values()) {
    await pause();
    const own = unordered.toSorted((a, b) => a.day - b.day);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) continue;
    const month = monthOf(first.day);
    const between = [first.source.id, first.day, last.day] as const;
    const isHeld = numberOf(db, 'SELECT count(*) FROM held WHERE source = ? AND day BETWEEN ? AND ?', ...between) > 0;
    const canBeOne = own.length === daysInMonth(month) && own.every((day) => isAsOne(day, first)) && !isHeld;
    if (canBeOne && days.rollupOf(own, month) === null) await makeRollup(db, days, own, pause);
    if (canBeOne && days.rollupOf(own, month) !== null) whole.push(own);
    else left.push({ reportType: first.source.type, month });
  }
  db.tx(() => {
    for (const own of whole) {
      const [first, last] = [own[0]?.day ?? 0, own.at(-1)?.day ?? 0];
      db.run(
        "UPDATE segment SET content = x'' WHERE source = ? AND day BETWEEN ? AND ?",
        own[0]?.source.id ?? 0,
        first,
        last,
      );
    }
    bumpRevision(db);
  });
  return { days: whole.reduce((sum, own) => sum + own.length, 0), left };
}

export type Days = ReturnType<typeof createDays>;
