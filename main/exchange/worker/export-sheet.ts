import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { COLUMNS } from '../../../shared/sheet/columns.ts';
import { BASE_COLUMN, baseCell, sheetRowsOf } from '../../../shared/sheet/format-sheet.ts';
import { type Db, rowIdOf } from '../../workspace/db/db.ts';
import { openDb } from '../../workspace/db/open-db.ts';
import { readRows } from '../../workspace/rows/read-rows.ts';
import { readTrees } from '../../workspace/rows/read-trees.ts';
import { csvLine } from '../csv-line.ts';
import { FAST_EXPORT_TYPES, fastCsvLines } from './bulk-lines.ts';
import { type BadFilter, CAMPAIGNS_A_READ, type ExportRow, rowsToExport, sizeOfAccount } from './export-rows.ts';
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
  | BadFilter
  | { readonly kind: 'too-many-rows'; readonly rows: number; readonly limit: number }
  /** The disk is full, or the place cannot be written; nothing is left there. */
  | { readonly kind: 'cannot-write'; readonly code: string };

/** Sheets of a spreadsheet program end here; the header takes one row. */
const XLSX_ROWS = 1_048_575;
/** A spreadsheet program opens UTF-8 as such only behind this mark. */
const MARK = '\uFEFF';
const CHUNK_CHARACTERS = 256 * 1024;

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
  const isAccountAsText = view === null && format !== 'xlsx' && format !== 'html';
  if (isAccountAsText) {
    const counter: Counter = { rows: 0, all: sizeOfAccount(db), told: 0, tellShare };
    await writeChunks(accountText(db, format === 'csv' ? ',' : '\t', counter), target);
    return ok({ rows: counter.rows });
  }
  const found = rowsToExport(db, view);
  if (!found.ok) return found;
  const { size } = found.value;
  const counter: Counter = { rows: 0, all: size, told: 0, tellShare };
  const rows = counted(found.value.rows, counter);
  if (format === 'xlsx') {
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

function* rowText(rows: Iterable<ExportRow>, delimiter: string): Generator<string> {
  yield MARK + csvLine(COLUMNS, delimiter);
  for (const { cells } of rows) yield csvLine(cells, delimiter);
}

/** The whole account; the kinds with most rows take the short way. */
function* accountText(db: Db, delimiter: string, counter: Counter): Generator<string> {
  yield MARK + csvLine(COLUMNS, delimiter);
  const media = readRows(db, 'media', 'true');
  const ids = db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => rowIdOf(id));
  for (let from = 0; from < ids.length; from += CAMPAIGNS_A_READ) {
    for (const tree of readTrees(db, ids.slice(from, from + CAMPAIGNS_A_READ), FAST_EXPORT_TYPES)) {
      if (isDeleted(tree.campaign)) continue;
      const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
      const bulk = FAST_EXPORT_TYPES.map((kind) => fastCsvLines(db, kind, tree.campaign, groups, delimiter));
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
