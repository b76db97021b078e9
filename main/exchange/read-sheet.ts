import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import Papa from 'papaparse';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { SNIFF_BYTES, sniff } from '../media/probe/sniff.ts';
import { decodeText } from './decode-text.ts';
import { readXlsx } from './read-xlsx.ts';
import { rowProblem } from './row-limits.ts';

const SHEET_MAX_BYTES = 512 * 1024 * 1024;
const SHEET_MAX_ROWS = 1_000_000;
const DELIMITERS = [',', '\t', ';', '|'] as const;

/**
 * Reads a CSV, TSV or XLSX file as rows of text, within limits and in pieces. Rows are handed on as they stand, blank
 * ones included, so the n-th is row n as a spreadsheet program numbers it. Rows before a broken limit have been
 * handed on when the refusal comes.
 *
 * @param tellShare hears how much of the file is read, from 0 to 1; of an XLSX file nobody knows that
 */
export async function readSheetRows(
  path: string,
  take: (cells: readonly string[]) => void,
  tellShare: (read: number) => void = () => undefined,
): Promise<Result<null, FileRefusal>> {
  const head = await readHead(path);
  if (!head.ok) return head;
  if (head.value.is === 'xlsx') return readXlsx(path, take);
  let rows = 0;
  let refusal: FileRefusal | null = null;
  const input = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: head.value.delimiter, skipEmptyLines: false });
  const finished = new Promise<void>((resolve, reject) => {
    input.on('data', (cells: string[]) => {
      rows++;
      refusal ??= rowProblem(cells, rows, SHEET_MAX_ROWS);
      if (refusal === null) take(cells);
    });
    input.once('end', resolve).once('error', reject);
  });
  const { bytes } = head.value;
  const tellBytes = (taken: number): void => tellShare(Math.min(1, taken / bytes));
  const decoded = await decodeText(
    path,
    async (text) => {
      // Without waiting, a file that is read faster than its rows are taken would stand in memory as a whole.
      if (!input.write(text)) await Promise.race([once(input, 'drain'), finished]);
      return refusal;
    },
    tellBytes,
  );
  input.end();
  await finished;
  if (!decoded.ok) return decoded;
  return refusal === null ? ok(null) : err(refusal);
}

/** The same as a list, for sheets that are known to be short. */
export async function readSheet(path: string): Promise<Result<readonly (readonly string[])[], FileRefusal>> {
  const rows: (readonly string[])[] = [];
  const read = await readSheetRows(path, (cells) => void rows.push(cells));
  return read.ok ? ok(rows) : read;
}

type SheetForm = { readonly is: 'xlsx' } | { readonly is: 'text'; readonly delimiter: string };

async function readHead(path: string): Promise<Result<SheetForm & { readonly bytes: number }, FileRefusal>> {
  try {
    const { size } = await stat(path);
    if (size > SHEET_MAX_BYTES) return err(fileRefusal('too-large', { bytes: size, limit: SHEET_MAX_BYTES }));
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
      const form = judgeHead(buffer.subarray(0, bytesRead));
      return form.ok ? ok({ ...form.value, bytes: size }) : form;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return err(fileRefusal('cannot-read', { code: String(error.code) }));
    throw error;
  }
}

function judgeHead(head: Buffer): Result<SheetForm, FileRefusal> {
  if (head.length === 0) return err(fileRefusal('empty'));
  const sniffed = sniff(head);
  if (sniffed.is === 'iso-media') return err(fileRefusal('not-a-sheet', { found: 'a video' }));
  if (sniffed.is === 'png') return err(fileRefusal('not-a-sheet', { found: 'an image' }));
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return ok({ is: 'xlsx' });
  if (sniffed.is === 'other') return err(fileRefusal('not-a-sheet', { found: sniffed.found }));
  const firstLine = (head[0] === 0xff ? head.toString('utf16le') : head.toString('utf8')).split(/\r|\n/)[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length);
  return ok({ is: 'text', delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',' });
}
