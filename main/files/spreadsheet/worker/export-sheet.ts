import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import type { ViewSpec } from '../../../../shared/api/workspace.ts';
import { memo } from '../../../../shared/memo.ts';
import { formatCell } from '../../../../shared/model/cell-text.ts';
import { type AnyRow, DELETED, isDeleted, type Row } from '../../../../shared/model/row.ts';
import type { RowId } from '../../../../shared/model/scalars.ts';
import { htmlText } from '../../../../shared/model/text.ts';
import { err, ok, type Result } from '../../../../shared/result.ts';
import { guardCell, unguardCell } from '../../../../shared/spreadsheet/cell-guard.ts';
import { COLUMNS, type Column, FIELD_OF, type SheetKind, TYPE_NAMES } from '../../../../shared/spreadsheet/columns.ts';
import { BASE_COLUMN, baseCell, formatRow, sheetRowsOf } from '../../../../shared/spreadsheet/format-sheet.ts';
import { asTextOrNull, type Db, type DbRow, type DbValue, numberOf, rowIdOf, rowIdsOf } from '../../../store/db/db.ts';
import { openDb } from '../../../store/db/open-db.ts';
import { type MetricColumn, metricKey, rowMetricsOf } from '../../../store/reader/row-metrics.ts';
import { createViews } from '../../../store/reader/views.ts';
import { fromStored } from '../../../store/rows/codec.ts';
import { readRows, readRowsWithIds } from '../../../store/rows/read-rows.ts';
import { readTrees } from '../../../store/rows/read-trees.ts';
import { columnOf, tableOf } from '../../../store/schema/tables.ts';
import { csvCell, csvLine } from '../csv.ts';

export type SheetFormat = 'csv' | 'tsv' | 'xlsx' | 'html';

export interface ExportOrder {
  readonly database: string;
  readonly target: string;
  readonly format: SheetFormat;
  /** The filter and order of a view; null for the whole account. */
  readonly view: ViewSpec | null;
  /** The metrics used by its filter or order. */
  readonly metrics?: readonly MetricColumn[];
  /** The heading of a page of HTML. */
  readonly title?: string;
}

export type ExportProblem =
  | BadFilter
  | { readonly kind: 'too-many-rows'; readonly rows: number; readonly limit: number }
  /** The disk is full, or the target can't be written; no file is left there. */
  | { readonly kind: 'cannot-write'; readonly code: string };

/** Row limit of spreadsheet programs; the header needs one row. */
const XLSX_ROWS = 1_048_575;
/** Spreadsheet programs read UTF-8 only after this byte order mark. */
const MARK = '\uFEFF';
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * Writes the spreadsheet to a file in parts.
 *
 * @param tellShare called with the progress, from 0 to 1, every few thousand rows
 * @returns the number of rows without the header
 */
export async function exportSheet(
  order: ExportOrder,
  tellShare: (done: number) => void = () => undefined,
): Promise<Result<{ readonly rows: number }, ExportProblem>> {
  const db = openDb(order.database, { readOnly: true });
  try {
    db.exec('PRAGMA cache_size = -8192');
    // One snapshot of the workspace, for any duration of the export.
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
  { view, metrics = [], format, target, title }: ExportOrder,
  tellShare: (done: number) => void,
): Promise<Result<{ readonly rows: number }, ExportProblem>> {
  const isAccountAsText = view === null && format !== 'xlsx' && format !== 'html';
  if (isAccountAsText) {
    const counter: Counter = { rows: 0, all: sizeOfAccount(db), told: 0, tellShare };
    await writeChunks(accountText(db, format === 'csv' ? ',' : '\t', counter), target);
    return ok({ rows: counter.rows });
  }
  const found = rowsToExport(db, view, metrics);
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

/** The whole account; the kinds with most rows use the fast path. */
function* accountText(db: Db, delimiter: string, counter: Counter): Generator<string> {
  yield MARK + csvLine(COLUMNS, delimiter);
  const media = readRows(db, 'media', 'true');
  const ids = rowIdsOf(db, 'SELECT id FROM campaign ORDER BY id');
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

/** IDs and names stay texts, so that no spreadsheet program rounds them; amounts are numbers that can be summed. */
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

/** Kinds with up to hundreds of thousands of rows in an account. */
const FAST_EXPORT_TYPES = ['adItem', 'keyword'] as const;
type FastExportType = (typeof FAST_EXPORT_TYPES)[number];

/**
 * Lines of ad items and keywords directly from their columns: the common part of all rows of an ad group is formatted
 * once, and only the differing cells for each row. Same text as from `formatRow` with `csvLine`, in a third of the
 * time; a test compares the two.
 */
function fastCsvLines(
  db: Db,
  kind: FastExportType,
  campaign: Row<'campaign'>,
  groups: ReadonlyMap<RowId, Row<'adGroup'>>,
  delimiter: string,
): { readonly text: string; readonly rows: number } {
  const table = tableOf(kind);
  const fields = fieldsOf(kind);
  const found = db.all(
    `SELECT ad_group_id, remote_id, ${fields.map(({ sql }) => sql).join(', ')} FROM ${table.name}
     WHERE campaign_id = ? AND NOT dirty & ${DELETED} ORDER BY id`,
    campaign.id,
  );
  const around = memo((groupId: RowId) => commonText(kind, campaign, groups.get(groupId), delimiter, fields));
  let text = '';
  for (const row of found) text += lineOf(row, around(rowIdOf(row[0])), fields, delimiter);
  return { text, rows: found.length };
}

interface BulkField {
  /** Index among all columns of the spreadsheet. */
  readonly at: number;
  readonly sql: string;
  /** Cache of texts of numbers and choices; null for free text. */
  readonly known: Map<DbValue, string> | null;
  text(value: DbValue): string;
}

const fieldsOf = memo((kind: FastExportType): readonly BulkField[] => {
  const table = tableOf(kind);
  const fields = Object.entries(FIELD_OF[kind]).map(([column, field]): BulkField => {
    const stored = columnOf(table, field);
    if (stored === undefined) throw new Error(`${kind} has no column for ${field}`);
    const { spec, sql } = stored;
    const isText = spec.type.is === 'text';
    return {
      at: COLUMNS.indexOf(column as Column),
      sql,
      known: isText ? null : new Map(),
      text: (value) => {
        const text = formatCell(kind, field, fromStored(spec, value));
        return isText ? guardCell(text) : text;
      },
    };
  });
  return fields.toSorted((a, b) => a.at - b.at);
});

/** The text before the first cell that differs, between each two of them, before the row's id and after it. */
function commonText(
  kind: FastExportType,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'> | undefined,
  delimiter: string,
  fields: readonly BulkField[],
): readonly string[] {
  const cells: Partial<Record<Column, string>> = {
    Type: TYPE_NAMES[kind],
    Campaign: guardCell(campaign.values.name ?? ''),
    'Ad group': guardCell(group?.values.name ?? ''),
    'Campaign id': campaign.remoteId ?? '',
    'Ad group id': group?.remoteId ?? '',
  };
  const texts = COLUMNS.map((column) => csvCell(cells[column] ?? '', delimiter));
  const cuts = [...fields.map(({ at }) => at), COLUMNS.indexOf('Row id')];
  const between: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    between.push(
      (from === 0 ? '' : delimiter) +
        texts
          .slice(from, cut)
          .map((text) => text + delimiter)
          .join(''),
    );
    from = cut + 1;
  }
  between.push(
    `${texts
      .slice(from)
      .map((text) => delimiter + text)
      .join('')}\r\n`,
  );
  return between;
}

function lineOf(row: DbRow, between: readonly string[], fields: readonly BulkField[], delimiter: string): string {
  let line = between[0] ?? '';
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    const value = row[i + 2] ?? null;
    if (field !== undefined && value !== null) line += cellText(field, value, delimiter);
    line += between[i + 1] ?? '';
  }
  const id = asTextOrNull(row[1]);
  if (id !== null && /^\d+$/.test(id)) line += id;
  return line + (between[fields.length + 1] ?? '');
}

function cellText(field: BulkField, value: DbValue, delimiter: string): string {
  if (field.known === null) return csvCell(field.text(value), delimiter);
  const known = field.known.get(value);
  if (known !== undefined) return known;
  const text = csvCell(field.text(value), delimiter);
  field.known.set(value, text);
  return text;
}

/** An exported row, as cells of a spreadsheet. */
interface ExportRow {
  readonly kind: SheetKind;
  readonly row: AnyRow;
  readonly cells: readonly string[];
}

interface ExportRows {
  /** Read lazily. */
  readonly rows: Iterable<ExportRow>;
  /** Expected number; a few may turn out to be deleted. */
  readonly size: number;
}

/** A search that can't be parsed. */
interface BadFilter {
  readonly kind: 'bad-filter';
  readonly at: number;
  readonly problem: string;
}

const CAMPAIGNS_A_READ = 25;
const ROWS_A_READ = 2000;

/** The rows of a view in its order, or those of the whole account, parents first. */
function rowsToExport(db: Db, view: ViewSpec | null, metrics: readonly MetricColumn[]): Result<ExportRows, BadFilter> {
  const media = readRows(db, 'media', 'true');
  if (view === null) return ok({ rows: wholeAccount(db, media), size: sizeOfAccount(db) });
  if (!(view.kind in TYPE_NAMES)) return ok({ rows: [], size: 0 });
  for (const { wanted, values } of metrics) rowMetricsOf(db).keep(metricKey(wanted), '', values);
  const views = createViews(db);
  const opened = views.open(view);
  if (!opened.ok) return err({ kind: 'bad-filter', ...opened.error });
  const order = views.rows({ viewId: opened.value.viewId, ranges: null });
  const ids = order.ok ? (order.value[0]?.ids ?? new Int32Array(0)) : new Int32Array(0);
  return ok({ rows: viewRows(db, view.kind as SheetKind, ids, media), size: ids.length });
}

/** Number of rows of the account in a spreadsheet, including deleted ones. */
const sizeOfAccount = (db: Db): number =>
  (Object.keys(TYPE_NAMES) as SheetKind[])
    .map((kind) => numberOf(db, `SELECT count(*) FROM ${tableOf(kind).name}`))
    .reduce((sum, rows) => sum + rows, 0);

function* wholeAccount(db: Db, media: readonly Row<'media'>[]): Generator<ExportRow> {
  const campaigns = rowIdsOf(db, 'SELECT id FROM campaign ORDER BY id');
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
    const rows = readRowsWithIds(db, kind, ids.subarray(from, from + ROWS_A_READ)) as readonly AnyRow[];
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

/** Nobody reads a page with more rows, and browsers can't display it. */
const HTML_ROWS = 20_000;

/** Styles for screen and print: headings repeat on every page, and no row is split. */
const STYLE = `body{font:13px/1.4 system-ui,sans-serif;margin:24px;color:#1b1f24}h1{font-size:20px;margin:0 0 4px}p{margin:0 0 16px;color:#59626d}
table{border-collapse:collapse;width:100%;margin:0 0 20px}caption{text-align:left;font-weight:600;padding:4px 0}
th,td{border:1px solid #d5dae0;padding:3px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#f2f4f6}td.n{text-align:right;font-variant-numeric:tabular-nums}thead{display:table-header-group}tr{break-inside:avoid}
@page{size:landscape;margin:12mm}@media print{body{margin:0}}`;

/** The one style sheet that the page may have: this very text. */
const STYLE_HASH = `sha256-${hash('sha256', STYLE, 'base64')}`;

/** Shown in the heading of each table already. */
const TYPE = COLUMNS.indexOf('Type');

/**
 * Rows of a spreadsheet as one page of HTML to view, share or print: a table for each type of row, with the columns that
 * are used. It has no script and loads nothing.
 *
 * @param rows cells in the order of `COLUMNS`
 * @param title title of the page
 */
function htmlSheet(rows: readonly (readonly string[])[], title: string): string {
  const byType = Map.groupBy(rows, (cells) => cells[TYPE] ?? '');
  const counts = [...byType].map(([type, { length }]) => `${type}: ${length}`).join(', ');
  const tables = [...byType].map(([type, of]) => table(type, of)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${STYLE_HASH}'">
<title>${htmlText(title)}</title><style>${STYLE}</style></head>
<body><h1>${htmlText(title)}</h1><p>${htmlText(counts)}</p>
${tables}
</body></html>
`;
}

function table(type: string, rows: readonly (readonly string[])[]): string {
  const filled = COLUMNS.map((name, at) => ({ name, at })).filter(
    ({ at }) => at !== TYPE && rows.some((cells) => (cells[at] ?? '') !== ''),
  );
  const head = filled.map(({ name }) => `<th scope="col">${htmlText(name)}</th>`).join('');
  const line = (cells: readonly string[]): string =>
    filled
      .map(({ name, at }) => `<td${isAmount(name) ? ' class="n"' : ''}>${htmlText(unguardCell(cells[at] ?? ''))}</td>`)
      .join('');
  const body = rows.map((cells) => `<tr>${line(cells)}</tr>`).join('\n');
  return `<table><caption>${htmlText(type)} (${rows.length})</caption><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}
