import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { err, ok, type Result } from '../../shared/result.ts';
import { csvReader, delimiterOf } from '../files/spreadsheet/csv.ts';
import { readReportFile } from '../reports/read-report-file.ts';
import type { CubeProblem } from './cube-file.ts';

/** Packed text that becomes more than this is no report. */
const UNPACKED_MAX_BYTES = 8 * 2 ** 30;
const START_BYTES = 1024;

/**
 * Hands on the rows of a report file one after the other, the names of the columns first. CSV, also in gzip, is streamed, however
 * large it is; ZIP archives and JSON are read as a whole, within the limits of `readReportFile`.
 *
 * @param sha256 what the file is known to be; it is checked before this resolves, after the last row
 */
export async function eachReportRow(
  path: string,
  sha256: string | null,
  take: (cells: readonly string[]) => void,
): Promise<Result<null, CubeProblem>> {
  const start = await startOf(path);
  if (start.length === 0) return problem('the file is empty');
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start[0] === 0x50 && start[1] === 0x4b) return wholeFile(path, sha256, take);
  if (!isGzip && /^[[{<]/.test(text)) return wholeFile(path, sha256, take);
  const hash = createHash('sha256');
  let size = 0;
  let reader: ReturnType<typeof csvReader> | null = null;
  const decoder = new TextDecoder();
  const takeRow = (cells: readonly string[]): void => {
    if (cells.length > 1 || cells[0] !== '') take(cells);
  };
  try {
    const file = createReadStream(path, { highWaterMark: 256 * 1024 });
    const hashed = Readable.from(hashing(file, hash));
    const plain = isGzip ? hashed.pipe(createGunzip()) : hashed;
    hashed.on('error', (error) => plain.destroy(error));
    for await (const bytes of plain as AsyncIterable<Buffer>) {
      if (reader === null && isGzip && /^[[{<]/.test(bytes.toString('utf8', 0, START_BYTES).trimStart())) {
        file.destroy();
        return await wholeFile(path, sha256, take);
      }
      if (size === 0 && bytes.includes(0)) return problem('the file is not text');
      size += bytes.length;
      if (size > UNPACKED_MAX_BYTES) return problem('the file is packed and becomes more than 8 GB');
      const more = decoder.decode(bytes, { stream: true });
      reader ??= csvReader({ delimiter: delimiterOf(more.slice(0, 100_000)), linesAsRows: false }, takeRow);
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
  return sha256 !== null && hash.digest('hex') !== sha256 ? problem('SHA-256') : ok(null);
}

async function* hashing(file: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncIterable<Buffer> {
  for await (const piece of file) {
    hash.update(piece);
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
