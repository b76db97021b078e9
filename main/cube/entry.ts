import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { MetricsDay } from '../../shared/api/metrics.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DayRecord, DayState } from '../../shared/reports/metric-calendar.ts';
import { type DaySpan, daysIn } from '../../shared/reports/period.ts';
import { err, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import { integrityProblem } from '../store/backup.ts';
import { asNumber, asText, type DbRow, numberOf } from '../store/db/db.ts';
import type { OpenDb } from '../store/db/open-db.ts';
import { readCampaignFacts } from '../store/reader/attention.ts';
import { answerCalls, endingWith } from '../store/worker/thread-calls.ts';
import type { SeenDay } from '../suggestions/load-facts.ts';
import { createSuggestionQueries } from '../suggestions/suggestion-queries.ts';
import {
  backUpCubeFile,
  bumpRevision,
  type CubeProblem,
  IN_MEMORY,
  isDamaged,
  openCubeDb,
  openCubeFile,
  setAside,
  shrinkCubeFile,
} from './cube-file.ts';
import { createDays, type Days, type KeptMonths, type KnownDay, keepMonths, makeRollup } from './days.ts';
import { decideDay, ingest, metricNames, type TakenIn } from './ingest.ts';
import { createQueries } from './queries.ts';
import { dayNumber, dayOf, type ReportFile } from './read-file-days.ts';
import { denseValues } from './segment.ts';

/** Start parameters of a cube's thread. */
export interface CubeSetup {
  /** The database of the metrics; created if missing. */
  readonly file: string;
  /** The account's database, opened read-only. */
  readonly account: string;
  readonly currency: string;
}

export type CubeQueries = ReturnType<typeof createQueries> & ReturnType<typeof createSuggestionQueries>;
type QueryName = keyof CubeQueries;

/** The size of one source. */
interface SourceSize {
  readonly reportType: string;
  readonly keys: readonly string[];
  readonly days: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly rows: number;
  /** How many of the days are reduced to months, and the last of them. */
  readonly reduced: number;
  readonly lastReduced: string | null;
  /** The first day that is not reduced. */
  readonly firstDaily: string | null;
  /** Size of its days and of its combined months. */
  readonly bytes: number;
}

export type CubeCalls = ReturnType<typeof createCube>;

function createCube({ file, account, currency }: CubeSetup) {
  let opened: ReturnType<typeof open> | null = null;
  let isClosing = false;
  /** Why a settled month could not be combined, and a damaged day not be marked; empty without a problem. */
  const problems = { month: '', damage: '' };
  const writes = createSerialQueue();
  /** The number of the query that runs, all running ones, and the canceled ones. */
  const asking = new AsyncLocalStorage<number>();
  const current = new Set<number>();
  const dropped = new Set<number>();
  /** @param reading a second connection, so that queries see the previous state while a file is ingested */
  const open = (db: OpenDb, reading: OpenDb) => {
    const rows = openCubeDb(account, { readOnly: true });
    /** Writes that nobody waits for: errors other than those of the database end the thread. */
    const inBackground = (of: keyof typeof problems, work: () => unknown): void =>
      void writes(async () => {
        if (isClosing) return;
        try {
          await work();
          problems[of] = '';
        } catch (error) {
          // Its damaged file was replaced, and the connection closed.
          if (opened?.db !== db) return;
          if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') throw error;
          problems[of] = error.message;
        }
      });
    /** A day that can't be marked, as on a full disk, is tried again when it is read again. */
    const damaged = ({ source, day, fetchedAt }: KnownDay): void =>
      inBackground('damage', () =>
        db.tx(() => {
          db.run('INSERT OR REPLACE INTO gap VALUES (?, ?, ?, 0, ?)', source.type, day, fetchedAt, DAMAGED);
          db.run('DELETE FROM segment WHERE source = ? AND day = ? AND fetched_at = ?', source.id, day, fetchedAt);
          bumpRevision(db);
        }),
      );
    const tried = new Set<string>();
    /** A month that can't be combined is summed day by day as before. */
    const settledMonth = (own: readonly KnownDay[]): void => {
      const name = `${own[0]?.source.id} ${own[0]?.day} ${days.revision()}`;
      if (tried.has(name)) return;
      tried.add(name);
      inBackground('month', () => makeRollup(db, days, own, pause));
    };
    const days: Days = createDays(reading, damaged, settledMonth);
    const queries = createQueries(reading, rows, days, pause, {
      current: () => asking.getStore() ?? 0,
      isDropped: (ask) => dropped.has(ask),
    });
    const answers = createSuggestionQueries(rows, {
      ...queries,
      seen: (type) => readSeen(reading, type),
      dayStates: (type, span, window) => dayStates({ reading, days }, type, span, window),
    });
    return { db, reading, rows, days, queries: { ...queries, ...answers } };
  };
  const parts = () => {
    if (opened === null) throw new Error('the cube was asked before it was started');
    return opened;
  };
  /** @returns why there is no cube, or null */
  const start = (): CubeProblem | null => {
    const found = openCubeFile(file);
    if (found.ok) opened = open(found.value, openCubeDb(file, { readOnly: true }));
    else {
      const empty = openCubeFile(IN_MEMORY);
      if (!empty.ok) throw new Error(empty.error.detail);
      opened = open(empty.value, empty.value);
    }
    return found.ok ? null : found.error;
  };
  /**
   * Replaces a damaged cube file. If the account's own database is damaged instead, it does nothing. @returns whether
   * the file was replaced
   */
  const replaceDamaged = (): boolean => {
    const { db, reading, rows } = parts();
    if (db === reading || integrityProblem(file) === null) return false;
    for (const each of [rows, reading, db]) each.close();
    setAside(file);
    start();
    return true;
  };
  const calls = {
    start,
    /** Cancels a query. */
    drop: (ask: number) => void (current.has(ask) && dropped.add(ask)),
    /** @param ask the query's number for `drop`; 0 for one that can't be canceled */
    query: async (name: string, args: readonly unknown[], ask: number): Promise<unknown> => {
      const { queries } = parts();
      const query: unknown = Object.hasOwn(queries, name) ? queries[name as QueryName] : undefined;
      if (typeof query !== 'function') throw new Error(`the cube has no question ${name}`);
      const answer = (): unknown => Reflect.apply(query, queries, args);
      if (ask === 0) return answer();
      current.add(ask);
      try {
        return await asking.run(ask, answer);
      } finally {
        current.delete(ask);
        dropped.delete(ask);
      }
    },
    /** @param isPreview only reports what would be taken */
    ingest: (given: ReportFile, isPreview?: boolean) =>
      writes(async (): Promise<Result<TakenIn, CubeProblem>> => {
        const { db, rows } = parts();
        try {
          return await ingest(db, given, { currency, campaigns: readCampaignFacts(rows) }, pause, isPreview);
        } catch (error) {
          if (!(error instanceof Error) || !('code' in error) || isDamaged(error)) throw error;
          return err({
            kind: 'cube',
            detail: String(error.code) === 'ERR_SQLITE_ERROR' ? error.message : String(error.code),
          });
        }
      }),
    /** Ingested reports with their problems; an empty problem means none. */
    reports: () =>
      parts()
        .reading.all('SELECT id, problem FROM report')
        .map(([id, problem]) => ({ id: asText(id), problem: asText(problem) })),
    /** The state of every day of a span. */
    dayStates: (type: string, span: DaySpan, window: WindowDays) => dayStates(parts(), type, span, window),
    /** The state of each day that was ever requested, for the calendar of requests. */
    asked: (type: string) => askedDays(parts().reading, type),
    /** Accepts or drops the content of days that are held back. @returns how many there were */
    decide: (type: string, wanted: readonly string[], take: boolean) =>
      writes(async () => {
        const { db, days } = parts();
        return db.tx(() => {
          let decided = 0;
          for (const source of days.sourcesOf(type)) {
            for (const day of wanted) if (decideDay(db, source, dayNumber(day as DaySpan['from']), take)) decided++;
          }
          bumpRevision(db);
          return decided;
        });
      }),
    /**
     * Reduces the days before a month, such as 2025-03, to months. @returns also why the file could not be shrunk;
     * empty on success
     */
    keepMonths: (before: string) =>
      writes(async (): Promise<KeptMonths & { readonly problem: string }> => {
        const { db, days } = parts();
        const kept = await keepMonths(db, days, before, pause);
        return { ...kept, problem: shrinkCubeFile(db) };
      }),
    /** Backs up the cube in the account's backups folder, unless it is unchanged. */
    backUp: () => writes(async () => backUpCubeFile(parts().db, file)),
    sizes: () => {
      const { reading } = parts();
      const sources = reading
        .all(
          `SELECT type, keys, count(day), min(day), max(day), ifnull(sum(rows), 0), ifnull(sum(length(content) = 0), 0),
             max(CASE WHEN length(content) = 0 THEN day END), min(CASE WHEN length(content) > 0 THEN day END),
             ifnull(sum(length(content)), 0)
             + (SELECT ifnull(sum(length(content)), 0) FROM rollup WHERE rollup.source = source.id)
           FROM source LEFT JOIN segment ON segment.source = source.id GROUP BY source.id ORDER BY type, keys`,
        )
        .map(sizeOf);
      // Includes pages in the write-ahead log.
      const bytes = numberOf(reading, 'PRAGMA page_count') * numberOf(reading, 'PRAGMA page_size');
      return { bytes, sources, problems: { ...problems } };
    },
    /** Sums of each day as reported on each business day. */
    seen: (type: string) => readSeen(parts().reading, type),
    /** All rows of one day, for exports; null for an unknown day. `entities` gives the rows' names. */
    dayRows: (type: string, day: string) => {
      const { days, reading, queries } = parts();
      const from = day as DaySpan['from'];
      const [known] = days.of(type, { from, to: from }, 14).days;
      const segment = known === undefined ? null : days.read(known);
      if (segment === null) return null;
      const names = metricNames(reading);
      const units = queries.units();
      const columns = segment.columns.map((column) => {
        const name = names.get(column.metric) ?? '';
        return { name, unit: units[name] ?? 'count', values: denseValues(segment, column) };
      });
      return { ids: segment.ids.slice(), columns };
    },
    close: () => {
      isClosing = true;
      return writes(async () => {
        if (opened === null) return;
        const { db, reading, rows } = opened;
        opened = null;
        rows.close();
        if (reading !== db) reading.close();
        db.get('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      });
    },
  };
  return recovering(calls, replaceDamaged);
}

const DAMAGED = 'damaged, ask again';

/** Includes versions that are held back. A replaced version counts by its fetch day. */
const askedDays = (db: OpenDb, type: string): readonly (DayRecord & { readonly day: PlainDate })[] =>
  db
    .all(
      `SELECT day, max(fetched_on), max(rank) FROM (
         SELECT type, day, fetched_on, 0 AS rank FROM segment JOIN source ON source.id = segment.source
         UNION ALL SELECT type, day, asked_on, 1 FROM gap
         UNION ALL SELECT type, day, fetched_on, 2 FROM held JOIN source ON source.id = held.source)
       WHERE type = ? GROUP BY day`,
      type,
    )
    .map(([day, fetchedOn, rank]) => ({
      day: dayOf(asNumber(day)),
      fetchedOn: dayOf(asNumber(fetchedOn)),
      is: ASKED[asNumber(rank)] ?? 'received',
    }));
const ASKED = ['received', 'gap', 'held-back'] as const;

const readSeen = (reading: OpenDb, type: string): readonly SeenDay[] =>
  reading
    .all(
      `SELECT day, fetched_on, campaign_type, sums FROM seen JOIN source ON source.id = seen.source
       WHERE type = ? ORDER BY day, fetched_on, campaign_type`,
      type,
    )
    .map(([day, fetchedOn, campaignType, sums]) => ({
      day: asNumber(day),
      fetchedOn: asNumber(fetchedOn),
      campaignType: asText(campaignType),
      sums: JSON.parse(asText(sums)) as Record<string, number>,
    }));

/** If the file turns out to be damaged, it is replaced, and the call is repeated. */
function recovering<Calls extends object>(calls: Calls, replaceDamaged: () => boolean): Calls {
  const guarded = Object.entries(calls).map(([name, call]: [string, (...args: never[]) => unknown]) => [
    name,
    async (...args: never[]): Promise<unknown> => {
      try {
        return await call(...args);
      } catch (error) {
        if (!isDamaged(error) || !replaceDamaged()) throw error;
        return call(...args);
      }
    },
  ]);
  return Object.fromEntries(guarded) as Calls;
}

function sizeOf([type, keys, days, first, last, rows, reduced, lastReduced, firstDaily, bytes]: DbRow): SourceSize {
  return {
    reportType: asText(type),
    keys: JSON.parse(asText(keys)) as string[],
    days: asNumber(days),
    first: dayOrNull(first),
    last: dayOrNull(last),
    rows: asNumber(rows),
    reduced: asNumber(reduced),
    lastReduced: dayOrNull(lastReduced),
    firstDaily: dayOrNull(firstDaily),
    bytes: asNumber(bytes),
  };
}

const dayOrNull = (day: DbRow[number] | undefined): string | null =>
  day === null || day === undefined ? null : dayOf(asNumber(day));

type Opened = Pick<Parameters<typeof createQueries>[2], 'of' | 'sourcesOf'>;

function dayStates(
  { reading, days }: { readonly reading: Parameters<typeof metricNames>[0]; readonly days: Opened },
  type: string,
  span: DaySpan,
  window: WindowDays,
): readonly MetricsDay[] {
  const from = dayNumber(span.from);
  const sources =
    days
      .sourcesOf(type)
      .map(({ id }) => id)
      .join(',') || '0';
  const between = [from, dayNumber(span.to)] as const;
  const gaps = new Map(
    reading
      .all('SELECT day, why FROM gap WHERE type = ? AND day BETWEEN ? AND ?', type, ...between)
      .map(([day, why]) => [asNumber(day), asText(why)]),
  );
  const held = new Set(
    reading
      .all(`SELECT day FROM held WHERE source IN (${sources}) AND day BETWEEN ? AND ?`, ...between)
      .map(([day]) => asNumber(day)),
  );
  const changes = new Map<number, NonNullable<MetricsDay['changed']> & { readonly wasSettled: boolean }>();
  for (const [day, at, settled, cells, before, after] of reading.all(
    `SELECT day, fetched_at, max(was_settled) OVER (PARTITION BY day), cells, before, after FROM restated
     WHERE source IN (${sources}) AND day BETWEEN ? AND ? ORDER BY fetched_at`,
    ...between,
  )) {
    changes.set(asNumber(day), {
      at: asNumber(at),
      cells: asNumber(cells),
      before: JSON.parse(asText(before)) as Record<string, number>,
      after: JSON.parse(asText(after)) as Record<string, number>,
      wasSettled: settled === 1,
    });
  }
  const known = new Map(days.of(type, span, window, false, 'all').days.map((day) => [day.day, day]));
  return Array.from({ length: daysIn(span) }, (_, at): MetricsDay => {
    const day = from + at;
    const own = known.get(day);
    const change = changes.get(day);
    const state = (): DayState => {
      if (held.has(day)) return 'held-back';
      if (own === undefined) return gaps.has(day) ? 'gap' : 'none';
      if (!isSettled(own.fetchedOn - day, window)) return 'not-settled';
      return change?.wasSettled === true ? 'restated' : 'settled';
    };
    const { wasSettled: _was, ...changed } = change ?? { wasSettled: false, at: 0, cells: 0, before: {}, after: {} };
    return {
      day: dayOf(day),
      state: state(),
      fetchedAt: own?.fetchedAt ?? null,
      fetchedOn: own === undefined ? null : dayOf(own.fetchedOn),
      rows: own?.rows ?? 0,
      why: own === undefined ? (gaps.get(day) ?? '') : '',
      changed: change === undefined ? null : changed,
    };
  });
}

/** Answers the calls of an account's cube at this port until it is closed. */
export function answerCube(port: MessagePort, setup: CubeSetup): void {
  answerCalls<object, CubeCalls>(port, endingWith(createCube(setup), port));
}

if (parentPort !== null) answerCube(parentPort, workerData as CubeSetup);
