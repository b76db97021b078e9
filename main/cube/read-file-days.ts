import { parseDecimal } from '../../shared/model/decimal.ts';
import { addDays, daysBetween, plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { metricOf } from '../../shared/reports/metric.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { placesOf, type ReportColumn, readReport } from '../../shared/reports/report-table.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { asNumber, asText, numberOf } from '../store/db/db.ts';
import { type CubeFile, type CubeProblem, readSources, type Source } from './cube-file.ts';
import { decodeSegment, denseValues, encodeSegment, type Segment, type SegmentRows } from './segment.ts';

/** A report with a daily breakdown, as a file. */
export interface ReportFile {
  readonly path: string;
  /** What the file is known to be; null where nobody knows. */
  readonly sha256: string | null;
  /** The report it was kept as; null for a file of the user. */
  readonly id: string | null;
  /** Null to tell it by the columns. */
  readonly reportType: string | null;
  /** The days that were asked for; null for those that are in it. */
  readonly span: DaySpan | null;
  readonly fetchedAt: number;
  /** The day at the business when it was fetched. */
  readonly fetchedOn: PlainDate;
  /** The window in which purchases are counted where the columns do not say so, such as `days14`. */
  readonly attributionWindow: string | null;
}

const EPOCH = '1970-01-01' as PlainDate;
export const dayNumber = (day: PlainDate): number => daysBetween(EPOCH, day);
export const dayOf = (day: number): PlainDate => addDays(EPOCH, day);

/** Columns that tell rows apart, whichever of them a report has. */
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
/** Types by the column that only they have, for files of which nobody says what they are. */
const TYPE_BY_COLUMN = ['keyword', 'adItem', 'platform', 'pageType', 'brand', 'category', 'adGroup', 'campaign'];
/** What a report without rows would have told its rows apart by. */
const KEYS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  campaign: ['campaignId'],
  adGroup: ['campaignId', 'adGroupId'],
  adItem: ['campaignId', 'adGroupId', 'adItemId'],
  keyword: ['campaignId', 'adGroupId', 'keywordId'],
};
/** A number that is in force and not added up. */
export const BID = 'bid';

/** Rows in memory before they are packed. */
const UNPACKED_ROWS = 300_000;
/** Rows by which the meaning of the columns is told. */
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
}

interface DayRows {
  ids: Uint32Array;
  columns: Float64Array[];
  count: number;
}

/** The days of one file, packed; nothing of them is in the cube yet. */
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
 * Reads a file row by row, its days apart and packed as they grow.
 *
 * @returns `row` takes one line of cells, the names of the columns first; `end` answers the days, or why the file is refused
 */
export function createReading(db: CubeFile, file: ReportFile, currency: string) {
  let names: readonly string[] | null = null;
  let sample: (readonly string[])[] = [];
  let layout: Layout | null = null;
  let entities: EntityIds | null = null;
  let problem: string | null = null;
  let [rows, skipped, unreadable, held] = [0, 0, 0, 0];
  /** Lines of the file, and the cells of the last one. */
  let [lines, width] = [0, 0];
  const openDays = new Map<number, DayRows>();
  const packed = new Map<number, Uint8Array>();
  const dayNumbers = new Map<string, number>();
  const asked = file.span === null ? null : { from: dayNumber(file.span.from), to: dayNumber(file.span.to) };
  const onlyDay = asked !== null && asked.from === asked.to ? asked.from : null;

  const dayIn = (cells: readonly string[], at: number): number => {
    if (at < 0) return onlyDay ?? -1;
    const text = (cells[at] ?? '').slice(0, 10);
    const known = dayNumbers.get(text);
    if (known !== undefined) return known;
    const day = plainDate(text);
    const number = day === null ? -1 : dayNumber(day);
    const isIn = asked === null || (number >= asked.from && number <= asked.to);
    dayNumbers.set(text, isIn ? number : -1);
    return isIn ? number : -1;
  };

  const pack = (): void => {
    if (layout === null) return;
    for (const [day, open] of openDays) {
      const known = packed.get(day);
      packed.set(day, packDay(open, layout.metrics, known === undefined ? null : decodeSegment(known)));
    }
    openDays.clear();
    held = 0;
  };

  const take = (
    cells: readonly string[],
    { metrics, dayAt, keysAt, currencyAt, words }: Layout,
    ids: EntityIds,
    line: number,
  ): void => {
    const day = dayIn(cells, dayAt);
    const key =
      keysAt.length === 1 ? (cells[keysAt[0] ?? 0] ?? '').trim() : keysAt.map((at) => keyCell(cells[at])).join('\t');
    if (day < 0 || key.trim() === '') {
      skipped++;
      return;
    }
    if (currencyAt >= 0) {
      const other = (cells[currencyAt] ?? '').trim();
      if (other !== '' && other.toUpperCase() !== currency)
        problem ??= `line ${line} is in ${other}, the account in ${currency}`;
    }
    const open = openDays.get(day) ?? newDay(metrics.length);
    if (open.count === 0) openDays.set(day, open);
    if (open.count === open.ids.length) grow(open);
    open.ids[open.count] = ids.idOf(key, cells, words, day);
    for (let column = 0; column < metrics.length; column++) {
      const { at, places } = metrics[column] as MetricColumn;
      const value = numberIn(cells[at], places);
      if (value === null) unreadable++;
      else (open.columns[column] as Float64Array)[open.count] = value;
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
      for (const [at, cells] of sample.entries()) take(cells, made, entities, at + 2);
    }
    sample = [];
  };

  return {
    row: (cells: readonly string[]): void => {
      lines++;
      width = cells.length;
      if (names === null) names = cells.map((name) => name.trim());
      // Files that were put one after the other have their names of columns in the middle.
      else if (cells[0] === names[0] && cells[1] === names[1]) return;
      else if (layout !== null && entities !== null) take(cells, layout, entities, lines);
      else if (problem === null && sample.push(cells) >= SAMPLE_ROWS) begin();
    },
    end: (): Result<FileDays, CubeProblem> => {
      const hasColumns = (names ?? []).some((name) => name !== '');
      if (layout === null && hasColumns && problem === null) begin();
      if (names !== null && width < names.length) {
        problem ??= `the file is cut short: line ${lines}, the last one, has ${width} of ${names.length} cells`;
      }
      if (problem !== null) return err({ kind: 'cube', detail: problem });
      pack();
      const type = layout?.source.type ?? file.reportType;
      const days = [...packed.keys()];
      const span = asked ?? (days.length === 0 ? null : { from: Math.min(...days), to: Math.max(...days) });
      if (type === null || span === null) return err({ kind: 'cube', detail: 'the file has no rows' });
      const known = readSources(db).find((source) => source.type === type);
      const source = layout?.source ?? known ?? addSource(db, type, KEYS_OF_TYPE[type] ?? ['campaignId', type]);
      return ok({ reportType: type, source, days: packed, entities, span, rows, skipped, unreadable });
    },
  };
}

const keyCell = (cell: string | undefined): string => (cell ?? '').trim().replaceAll('\t', ' ');
/** Not a part of the text it was cut out of, which would stay in memory as a whole. */
const copied = (text: string): string => Buffer.from(text).toString();

function newDay(columns: number): DayRows {
  return {
    ids: new Uint32Array(1024),
    columns: Array.from({ length: columns }, () => new Float64Array(1024)),
    count: 0,
  };
}

function grow(day: DayRows): void {
  const ids = new Uint32Array(2 * day.ids.length);
  ids.set(day.ids);
  day.ids = ids;
  day.columns = day.columns.map((column) => {
    const wider = new Float64Array(ids.length);
    wider.set(column);
    return wider;
  });
}

/** With the rows of the day that were packed before, if there are any. */
function packDay(
  { ids, columns, count }: DayRows,
  metrics: readonly MetricColumn[],
  before: Segment | null,
): Uint8Array {
  const own = ids.subarray(0, count);
  const joined = (first: Float64Array, second: Float64Array): Float64Array => {
    const all = new Float64Array(first.length + second.length);
    all.set(first);
    all.set(second, first.length);
    return all;
  };
  const rows: SegmentRows = {
    ids: before === null ? own : Uint32Array.from([...before.ids, ...own]),
    columns: metrics.map(({ metric, adds }, at) => {
      const values = columns[at]?.subarray(0, count) ?? new Float64Array(count);
      const known = before?.columns.find((column) => column.metric === metric);
      const earlier = before === null || known === undefined ? null : denseValues(before, known);
      return { metric, adds, values: earlier === null ? values : joined(earlier, values) };
    }),
  };
  return encodeSegment(rows);
}

function layoutOf(
  db: CubeFile,
  file: ReportFile,
  names: readonly string[],
  sample: readonly (readonly string[])[],
): Layout | string {
  const find = (name: string): number => names.findIndex(isNamed(name));
  const type = file.reportType ?? TYPE_BY_COLUMN.find((each) => find(`${each}Id`) >= 0 || find(each) >= 0);
  if (type === undefined)
    return `the columns are of no report that is known: ${names.slice(0, 5).join(', ').slice(0, 100)}`;
  const { columns } = readReport([names, ...sample]);
  const dayAt = columns.findIndex(({ is }) => is === 'day');
  const isOneDay = file.span !== null && file.span.from === file.span.to;
  if (dayAt < 0 && !isOneDay) return 'the report has no column with the day';
  const keys = [...KEY_COLUMNS, type].filter((name, at, all) => all.findIndex(isNamed(name)) === at && find(name) >= 0);
  if (keys.length === 0) return 'the report has no column with an ID';
  const source = addSource(db, type, keys);
  const metrics = columns.flatMap((column, at) => metricColumn(db, column, at, file.attributionWindow));
  if (metrics.length === 0) return 'the report has no column with a metric';
  const words = columns.flatMap((column, at) =>
    column.is === 'words' && !keys.some(isNamed(column.name)) && !isNamed(BID)(column.name)
      ? [{ at, name: column.name }]
      : [],
  );
  const currencyAt = names.findIndex((name) => /^currency(?:code)?$/i.test(name));
  return { source, keysAt: keys.map(find), dayAt, currencyAt, metrics, words };
}

function addSource(db: CubeFile, type: string, keys: readonly string[]): Source {
  const text = JSON.stringify(keys);
  db.run('INSERT OR IGNORE INTO source(type, keys) VALUES (?, ?)', type, text);
  return { id: numberOf(db, 'SELECT id FROM source WHERE type = ? AND keys = ?', type, text), type, keys };
}

/** A column whose numbers are kept. Rates are not: they are computed from sums. */
function metricColumn(db: CubeFile, column: ReportColumn, at: number, asked: string | null): readonly MetricColumn[] {
  const add = (name: string, unit: string, adds: boolean, places: 0 | 2): MetricColumn => {
    db.run('INSERT OR IGNORE INTO metric(name, unit) VALUES (?, ?)', name, unit);
    return { at, metric: numberOf(db, 'SELECT id FROM metric WHERE name = ?', name), adds, places };
  };
  if (column.is === 'words' && isNamed(BID)(column.name)) return [add(BID, 'money', false, 2)];
  if (column.is !== 'metric' || !column.metric.adds) return [];
  const { metric, window } = column;
  const days = /\d+/.exec(asked ?? '')?.[0];
  const isPlain = metric.attributed && window === null && days !== undefined;
  const name = isPlain && metricOf(`${metric.name}${days}days`) !== null ? `${metric.name}${days}days` : column.name;
  return [add(name, metric.unit, true, placesOf(column) === 0 ? 0 : 2)];
}

/** In the smallest step; 0 for an empty cell, null for one that holds no number. Nearly all are plain, which takes the short way. */
function numberIn(cell: string | undefined, places: 0 | 2): number | null {
  if (cell === undefined || cell === '') return 0;
  let units = 0;
  let decimals = -1;
  for (let at = 0; at < cell.length; at++) {
    const code = cell.charCodeAt(at);
    if (code === 46 && decimals < 0) decimals = 0;
    else if (code < 48 || code > 57 || at > 14) return slowNumber(cell, places);
    else if (decimals < places) {
      units = units * 10 + code - 48;
      if (decimals >= 0) decimals++;
    }
  }
  for (let more = Math.max(0, decimals); more < places; more++) units *= 10;
  return units;
}

function slowNumber(cell: string, places: 0 | 2): number | null {
  const text = cell.trim().replace(/%$/u, '');
  if (text === '') return 0;
  const read = parseDecimal(text, places);
  return read.ok ? read.value.units : null;
}

/** The entities of a source: their numbers, and their names as they were seen last. */
export type EntityIds = ReturnType<typeof createEntityIds>;

interface Entity {
  readonly id: number;
  words: readonly string[] | null;
  /** Which file and which day the words are of. */
  seenAt: number;
  seenDay: number;
}

function createEntityIds(db: CubeFile, source: number, fetchedAt: number) {
  const known = new Map<string, Entity>();
  for (const [id, key, seenAt, seenDay] of db.all(
    'SELECT id, key, seen_at, seen_day FROM entity WHERE source = ?',
    source,
  )) {
    known.set(asText(key), { id: asNumber(id), words: null, seenAt: asNumber(seenAt), seenDay: asNumber(seenDay) });
  }
  let last = numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity');
  let wordNames: readonly string[] = [];
  const isNewer = (entity: Entity, day: number): boolean =>
    entity.seenAt < fetchedAt || (entity.seenAt === fetchedAt && entity.seenDay <= day);
  const isSame = (words: readonly string[], cells: readonly string[], at: Layout['words']): boolean => {
    for (let word = 0; word < at.length; word++) if (words[word] !== cells[at[word]?.at ?? -1]) return false;
    return true;
  };
  return {
    idOf: (key: string, cells: readonly string[], words: Layout['words'], day: number): number => {
      const found = known.get(key);
      const entity = found ?? { id: ++last, words: null, seenAt: -1, seenDay: -1 };
      if (found === undefined) known.set(copied(key), entity);
      if (!isNewer(entity, day)) return entity.id;
      if (wordNames.length === 0) wordNames = words.map(({ name }) => name);
      const isTie = entity.seenAt === fetchedAt && entity.seenDay === day && entity.words !== null;
      if (entity.words === null || !isSame(entity.words, cells, words)) {
        const own = words.map(({ at }) => copied(cells[at] ?? ''));
        // Of two rows of one day the same one wins, whichever comes first.
        if (!isTie || JSON.stringify(own) > JSON.stringify(entity.words)) entity.words = own;
      }
      entity.seenAt = fetchedAt;
      entity.seenDay = day;
      return entity.id;
    },
    write: (): void => {
      for (const [key, { id, words, seenAt, seenDay }] of known) {
        if (words === null) continue;
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
    /** The first key cells of all entities: the campaign. */
    campaigns: (): ReadonlyMap<number, string> =>
      new Map(Array.from(known, ([key, { id }]) => [id, key.split('\t', 1)[0] ?? ''])),
  };
}
