import { crc32 } from 'node:zlib';
import { OPEN_END } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { LEFT_OUT } from '../../shared/reports/metric-calendar.ts';
import { ok, type Result } from '../../shared/result.ts';
import { isSettled } from '../../shared/suggestions/exposure.ts';
import { systemClock } from '../app/clock.ts';
import { asNumber, asText, numberOf } from '../store/db/db.ts';
import type { CampaignFacts } from '../store/reader/attention.ts';
import { bumpRevision, type CubeFile, type CubeProblem, type Source } from './cube-file.ts';
import {
  BID,
  createReading,
  dayNumber,
  dayOf,
  type EntityIds,
  type FileDays,
  type ReportFile,
} from './read-file-days.ts';
import { eachReportRow } from './report-rows.ts';
import { addColumn, decodeSegment, encodeSegment, release, type Segment, sumOf } from './segment.ts';

/** The result of ingesting a file. */
export interface TakenIn {
  readonly reportType: string;
  readonly rows: number;
  /** Rows whose day or IDs can't be read, or whose day was not requested. */
  readonly skipped: number;
  /** Cells that should contain a number and don't. */
  readonly unreadable: number;
  readonly taken: readonly PlainDate[];
  /** Days already known from a newer report. */
  readonly older: readonly PlainDate[];
  readonly held: readonly PlainDate[];
  readonly gaps: readonly PlainDate[];
}

/** What ingestion needs to know of the account. */
export interface IngestFacts {
  readonly currency: string;
  readonly campaigns: readonly CampaignFacts[];
}

/** The attribution window, in days, that decides whether a day was settled when a newer report has less than before. */
const USUAL_WINDOW = 14;
/** Share of a settled day's rows or spend below which a newer report is held back. */
const SHRUNK = 0.5;

/**
 * Ingests a file into the cube:
 *
 *   rows --day by day--> columns in memory --packed--> segments --> each day: newer than what is known? take it
 *
 * One transaction covers all of it, so a file is ingested entirely or not at all. The order of files does not matter,
 * and neither does ingesting one twice.
 *
 * @param pause lets queries run between two days
 * @param isPreview only reports what would be taken
 */
export async function ingest(
  db: CubeFile,
  file: ReportFile,
  facts: IngestFacts,
  pause: () => Promise<void>,
  isPreview = false,
): Promise<Result<TakenIn, CubeProblem>> {
  // Begins here, because reading a file stores its new metrics, whose unit is then fixed.
  db.exec('BEGIN IMMEDIATE');
  try {
    const reading = createReading(db, file, facts.currency);
    const read = await eachReportRow(file.path, file.sha256, reading);
    const found = read.ok ? reading.end() : read;
    if (!found.ok) {
      db.exec('ROLLBACK');
      noteReport(db, file.id, found.error.detail);
      return found;
    }
    const taken = await writeDays(db, file, facts, found.value, pause);
    if (isPreview) return ok(taken);
    noteReport(db, file.id, '');
    bumpRevision(db);
    db.exec('COMMIT');
    return ok(taken);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

const noteReport = (db: CubeFile, id: string | null, problem: string): void => {
  if (id !== null) db.run('INSERT OR REPLACE INTO report VALUES (?, ?)', id, problem);
};

/** A day as stored in the cube. */
interface KnownDay {
  readonly fetchedAt: number;
  readonly fetchedOn: number;
  readonly crc: number;
  readonly isReduced: boolean;
}

async function writeDays(
  db: CubeFile,
  { fetchedAt, fetchedOn: on }: ReportFile,
  { campaigns }: IngestFacts,
  found: FileDays,
  pause: () => Promise<void>,
): Promise<TakenIn> {
  const { source, days, entities, span } = found;
  const fetchedOn = dayNumber(on);
  entities?.write();
  const result = {
    taken: [] as PlainDate[],
    older: [] as PlainDate[],
    held: [] as PlainDate[],
    gaps: [] as PlainDate[],
  };
  const names = metricNames(db);
  const size = numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity') + 1;
  const types = campaignTypes(source, entities, campaigns, size);
  const scratch = new Float64Array(size);
  // Metrics of a day are available on the next day.
  for (let day = span.from; day <= Math.min(span.to, fetchedOn - 1); day++) {
    await pause();
    const own = days.get(day);
    if (own === undefined && isGap(db, source.type, day, campaigns)) {
      const isKnown = numberOf(db, 'SELECT count(*) FROM segment WHERE source = ? AND day = ?', source.id, day) > 0;
      if (!isKnown) {
        db.run('INSERT OR REPLACE INTO gap VALUES (?, ?, ?, ?, ?)', source.type, day, fetchedAt, fetchedOn, LEFT_OUT);
        result.gaps.push(dayOf(day));
      }
      continue;
    }
    const content = own ?? encodeSegment({ ids: new Uint32Array(0), columns: [] });
    const segment = decodeSegment(content);
    if (segment === null) throw new Error('a day that was just packed cannot be read');
    writeSeen(db, source.id, day, { fetchedOn, fetchedAt }, segment, names, types);
    const known = readKnown(db, source.id, day);
    // A reduced day can't be replaced within its month.
    if (known?.isReduced || (known !== null && known.fetchedAt >= fetchedAt && !isFromLater(known.fetchedAt))) {
      result.older.push(dayOf(day));
      continue;
    }
    const crc = crc32(content);
    const bytes = known === null || known.crc === crc ? null : readContent(db, 'segment', source.id, day);
    const before = decodeSegment(bytes);
    const row = [source.id, day, fetchedAt, fetchedOn, segment.rows, crc, content] as const;
    if (
      known !== null &&
      before !== null &&
      isSettled(known.fetchedOn - day, USUAL_WINDOW) &&
      hasShrunk(before, segment, names)
    ) {
      db.run('INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?, ?, ?)', ...row);
      result.held.push(dayOf(day));
      continue;
    }
    if (known !== null && before !== null)
      noteRestated(db, source.id, day, fetchedAt, known, before, segment, names, scratch);
    takeDay(db, source, day, row);
    for (const done of [content, segment.ids, bytes, before?.ids]) if (done) release(done);
    result.taken.push(dayOf(day));
  }
  const { reportType, rows, skipped, unreadable } = found;
  return { reportType, rows, skipped, unreadable, ...result };
}

/** The fetch time is in the future, so that clock was wrong; it can't decide which version is newer. */
const isFromLater = (fetchedAt: number): boolean => fetchedAt > systemClock.nowMs() + DAY_MS;
const DAY_MS = 86_400_000;

function takeDay(
  db: CubeFile,
  { id, type }: Source,
  day: number,
  row: readonly [number, number, number, number, number, number, Uint8Array],
): void {
  db.run('INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)', ...row);
  db.run('DELETE FROM held WHERE source = ? AND day = ?', id, day);
  db.run('DELETE FROM gap WHERE type = ? AND day = ?', type, day);
}

/** Accepts or drops the content of a day that is held back. @returns whether there was any */
export function decideDay(db: CubeFile, source: Source, day: number, isTaken: boolean): boolean {
  const content = readContent(db, 'held', source.id, day);
  const [fetchedAt, fetchedOn, rows, crc] =
    db.get('SELECT fetched_at, fetched_on, rows, crc FROM held WHERE source = ? AND day = ?', source.id, day) ?? [];
  if (content === null) return false;
  if (isTaken) {
    const known = readKnown(db, source.id, day);
    const before = decodeSegment(readContent(db, 'segment', source.id, day));
    const own = decodeSegment(content);
    const scratch = new Float64Array(numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity') + 1);
    if (known !== null && before !== null && own !== null) {
      noteRestated(db, source.id, day, asNumber(fetchedAt), known, before, own, metricNames(db), scratch);
    }
    takeDay(db, source, day, [
      source.id,
      day,
      asNumber(fetchedAt),
      asNumber(fetchedOn),
      asNumber(rows),
      asNumber(crc),
      content,
    ]);
  }
  db.run('DELETE FROM held WHERE source = ? AND day = ?', source.id, day);
  return true;
}

export const readContent = (db: CubeFile, table: 'segment' | 'held', source: number, day: number): Uint8Array | null =>
  db.blob(`SELECT content FROM ${table} WHERE source = ? AND day = ?`, source, day);

function readKnown(db: CubeFile, source: number, day: number): KnownDay | null {
  const row = db.get(
    'SELECT fetched_at, fetched_on, crc, length(content) = 0 FROM segment WHERE source = ? AND day = ?',
    source,
    day,
  );
  if (row === undefined) return null;
  const [fetchedAt = 0, fetchedOn = 0, crc = 0, reduced] = row.map(asNumber);
  return { fetchedAt, fetchedOn, crc, isReduced: reduced === 1 };
}

export const metricNames = (db: CubeFile): ReadonlyMap<number, string> =>
  new Map(db.all('SELECT id, name FROM metric').map(([id, name]) => [asNumber(id), asText(name)]));

/**
 * A day without rows is empty if no campaign ran, or if the campaigns' own report shows no spend: reports about parts
 * of campaigns omit parts without impressions. Otherwise it is a gap.
 */
function isGap(db: CubeFile, type: string, day: number, campaigns: readonly CampaignFacts[]): boolean {
  const date = dayOf(day);
  const isRunning = campaigns.some(
    ({ state, startDate, endDate }) =>
      state === 'live' && startDate !== null && startDate <= date && (endDate ?? OPEN_END) >= date,
  );
  if (!isRunning || type === 'campaign') return isRunning;
  const ofCampaigns = `SELECT content FROM segment JOIN source ON source.id = source WHERE type = 'campaign' AND day = ?`;
  const segment = decodeSegment(db.blob(ofCampaigns, day));
  const spend = numberOf(db, `SELECT ifnull(max(id), 0) FROM metric WHERE name = 'adSpend'`);
  const column = segment?.columns.find(({ metric }) => metric === spend);
  return column !== undefined && sumOf(column) > 0;
}

type WireSums = Record<string, number>;

const wireSums = ({ columns }: Segment, names: ReadonlyMap<number, string>): WireSums =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const name = names.get(column.metric) ?? '';
      return name === BID ? [] : [[name, sumOf(column)]];
    }),
  );

function hasShrunk(before: Segment, now: Segment, names: ReadonlyMap<number, string>): boolean {
  const [was, is] = [wireSums(before, names)['adSpend'] ?? 0, wireSums(now, names)['adSpend'] ?? 0];
  return now.rows < SHRUNK * before.rows || is < SHRUNK * was;
}

function noteRestated(
  db: CubeFile,
  source: number,
  day: number,
  fetchedAt: number,
  known: KnownDay,
  before: Segment,
  now: Segment,
  names: ReadonlyMap<number, string>,
  scratch: Float64Array,
): void {
  const cells = differingCells(before, now, scratch);
  if (cells === 0) return;
  const wasSettled = isSettled(known.fetchedOn - day, USUAL_WINDOW) ? 1 : 0;
  const texts = [before, now].map((segment) => JSON.stringify(wireSums(segment, names)));
  db.run(
    'INSERT OR REPLACE INTO restated VALUES (?, ?, ?, ?, ?, ?, ?)',
    source,
    day,
    fetchedAt,
    wasSettled,
    cells,
    ...texts,
  );
}

function differingCells(before: Segment, now: Segment, scratch: Float64Array): number {
  const metrics = new Set([...before.columns, ...now.columns].map(({ metric }) => metric));
  let cells = 0;
  for (const metric of metrics) {
    for (const [segment, weight] of [
      [before, -1],
      [now, 1],
    ] as const) {
      const column = segment.columns.find((each) => each.metric === metric);
      if (column !== undefined) addColumn(segment, column, scratch, weight);
    }
    for (const { ids, columns } of [before, now]) {
      const column = columns.find((each) => each.metric === metric);
      for (let place = 0; place < (column?.values.length ?? 0); place++) {
        const id = ids[column?.at?.[place] ?? place] ?? 0;
        if (scratch[id] === 0) continue;
        cells++;
        scratch[id] = 0;
      }
    }
  }
  return cells;
}

/** The campaign types in the account, and the type of each entity. */
interface CampaignTypes {
  readonly types: readonly string[];
  readonly typeOf: Uint8Array;
}

/** The first type is empty: for entities whose campaign is not in the account. */
function campaignTypes(
  { keys }: Source,
  entities: EntityIds | null,
  campaigns: readonly CampaignFacts[],
  size: number,
): CampaignTypes {
  const typeOf = new Uint8Array(size);
  if (entities === null || keys[0] !== 'campaignId') return { types: [''], typeOf };
  const typeById = new Map(campaigns.map(({ remoteId, campaignType }) => [remoteId, campaignType ?? '']));
  const types = ['', ...new Set([...typeById.values()].filter((type) => type !== ''))];
  for (const [id, campaign] of entities.campaigns()) typeOf[id] = types.indexOf(typeById.get(campaign) ?? '');
  return { types, typeOf };
}

function writeSeen(
  db: CubeFile,
  source: number,
  day: number,
  { fetchedOn, fetchedAt }: { readonly fetchedOn: number; readonly fetchedAt: number },
  segment: Segment,
  names: ReadonlyMap<number, string>,
  { types, typeOf }: CampaignTypes,
): void {
  const known = db.get(
    'SELECT max(fetched_at) FROM seen WHERE source = ? AND day = ? AND fetched_on = ?',
    source,
    day,
    fetchedOn,
  )?.[0];
  if (typeof known === 'number' && known >= fetchedAt) return;
  const sums = new Map<string, WireSums>();
  for (const column of segment.columns) {
    const name = names.get(column.metric) ?? '';
    if (name === BID) continue;
    const byType = new Float64Array(types.length);
    const isThere = new Uint8Array(types.length);
    for (let place = 0; place < column.values.length; place++) {
      const type = typeOf[segment.ids[column.at?.[place] ?? place] ?? 0] ?? 0;
      byType[type] = (byType[type] ?? 0) + (column.values[place] ?? 0);
      isThere[type] = 1;
    }
    for (const [at, type] of types.entries()) {
      if (isThere[at] === 1) sums.set(type, { ...sums.get(type), [name]: byType[at] ?? 0 });
    }
  }
  // A day without metrics is recorded too, so that an older answer is not used for it.
  if (sums.size === 0) sums.set('', {});
  db.run('DELETE FROM seen WHERE source = ? AND day = ? AND fetched_on = ?', source, day, fetchedOn);
  for (const [type, own] of sums) {
    db.run('INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?)', source, day, fetchedOn, type, fetchedAt, JSON.stringify(own));
  }
}
