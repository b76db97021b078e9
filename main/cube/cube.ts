import type { MetricsDay } from '../../shared/api/metrics.ts';
import type { WindowDays } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { startThread } from '../store/worker/start-thread.ts';
import type { CubeProblem } from './cube-file.ts';
import type { CubeCalls, CubeQueries, CubeSetup, DayRows, SeenDay } from './entry.ts';
import type { TakenIn } from './ingest.ts';
import type { ReportFile } from './read-file-days.ts';

type Answer<Name extends keyof CubeQueries> = Promise<Awaited<ReturnType<CubeQueries[Name]>>>;

/** The questions of `queries.ts` and of suggestions, answered by the thread; some are asked within it only. */
type Asked = {
  readonly [Name in Exclude<keyof CubeQueries, 'rowOfEntity' | 'weighted' | 'days' | 'lastReduced'>]: (
    ...args: Parameters<CubeQueries[Name]>
  ) => Answer<Name>;
};

/**
 * Every day of every report that an account ever got, in a file of its own beside the account's database. It has a thread of its
 * own; nothing in it is sent or edited, and losing it loses no draft.
 */
export interface Cube extends Asked {
  /** The same cube; questions end when the signal aborts, so that nothing is added up that nobody waits for. */
  until(signal: AbortSignal | undefined): Cube;
  /** Why there are no metrics; null where there are. Then questions are answered as if nothing had ever been received. */
  readonly problem: CubeProblem | null;
  /** Takes in the days of a report with a daily breakdown; a newer answer about a day wins. */
  ingest(file: ReportFile, isPreview?: boolean): Promise<Result<TakenIn, CubeProblem>>;
  /** Kept reports that were looked at before, with what was wrong with them; empty for nothing. */
  reports(): Promise<readonly { readonly id: string; readonly problem: string }[]>;
  /** What is known of every day of a span. */
  dayStates(type: string, span: DaySpan, window: WindowDays): Promise<readonly MetricsDay[]>;
  /** What is known of each day that was ever asked for. */
  asked(type: string): Promise<ReturnType<CubeCalls['asked']>>;
  /** Takes or drops what came for days that are held back. @returns how many there were */
  decide(type: string, days: readonly string[], take: boolean): Promise<number>;
  /** Reduces the days before a month, such as 2025-03, to months. */
  keepMonths: CubeCalls['keepMonths'];
  /** Copies everything to the backups of the account, unless nothing came since the last time. */
  backUp(): Promise<Result<null, NotWritable>>;
  sizes(): Promise<ReturnType<CubeCalls['sizes']>>;
  /** Sums of each day as they were reported, day after day of the business. */
  seen(type: string): Promise<readonly SeenDay[]>;
  /** All rows of one day, for exports; null for a day that is unknown. `entities` says whose they are. */
  dayRows(type: string, day: string): Promise<DayRows | null>;
  close(): Promise<void>;
}

/** For what lives as long as one question: nearly all memory of the cube is outside of the heap. */
const PASSING_MB = 8;

/** Opens the cube of an account, or makes it. A failure leaves the account as it is: there are no metrics then. */
export async function openCube(setup: CubeSetup): Promise<Cube> {
  let problem: CubeProblem | null = null;
  const ended = (why: string) => {
    problem ??= { kind: 'cube', detail: why };
  };
  const thread = startThread<CubeCalls>('cube', setup, {}, ended, { maxYoungGenerationSizeMb: PASSING_MB });
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
  const until = (signal: AbortSignal | undefined): Cube => {
    const question =
      <Name extends keyof CubeQueries>(name: Name) =>
      (...args: Parameters<CubeQueries[Name]>): Answer<Name> =>
        // The thread answers by the same table of questions.
        ask(signal, name, args) as Answer<Name>;
    return {
      ofRows: question('ofRows'),
      rowColumns: question('rowColumns'),
      version: question('version'),
      grouped: question('grouped'),
      total: question('total'),
      series: question('series'),
      entities: question('entities'),
      sources: question('sources'),
      units: question('units'),
      bidChanges: question('bidChanges'),
      bannerLog: question('bannerLog'),
      suggestions: question('suggestions'),
      until,
      get problem() {
        return problem;
      },
      ingest: async (file: ReportFile, isPreview = false) =>
        problem === null ? calls.ingest(file, isPreview) : err(problem),
      reports: () => calls.reports(),
      dayStates: (type: string, span: DaySpan, window: WindowDays) => calls.dayStates(type, span, window),
      asked: (type: string) => calls.asked(type),
      decide: (type: string, days: readonly string[], take: boolean) => calls.decide(type, days, take),
      keepMonths: (before: string) => calls.keepMonths(before),
      backUp: async () => (problem === null ? calls.backUp() : ok(null)),
      sizes: () => calls.sizes(),
      seen: (type: string) => calls.seen(type),
      dayRows: (type: string, day: string) => calls.dayRows(type, day),
      close: () => thread.close(),
    };
  };
  return until(undefined);
}
