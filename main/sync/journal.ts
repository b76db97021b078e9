import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { fsyncDirectory, nullIfNotFound } from '../app/atomic-write.ts';
import type { OutboxClient } from '../store/outbox/ops.ts';

/**
 * The side journal: one line per intent and per outcome, in a file next to the database. It is read only after a
 * restore or for a damaged database, as the only record of what was sent since. It has no names and no secrets.
 *
 *   8 hexadecimal digits of CRC-32, a space, JSON, a line feed
 */
const Line = z.object({
  t: z.enum(['intent', 'outcome']),
  /** Correlation ID, which links an intent with its outcome. */
  c: z.string(),
  at: z.int(),
  kind: z.string().optional(),
  verb: z.string().optional(),
  campaign: z.int().nullable().optional(),
  adGroup: z.int().nullable().optional(),
  /** For an intent, all its rows. For an outcome, the rows of its `ids` if these are not all rows of the intent. */
  rows: z.array(z.object({ kind: z.string(), id: z.int() })).optional(),
  class: z.string().optional(),
  ids: z.array(z.string().nullable()).optional(),
});
export type JournalLine = Readonly<z.infer<typeof Line>>;

export type Journal = Awaited<ReturnType<typeof openJournal>>;

const ROTATE_BYTES = 16 * 1024 * 1024;

export async function openJournal(file: string, rotateBytes = ROTATE_BYTES) {
  let handle: FileHandle | null = null;
  let bytes = 0;
  /**
   * Whether the file may end in a partial line after a crash or a full disk: the next line must begin on a new line.
   */
  let mayBeTorn = false;
  const reopen = async (): Promise<FileHandle> => {
    const opened = await open(file, 'a', 0o600);
    try {
      bytes = (await opened.stat()).size;
      await fsyncDirectory(dirname(file));
    } catch (error) {
      await opened.close();
      throw error;
    }
    mayBeTorn = bytes > 0;
    handle = opened;
    return opened;
  };
  await reopen();
  // A failed write rejects for its caller only; the next line is tried again, in the file opened again if necessary.
  const inTurn = createSerialQueue();

  const write = async (text: string): Promise<void> => {
    let to = handle ?? (await reopen());
    if (bytes > 0 && bytes + text.length > rotateBytes) {
      handle = null;
      await to.close();
      await rename(file, olderName(file));
      to = await reopen();
    }
    const written = mayBeTorn ? `\n${text}` : text;
    mayBeTorn = true;
    await to.appendFile(written, 'utf8');
    await to.datasync();
    mayBeTorn = false;
    bytes += written.length;
  };
  let waiting: string[] = [];
  let flushed: Promise<void> | null = null;
  /** Lines appended during a write are collected and share the next flush. */
  const flush = (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    flushed = null;
    return write(lines);
  };
  return {
    /** Resolves when the line is flushed to the disk. */
    append: (line: JournalLine) => {
      waiting.push(encode(line));
      flushed ??= inTurn(flush);
      return flushed;
    },
    close: () => inTurn(async () => handle?.close()),
  };
}

/** The texts of the older journal file and the current one; the older one often does not exist. */
async function readBoth(file: string): Promise<string> {
  const texts = [olderName(file), file].map((name) => readFile(name, 'utf8').catch(nullIfNotFound));
  return (await Promise.all(texts)).join('\n');
}

/** All complete lines; lines cut by a crash are skipped. */
export const readJournal = async (file: string): Promise<readonly JournalLine[]> =>
  (await readBoth(file)).split('\n').flatMap((written) => decode(written) ?? []);

/** Number of entries, size in bytes and time of the last entry. Damaged lines are counted separately. */
export async function readJournalState(file: string) {
  const text = await readBoth(file);
  const written = text.split('\n').filter((line) => line !== '');
  const lines = written.flatMap((line) => decode(line) ?? []);
  const damaged = written.length - lines.length;
  // Without the line feed between the two files.
  const bytes = Buffer.byteLength(text) - 1;
  return { entries: lines.length, damaged, bytes, lastAt: lines.at(-1)?.at ?? null };
}

function encode(line: JournalLine): string {
  const json = JSON.stringify(line);
  return `${checksum(json)} ${json}\n`;
}

function decode(text: string): JournalLine | null {
  const json = text.slice(9);
  if (text.length < 10 || text[8] !== ' ' || text.slice(0, 8) !== checksum(json)) return null;
  const parsed = Line.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : null;
}

const checksum = (json: string): string => crc32(json).toString(16).padStart(8, '0');
const olderName = (file: string): string => `${file}.1`;

/** Outcome classes whose request changed nothing on the service. */
const HARMLESS: ReadonlySet<string> = new Set(['NOT_SENT', 'LATER', 'AUTH', 'REFUSED']);

/**
 * Compares the side journal with the outbox. A database restored from a backup lacks the requests sent after it; the
 * journal has them. Requests that only the journal has become unconfirmed (or are adopted if the journal has the IDs of
 * the response), so that they are not sent a second time.
 *
 * @returns the number of affected rows
 */
export const recoverFromJournal = async (file: string, outbox: OutboxToRecover): Promise<number> =>
  recoverUnconfirmed(await readJournal(file), outbox);

interface OutboxToRecover extends Pick<OutboxClient, 'correlationsKnown'> {
  readonly importIntents: (args: Omit<Parameters<OutboxClient['importIntents']>[0], 'epoch'>) => Promise<number>;
}

/** Like `recoverFromJournal`, for lines already read. */
export async function recoverUnconfirmed(lines: readonly JournalLine[], outbox: OutboxToRecover): Promise<number> {
  const intents = lines.filter(({ t }) => t === 'intent');
  const known = new Set(await outbox.correlationsKnown({ ids: intents.map(({ c }) => c) }));
  const forgotten = intents.filter(({ c }) => !known.has(c));
  if (forgotten.length === 0) return 0;
  const outcomes = Map.groupBy(
    lines.filter(({ t }) => t === 'outcome'),
    ({ c }) => c,
  );
  const open = forgotten.filter(({ c }) => !HARMLESS.has(outcomes.get(c)?.at(-1)?.class ?? ''));
  return outbox.importIntents({ intents: open.map((intent) => imported(intent, outcomes.get(intent.c) ?? [])) });
}

const imported = (intent: JournalLine, outcomes: readonly JournalLine[]) => ({
  correlationId: intent.c,
  kind: intent.kind ?? '',
  verb: intent.verb ?? '',
  rows: intent.rows ?? [],
  campaignId: intent.campaign ?? null,
  adGroupId: intent.adGroup ?? null,
  at: intent.at,
  ids: idsIn(intent, outcomes),
});

/**
 * The IDs of all outcomes of an intent, by position in its rows: rows of an unconfirmed request are adopted one by one,
 * each with its own line.
 */
function idsIn({ rows = [] }: JournalLine, outcomes: readonly JournalLine[]): readonly (string | null)[] {
  const ids = new Map<string, string>();
  for (const outcome of outcomes) {
    // Older versions did not write which row was adopted, so their line counts only for an intent with one row.
    const isUnnamed = outcome.rows === undefined && outcome.class === 'ADOPTED' && rows.length !== 1;
    if (isUnnamed) continue;
    const named = outcome.rows ?? rows;
    for (const [at, id] of (outcome.ids ?? []).entries()) {
      const row = named[at];
      if (row !== undefined && id !== null) ids.set(`${row.kind}:${row.id}`, id);
    }
  }
  return rows.map(({ kind, id }) => ids.get(`${kind}:${id}`) ?? null);
}
