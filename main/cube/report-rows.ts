import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { err, ok, type Result } from '../../shared/result.ts';
import { csvReader, delimiterOf } from '../files/spreadsheet/csv.ts';
import { readReportFile } from '../reports/read-report-file.ts';
import type { CubeProblem } from './cube-file.ts';

/** Files that unpack to more are refused. */
const UNPACKED_MAX_BYTES = 8 * 2 ** 30;
const START_BYTES = 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * A line as bytes, with the start and end of each cell; missing cells of a short line are empty. The object is reused
 * for the next line.
 */
export interface Line {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
}

/** Lines with more cells are split by the CSV reader. */
const CELLS_MAX = 1024;

/** Receives the rows of a report. */
export interface RowTaker {
  /** One row as text, the column names first. */
  row(cells: readonly string[]): void;
  /** One row as bytes, which is many times faster; used once the columns are known. */
  line(line: Line): void;
  readonly takesLines: boolean;
}

/**
 * Passes the rows of a report file to `taker`, the column names first. CSV, also in gzip, is streamed in any size; ZIP
 * archives and JSON are read as a whole, within the limits of `readReportFile`. Simple lines of CSV are passed as
 * bytes, others go through the CSV reader.
 *
 * @param sha256 the expected hash; checked after the last row, before this resolves
 */
export async function eachReportRow(
  path: string,
  sha256: string | null,
  taker: RowTaker,
): Promise<Result<null, CubeProblem>> {
  const take = taker.row;
  const start = await startOf(path);
  if (start.length === 0) return problem('the file is empty');
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start[0] === 0x50 && start[1] === 0x4b) return wholeFile(path, sha256, take);
  if (!isGzip && /^[[{<]/.test(text)) return wholeFile(path, sha256, take);
  const hash = sha256 === null ? null : createHash('sha256');
  let size = 0;
  let reader: ReturnType<typeof csvReader> | null = null;
  let readLines: ReturnType<typeof createLineReader> | null = null;
  const decoder = new TextDecoder();
  const takeRow = (cells: readonly string[]): void => {
    if (cells.length > 1 || cells[0] !== '') take(cells);
  };
  try {
    for await (const bytes of isGzip ? unpacked(path, hash) : hashing(piecesOf(path), hash)) {
      if (reader === null && isGzip && /^[[{<]/.test(decoder.decode(bytes.subarray(0, START_BYTES)).trimStart())) {
        return await wholeFile(path, sha256, take);
      }
      if (size === 0 && bytes.includes(0)) return problem('the file is not text');
      size += bytes.length;
      if (size > UNPACKED_MAX_BYTES) return problem('the file is packed and becomes more than 8 GB');
      let from = 0;
      if (reader !== null && readLines !== null && taker.takesLines) {
        // First the end of the last piece's line, then lines as bytes, then the rest.
        from = bytes.indexOf(LF) + 1;
        reader.push(decoder.decode(bytes.subarray(0, from), { stream: true }));
        if (from > 0 && reader.isAtRowStart()) from = readLines(bytes, from);
      }
      const more = decoder.decode(bytes.subarray(from), { stream: true });
      if (reader === null) {
        const delimiter = delimiterOf(more);
        reader = csvReader({ delimiter, linesAsRows: false }, takeRow);
        readLines = createLineReader(taker, delimiter.charCodeAt(0));
      }
      reader.push(more);
    }
  } catch (error) {
    if (isGzip && error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      return problem('the archive is damaged');
    }
    throw error;
  }
  reader?.push(decoder.decode());
  reader?.end();
  return hash !== null && hash.digest('hex') !== sha256 ? problem('SHA-256') : ok(null);
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Splits complete lines of bytes into cells like the CSV reader: a cell is plain text, or in quotes without quotes and
 * line ends in it. Other lines are left to that reader.
 */
function createLineReader(taker: RowTaker, delimiter: number) {
  const line = {
    bytes: new Uint8Array(0) as Uint8Array,
    starts: new Int32Array(CELLS_MAX),
    ends: new Int32Array(CELLS_MAX),
    count: 0,
  };
  const ends = { plain: new Uint8Array(256), quoted: new Uint8Array(256) };
  for (const code of [LF, CR, delimiter]) ends.plain[code] = 1;
  for (const code of [LF, CR, QUOTE]) ends.quoted[code] = 1;
  let widest = 0;

  /** @returns the start of the next line, or `from` if the line is not taken */
  const readLine = (bytes: Uint8Array, from: number): number => {
    let count = 0;
    let at = from;
    for (;;) {
      if (count === CELLS_MAX) return from;
      const isQuoted = bytes[at] === QUOTE;
      const isEnd = isQuoted ? ends.quoted : ends.plain;
      if (isQuoted) at++;
      line.starts[count] = at;
      let code = bytes[at] ?? 0;
      while (isEnd[code] === 0) code = bytes[++at] ?? LF;
      line.ends[count++] = at;
      if (isQuoted) {
        if (code !== QUOTE) return from;
        code = bytes[++at] ?? 0;
      }
      at++;
      if (code === delimiter) continue;
      if (code === CR) code = bytes[at++] ?? 0;
      if (code !== LF) return from;
      break;
    }
    for (let missing = count; missing < widest; missing++) line.starts[missing] = line.ends[missing] = 0;
    widest = Math.max(widest, count);
    line.count = count;
    if (count > 1 || line.ends[0] !== line.starts[0]) taker.line(line);
    return at;
  };
  /** @returns the start of the first line that is not taken */
  return (bytes: Uint8Array, from: number): number => {
    line.bytes = bytes;
    const to = bytes.lastIndexOf(LF) + 1;
    let at = from;
    while (at < to) {
      const next = readLine(bytes, at);
      if (next === at) break;
      at = next;
    }
    return at;
  };
}

/** Reads one piece ahead into one of two buffers: a piece is overwritten when the next one is requested. */
async function* piecesOf(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path);
  try {
    const buffers = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)] as const;
    const read = (buffer: Uint8Array) => {
      const reading = file.read(buffer, 0, PIECE_BYTES, null);
      // If no more rows are wanted, an error of reading ahead is ignored; otherwise awaiting it throws.
      reading.catch(() => undefined);
      return reading;
    };
    let reading = read(buffers[0]);
    for (let at: 0 | 1 = 0; ; at = at === 0 ? 1 : 0) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      reading = read(buffers[at === 0 ? 1 : 0]);
      yield buffers[at].subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* unpacked(path: string, hash: ReturnType<typeof createHash> | null): AsyncIterable<Uint8Array> {
  const packed = Readable.from(hashing(createReadStream(path, { highWaterMark: PIECE_BYTES }), hash));
  const plain = packed.pipe(createGunzip());
  packed.on('error', (error) => plain.destroy(error));
  try {
    yield* plain;
  } finally {
    packed.destroy();
  }
}

async function* hashing<Piece extends Uint8Array>(
  file: AsyncIterable<Piece>,
  hash: ReturnType<typeof createHash> | null,
): AsyncIterable<Piece> {
  for await (const piece of file) {
    hash?.update(piece);
    yield piece;
  }
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function wholeFile(
  path: string,
  sha256: string | null,
  take: (cells: readonly string[]) => void,
): Promise<Result<null, CubeProblem>> {
  const bytes = await readFile(path);
  if (sha256 !== null && createHash('sha256').update(bytes).digest('hex') !== sha256) return problem('SHA-256');
  const content = await readReportFile(bytes);
  if (!content.ok) return problem(`the file is ${content.error.found}`);
  for (const row of content.value.rows) take(row);
  return ok(null);
}

const problem = (detail: string): Result<never, CubeProblem> => err({ kind: 'cube', detail });
