import { statSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, type Result } from '../../../shared/result.ts';
import { type TaskFlag, taskOf } from '../bulk/task-flags.ts';
import { checkpointWhenIdle } from '../db/open-db.ts';
import { notWritable, notWritableFrom, notWritableOrThrow } from '../not-writable.ts';
import { outboxOps } from '../outbox/ops.ts';
import type { NotWritable } from '../types.ts';
import {
  attempt,
  type CommitListener,
  createStore,
  type OwnStore,
  type WriterContext,
} from '../writer/create-store.ts';
import { writerOperations } from '../writer/operations.ts';
import { edits, writes } from '../writer/writes.ts';
import { type OpenedFile, openFile } from './open-file.ts';
import { createCheckDelay } from './reader-activity.ts';
import {
  answerCalls,
  createGroupCommit,
  endingWith,
  type MainCalls,
  operationAt,
  type WorkerSetup,
  type WriterCalls,
} from './thread-calls.ts';

/** Pause before checking, in which the next call may arrive: an import is many calls in a row. */
const CHECK_PAUSE_MS = 100;
/** Idle time before the log is moved into the database. */
const IDLE_MS = 1000;

/** Operations that are edits: each in one transaction, which a failure rolls back. */
const EDITS = { ...writerOperations, edits };
type Outcome = Result<object, unknown>;
const NO_TASK: WriterContext['task'] = { isCancelled: () => false, progress: () => undefined };

/** Answers the calls that write. There is one writer per workspace, and it holds the lock. */
function createWriter(setup: WorkerSetup, main: MainCalls): WriterCalls {
  let opened: (OpenedFile & { readonly store: OwnStore }) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEdited = false;

  const announcements = createEventBatcher(main.changed);
  const giveWay = createCheckDelay(setup.activity);

  const parts = () => {
    if (opened === null) throw new Error('the writer was asked before it was started');
    return opened;
  };
  /** Runs pending checks after a pause without calls; a call that arrives then waits for one slice at most. */
  const checkLater = (pauseMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      unlessRefused(() => {
        if (opened?.store.checkSlice() === true) return checkLater(giveWay());
        announcements.flush();
        timer = setTimeout(unlessRefused(tidyUp), IDLE_MS);
      }),
      pauseMs,
    );
  };
  /**
   * Runs when idle. Moves the log into the database, since within a commit that would delay an edit by about 50 ms.
   * Reserves space for a full disk if something was edited.
   */
  const tidyUp = (): void => {
    if (opened !== null) checkpointWhenIdle(opened.db, setup.file);
    const isHere = opened !== null && isMoved(setup.file, opened.inode) === null;
    if (isHere && isEdited) opened?.reserve.renew();
  };
  const outboxCalls = createGroupCommit((work) => parts().store.tx(work));
  const at = (nowMs: number): OwnStore => {
    const { store } = parts();
    store.setNow(nowMs);
    checkLater(CHECK_PAUSE_MS);
    return store;
  };
  const taskWith = (flag: TaskFlag | null) => (flag === null ? NO_TASK : taskOf(flag, main.progress));
  /** Returns errors of the disk or the file as values; everything is rolled back by then. */
  const guarded = <T, E>(work: () => Result<T, E>): Result<T, E | NotWritable> => {
    const moved = isMoved(setup.file, parts().inode);
    if (moved !== null) return err(moved);
    try {
      isEdited = true;
      return work();
    } catch (error) {
      return err(notWritableOrThrow(error));
    }
  };

  return {
    start: async (nowMs) => {
      const file = await openFile(setup, nowMs);
      if (!file.ok) return file;
      const { db } = file.value;
      const { profile, migrated, who } = setup;
      const makeRoom = file.value.reserve.release;
      const onCommitted = announcements.committed;
      const store = createStore({ db, profile, migrated, who, makeRoom, onCommitted });
      opened = { ...file.value, store };
      at(nowMs);
      return { ok: true, value: null };
    },
    call: (path, nowMs, args, flag) => {
      const [area, name] = path;
      if (area === 'outbox') {
        const op = operationAt({ outbox: outboxOps }, path);
        // A request slot is unused until the intent is written.
        return outboxCalls.ask(() => op(at(nowMs), ...args), name === 'saveIntent');
      }
      const task = taskWith(flag);
      if (area === 'writes') return operationAt({ writes }, path)({ store: at(nowMs), task }, ...args);
      const op = operationAt(EDITS, path) as (context: WriterContext, ...args: readonly unknown[]) => Outcome;
      return guarded(() => {
        const store = at(nowMs);
        return attempt(store.tx, () => op({ store, task }, ...args));
      });
    },
    applyStaged: (nowMs, edit, flag) => guarded(() => at(nowMs).applyStaged(edit, taskWith(flag))),
    settleChecks: async (nowMs) => {
      const store = at(nowMs);
      while (store.checkSlice()) await pause(giveWay());
      announcements.flush();
    },
    close: async () => {
      clearTimeout(timer);
      outboxCalls.finish();
      announcements.flush();
      opened?.close();
      opened = null;
    },
  };
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)));

/** Skips background work that the disk refuses. The next edit reports a full disk, and the work is tried again later. */
const unlessRefused = (work: () => void) => (): void => {
  try {
    work();
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
  }
};

/** The folder was renamed, moved or replaced, so writes would go to a file that is no longer at its path. */
function isMoved(file: string, inode: number): NotWritable | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.ino === inode) return null;
  return notWritable('folder-moved', file);
}

/** Changed issues are reported at most this often: slices take only tens of milliseconds. */
const ISSUES_MS = 400;

/**
 * Forwards commits to the main thread. Those of edits are forwarded at once, those of check slices combined, because
 * each one makes every window read its rows again, and windows would do nothing else during long checks.
 */
function createEventBatcher(tell: CommitListener) {
  let held: { revision: number; readonly kinds: Set<Kind> } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held === null) return;
    const { revision, kinds } = held;
    held = null;
    tell(revision, [...kinds], 'issues', null);
  };
  return {
    /** Forwards the combined commits. */
    flush,
    committed: ((revision, kinds, only, patch) => {
      if (only === null) {
        // Keeps the order of commits.
        flush();
        tell(revision, kinds, null, patch);
        return;
      }
      held = { revision, kinds: new Set([...(held?.kinds ?? []), ...kinds]) };
      timer ??= setTimeout(flush, ISSUES_MS);
    }) satisfies CommitListener,
  };
}

/** Answers calls on the port of the writer thread. */
export function answerWrites(port: MessagePort, setup: WorkerSetup): void {
  const writer = createWriter(setup, {
    changed: (...commit) => void main.changed(...commit),
    progress: (taskId, done, total) => void main.progress(taskId, done, total),
  });
  const main = answerCalls<MainCalls, WriterCalls>(port, endingWith(writer, port), ['changed', 'progress'], 'changed');
}

if (parentPort !== null) answerWrites(parentPort, workerData as WorkerSetup);
