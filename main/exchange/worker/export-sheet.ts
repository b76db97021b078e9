import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { type AnyRow, isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { BASE_COLUMN, baseCell } from '../../../shared/sheet/base-cell.ts';
import { COLUMNS, type SheetKind, TYPE_NAMES } from '../../../shared/sheet/columns.ts';
import { formatRow, sheetRowsOf } from '../../../shared/sheet/format-sheet.ts';
import { type Db, numberOf } from '../../workspace/db/db.ts';
import { openDb } from '../../workspace/db/open-db.ts';
import { createViews } from '../../workspace/reader/views.ts';
import { readRows } from '../../workspace/rows/read-rows.ts';
import { readTrees } from '../../workspace/rows/read-trees.ts';
import { tableOf } from '../../workspace/schema/tables.ts';
import { csvLine } from '../csv-line.ts';
import { BULK_KINDS, bulkLines } from './bulk-lines.ts';
import { HTML_ROWS, htmlSheet } from './html-sheet.ts';

export type SheetFormat = 'csv' | 'tsv' | 'xlsx' | 'html';

export interface ExportOrder {
  readonly database: string;
  readonly target: string;
  readonly format: SheetFormat;
  /** What is filtered, in the order it is sorted; null for the whole account. */
  readonly view: ViewSpec | null;
  /** The heading of a page of HTML. */
  readonly title?: string;
}

export type ExportProblem =
  | { readonly kind: 'bad-filter'; readonly at: number; readonly problem: string }
  | { readonly kind: 'too-many-rows'; readonly rows: number; readonly limit: number }
  /** The disk is full, or the place cannot be written; nothing is left there. */
  | { readonly kind: 'cannot-write'; readonly code: string };

/** Sheets of a spreadsheet program end here; the header takes one row. */
const XLSX_ROWS = 1_048_575;
const CAMPAIGNS_A_READ = 25;
const ROWS_A_READ = 2000;
/** A spreadsheet program opens UTF-8 as such only behind this mark. */
const MARK = '\uFEFF';
const CHUNK_CHARACTERS = 256 * 1024;

interface ExportRow {
  readonly kind: SheetKind;
  readonly row: AnyRow;
  readonly cells: readonly string[];
}

/**
 * Writes the sheet to a file, a part at a time.
 *
 * @param tellShare hears how much is written, from 0 to 1, every few thousand rows
 * @returns the number of rows without the header
 */
export async function exportSheet(
  order: ExportOrder,
  tellShare: (done: number) => void = () => undefined,
): Promise<Result<{ readonly rows: number }, ExportProblem>> {
  const db = openDb(order.database, { readOnly: true });
  try {
    db.exec('PRAGMA cache_size = -8192');
    // One moment of the workspace, however long the writing takes.
    db.exec('BEGIN');
    return await writeWhat(db, order, tellShare);
  } catch (error) {
    await rm(order.target, { force: true });
    if (error instanceof Error && 'code' in error && 'syscall' in error) {
      return err({ kind: 'cannot-write', code: String(error.code) });
    }
    throw error;
  } finally {
    db.close();
  }
}

async function writeWhat(
  db: Db,
  { view, format, target, title }: ExportOrder,
  tellShare: (done: number) => void,
): Promise<Result<{ readonly rows: number }, ExportProblem>> {
  const counter: Counter = { rows: 0, all: view === null ? wholeSize(db) : 0, told: 0, tellShare };
  if (view === null && format !== 'xlsx' && format !== 'html') {
    await writeChunks(accountText(db, format === 'csv' ? ',' : '\t', counter), target);
    return ok({ rows: counter.rows });
  }
  const found = rowsOf(db, view);
  if (!found.ok) return found;
  if (view !== null) counter.all = found.value.size;
  const rows = counted(found.value.rows, counter);
  if (format === 'xlsx') {
    const size = view === null ? counter.all : 0;
    if (size > XLSX_ROWS) return err({ kind: 'too-many-rows', rows: size, limit: XLSX_ROWS });
    await writeXlsx(rows, target);
  } else if (format === 'html') {
    const page: (readonly string[])[] = [];
    for (const { cells } of rows) if (page.push(cells) > HTML_ROWS) break;
    if (page.length > HTML_ROWS) return err({ kind: 'too-many-rows', rows: page.length, limit: HTML_ROWS });
    await writeChunks([htmlSheet(page, title ?? '')], target);
  } else {
    await writeChunks(rowText(rows, format === 'csv' ? ',' : '\t'), target);
  }
  return ok({ rows: counter.rows });
}

interface Counter {
  rows: number;
  /** How many there will be; a few may turn out to be on their way out. */
  all: number;
  told: number;
  readonly tellShare: (done: number) => void;
}

const TOLD_ROWS = 5000;

function count(counter: Counter, rows: number): void {
  counter.rows += rows;
  if (counter.rows - counter.told < TOLD_ROWS || counter.all === 0) return;
  counter.told = counter.rows;
  counter.tellShare(Math.min(1, counter.rows / counter.all));
}

function* counted(rows: Iterable<ExportRow>, counter: Counter): Generator<ExportRow> {
  for (const row of rows) {
    count(counter, 1);
    yield row;
  }
}

/** Rows in their order; `size` is how many a view has, and 0 for the whole account. */
function rowsOf(
  db: Db,
  view: ViewSpec | null,
): Result<{ readonly rows: Iterable<ExportRow>; readonly size: number }, ExportProblem> {
  const media = readRows(db, 'media', 'true');
  if (view === null) return ok({ rows: wholeAccount(db, media), size: 0 });
  if (!(view.kind in TYPE_NAMES)) return ok({ rows: [], size: 0 });
  const views = createViews(db);
  const opened = views.open(view);
  if (!opened.ok) return err({ kind: 'bad-filter', ...opened.error });
  const order = views.rows({ viewId: opened.value.viewId, ranges: null });
  const ids = order.ok ? (order.value[0]?.ids ?? new Int32Array(0)) : new Int32Array(0);
  return ok({ rows: viewRows(db, view.kind as SheetKind, ids, media), size: ids.length });
}

function* wholeAccount(db: Db, media: readonly Row<'media'>[]): Generator<ExportRow> {
  const campaigns = db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => id as RowId);
  for (let from = 0; from < campaigns.length; from += CAMPAIGNS_A_READ) {
    yield* sheetRowsOf(readTrees(db, campaigns.slice(from, from + CAMPAIGNS_A_READ)), media);
  }
}

/** The rows of a view in its order; campaigns and ad groups are read once each. */
function* viewRows(db: Db, kind: SheetKind, ids: Int32Array, media: readonly Row<'media'>[]): Generator<ExportRow> {
  const library = new Map(media.map((row) => [row.id, row]));
  const campaigns = new Map<RowId, Row<'campaign'> | undefined>();
  const groups = new Map<RowId, Row<'adGroup'> | undefined>();
  const parent = <K extends 'campaign' | 'adGroup'>(of: K, known: Map<RowId, Row<K> | undefined>, id: RowId) => {
    if (!known.has(id)) known.set(id, readRows(db, of, 'k.id = ?', id)[0]);
    return known.get(id);
  };
  for (let from = 0; from < ids.length; from += ROWS_A_READ) {
    const part = JSON.stringify(Array.from(ids.subarray(from, from + ROWS_A_READ)));
    const rows = readRows(db, kind, 'k.id IN (SELECT value FROM json_each(?))', part) as readonly AnyRow[];
    const byId = new Map(rows.map((row) => [row.id as number, row]));
    for (const id of ids.subarray(from, from + ROWS_A_READ)) {
      const row = byId.get(id);
      if (row === undefined || row.campaignId === null) continue;
      const campaign = parent('campaign', campaigns, row.campaignId);
      const groupId = row.kind === 'adGroup' ? row.id : row.adGroupId;
      const group = groupId === null ? undefined : parent('adGroup', groups, groupId);
      if (campaign !== undefined) yield { kind, row, cells: formatRow(kind, row, campaign, group ?? null, library) };
    }
  }
}

const wholeSize = (db: Db): number =>
  (Object.keys(TYPE_NAMES) as SheetKind[])
    .map((kind) => numberOf(db, `SELECT count(*) FROM ${tableOf(kind).name}`))
    .reduce((sum, rows) => sum + rows, 0);

function* rowText(rows: Iterable<ExportRow>, delimiter: string): Generator<string> {
  yield MARK + csvLine(COLUMNS, delimiter);
  for (const { cells } of rows) yield csvLine(cells, delimiter);
}

/** The whole account; the kinds with most rows take the short way. */
function* accountText(db: Db, delimiter: string, counter: Counter): Generator<string> {
  yield MARK + csvLine(COLUMNS, delimiter);
  const media = readRows(db, 'media', 'true');
  const ids = db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => id as RowId);
  for (let from = 0; from < ids.length; from += CAMPAIGNS_A_READ) {
    for (const tree of readTrees(db, ids.slice(from, from + CAMPAIGNS_A_READ), BULK_KINDS)) {
      if (isDeleted(tree.campaign)) continue;
      const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
      const bulk = BULK_KINDS.map((kind) => bulkLines(db, kind, tree.campaign, groups, delimiter));
      const others = [...sheetRowsOf([tree], media)];
      const line = ({ cells }: ExportRow): string => csvLine(cells, delimiter);
      const isFirst = ({ kind }: ExportRow): boolean => kind === 'campaign' || kind === 'adGroup';
      count(counter, others.length + bulk.reduce((sum, { rows }) => sum + rows, 0));
      yield others.filter(isFirst).map(line).join('');
      for (const { text } of bulk) yield text;
      yield others
        .filter((row) => !isFirst(row))
        .map(line)
        .join('');
    }
  }
}

async function writeChunks(texts: Iterable<string>, target: string): Promise<void> {
  function* chunks(): Generator<Buffer> {
    let text = '';
    for (const part of texts) {
      text += part;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  }
  await pipeline(Readable.from(chunks()), createWriteStream(target, { mode: 0o600, flags: 'wx' }));
}

/** Ids and names stay texts, so that no spreadsheet program rounds them; amounts are numbers that can be summed. */
async function writeXlsx(rows: Iterable<ExportRow>, target: string): Promise<void> {
  const columns = [...COLUMNS.map((header) => ({ header })), { header: BASE_COLUMN, hidden: true }];
  function* values() {
    for (const { kind, row, cells } of rows) {
      const typed = cells.map((text, at) => (text === '' ? null : isAmount(COLUMNS[at]) ? Number(text) : text));
      yield [...typed, baseCell(kind, row.values)];
    }
  }
  const bytes = writeXlsxStream(values(), { name: 'Adslate', columns, freezePane: { rows: 1 } });
  await pipeline(Readable.fromWeb(bytes as ReadableStream), createWriteStream(target, { mode: 0o600, flags: 'wx' }));
}

const AMOUNTS: ReadonlySet<string | undefined> = new Set(['Total budget', 'Daily budget', 'Bid', 'Multiplier']);
const isAmount = (column: string | undefined): boolean => AMOUNTS.has(column);
