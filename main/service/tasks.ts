import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/api/app.ts';
import type { TaskName } from '../../shared/api/operation.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { LongTask } from '../app/long-task.ts';
import type { Cancelled } from '../store/bulk/bulk-rows.ts';
import type { TaskOptions } from '../store/bulk/task-flags.ts';

/** A long operation as passed to its implementation, in main or in a thread of the store. */
export interface Task extends LongTask, TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface TaskOrder {
  /** The ID for `cancel`; generated if the caller gives none. */
  readonly id?: string | undefined;
  readonly workspaceId: WorkspaceId;
  readonly name: TaskName;
  readonly canCancel: boolean;
  /** The signal of the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs long operations. After one second, every window gets the progress of a task, and later its end, even if it
 * fails.
 *
 *   run --one second--> progress events --done, failed--> end event
 *    '--cancel, or the call is aborted--> CANCELLED
 */
export interface Tasks {
  run<T>(order: TaskOrder, work: (task: Task) => Promise<T>): Promise<Result<T, Cancelled>>;
  /** @returns false if there is no such task; it may have ended */
  cancel(id: string): boolean;
}

/** Minimum progress between two events, as a share. */
const STEP = 0.01;
/** Shorter tasks are not displayed, to avoid flicker. */
const SHOWN_AFTER_MS = 1000;

export function createTasks(publish: (event: AppEvent) => void, shownAfterMs = SHOWN_AFTER_MS): Tasks {
  const running = new Map<string, AbortController>();
  return {
    run: async ({ id = randomUUID(), workspaceId, name, canCancel, signal: ofCall }, work) => {
      const stop = new AbortController();
      const signal = ofCall === undefined || !canCancel ? stop.signal : AbortSignal.any([stop.signal, ofCall]);
      if (canCancel) running.set(id, stop);
      const event = { type: 'task.progress', workspaceId, taskId: id, task: name, canCancel } as const;
      let isShown = false;
      let share: number | null = null;
      let rows: { readonly done: number; readonly total: number } | null = null;
      let reportedShare = 0;
      const report = (): void => {
        reportedShare = share ?? 0;
        publish({ ...event, share, rows, isOver: false });
      };
      const timer = setTimeout(() => {
        isShown = true;
        report();
      }, shownAfterMs);
      const tellShare = (done: number): void => {
        share = Math.min(1, done);
        if (isShown && share - reportedShare >= STEP) report();
      };
      const onProgress = (done: number, total: number): void => {
        rows = { done, total };
        tellShare(total === 0 ? 1 : done / total);
      };
      try {
        return ok(await work({ taskId: id, signal, tellShare, onProgress }));
      } catch (error) {
        const isItsEnd = error === signal.reason || (error instanceof Error && error.name === 'AbortError');
        if (signal.aborted && isItsEnd) return fail('CANCELLED', {});
        throw error;
      } finally {
        clearTimeout(timer);
        running.delete(id);
        if (isShown) publish({ ...event, share, rows, isOver: true });
      }
    },
    cancel: (id) => {
      const stop = running.get(id);
      stop?.abort();
      return stop !== undefined;
    },
  };
}
