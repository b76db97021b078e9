import { err, ok, type Result } from '../../shared/result.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { startThread } from '../store/worker/start-thread.ts';
import type { CubeProblem } from './cube-file.ts';
import type { CubeCalls, CubeQueries, CubeSetup } from './entry.ts';
import type { TakenIn } from './ingest.ts';
import type { ReportFile } from './read-file-days.ts';

/** Queries of `queries.ts` and of suggestions that other threads may call. */
const QUESTIONS = [
  ...(['ofRows', 'rowColumns', 'version', 'grouped', 'total', 'series', 'entities', 'sources', 'units'] as const),
  ...(['bidChanges', 'bannerLog', 'suggestions', 'countBids'] as const),
];
/** Calls that are passed to the thread unchanged. */
const CALLS = ['reports', 'dayStates', 'asked', 'decide', 'keepMonths', 'sizes', 'seen', 'dayRows'] as const;

type FromThread<Table, Name extends keyof Table> = {
  readonly [Each in Name]: Table[Each] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};
type Asked = FromThread<CubeQueries, (typeof QUESTIONS)[number]>;
type Called = FromThread<CubeCalls, (typeof CALLS)[number]>;

/**
 * All days of all reports that an account ever received, in a file beside the account's database, served by its own
 * thread. Nothing in it is sent or edited, so losing it loses no draft.
 */
export interface Cube extends Asked, Called {
  /** The same cube; its queries stop when the signal aborts. */
  until(signal: AbortSignal | undefined): Cube;
  /**
   * Why there are no metrics; null if there are. With a problem, queries are answered as if nothing had ever been
   * received.
   */
  readonly problem: CubeProblem | null;
  /** Stores the days of a report with a daily breakdown; a newer answer about a day replaces an older one. */
  ingest(file: ReportFile, isPreview?: boolean): Promise<Result<TakenIn, CubeProblem>>;
  /** Backs up the cube in the account's backups folder, unless it is unchanged. */
  backUp(): Promise<Result<null, NotWritable>>;
  close(): Promise<void>;
}

/** Heap limit of the thread's young generation: nearly all memory of the cube is outside of the heap. */
const PASSING_MB = 8;

/** Opens or creates the cube of an account. After a failure the account works without metrics. */
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
        // A thread that has ended also rejects the query itself, which reports the error.
        if (!(error instanceof WorkspaceClosed)) throw error;
      });
    };
    signal.addEventListener('abort', drop, { once: true });
    try {
      const answer = await calls.query(name, args, number);
      // The answer may arrive before the thread learns that the query was canceled.
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
      // The thread has the same table of queries.
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
