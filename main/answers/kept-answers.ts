import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { HeardAnswer, Hearing } from '../api/heard.ts';
import type { Workspace } from '../workspace/store.ts';
import { WorkspaceClosed } from '../workspace/worker/calls-under-way.ts';
import {
  type AnswerLine,
  type AnswerStore,
  isSqliteError,
  openAnswerStore,
  type PackedAnswer,
} from './answer-store.ts';

/** What is kept of the answers, and how much of them. */
export interface AnswerFigures {
  readonly answers: number;
  readonly bytes: number;
  readonly boundBytes: number;
  /** Milliseconds since 1970; null while there are none. */
  readonly oldestAt: number | null;
  /** Answers since the account was opened that could not be written. */
  readonly lost: number;
}

export type AnswerText = AnswerLine & { readonly body: string | null };

/**
 * The answers of the service to one account, as they were received. They come while a sync or a refresh goes on, are
 * packed beside it and written a few at a time; nothing waits for them, and a failure to write them ends nothing.
 *
 *   hear -> waiting -- 300 ms without one, or 5 s, or 1,000 of them --> packed -> on the disk -> oldest dropped beyond the bound
 */
export interface KeptAnswers {
  hear(answer: Hearing): void;
  list(
    from: number,
    count: number,
    words: string,
  ): Promise<{ readonly total: number; readonly answers: readonly AnswerLine[] }>;
  of(correlationId: string): Promise<readonly AnswerText[]>;
  lastRead(campaignId: string): Promise<AnswerLine | null>;
  figures(): Promise<AnswerFigures>;
  /** Keeps no more than this from now on; 0 keeps none. */
  setBound(bytes: number): Promise<AnswerFigures>;
  close(): Promise<void>;
}

/** What is kept unless the user says otherwise: about a million rows read once, or months of a small account. */
export const BOUND_BYTES = 64 * 1024 * 1024;
const BOUND_KEY = 'answers-kept-bytes';
/** While answers keep coming the processor is the sync's, but not for longer than what a crash may take along. */
const QUIET_MS = 300;
const WAITS_AT_MOST_MS = 5000;
const WAITING_AT_MOST = 1000;
/** So that nothing else waits for them long. */
const WRITTEN_AT_ONCE = 64;

const pack = promisify<Buffer, Buffer>(deflateRaw);
const unpack = promisify<Uint8Array, Buffer>(inflateRaw);

export function createKeptAnswers(path: string, workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): KeptAnswers {
  let store: AnswerStore | null = null;
  let waiting: Hearing[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  /** When the first of those that wait came. */
  let since = 0;
  let bound: number | null = null;
  let lost = 0;
  let isClosed = false;

  const opened = (): AnswerStore => {
    store ??= openAnswerStore(path);
    return store;
  };
  const boundNow = async (): Promise<number> => {
    bound ??= Number((await workspace.getMeta(BOUND_KEY)) ?? BOUND_BYTES);
    return bound;
  };
  const dropOld = async (): Promise<void> => {
    const most = await boundNow();
    while (!opened().dropDownTo(most)) await new Promise((resolve) => setImmediate(resolve));
  };
  const write = async (answers: readonly Hearing[]): Promise<void> => {
    for (let from = 0; from < answers.length; from += WRITTEN_AT_ONCE) {
      const some = answers.slice(from, from + WRITTEN_AT_ONCE);
      try {
        if ((await boundNow()) === 0) return;
        opened().add(await Promise.all(some.map((heard) => packedOf(heard()))));
        await dropOld();
      } catch (error) {
        // A full disk, one that cannot be read, or a workspace whose thread has failed: what the service said is worth
        // less than the sync that asked.
        if (!isSqliteError(error) && !(error instanceof WorkspaceClosed)) throw error;
        lost += some.length;
      }
    }
  };
  const writeAll = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const answers = waiting;
    waiting = [];
    if (answers.length > 0) writing = writing.then(() => write(answers));
    return writing;
  };
  const figures = async (): Promise<AnswerFigures> => ({
    ...opened().figures(),
    boundBytes: await boundNow(),
    lost,
  });

  return {
    hear: (answer) => {
      // To a call that was on its way when the account was closed: its file may be another's by now.
      if (isClosed) return;
      waiting.push(answer);
      if (waiting.length === 1) since = performance.now();
      if (waiting.length >= WAITING_AT_MOST || performance.now() - since > WAITS_AT_MOST_MS) return void writeAll();
      if (timer === null) timer = setTimeout(() => void writeAll(), QUIET_MS);
      else timer.refresh();
    },
    list: async (from, count, words) => {
      await writeAll();
      return opened().list(
        from,
        count,
        words.split(/\s+/u).filter((word) => word !== ''),
      );
    },
    of: async (correlationId) => {
      await writeAll();
      return Promise.all(opened().of(correlationId).map(textOf));
    },
    lastRead: async (campaignId) => {
      await writeAll();
      return opened().lastRead(campaignId);
    },
    figures: async () => {
      await writeAll();
      return figures();
    },
    setBound: async (bytes) => {
      await writeAll();
      await workspace.setMeta(BOUND_KEY, String(bytes));
      bound = bytes;
      await dropOld();
      return figures();
    },
    close: async () => {
      isClosed = true;
      await writeAll();
      store?.close();
      store = null;
    },
  };
}

async function packedOf({ body, ...line }: HeardAnswer): Promise<PackedAnswer> {
  return { ...line, body: body === null ? null : { text: body, packed: await pack(Buffer.from(body, 'utf8')) } };
}

async function textOf({ packed, ...line }: ReturnType<AnswerStore['of']>[number]): Promise<AnswerText> {
  return { ...line, body: packed === null ? null : (await unpack(packed)).toString('utf8') };
}
