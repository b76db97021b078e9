import { randomUUID } from 'node:crypto';
import { SyncReport } from '../../shared/contract/sync.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { RoundContext } from './core/context.ts';
import type { Ports, Work } from './core/effects.ts';
import { drive } from './driver.ts';
import { watchAccess } from './look-around.ts';
import type { RunOptions, RunProblem, SyncDeps } from './port.ts';
import { emptyReport, endOf, reportOf } from './reporting.ts';
import { stopBy } from './stop-by.ts';

type WorkOf = (ctx: RoundContext) => Work<void>;

/**
 * What a workspace does with the service, so that no two of them merge the same rows: one run at a time, and reads one
 * after the other, none beside a run.
 *
 *   read > read > run > read        a run waits for reads under way; a read asked for during a run is refused by its caller
 */
export interface Runs {
  /** @param before what the run begins with, once the reads under way are through */
  start(
    options: RunOptions,
    work: WorkOf,
    before?: (cancelled: AbortSignal) => Promise<unknown>,
  ): Promise<Result<{ readonly runId: string }, RunProblem>>;
  read(work: WorkOf): Promise<Result<null, ReadFailure>>;
  isRunning(): boolean;
  /** False when nothing runs. */
  cancel(): boolean;
  last(): SyncReport | null;
  /** The report of the run under way once it has ended, or of the last one. */
  idle(): Promise<SyncReport | null>;
  /** Whether the service answered the last time it was asked; null before that. */
  reached(): boolean | null;
  /** Cancels what runs and waits for its end. */
  end(): Promise<void>;
}

interface RunsDeps extends Pick<SyncDeps, 'workspace' | 'workspaceId' | 'emit'> {
  readonly contextFor: (runId: string, options: RunOptions, cancelled: AbortSignal) => Promise<RoundContext>;
  readonly portsFor: (cancelled: AbortSignal) => Ports;
  readonly closing: AbortSignal;
}

const REPORT_KEY = 'last-sync-report';

export async function createRuns(deps: RunsDeps): Promise<Runs> {
  const { workspace, workspaceId, emit, contextFor, portsFor, closing } = deps;
  const { outbox } = workspace;
  let cancelling = new AbortController();
  let running: Promise<SyncReport> | null = null;
  let reads: Promise<void> = Promise.resolve();
  let last = keptReport(await workspace.getMeta(REPORT_KEY));
  let isReached: boolean | null = null;
  const noteAccess = watchAccess(workspaceId, emit);

  const perform = async (ctx: RoundContext, work: Work<void>, cancelled: AbortSignal): Promise<SyncReport> => {
    try {
      await drive(work, portsFor(cancelled), cancelled);
    } catch (thrown) {
      // Without a record on disk nothing more may be sent.
      ctx.stop ??= stopBy(thrown);
    }
    const states = await outbox.countStates();
    return reportOf(ctx, states, await outbox.standing(), (row) => rowLabel(row));
  };

  /**
   * So that a window opened after a restart can tell how the last run ended.
   *
   * @returns the report, which also says so when it could not be kept
   */
  const keep = async (report: SyncReport): Promise<SyncReport> => {
    try {
      await workspace.setMeta(REPORT_KEY, JSON.stringify(report));
      return report;
    } catch (thrown) {
      const why = stopBy(thrown);
      // What stopped the run first is what to mend first; but a fault of ours is never passed over.
      const isTold = report.stoppedBy !== null && why.cause !== 'defect';
      return isTold ? report : { ...report, state: 'stopped', stoppedBy: why };
    }
  };

  const ended = (report: SyncReport): SyncReport => {
    last = report;
    isReached = report.stoppedBy?.cause !== 'unreachable';
    noteAccess(report.stoppedBy?.cause ?? null);
    running = null;
    emit(endOf(workspaceId, report));
    return report;
  };

  const readNow = async (work: WorkOf): Promise<Result<null, ReadFailure>> => {
    const ctx = await contextFor(randomUUID(), { submit: false, campaignIds: null }, closing);
    await drive(work(ctx), portsFor(closing), closing);
    isReached = ctx.stop?.cause !== 'unreachable';
    noteAccess(ctx.stop?.cause ?? null);
    return ctx.stop === null ? ok(null) : err(failureOf(ctx.stop));
  };

  return {
    start: async (options, work, before = async () => {}) => {
      if (running !== null || closing.aborted) return err({ kind: 'sync-running' });
      const runId = randomUUID();
      cancelling = new AbortController();
      const { signal } = cancelling;
      last = emptyReport(runId);
      running = reads
        .then(() => before(signal))
        .then(() => contextFor(runId, options, signal))
        .then(async (ctx) => {
          await outbox.noteRun({ runId });
          return perform(ctx, work(ctx), signal);
        })
        .catch((thrown: unknown) => ({
          ...emptyReport(runId),
          state: 'stopped' as const,
          stoppedBy: stopBy(thrown),
        }))
        .then(keep)
        .then(ended);
      return ok({ runId });
    },
    read: (work) => {
      const done = reads.then(() => readNow(work));
      // How a read ended is told to whoever asked for it; the next one only waits for its end.
      reads = done.then(
        () => {},
        () => {},
      );
      return done;
    },
    isRunning: () => running !== null,
    cancel: () => {
      if (running === null) return false;
      cancelling.abort();
      return true;
    },
    last: () => last,
    idle: async () => (running === null ? last : running),
    reached: () => isReached,
    end: async () => {
      cancelling.abort();
      if (running !== null) await running;
      await reads;
    },
  };
}

/** The report a former process left. One that says "running" ended with its process, and what it did is in doubt. */
function keptReport(json: string | null): SyncReport | null {
  const kept = json === null ? null : SyncReport.safeParse(JSON.parse(json));
  return kept?.success === true ? kept.data : null;
}

function failureOf(stop: NonNullable<RoundContext['stop']>): ReadFailure {
  switch (stop.cause) {
    case 'credentials':
      return { kind: 'credentials', message: stop.detail };
    case 'security':
      return { kind: 'security', message: stop.detail };
    case 'unreachable':
      return { kind: 'unreachable', cause: stop.detail };
    case 'disk':
    case 'defect':
    case 'service':
    case 'plan-changed':
      return { kind: 'service', status: 0, message: stop.detail };
  }
}
