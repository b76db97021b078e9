import { promisify } from 'node:util';
import { crc32, gunzip } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import type { RawMediaType, ReportPart } from '../../shared/api/reports.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { unreadable } from '../api/classify-response.ts';
import { isJsonList, isJsonObject, JsonNumber, type JsonValue, parseJson, printJson } from '../api/lossless-json.ts';
import { recordFieldsOf } from '../api/parse-record.ts';
import { csvRows } from '../files/spreadsheet/csv.ts';

/** Rows of text, the column names first. */
export type ReportRows = readonly (readonly string[])[];

/** The content of a report file, detected from its bytes and never from its name (wire shapes, section 4, "report"). */
interface ReportContent {
  readonly mediaType: RawMediaType;
  readonly rows: ReportRows;
  /** The files of an archive with more than one file; otherwise empty. */
  readonly parts: readonly ReportPart[];
}

/** A report with the bytes as received. */
export interface ReceivedReport {
  readonly bytes: Buffer;
  readonly content: ReportContent;
}

const unpacked = promisify(gunzip);

/** Reads CSV, JSON, gzip or ZIP. Unpacked data is limited in size. */
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

/** Detects the type of a file without reading its rows. */
export async function describeReportFile(bytes: Buffer): Promise<Result<ReportContent, UnreadableReport>> {
  const packed = isZip(bytes) ? 'application/zip' : isGzip(bytes) ? 'application/gzip' : null;
  if (packed !== null) return ok({ mediaType: packed, rows: [], parts: [] });
  const text = judgeText(bytes);
  return text.ok ? ok({ mediaType: text.value, rows: [], parts: [] }) : text;
}

interface Table {
  readonly name: string;
  readonly rows: ReportRows;
}

/**
 * Joins the files of an archive into one table. Files with the same columns are appended; if columns differ, the table
 * with the most rows is used, and the others are listed as left out.
 */
function joined(files: readonly Table[]): Result<ReportContent, UnreadableReport> {
  // Text files for people have one column; they are ignored.
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
  const mediaType = judgeText(bytes);
  if (!mediaType.ok) return mediaType;
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (mediaType.value === 'text/csv') return ok({ mediaType: 'text/csv', rows: csvRows(text) });
  const value = parseJson(text);
  if (!value.ok) {
    return notReadable(
      value.error.kind === 'too-large' ? 'JSON of more than 4 MB; choose CSV' : unreadable(value.error),
    );
  }
  const rows = jsonRows(value.value);
  return rows === null ? notReadable('JSON without rows') : ok({ mediaType: 'application/json', rows });
}

function judgeText(bytes: Buffer): Result<'text/csv' | 'application/json', UnreadableReport> {
  if (bytes.includes(0)) return notReadable('neither text nor an archive that Adslate knows');
  const start = bytes
    .toString('utf8', 0, 1000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('<')) return notReadable('a web page');
  return ok(/^[[{]/.test(start) ? 'application/json' : 'text/csv');
}

/**
 * Converts a list of objects to a table with all of their members as columns, or a list of lists whose first one has
 * the column names; null for anything else.
 */
export function jsonRows(value: JsonValue): ReportRows | null {
  const list = isJsonList(value) ? value : recordFieldsOf(value)?.get('rows', 'data', 'items', 'results');
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
/** The signature of a local file, or of the end record that an empty archive starts with. */
const isZip = (bytes: Buffer): boolean => ['504b0304', '504b0506'].includes(bytes.toString('hex', 0, 4));

/** One file of an archive, unpacked. */
interface ZippedFile {
  /** The name in the archive, shortened. It is only displayed, never used as a path. */
  readonly name: string;
  readonly content: Buffer;
}

/** Why a report file has no rows: its actual content, as a part of a sentence. */
export interface UnreadableReport {
  readonly kind: 'not-readable';
  readonly found: string;
}
type Refused = Result<never, UnreadableReport>;
const notReadable = (found: string): Refused => err({ kind: 'not-readable', found });

/** Limit of all files together. */
const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
const tooMuch = (limitBytes: number): string =>
  `packed data that becomes more than ${limitBytes / 1024 / 1024} MB; choose fewer days`;

/** A report has one file, or one per month or campaign. */
const FILES_MAX = 1000;
const NAME_MAX = 100;
/** Files that file managers add to archives. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/iu;

/**
 * Unpacks the files of a ZIP archive in memory, together no more than the limit. Stated sizes can't be trusted, so
 * bytes are counted while unpacking. A wrong checksum, a path out of the folder, and a password have error texts of
 * their own.
 */
async function unzipReport(
  bytes: Buffer,
  limitBytes: number,
): Promise<Result<readonly ZippedFile[], UnreadableReport>> {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    return await filesOf(archive, limitBytes);
  } catch (error) {
    return troubleWith(error);
  }
}

async function filesOf(archive: ZipFile, limitBytes: number): Promise<Result<readonly ZippedFile[], UnreadableReport>> {
  if (archive.entryCount > FILES_MAX) return notReadable(`a ZIP archive of more than ${FILES_MAX} files`);
  const files: ZippedFile[] = [];
  let room = limitBytes;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/') || CLUTTER.test(entry.fileName)) continue;
    if (entry.isEncrypted()) return ENCRYPTED;
    if (entry.uncompressedSize > room) return notReadable(tooMuch(limitBytes));
    const content = await contentOf(archive, entry, room);
    if (content === null) return notReadable(tooMuch(limitBytes));
    if (!content.ok) return content;
    room -= content.value.length;
    files.push({ name: shownName(entry), content: content.value });
  }
  return files.length === 0 ? notReadable('a ZIP archive without a file in it') : ok(files);
}

/** @returns null if it exceeds the remaining room */
async function contentOf(
  archive: ZipFile,
  entry: Entry,
  room: number,
): Promise<Result<Buffer, UnreadableReport> | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  let checksum = 0;
  const stream: AsyncIterable<Buffer> = await archive.openReadStreamPromise(entry);
  for await (const piece of stream) {
    size += piece.length;
    if (size > room) return null;
    checksum = crc32(piece, checksum);
    pieces.push(piece);
  }
  if (checksum !== entry.crc32) return damaged(`${shownName(entry)} is not what was packed`);
  return ok(Buffer.concat(pieces));
}

const shownName = ({ fileName }: Entry): string => fileName.slice(-NAME_MAX);

const ENCRYPTED = notReadable('an encrypted ZIP archive; request reports without a password');
const damaged = (what: string): Refused => notReadable(`a damaged ZIP archive (${what}); request it again`);

/** Converts errors of the archive reader and zlib: truncated files, wrong sizes, paths out of the folder. */
function troubleWith(error: unknown): Refused {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (/encryption/iu.test(message)) return ENCRYPTED;
  if (/relative path|absolute path|invalid characters in fileName/iu.test(message)) {
    return notReadable('a ZIP archive with a file name that leads out of its folder');
  }
  if (/unsupported compression/iu.test(message))
    return notReadable('a ZIP archive packed in a way Adslate does not know');
  return damaged(/central dir|truncated|EOF/iu.test(message) ? 'it is cut short' : message.slice(0, NAME_MAX));
}
