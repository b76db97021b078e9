import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ColumnMapping, Heading } from '../../../shared/spreadsheet/column-mapping.ts';
import {
  convertForeign,
  type ForeignProgram,
  type ForeignReport,
  foreignProgram,
} from '../../../shared/spreadsheet/foreign-sheet.ts';
import type { RowRemark, TakeRow } from '../../../shared/spreadsheet/sheet-row.ts';
import { codeOrThrow } from '../../app/system.ts';
import { detectFileType, encodingOf, SNIFF_BYTES } from '../probe/detect-file-type.ts';
import { belowTitle, CELL_MAX_CHARACTERS, csvReader, delimiterOf, isBlankRow, rowProblem } from './csv.ts';
import { chooseSheet, oldDocument, readXlsx, type SheetChoice } from './read-xlsx.ts';

const SHEET_MAX_BYTES = 512 * 1024 * 1024;
const SHEET_MAX_ROWS = 1_000_000;

export interface ReadOptions {
  /** Every line of a text is one row: quotes around several lines are text. */
  readonly linesAsRows?: boolean;
  /** The sheet of a workbook; null for the one selected by `sheetOf`. */
  readonly sheet?: string | null;
  /** The user's mapping of columns, for an export of another editor. */
  readonly mapping?: ColumnMapping;
  /** Called with the progress through the file, from 0 to 1; not for an XLSX file, whose size is unknown. */
  readonly tellShare?: (read: number) => void;
}

/** Counts of a spreadsheet that was read to its end. */
export interface CountedSheet {
  /** Non-blank rows, without the header. */
  readonly rows: number;
}

/**
 * Reads a CSV, TSV or XLSX file as rows of text, within limits and in pieces. Blank rows are passed on too, so the
 * n-th is row n in the numbering of spreadsheet programs. Rows before a broken limit have been passed on when the
 * refusal is returned.
 */
export async function readSheetRows(
  path: string,
  take: TakeRow,
  { linesAsRows = false, sheet = null, tellShare }: ReadOptions = {},
): Promise<Result<CountedSheet, FileRefusal>> {
  const head = await readHead(path);
  if (!head.ok) return head;
  if (head.value.is === 'xlsx') return readXlsx(path, take, sheet);
  const { bytes, delimiter } = head.value;
  let rows = 0;
  let refusal: FileRefusal | null = null;
  const table = belowTitle(take);
  const reader = csvReader({ delimiter, linesAsRows }, (cells, remarks) => {
    rows++;
    refusal ??= rowProblem(cells, rows, SHEET_MAX_ROWS);
    if (refusal === null) table.take(cells, remarks);
  });
  const decoded = await decodeText(path, {
    take: (text) => {
      reader.push(text);
      return refusal;
    },
    row: reader.row,
    tellBytes: (taken) => tellShare?.(Math.min(1, taken / bytes)),
  });
  if (decoded.ok) reader.end();
  const filled = table.end();
  if (!decoded.ok) return decoded;
  return refusal === null ? ok({ rows: filled }) : err(refusal);
}

/**
 * Reads spreadsheets and exports of other editors, whose rows are passed on as rows of our spreadsheet.
 *
 * @param tell called with the result of a conversion and the columns, before the rows are passed on
 */
export async function readAnySheetRows(
  path: string,
  take: TakeRow,
  options: ReadOptions,
  tell: (report: ForeignReport, headings: readonly Heading[]) => void,
): Promise<Result<CountedSheet, FileRefusal>> {
  let program: ForeignProgram | null | undefined;
  const foreign: (readonly string[])[] = [];
  const remarksOf: (readonly RowRemark[] | undefined)[] = [];
  let blank = 0;
  const read = await readSheetRows(
    path,
    (cells, remarks) => {
      if (program === undefined && isBlankRow(cells)) blank++;
      else if (program === undefined) program = foreignProgram(cells);
      if (program === undefined || program === null) take(cells, remarks);
      else remarksOf[foreign.push(cells) - 1] = remarks;
    },
    options,
  );
  if (!read.ok || program === undefined || program === null) return read;
  const { rows, report, headings, placeOf } = convertForeign(program, foreign, options.mapping);
  const skipped = report.skipped.map((each) => ({ ...each, lines: each.lines.map((line) => line + blank) }));
  tell({ ...report, skipped }, headings);
  // A fault counts if its cell is used. A remark on a skipped row does not count.
  const here = (remark: RowRemark): readonly RowRemark[] => {
    if (!('at' in remark)) return [remark];
    const at = placeOf(remark.at);
    return at === null ? [] : [{ ...remark, at }];
  };
  for (const [at, cells] of rows.entries()) take(cells, remarksOf[at]?.flatMap(here));
  return ok({ rows: rows.filter((cells) => !isBlankRow(cells)).length - 1 });
}

/** The rows as a list, for spreadsheets that are known to be short. */
export async function readSheet(path: string): Promise<Result<readonly (readonly string[])[], FileRefusal>> {
  const rows: (readonly string[])[] = [];
  const read = await readSheetRows(path, (cells) => void rows.push(cells));
  return read.ok ? ok(rows) : read;
}

/** The sheet of a workbook to read; null for a file with one table, which has no names. */
export async function sheetOf(path: string, named: string | null): Promise<Result<SheetChoice | null, FileRefusal>> {
  const head = await readHead(path);
  if (!head.ok) return head;
  if (head.value.is === 'xlsx') return chooseSheet(path, named);
  return named === null ? ok(null) : err(fileRefusal('one-table'));
}

/** Signature of a compound file of older Office programs. */
const OLD_OFFICE = 0xd0cf11e0;

type SheetForm = { readonly is: 'xlsx' } | { readonly is: 'text'; readonly delimiter: string };

async function readHead(path: string): Promise<Result<SheetForm & { readonly bytes: number }, FileRefusal>> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return err(fileRefusal('not-a-file'));
    const { size } = found;
    if (size > SHEET_MAX_BYTES) return err(fileRefusal('too-large', { bytes: size, limit: SHEET_MAX_BYTES }));
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
      const form = judgeHead(buffer.subarray(0, bytesRead));
      if (form.ok) return ok({ ...form.value, bytes: size });
      const found = buffer.readUInt32BE(0) === OLD_OFFICE ? await oldDocument(path) : null;
      return found === null ? form : err(fileRefusal('not-a-sheet', { found }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    return err(fileRefusal('cannot-read', { code: codeOrThrow(error) }));
  }
}

function judgeHead(head: Buffer): Result<SheetForm, FileRefusal> {
  if (head.length === 0) return err(fileRefusal('empty'));
  const sniffed = detectFileType(head);
  if (sniffed.is === 'iso-media') return err(fileRefusal('not-a-sheet', { found: 'a video' }));
  if (sniffed.is === 'png') return err(fileRefusal('not-a-sheet', { found: 'an image' }));
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return ok({ is: 'xlsx' });
  if (sniffed.is === 'other') return err(fileRefusal('not-a-sheet', { found: sniffed.found }));
  return ok({ is: 'text', delimiter: delimiterOf(textOf(head)) });
}

function textOf(head: Buffer): string {
  const encoding = encodingOf(head);
  if (encoding === 'utf-8') return head.toString('utf8').replace(/^\uFEFF/, '');
  const whole = head.subarray(2, head.length - (head.length % 2));
  return (encoding === 'utf-16le' ? whole : Buffer.from(whole).swap16()).toString('utf16le');
}

/** A line may contain many long cells, but a longer "line" means a file without lines. */
const LINE_MAX_CHARACTERS = 8 * 1024 * 1024;
/** A character has up to four bytes, so up to this many bytes of a piece may belong to one that ends in the next. */
const CHARACTER_REST_BYTES = 3;

interface DecodedText {
  /** Receives the next piece of the text; returns a refusal to stop. */
  take(text: string): FileRefusal | null;
  /** The row in which the text so far ends, for refusals. */
  row(): number;
  /** Called with the number of bytes read so far. */
  tellBytes(bytes: number): void;
}

/**
 * Reads the text of a file in pieces: UTF-8, or UTF-16 with a byte order mark. Anything else is refused with the row where
 * it shows, never guessed: a wrong guess would send a garbled brand name to the service. The text before it has been
 * passed on by then.
 */
async function decodeText(path: string, { take, row, tellBytes }: DecodedText): Promise<Result<null, FileRefusal>> {
  let decoder: TextDecoder | null = null;
  let encoding = 'utf-8';
  let taken = 0;
  let sinceLineEnd = 0;
  let rest: Buffer = Buffer.alloc(0);
  const accept = (text: string): FileRefusal | null => {
    const nul = text.indexOf('\u0000');
    if (nul !== -1) return take(text.slice(0, nul)) ?? fileRefusal('not-text', { line: row() });
    const lastEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    sinceLineEnd = lastEnd === -1 ? sinceLineEnd + text.length : text.length - lastEnd - 1;
    if (sinceLineEnd > LINE_MAX_CHARACTERS) {
      return fileRefusal('cell-too-long', { line: row(), limit: CELL_MAX_CHARACTERS });
    }
    return take(text);
  };
  /** @param bytes null for the end of the file, where a character may be missing its last bytes */
  const decode = (bytes: Buffer | null): FileRefusal | null => {
    let text: string;
    try {
      text = (bytes === null ? decoder?.decode() : decoder?.decode(bytes, { stream: true })) ?? '';
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const readable = bytes === null ? '' : readableStart(bytes, rest, encoding);
      return accept(readable) ?? fileRefusal('not-text', { line: row() });
    }
    return accept(text);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      if (decoder === null) {
        encoding = encodingOf(bytes);
        decoder = new TextDecoder(encoding, { fatal: true });
      }
      const refusal = decode(bytes);
      if (refusal !== null) return err(refusal);
      rest = bytes.subarray(-CHARACTER_REST_BYTES);
      taken += bytes.length;
      tellBytes(taken);
    }
    const refusal = decoder === null ? fileRefusal('empty') : decode(null);
    return refusal === null ? ok(null) : err(refusal);
  } catch (error) {
    return err(fileRefusal('cannot-read', { code: codeOrThrow(error) }));
  }
}

/**
 * The readable part of a piece before its first invalid byte. Decoded byte by byte, which happens once per file.
 *
 * @param before the last bytes of the previous piece, in which a character may have begun; empty for the first piece
 */
function readableStart(bytes: Buffer, before: Buffer, encoding: string): string {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: before.length > 0 });
  const all = Buffer.concat([before.subarray(before.length - begun(before, encoding)), bytes]);
  let text = '';
  try {
    for (const [at] of all.entries()) text += decoder.decode(all.subarray(at, at + 1), { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return text;
}

/** Number of final bytes that belong to an incomplete character. */
function begun(bytes: Buffer, encoding: string): number {
  const isHighSurrogate = (byte: number | undefined): boolean => byte !== undefined && byte >= 0xd8 && byte <= 0xdb;
  if (encoding !== 'utf-8') return isHighSurrogate(bytes.at(encoding === 'utf-16le' ? -1 : -2)) ? 2 : 0;
  for (let back = 1; back <= bytes.length; back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
