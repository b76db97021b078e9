import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/api/app.ts';
import type { TaskName } from '../../shared/api/operation.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { LongTask } from '../app/long-task.ts';
import type { Cancelled } from '../store/bulk/bulk-rows.ts';
import type { TaskOptions } from '../store/bulk/task-flags.ts';

/** A long operation as its implementation sees it, in main or in a thread of the store. */
export interface Task extends LongTask, TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface TaskOrder {
  /** By which it can be cancelled; one is made up when its caller gave none. */
  readonly id?: string | undefined;
  readonly workspaceId: WorkspaceId;
  readonly name: TaskName;
  readonly canCancel: boolean;
  /** The signal of the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Long operations. After one second, every window gets the progress of a task, and then its end, also when it fails.
 *
 *   run --a second--> told of --done, failed--> told of the end
 *    '--cancel, or the call is aborted--> CANCELLED
 */
export interface Tasks {
  run<T>(order: TaskOrder, work: (task: Task) => Promise<T>): Promise<Result<T, Cancelled>>;
  /** False when there is no such task: it may be over. */
  cancel(id: string): boolean;
}

/** Told of again when this much more is done. */
const STEP = 0.01;
/** What is over sooner is not worth a sign that comes and goes. */
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
      let told = 0;
      const tell = (): void => {
        told = share ?? 0;
        publish({ ...event, share, rows, isOver: false });
      };
      const timer = setTimeout(() => {
        isShown = true;
        tell();
      }, shownAfterMs);
      const tellShare = (done: number): void => {
        share = Math.min(1, done);
        if (isShown && share - told >= STEP) tell();
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
