import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { fsyncDirectory, nullIfNotFound } from '../app/atomic-write.ts';
import type { OutboxClient } from '../store/outbox/ops.ts';

/**
 * The side journal: one line per intent and per outcome, in a file beside the database. It is read only after a
 * restore or a damaged database, where it is the one witness of what was sent since. No names, no secrets.
 *
 *   8 hexadecimal digits of CRC-32, a blank, JSON, a line feed
 */
const Line = z.object({
  t: z.enum(['intent', 'outcome']),
  /** Correlation id, the link between an intent and its outcome. */
  c: z.string(),
  at: z.int(),
  kind: z.string().optional(),
  verb: z.string().optional(),
  campaign: z.int().nullable().optional(),
  adGroup: z.int().nullable().optional(),
  /** Of an intent: all its rows. Of an outcome: the rows of its `ids`, where these are not all of the intent. */
  rows: z.array(z.object({ kind: z.string(), id: z.int() })).optional(),
  class: z.string().optional(),
  ids: z.array(z.string().nullable()).optional(),
});
export type JournalLine = Readonly<z.infer<typeof Line>>;

export type Journal = Awaited<ReturnType<typeof openJournal>>;

const ROTATE_BYTES = 16 * 1024 * 1024;

export async function openJournal(file: string, rotateBytes = ROTATE_BYTES) {
  let handle = await open(file, 'a', 0o600);
  let bytes = (await handle.stat()).size;
  /** Whether the file may end in a part of a line, which a crash or a full disk left there: the next line must not run into it. */
  let mayBeTorn = bytes > 0;
  await fsyncDirectory(dirname(file));
  // A line that could not be written is its caller's failure; the next one tries again.
  const inTurn = createSerialQueue();

  const write = async (text: string): Promise<void> => {
    if (bytes > 0 && bytes + text.length > rotateBytes) {
      await handle.close();
      await rename(file, olderName(file));
      handle = await open(file, 'a', 0o600);
      await fsyncDirectory(dirname(file));
      bytes = 0;
      mayBeTorn = false;
    }
    const written = mayBeTorn ? `\n${text}` : text;
    mayBeTorn = true;
    await handle.appendFile(written, 'utf8');
    await handle.datasync();
    mayBeTorn = false;
    bytes += written.length;
  };
  let waiting: string[] = [];
  let flushed: Promise<void> | null = null;
  /** Lines that come while others are on their way to the disk wait together and share one flush. */
  const flush = (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    flushed = null;
    return write(lines);
  };
  return {
    /** Resolves when the line is on the disk itself. */
    append: (line: JournalLine) => {
      waiting.push(encode(line));
      flushed ??= inTurn(flush);
      return flushed;
    },
    close: () => inTurn(() => handle.close()),
  };
}

/** The journal and the older file before it, as they are written; absent is the normal case for the older file. */
async function readBoth(file: string): Promise<string> {
  const texts = [olderName(file), file].map((name) => readFile(name, 'utf8').catch(nullIfNotFound));
  return (await Promise.all(texts)).join('\n');
}

/** Every whole line; lines that a crash cut are left out. */
export const readJournal = async (file: string): Promise<readonly JournalLine[]> =>
  (await readBoth(file)).split('\n').flatMap((written) => decode(written) ?? []);

/** How far the journal is, without what its lines say. Lines that are not whole are counted apart. */
export async function readJournalState(file: string) {
  const text = await readBoth(file);
  const written = text.split('\n').filter((line) => line !== '');
  const lines = written.flatMap((line) => decode(line) ?? []);
  const damaged = written.length - lines.length;
  // Less the line feed between the two files.
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

/** Classes whose intent changed nothing on the service, as the journal tells. */
const HARMLESS: ReadonlySet<string> = new Set(['NOT_SENT', 'LATER', 'AUTH', 'REFUSED']);

/**
 * Compares the side journal with the outbox. A database that was restored from a backup has forgotten what was
 * sent after it; the journal has not. What it knows and the outbox does not is put in doubt (or, where the answer's
 * ids are in the journal, adopted), so that it is not sent a second time.
 *
 * @returns how many rows were concerned
 */
export const recoverFromJournal = async (file: string, outbox: OutboxToRecover): Promise<number> =>
  recoverUnconfirmed(await readJournal(file), outbox);

interface OutboxToRecover extends Pick<OutboxClient, 'correlationsKnown'> {
  readonly importIntents: (args: Omit<Parameters<OutboxClient['importIntents']>[0], 'epoch'>) => Promise<number>;
}

/** The same for lines that were read already. */
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
 * The IDs that all outcomes of an intent gave, by position in its rows: the rows of a request in doubt are adopted one by one,
 * each with a line of its own.
 */
function idsIn({ rows = [] }: JournalLine, outcomes: readonly JournalLine[]): readonly (string | null)[] {
  const ids = new Map<string, string>();
  for (const outcome of outcomes) {
    // An earlier version did not say which row it had adopted, so that its line counts where there is one row only.
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
