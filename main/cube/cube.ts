import { err, ok, type Result } from '../../shared/result.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { startThread } from '../store/worker/start-thread.ts';
import type { CubeProblem } from './cube-file.ts';
import type { CubeCalls, CubeQueries, CubeSetup } from './entry.ts';
import type { TakenIn } from './ingest.ts';
import type { ReportFile } from './read-file-days.ts';

/** The questions of `queries.ts` and of suggestions that are asked from outside of the thread. */
const QUESTIONS = [
  ...(['ofRows', 'rowColumns', 'version', 'grouped', 'total', 'series', 'entities', 'sources', 'units'] as const),
  ...(['bidChanges', 'bannerLog', 'suggestions'] as const),
];
/** Calls that the thread answers as they are. */
const CALLS = ['reports', 'dayStates', 'asked', 'decide', 'keepMonths', 'sizes', 'seen', 'dayRows'] as const;

type FromThread<Table, Name extends keyof Table> = {
  readonly [Each in Name]: Table[Each] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};
type Asked = FromThread<CubeQueries, (typeof QUESTIONS)[number]>;
type Called = FromThread<CubeCalls, (typeof CALLS)[number]>;

/**
 * Every day of every report that an account ever got, in a file of its own beside the account's database. It has a thread of its
 * own; nothing in it is sent or edited, and losing it loses no draft.
 */
export interface Cube extends Asked, Called {
  /** The same cube; questions end when the signal aborts, so that nothing is added up that nobody waits for. */
  until(signal: AbortSignal | undefined): Cube;
  /** Why there are no metrics; null where there are. Then questions are answered as if nothing had ever been received. */
  readonly problem: CubeProblem | null;
  /** Takes in the days of a report with a daily breakdown; a newer answer about a day wins. */
  ingest(file: ReportFile, isPreview?: boolean): Promise<Result<TakenIn, CubeProblem>>;
  /** Copies everything to the backups of the account, unless nothing came since the last time. */
  backUp(): Promise<Result<null, NotWritable>>;
  close(): Promise<void>;
}

/** For what lives as long as one question: nearly all memory of the cube is outside of the heap. */
const PASSING_MB = 8;

/** Opens the cube of an account, or makes it. A failure leaves the account as it is: there are no metrics then. */
export async function openCube(setup: CubeSetup, start = startThread): Promise<Cube> {
  let problem: CubeProblem | null = null;
  const ended = (why: string) => {
    problem ??= { kind: 'cube', detail: why };
  };
  const thread = start<CubeCalls>('cube', setup, {}, ended, { maxYoungGenerationSizeMb: PASSING_MB });
  try {
    problem = await thread.calls.start();
  } catch (error) {
    problem = { kind: 'cube', detail: error instanceof Error ? error.message : String(error) };
  }
  const { calls } = thread;
  let asks = 0;
  const ask = async (signal: AbortSignal | undefined, name: string, args: readonly unknown[]): Promise<unknown> => {
    if (signal === undefined) return calls.query(name, args, 0);
    signal.throwIfAborted();
    const number = ++asks;
    const drop = () => {
      calls.drop(number).catch((error: unknown) => {
        // A thread that has ended refuses the question as well, and so it is told.
        if (!(error instanceof WorkspaceClosed)) throw error;
      });
    };
    signal.addEventListener('abort', drop, { once: true });
    try {
      const answer = await calls.query(name, args, number);
      // It may be there before the thread learns that nobody waits for it.
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', drop);
    }
  };
  const passed: unknown = Object.fromEntries(CALLS.map((name) => [name, calls[name]]));
  const until = (signal: AbortSignal | undefined): Cube => {
    const questions = QUESTIONS.map((name) => [name, (...args: readonly unknown[]) => ask(signal, name, args)]);
    return {
      // The thread answers by the same table of questions.
      ...(Object.fromEntries(questions) as Asked),
      ...(passed as Called),
      until,
      get problem() {
        return problem;
      },
      ingest: async (file: ReportFile, isPreview = false) =>
        problem === null ? calls.ingest(file, isPreview) : err(problem),
      backUp: async () => (problem === null ? calls.backUp() : ok(null)),
      close: () => thread.close(),
    };
  };
  return until(undefined);
}
