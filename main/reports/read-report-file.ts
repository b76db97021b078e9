import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RawMediaType, ReportPart } from '../../shared/contract/reports.ts';
import { ok, type Result } from '../../shared/result.ts';
import { unreadable } from '../api/classify.ts';
import { isJsonList, isJsonObject, JsonNumber, type JsonValue, parseJson, printJson } from '../api/json.ts';
import { membersOf } from '../api/reading.ts';
import { csvRows } from '../exchange/read-csv.ts';
import { notReadable, tooMuch, UNPACKED_MAX_BYTES, type UnreadableReport, unzipReport } from './unzip-report.ts';

/** Rows of text, the names of the columns first. */
export type ReportRows = readonly (readonly string[])[];

/** What a report file holds, told by its bytes and never by a name (wire shapes, section 4, "report"). */
export interface ReportContent {
  readonly mediaType: RawMediaType;
  readonly rows: ReportRows;
  /** The files of an archive that holds more than one; empty for everything else. */
  readonly parts: readonly ReportPart[];
}

/** An answer with the bytes it came in. */
export interface ReceivedReport {
  readonly bytes: Buffer;
  readonly content: ReportContent;
}

const unpacked = promisify(gunzip);

/** Reads CSV, JSON, gzip or ZIP. Packed data may not unpack to more than the limit. */
export async function readReportFile(
  bytes: Buffer,
  limitBytes = UNPACKED_MAX_BYTES,
): Promise<Result<ReportContent, UnreadableReport>> {
  if (!isZip(bytes)) {
    const table = await readTable(bytes, limitBytes);
    return table.ok ? ok({ ...table.value, parts: [] }) : table;
  }
  const files = await unzipReport(bytes, limitBytes);
  if (!files.ok) return files;
  const tables: Table[] = [];
  for (const { name, content } of files.value) {
    if (isZip(content)) return notReadable(`a ZIP archive with another one in it (${name})`);
    const table = await readTable(content, limitBytes);
    if (!table.ok) return notReadable(`a ZIP archive in which ${name} is ${table.error.found}`);
    tables.push({ name, rows: table.value.rows });
  }
  return joined(tables);
}

interface Table {
  readonly name: string;
  readonly rows: ReportRows;
}

/**
 * The files of an archive as one table. Those with the same columns are put one after the other; where columns differ, the
 * table with the most rows counts, and the others are listed as left out.
 */
function joined(files: readonly Table[]): Result<ReportContent, UnreadableReport> {
  // Beside the tables lies what people read: it has one column.
  const tables = files.length === 1 ? files : files.filter(({ rows }) => (rows[0]?.length ?? 0) > 1);
  const kinds = [...Map.groupBy(tables, ({ rows }) => JSON.stringify(rows[0] ?? [])).values()];
  const [used = []] = kinds.toSorted((a, b) => rowsIn(b) - rowsIn(a));
  if (used.length === 0) return notReadable('a ZIP archive without a table in it');
  const [header = []] = used[0]?.rows ?? [];
  const rows = header.length === 0 ? [] : [header, ...used.flatMap((table) => table.rows.slice(1))];
  const parts = files.map((file) => ({ name: file.name, rows: rowsOf(file), used: used.includes(file) }));
  return ok({ mediaType: 'application/zip', rows, parts: files.length === 1 ? [] : parts });
}

const rowsOf = ({ rows }: Table): number => Math.max(0, rows.length - 1);
const rowsIn = (tables: readonly Table[]): number => tables.reduce((sum, table) => sum + rowsOf(table), 0);

async function readTable(
  bytes: Buffer,
  limitBytes: number,
): Promise<Result<Omit<ReportContent, 'parts'>, UnreadableReport>> {
  if (!isGzip(bytes)) return readText(bytes);
  try {
    const text = await unpacked(bytes, { maxOutputLength: limitBytes });
    if (isGzip(text) || isZip(text)) return notReadable('an archive within an archive');
    const read = readText(text);
    return read.ok ? ok({ ...read.value, mediaType: 'application/gzip' }) : read;
  } catch (error) {
    return notReadable(error instanceof RangeError ? tooMuch(limitBytes) : 'a damaged archive');
  }
}

function readText(bytes: Buffer): Result<Omit<ReportContent, 'parts'>, UnreadableReport> {
  if (bytes.includes(0)) return notReadable('neither text nor an archive that Adslate knows');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const start = text.slice(0, 1000).trimStart();
  if (start.startsWith('<')) return notReadable('a web page');
  if (!/^[[{]/.test(start)) return ok({ mediaType: 'text/csv', rows: csvRows(text) });
  const value = parseJson(text);
  if (!value.ok) {
    return notReadable(
      value.error.kind === 'too-large' ? 'JSON of more than 4 MB; ask for CSV' : unreadable(value.error),
    );
  }
  const rows = jsonRows(value.value);
  return rows === null ? notReadable('JSON without rows') : ok({ mediaType: 'application/json', rows });
}

/**
 * A list of objects as a table with every member that one of them has, or a list of lists, the names of the columns first; null
 * for anything else.
 */
export function jsonRows(value: JsonValue): ReportRows | null {
  const list = isJsonList(value) ? value : membersOf(value)?.get('rows', 'data', 'items', 'results');
  if (!isJsonList(list)) return null;
  const lines = list.filter(isJsonList);
  if (lines.length > 0 && lines.length === list.length) return lines.map((line) => line.map(cellText));
  const records = list.filter(isJsonObject);
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return [columns, ...records.map((record) => columns.map((column) => cellText(record[column])))];
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : printJson(value);
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
/** A local file, or the end record that an archive without files begins with. */
const isZip = (bytes: Buffer): boolean => ['504b0304', '504b0506'].includes(bytes.toString('hex', 0, 4));
