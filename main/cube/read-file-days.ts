import { parseDecimal } from '../../shared/model/decimal.ts';
import { addDays, daysBetween, plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { lineText } from '../../shared/model/text.ts';
import { metricOf } from '../../shared/reports/metric.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { type ReportColumn, readReport } from '../../shared/reports/report-table.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { asNumber, asText, numberOf, rowsInPieces } from '../store/db/db.ts';
import { type CubeFile, type CubeProblem, readSources, type Source } from './cube-file.ts';
import type { Line, RowTaker } from './report-rows.ts';
import { decodeSegment, denseValues, encodeSegment, release, type Segment, type SegmentRows } from './segment.ts';

/** A report file with a daily breakdown. */
export interface ReportFile {
  readonly path: string;
  /** The expected SHA-256; null if unknown. */
  readonly sha256: string | null;
  /** The ID of the saved report; null for a file of the user. */
  readonly id: string | null;
  /** Null to detect it from the columns. */
  readonly reportType: string | null;
  /** The requested days; null for those in the file. */
  readonly span: DaySpan | null;
  readonly fetchedAt: number;
  /** The business day of the fetch. */
  readonly fetchedOn: PlainDate;
  /** The attribution window if columns don't state it, such as `days14`. */
  readonly attributionWindow: string | null;
}

const EPOCH = '1970-01-01' as PlainDate;
export const dayNumber = (day: PlainDate): number => daysBetween(EPOCH, day);
export const dayOf = (day: number): PlainDate => addDays(EPOCH, day);

/** Columns that identify rows; a report has some of them. */
const KEY_COLUMNS = [
  'campaignId',
  'adGroupId',
  'adItemId',
  'keywordId',
  'searchedKeyword',
  'platform',
  'pageType',
  'brand',
  'category',
];
/** Types by the column that only they have, for files of unknown type. */
const TYPE_BY_COLUMN = ['keyword', 'adItem', 'platform', 'pageType', 'brand', 'category', 'adGroup', 'campaign'];
/** Key columns of a report without rows. */
const KEYS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  campaign: ['campaignId'],
  adGroup: ['campaignId', 'adGroupId'],
  adItem: ['campaignId', 'adGroupId', 'adItemId'],
  keyword: ['campaignId', 'adGroupId', 'keywordId'],
};
/** A current value that is not added up. */
export const BID = 'bid';

/** Rows in memory before they are packed. */
const UNPACKED_ROWS = 200_000;
/** Length of a day as text. */
const DAY_LENGTH = 10;
/** Rows that are read to detect the meaning of the columns. */
const SAMPLE_ROWS = 1000;

const isNamed = (name: string) => (other: string) => other.toLowerCase() === name.toLowerCase();

interface MetricColumn {
  readonly at: number;
  readonly metric: number;
  readonly places: 0 | 2;
  readonly adds: boolean;
}

/** How the columns of a file are read. */
interface Layout {
  readonly source: Source;
  readonly keysAt: readonly number[];
  readonly dayAt: number;
  readonly currencyAt: number;
  readonly metrics: readonly MetricColumn[];
  readonly words: readonly { readonly at: number; readonly name: string }[];
  /** The key and word columns. */
  readonly columns: readonly number[];
}

/** The array type is wide enough for the numbers in it. */
type Values = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

interface DayRows {
  ids: Uint32Array<ArrayBuffer>;
  columns: Values[];
  count: number;
}

/** The packed days of one file, not stored in the cube yet. */
export interface FileDays {
  readonly reportType: string;
  readonly source: Source;
  readonly days: ReadonlyMap<number, Uint8Array>;
  readonly entities: EntityIds | null;
  readonly span: { readonly from: number; readonly to: number };
  readonly rows: number;
  readonly skipped: number;
  readonly unreadable: number;
}

/**
 * Reads a file row by row, separates its days and packs them as they grow.
 *
 * @returns a taker of rows; its `end` returns the days, or why the file is refused
 */
export function createReading(
  db: CubeFile,
  file: ReportFile,
  currency: string,
): RowTaker & { end(): Result<FileDays, CubeProblem> } {
  let names: readonly string[] | null = null;
  /** The first two headings. */
  let headings: readonly Uint8Array[] = [];
  let sample: (readonly string[])[] = [];
  let layout: Layout | null = null;
  let entities: EntityIds | null = null;
  let problem: string | null = null;
  let [rows, skipped, unreadable, held] = [0, 0, 0, 0];
  /** The number of lines read, and the number of cells in the last one. */
  let [lines, width] = [0, 0];
  const openDays = new Map<number, DayRows>();
  /** Buffers to reuse. */
  const spare: DayRows[] = [];
  let openDay: { readonly day: number; readonly rows: DayRows } | null = null;
  const packed = new Map<number, Uint8Array>();
  const asked = file.span === null ? null : { from: dayNumber(file.span.from), to: dayNumber(file.span.to) };
  const onlyDay = asked !== null && asked.from === asked.to ? asked.from : null;

  let lastDay: { readonly text: Uint8Array; readonly day: number } | null = null;

  const dayIn = (line: Line, at: number): number => {
    if (at < 0) return onlyDay ?? -1;
    const from = line.starts[at] ?? 0;
    const to = Math.min(line.ends[at] ?? 0, from + DAY_LENGTH);
    if (lastDay !== null && isBytes(line.bytes, from, to, lastDay.text)) return lastDay.day;
    const text = textIn(line.bytes, from, to);
    const day = plainDate(text);
    const number = day === null ? -1 : dayNumber(day);
    const isIn = asked === null || (number >= asked.from && number <= asked.to);
    // Copied, because later lines overwrite the bytes of a line.
    lastDay = { text: Uint8Array.from(line.bytes.subarray(from, to)), day: isIn ? number : -1 };
    return lastDay.day;
  };

  const pack = (): void => {
    if (layout === null) return;
    for (const [day, open] of openDays) {
      const known = packed.get(day);
      packed.set(day, packDay(open, layout.metrics, decodeSegment(known ?? null)));
      if (known !== undefined) release(known);
      open.count = 0;
      spare.push(open);
    }
    openDays.clear();
    openDay = null;
    held = 0;
  };

  const take = (line: Line, of: Layout, ids: EntityIds): void => {
    const { metrics, dayAt, keysAt, currencyAt } = of;
    const day = dayIn(line, dayAt);
    if (day < 0 || !keysAt.some((at) => line.starts[at] !== line.ends[at])) {
      skipped++;
      return;
    }
    if (currencyAt >= 0) {
      const other = cellOf(line, currencyAt).trim();
      if (other !== '' && other.toUpperCase() !== currency)
        problem ??= `${lineText(lines)} is in ${other}, the account in ${currency}`;
    }
    const id = ids.idOf(line, of, day);
    if (id === null) {
      skipped++;
      return;
    }
    const open = day === openDay?.day ? openDay.rows : (openDays.get(day) ?? spare.pop() ?? newDay(metrics.length));
    if (open.count === 0) openDays.set(day, open);
    openDay = { day, rows: open };
    if (open.count === open.ids.length) grow(open);
    open.ids[open.count] = id;
    for (let column = 0; column < metrics.length; column++) {
      const { at, places } = metrics[column] as MetricColumn;
      const value = numberIn(line, at, places);
      if (value === null) unreadable++;
      put(open, column, value ?? 0);
    }
    open.count++;
    rows++;
    if (++held >= UNPACKED_ROWS) pack();
  };

  const begin = (): void => {
    if (names === null) return;
    const made = layoutOf(db, file, names, sample);
    if (typeof made === 'string') problem ??= made;
    else {
      layout = made;
      entities = createEntityIds(db, made.source.id, file.fetchedAt);
      const [read, last] = [lines, width];
      lines = 1;
      for (const cells of sample) takeLine(lineOf(cells, names.length));
      [lines, width] = [read, last];
    }
    sample = [];
  };

  const takeLine = (line: Line): void => {
    lines++;
    width = line.count;
    if (layout === null || entities === null) return;
    // Skips repeated headings, as in concatenated files.
    if (!headings.every((heading, at) => isBytes(line.bytes, line.starts[at] ?? 0, line.ends[at] ?? 0, heading)))
      take(line, layout, entities);
  };

  return {
    row: (cells) => {
      if (layout !== null && names !== null) {
        takeLine(lineOf(cells, names.length));
        return;
      }
      lines++;
      width = cells.length;
      if (names === null) {
        names = cells.map((name) => name.trim());
        headings = names.slice(0, 2).map((name) => Buffer.from(name));
      } else if (cells[0] === names[0] && cells[1] === names[1]) return;
      else if (problem === null && sample.push(cells) >= SAMPLE_ROWS) begin();
    },
    line: takeLine,
    get takesLines() {
      return layout !== null;
    },
    end: () => {
      const hasColumns = (names ?? []).some((name) => name !== '');
      if (layout === null && hasColumns && problem === null) begin();
      if (names !== null && width < names.length) {
        problem ??= `the file is cut short: ${lineText(lines)}, the last one, has ${width} of ${names.length} cells`;
      }
      if (problem !== null) return err({ kind: 'cube', detail: problem });
      pack();
      for (const { ids, columns } of spare.splice(0)) for (const each of [ids, ...columns]) release(each);
      const type = layout?.source.type ?? file.reportType;
      const days = [...packed.keys()];
      const span = asked ?? (days.length === 0 ? null : { from: Math.min(...days), to: Math.max(...days) });
      if (type === null || span === null) {
        const why = skipped === 0 ? 'the file has no rows' : 'no row has an ID and a day such as 2026-05-31';
        return err({ kind: 'cube', detail: why });
      }
      const known = readSources(db).find((source) => source.type === type);
      const source = layout?.source ?? known ?? addSource(db, type, KEYS_OF_TYPE[type] ?? ['campaignId', type]);
      return ok({ reportType: type, source, days: packed, entities, span, rows, skipped, unreadable });
    },
  };
}

const keyCell = (cell: string): string => cell.trim().replaceAll('\t', ' ');

const textIn = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
const cellOf = ({ bytes, starts, ends }: Line, at: number): string => textIn(bytes, starts[at] ?? 0, ends[at] ?? 0);

function isBytes(bytes: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let at = 0; at < other.length; at++) if (bytes[from + at] !== other[at]) return false;
  return true;
}

/** A row of text as a line; cells beyond the columns are dropped. */
function lineOf(cells: readonly string[], columns: number): Line {
  const [starts, ends] = [new Int32Array(columns), new Int32Array(columns)];
  const bytes = Buffer.from(cells.slice(0, columns).join(''));
  let end = 0;
  for (let at = 0; at < columns; at++) {
    starts[at] = end;
    end += Buffer.byteLength(cells[at] ?? '');
    ends[at] = end;
  }
  return { bytes, starts, ends, count: cells.length };
}

const START_ROWS = 1024;

function newDay(columns: number): DayRows {
  return {
    ids: new Uint32Array(START_ROWS),
    columns: Array.from({ length: columns }, () => new Int32Array(START_ROWS)),
    count: 0,
  };
}

function put(day: DayRows, column: number, value: number): void {
  let values = day.columns[column] as Values;
  if (values instanceof Int32Array && value !== (value | 0)) {
    const wider = Float64Array.from(values);
    release(values);
    values = day.columns[column] = wider;
  }
  values[day.count] = value;
}

function grow(day: DayRows): void {
  const rows = 2 * day.ids.length;
  day.ids = new Uint32Array(day.ids.buffer.transfer(rows * day.ids.BYTES_PER_ELEMENT));
  day.columns = day.columns.map((column) => {
    const wider = column.buffer.transfer(rows * column.BYTES_PER_ELEMENT);
    return column instanceof Int32Array ? new Int32Array(wider) : new Float64Array(wider);
  });
}

/** Packs the rows of a day together with those packed before. */
function packDay(
  { ids, columns, count }: DayRows,
  metrics: readonly MetricColumn[],
  before: Segment | null,
): Uint8Array {
  const own = ids.subarray(0, count);
  const rows: SegmentRows = {
    ids: before === null ? own : joined(Uint32Array, before.ids, own),
    columns: metrics.map(({ metric, adds }, at) => {
      const values = columns[at]?.subarray(0, count) ?? new Int32Array(count);
      const known = before?.columns.find((column) => column.metric === metric);
      const earlier = before === null || known === undefined ? null : denseValues(before, known);
      return { metric, adds, values: earlier === null ? values : joined(Float64Array, earlier, values) };
    }),
  };
  return encodeSegment(rows);
}

function joined<T extends Uint32Array | Float64Array>(
  make: new (length: number) => T,
  first: T,
  second: ArrayLike<number>,
): T {
  const all = new make(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function layoutOf(
  db: CubeFile,
  file: ReportFile,
  names: readonly string[],
  sample: readonly (readonly string[])[],
): Layout | string {
  const find = (name: string): number => names.findIndex(isNamed(name));
  const type = file.reportType ?? TYPE_BY_COLUMN.find((each) => find(`${each}Id`) >= 0 || find(each) >= 0);
  if (type === undefined) return `its columns match no report: ${names.slice(0, 5).join(', ').slice(0, 100)}`;
  const { columns } = readReport([names, ...sample]);
  const dayAt = columns.findIndex(({ is }) => is === 'day');
  const isOneDay = file.span !== null && file.span.from === file.span.to;
  if (dayAt < 0 && !isOneDay) return 'the report has no column with the day';
  const keys = [...KEY_COLUMNS, type].filter((name, at, all) => all.findIndex(isNamed(name)) === at && find(name) >= 0);
  if (keys.length === 0) return 'the report has no column with an ID';
  const source = addSource(db, type, keys);
  const keysAt = keys.map(find);
  const metrics = columns.flatMap((column, at) =>
    keysAt.includes(at) ? [] : metricColumn(db, column, at, file.attributionWindow),
  );
  if (metrics.length === 0) return 'the report has no column with a metric';
  const words = columns.flatMap((column, at) =>
    column.is === 'words' && !keys.some(isNamed(column.name)) && !isNamed(BID)(column.name)
      ? [{ at, name: column.name }]
      : [],
  );
  const currencyAt = names.findIndex((name) => /^currency(?:code)?$/i.test(name));
  return { source, keysAt, dayAt, currencyAt, metrics, words, columns: [...keysAt, ...words.map(({ at }) => at)] };
}

function addSource(db: CubeFile, type: string, keys: readonly string[]): Source {
  const text = JSON.stringify(keys);
  db.run('INSERT OR IGNORE INTO source(type, keys) VALUES (?, ?)', type, text);
  return { id: numberOf(db, 'SELECT id FROM source WHERE type = ? AND keys = ?', type, text), type, keys };
}

/** A column whose numbers are stored. Rates are not stored: they are calculated from sums. */
function metricColumn(db: CubeFile, column: ReportColumn, at: number, asked: string | null): readonly MetricColumn[] {
  const add = (name: string, unit: string, adds: boolean): MetricColumn => {
    db.run('INSERT OR IGNORE INTO metric(name, unit) VALUES (?, ?)', name, unit);
    // The unit of an unknown metric is inferred from its first file, and the numbers of other files are added to those.
    const [metric, known] = db.get('SELECT id, unit FROM metric WHERE name = ?', name) ?? [];
    return { at, metric: asNumber(metric), adds, places: known === 'count' ? 0 : 2 };
  };
  if (isNamed(BID)(column.name)) return [add(BID, 'money', false)];
  if (column.is !== 'metric' || !column.metric.adds) return [];
  const { metric, window } = column;
  const days = /\d+/.exec(asked ?? '')?.[0];
  const isPlain = metric.attributed && window === null && days !== undefined;
  const name = isPlain && metricOf(`${metric.name}${days}days`) !== null ? `${metric.name}${days}days` : column.name;
  return [add(name, metric.unit, true)];
}

/** Numbers with up to this many characters are exact. */
const PLAIN_LENGTH = 15;
const [POINT, ZERO, NINE] = [0x2e, 0x30, 0x39];

/**
 * A number in the smallest unit; 0 for an empty cell, null for a cell without a number. Plain numbers, nearly all, take
 * the fast path.
 */
function numberIn(line: Line, column: number, places: 0 | 2): number | null {
  const { bytes } = line;
  const from = line.starts[column] ?? 0;
  const to = line.ends[column] ?? 0;
  if (to - from > PLAIN_LENGTH) return slowNumber(cellOf(line, column), places);
  let units = 0;
  let decimals = -1;
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0;
    if (code === POINT && decimals < 0) decimals = 0;
    else if (code < ZERO || code > NINE) return slowNumber(cellOf(line, column), places);
    else if (decimals < places) {
      units = units * 10 + code - ZERO;
      if (decimals >= 0) decimals++;
    }
  }
  for (let more = Math.max(0, decimals); more < places; more++) units *= 10;
  return units;
}

function slowNumber(cell: string, places: 0 | 2): number | null {
  // One or two digits after a comma are decimals, as in a spreadsheet saved with another locale.
  const text = cell
    .trim()
    .replace(/%$/u, '')
    .replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
  if (text === '') return 0;
  const read = parseDecimal(text, places);
  return read.ok ? read.value.units : null;
}

/** The entities of a source: their numbers and their latest names. */
export type EntityIds = ReturnType<typeof createEntityIds>;

interface Entity {
  readonly id: number;
  /** The file and the day that the words are from. */
  seenAt: number;
  seenDay: number;
  /** The line of this file with the key and the words, see `createKnownLines`; -1 for none. */
  line: number;
}

function createEntityIds(db: CubeFile, source: number, fetchedAt: number) {
  const known = new Map<string, Entity>();
  const sql =
    'SELECT id, key, seen_at, seen_day FROM entity NOT INDEXED WHERE id > ?1 AND source = ?3 ORDER BY id LIMIT ?2';
  for (const [id, key, seenAt, seenDay] of rowsInPieces(db, sql, source)) {
    const seen = { seenAt: asNumber(seenAt), seenDay: asNumber(seenDay) };
    known.set(asText(key), { id: asNumber(id), ...seen, line: -1 });
  }
  let last = numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity');
  let [wordNames, keys]: [readonly string[], number] = [[], 0];
  const isNewer = (entity: Entity, day: number): boolean =>
    entity.seenAt < fetchedAt || (entity.seenAt === fetchedAt && entity.seenDay <= day);
  const lines = createKnownLines<Entity>();
  const wordsOf = ({ line }: Entity): readonly string[] => lines.cellsOf(line).slice(keys);
  const see = (entity: Entity, day: number): void => {
    entity.seenAt = fetchedAt;
    entity.seenDay = day;
  };
  return {
    /** Null for a line without a key. */
    idOf: (line: Line, { keysAt, words, columns }: Layout, day: number): number | null => {
      const place = lines.find(line, columns);
      const seen = lines.at(place);
      if (seen?.line === place) {
        if (isNewer(seen, day)) see(seen, day);
        return seen.id;
      }
      const key = keysAt.map((at) => keyCell(cellOf(line, at))).join('\t');
      if (key.trim() === '') return null;
      const found = known.get(key);
      const entity = found ?? { id: ++last, seenAt: -1, seenDay: -1, line: -1 };
      if (found === undefined) known.set(key, entity);
      if (!isNewer(entity, day)) return entity.id;
      if (keys === 0) [wordNames, keys] = [words.map(({ name }) => name), keysAt.length];
      const isTie = entity.seenAt === fetchedAt && entity.seenDay === day && entity.line !== -1;
      const own = isTie ? words.map(({ at }) => cellOf(line, at)) : [];
      // If two rows of one day differ, the choice does not depend on their order.
      if (!isTie || JSON.stringify(own) >= JSON.stringify(wordsOf(entity))) {
        entity.line = place === -1 ? lines.add(entity) : place;
      }
      see(entity, day);
      return entity.id;
    },
    write: (): void => {
      for (const [key, entity] of known) {
        if (entity.line === -1) continue;
        const { id, seenAt, seenDay } = entity;
        const words = wordsOf(entity);
        const text = JSON.stringify(Object.fromEntries(wordNames.map((name, at) => [name, words[at] ?? ''])));
        db.run(
          `INSERT INTO entity VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(id) DO UPDATE
           SET words = ?4, seen_at = ?5, seen_day = ?6`,
          id,
          source,
          key,
          text,
          seenAt,
          seenDay,
        );
      }
    },
    /** The first key cell of each entity: the campaign. */
    campaigns: (): ReadonlyMap<number, string> =>
      new Map(Array.from(known, ([key, { id }]) => [id, key.split('\t', 1)[0] ?? ''])),
  };
}

const CELL_END = 0xff;

/**
 * Finds lines by the bytes of their key and words, so that known lines are not decoded: a hash table with open
 * addressing over one byte array.
 */
function createKnownLines<T>() {
  const entries: T[] = [];
  let slots = new Int32Array(1 << 12).fill(-1);
  let hashes = new Int32Array(1 << 11);
  let ends = new Uint32Array(1 << 11);
  let bytes = new Uint8Array(1 << 16);
  let used = 0;
  /** The bytes of the last lookup are stored after the bytes in use. */
  let [hash, end] = [0, 0];

  const look = (line: Line, columns: readonly number[]): void => {
    let length = columns.length;
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] ?? 0;
      length += (line.ends[column] ?? 0) - (line.starts[column] ?? 0);
    }
    if (used + length > bytes.length) {
      const wider = new Uint8Array(2 * (used + length));
      wider.set(bytes);
      bytes = wider;
    }
    const [from, into] = [line.bytes, bytes];
    let [mixed, to] = [0, used];
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] ?? 0;
      const last = line.ends[column] ?? 0;
      for (let place = line.starts[column] ?? 0; place < last; place++) {
        const code = from[place] ?? 0;
        // Neither byte occurs in text, and both decode to the same character.
        into[to++] = code === CELL_END ? CELL_END - 1 : code;
        mixed = Math.imul(mixed ^ code, 16_777_619);
      }
      into[to++] = CELL_END;
      mixed = Math.imul(mixed ^ CELL_END, 16_777_619);
    }
    [hash, end] = [mixed, to];
  };
  const isIn = (entry: number): boolean => {
    const from = entry === 0 ? 0 : (ends[entry - 1] ?? 0);
    const [all, wanted, length] = [bytes, used, (ends[entry] ?? 0) - from];
    if (hashes[entry] !== hash || length !== end - wanted) return false;
    for (let at = 0; at < length; at++) if (all[from + at] !== all[wanted + at]) return false;
    return true;
  };
  const slotOf = (mixed: number): number => (mixed ^ (mixed >>> 15)) & (slots.length - 1);
  const grow = (): void => {
    const [widerHashes, widerEnds] = [new Int32Array(slots.length), new Uint32Array(slots.length)];
    widerHashes.set(hashes);
    widerEnds.set(ends);
    [hashes, ends] = [widerHashes, widerEnds];
    slots = new Int32Array(2 * slots.length).fill(-1);
    for (let entry = 0; entry < entries.length; entry++) place(entry);
  };
  const place = (entry: number): void => {
    let slot = slotOf(hashes[entry] ?? 0);
    while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = entry;
  };
  return {
    /** The number of such a line; -1 for none. */
    find: (line: Line, columns: readonly number[]): number => {
      look(line, columns);
      let slot = slotOf(hash);
      for (let entry = slots[slot] ?? -1; entry !== -1; entry = slots[slot] ?? -1) {
        if (isIn(entry)) return entry;
        slot = (slot + 1) & (slots.length - 1);
      }
      return -1;
    },
    at: (place: number): T | undefined => entries[place],
    /** The cells of a stored line. */
    cellsOf: (place: number): readonly string[] => {
      const cells: string[] = [];
      const end = ends[place] ?? 0;
      for (let from = place === 0 ? 0 : (ends[place - 1] ?? 0); from < end; ) {
        const to = bytes.indexOf(CELL_END, from);
        cells.push(textIn(bytes, from, to));
        from = to + 1;
      }
      return cells;
    },
    /** Stores the line of the last lookup. @returns its number */
    add: (value: T): number => {
      if (entries.length === hashes.length) grow();
      const entry = entries.push(value) - 1;
      hashes[entry] = hash;
      ends[entry] = used = end;
      place(entry);
      return entry;
    },
  };
}
