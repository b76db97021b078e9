import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LongWork } from '../long-work.ts';
import type { Cancelled } from '../workspace/bulk/bulk-rows.ts';
import { showingWork, type What } from './showing-work.ts';

/** Who asked for the work: the id by which it is known, and the signal of the call. */
interface Asked {
  readonly jobId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Work that is told of while it goes on, and that whoever sees it may end. */
export interface RunningWorks {
  run<T>(
    workspaceId: WorkspaceId,
    what: What,
    asked: Asked,
    work: (long: LongWork) => Promise<T>,
  ): Promise<Result<T, Cancelled>>;
  /** False when there is no such work: it may be over. */
  cancel(jobId: string): boolean;
}

export function runningWorks(events: { readonly publish: (event: AppEvent) => void }): RunningWorks {
  const running = new Map<string, AbortController>();
  return {
    run: async (workspaceId, what, { jobId = randomUUID(), signal: ofCall }, work) => {
      const stop = new AbortController();
      const signal = ofCall === undefined ? stop.signal : AbortSignal.any([stop.signal, ofCall]);
      running.set(jobId, stop);
      const sign = { workId: jobId, canStop: true };
      try {
        return ok(await showingWork(events, workspaceId, what, (tellShare) => work({ tellShare, signal }), sign));
      } catch (error) {
        const isItsEnd = error === signal.reason || (error instanceof Error && error.name === 'AbortError');
        if (signal.aborted && isItsEnd) return err({ kind: 'cancelled' });
        throw error;
      } finally {
        running.delete(jobId);
      }
    },
    cancel: (jobId) => {
      const stop = running.get(jobId);
      stop?.abort();
      return stop !== undefined;
    },
  };
}
