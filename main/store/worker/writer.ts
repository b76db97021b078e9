import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { backUpBeforeMigration } from '../backup.ts';
import { jobOf } from '../bulk/jobs.ts';
import { asText, numberOf } from '../db/db.ts';
import { checkpointWhenIdle, type OpenDb, openDb } from '../db/open-db.ts';
import { takeLock } from '../lock.ts';
import { notWritableFrom } from '../not-writable.ts';
import { edits, notings } from '../operations.ts';
import { outboxOps } from '../outbox/ops.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { createDiskReserve, type DiskReserve } from '../safety/disk-reserve.ts';
import { findForeignWal, setWorkspaceUuid } from '../safety/foreign-wal.ts';
import { migrate, missingTable, schemaState } from '../schema/migrate.ts';
import { addNewFields } from '../schema/tables.ts';
import type { NotWritable } from '../types.ts';
import {
  attempt,
  type CommitListener,
  createStore,
  type OwnStore,
  type WriterContext,
} from '../writer/create-store.ts';
import { writerOperations } from '../writer/operations.ts';
import { createCheckDelay } from './reader-activity.ts';
import { type MainCalls, operationAt, type WorkerSetup, type WriterCalls } from './thread-calls.ts';

/** How long to wait for the next call before checking: an import is many calls in a row. */
const CHECK_PAUSE_MS = 100;
/** How long nothing has to happen before the log is moved into the database. */
const IDLE_MS = 1000;

/** Operations that are edits: each in one transaction, which a failure rolls back. */
const EDITS = { ...writerOperations, edits };
type Outcome = Result<object, unknown>;
const NO_JOB: WriterContext['job'] = { isCancelled: () => false, progress: () => undefined };

/** Answers the calls that write. There is one writer per workspace, and it holds the lock. */
export function createWriter(setup: WorkerSetup, main: MainCalls): WriterCalls {
  let opened: (OpenedFile & { readonly store: OwnStore }) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEdited = false;

  const announcements = createEventBatcher(main.changed);
  const giveWay = createCheckDelay(setup.glances);

  const parts = () => {
    if (opened === null) throw new Error('the writer was asked before it was started');
    return opened;
  };
  /** Checks what waits once no call has come for a moment; a call that comes then waits for one slice at most. */
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
   * Moves the log into the database while nobody waits, since within a commit it would cost that edit some 50 ms, and
   * takes room in reserve for a full disk, once something was edited here.
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
  /** Turns what the disk or the file refuses into a value; everything is rolled back by then. */
  const guarded = <T, E>(work: () => Result<T, E>): Result<T, E | NotWritable> => {
    const moved = isMoved(setup.file, parts().inode);
    if (moved !== null) return err(moved);
    try {
      isEdited = true;
      return work();
    } catch (error) {
      const refusal = notWritableFrom(error);
      if (refusal === null) throw error;
      return err(refusal);
    }
  };

  return {
    start: async (nowMs) => {
      const file = await openFile(setup, nowMs);
      if (!file.ok) return file;
      const { db } = file.value;
      const { profile, workspaceId, migrated, who } = setup;
      const makeRoom = file.value.reserve.release;
      const onCommitted = announcements.committed;
      const store = createStore({ db, profile, workspaceId, migrated, who, makeRoom, onCommitted });
      opened = { ...file.value, store };
      at(nowMs);
      return { ok: true, value: null };
    },
    call: (path, nowMs, args, flag) => {
      const [area, name] = path;
      if (area === 'outbox') {
        const op = operationAt({ outbox: outboxOps }, path);
        // A request slot stands empty until the intent is written.
        return outboxCalls.ask(() => op(at(nowMs), ...args), name === 'intend');
      }
      const job = flag === null ? NO_JOB : jobOf(flag, main.progress);
      if (area === 'notings') return operationAt({ notings }, path)({ store: at(nowMs), job }, ...args);
      const op = operationAt(EDITS, path) as (context: WriterContext, ...args: readonly unknown[]) => Outcome;
      return guarded(() => {
        const store = at(nowMs);
        return attempt(store.tx, () => op({ store, job }, ...args));
      });
    },
    applyStaged: (nowMs, edit) => guarded(() => at(nowMs).applyStaged(edit)),
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

/** A full disk is the next edit's news; what was to be done by the way stays to be done until then. */
const unlessRefused = (work: () => void) => (): void => {
  try {
    work();
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
  }
};

/** The folder was renamed, moved or replaced under us: writes would go to a file nobody will look for. */
function isMoved(file: string, inode: number): NotWritable | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.ino === inode) return null;
  return { kind: 'not-writable', why: 'folder-moved', detail: file };
}

/** What checks find is told this often at most: slices follow each other in tens of milliseconds. */
const FINDINGS_MS = 400;

/**
 * Hands commits on to the main thread. Those of edits go at once; those of slices of checks are put together, because
 * each of them has every window read its rows again, and a window would do nothing else while much is checked.
 */
interface EventBatcher {
  readonly committed: CommitListener;
  /** Tells what is being held back. */
  flush(): void;
}

function createEventBatcher(tell: CommitListener): EventBatcher {
  let held: { revision: number; readonly kinds: Set<Kind> } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held === null) return;
    const { revision, kinds } = held;
    held = null;
    tell(revision, [...kinds], 'findings');
  };
  return {
    flush,
    committed: (revision, kinds, only) => {
      if (only === null) {
        // In the order in which they were made.
        flush();
        tell(revision, kinds, null);
        return;
      }
      held = { revision, kinds: new Set([...(held?.kinds ?? []), ...kinds]) };
      timer ??= setTimeout(flush, FINDINGS_MS);
    },
  };
}

/** Runs calls in transactions of a few at a time; each is answered once its own commit is on the disk. */
interface GroupCommit {
  /** @param isUrgent somebody stands still until it is done: it goes before what waits and is not */
  ask(run: () => unknown, isUrgent?: boolean): Promise<unknown>;
  /** Commits what still waits. */
  finish(): void;
}

interface Asked {
  readonly isUrgent: boolean;
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
}

/** An edit that comes meanwhile waits for one group at most, so a group must be short. */
const GROUP_MAX = 4;

/**
 * A commit waits for the disk, and calls that come while it waits can share the next one: what a sync writes down for
 * several campaigns at once then costs one flush instead of one each. A group of which one fails is undone, and each
 * of its calls runs by itself, so that a failure is its own caller's alone.
 *
 * @param tx runs work in a transaction that is durable when it returns
 */
export function createGroupCommit(tx: <T>(work: () => T) => T): GroupCommit {
  const waiting: Asked[] = [];
  let isDue = false;

  const commitSome = (): void => {
    const group = waiting.splice(0, GROUP_MAX);
    const values = group.length > 1 ? together(group) : null;
    for (const [at, one] of group.entries()) {
      if (values === null) alone(one);
      else one.resolve(values[at]);
    }
  };
  const together = (group: readonly Asked[]): readonly unknown[] | null => {
    try {
      return tx(() => group.map(({ run }) => run()));
    } catch {
      // Whose failure it is shows when each runs by itself; everything was rolled back.
      return null;
    }
  };
  const alone = ({ run, resolve, reject }: Asked): void => {
    try {
      resolve(tx(run));
    } catch (problem) {
      reject(problem);
    }
  };
  const onDue = (): void => {
    isDue = false;
    commitSome();
    plan();
  };
  /** After the messages that have come by now, so that they are in the same group. */
  const plan = (): void => {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    setImmediate(onDue);
  };
  return {
    ask: (run, isUrgent = false) =>
      new Promise((resolve, reject) => {
        const behind = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { run, resolve, reject, isUrgent });
        plan();
      }),
    finish: () => {
      while (waiting.length > 0) commitSome();
    },
  };
}

interface OpenedFile {
  readonly db: OpenDb;
  readonly inode: number;
  readonly reserve: DiskReserve;
  /** Puts everything into the one file, notes the clean end and gives the lock back. */
  close(): void;
}

/** Up to this size a quick check costs some 50 ms and is made every time; above it only after an unclean end. */
const CHECKED_ALWAYS_BYTES = 64 * 2 ** 20;

/** Set while a writer has the file open; found set at the next start, it says that the last end was not a clean one. */
const OPEN_KEY = 'open';

/**
 * Opens the database for writing:
 *
 *   lock -> what is it? -> damaged, foreign or newer: refuse -> unclean end: quick check -> older: copy, migrate -> open
 */
async function openFile(setup: WorkerSetup, nowMs: number): Promise<Result<OpenedFile, NotWritable>> {
  const opened = await tryToOpen(setup, nowMs);
  // On a full disk opening itself needs a little room, which was kept for it.
  const isWorthAgain = !opened.ok && opened.error.why === 'disk-full' && createDiskReserve(setup.file).release();
  return isWorthAgain ? tryToOpen(setup, nowMs) : opened;
}

async function tryToOpen(setup: WorkerSetup, nowMs: number): Promise<Result<OpenedFile, NotWritable>> {
  const { file } = setup;
  const refused = refuseOddFile(file, setup.mustExist);
  if (refused !== null) return err(refused);
  let db: OpenDb | null = null;
  let release: (() => void) | null = null;
  try {
    const lock = takeLock(file, nowMs);
    if (!lock.ok) return lock;
    release = lock.value.release;
    const stray = findForeignWal(file);
    if (stray !== null) {
      release();
      return err(stray);
    }
    db = openDb(file);
    const problem = await prepare(db, setup, nowMs);
    if (problem !== null) {
      db.close();
      release();
      return err(problem);
    }
    return ok(opened(db, file, release));
  } catch (error) {
    db?.close();
    release?.();
    const refusal = notWritableFrom(error);
    if (refusal === null) throw error;
    return err(refusal);
  }
}

function opened(db: OpenDb, file: string, release: () => void): OpenedFile {
  const reserve = createDiskReserve(file);
  const tidy = (): void => {
    writeMeta(db, OPEN_KEY, '0');
    db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  };
  return {
    db,
    inode: statSync(file).ino,
    reserve,
    close: () => {
      try {
        withReserve(tidy, reserve);
      } finally {
        db.close();
        release();
      }
    },
  };
}

/**
 * Runs `work`, on a full disk once more with the room that was kept for it. Where that is not enough the log stays
 * beside the database with everything in it, and the next start looks the file over.
 */
function withReserve(work: () => void, reserve: DiskReserve): void {
  const isDone = (): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      if (notWritableFrom(error)?.why !== 'disk-full') throw error;
      return false;
    }
  };
  if (!isDone() && reserve.releaseRest()) isDone();
}

/** Something that is no regular file, or a file that has lost its content while its log is still there. */
function refuseOddFile(file: string, mustExist: boolean): NotWritable | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (mustExist && (found?.size ?? 0) === 0) {
    const detail = `${file} is ${found === undefined ? 'gone' : 'empty'}, but the account has a workspace`;
    return { kind: 'not-writable', why: 'damaged', detail };
  }
  if (found === undefined) return null;
  if (!found.isFile()) return { kind: 'not-writable', why: 'damaged', detail: `${file} is not a regular file` };
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (found.size === 0 && log !== undefined && log.size > 0) {
    return { kind: 'not-writable', why: 'damaged', detail: `${file} is empty, but its log is not` };
  }
  return null;
}

const hasMeta = (db: OpenDb): boolean => numberOf(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'meta'`) === 1;

const fileBytes = (db: OpenDb): number =>
  numberOf(db, 'SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()');

async function prepare(db: OpenDb, { file, viewing }: WorkerSetup, nowMs: number): Promise<NotWritable | null> {
  const state = schemaState(db);
  if (state.kind === 'foreign') return { kind: 'not-writable', why: 'damaged', detail: `${file} is not a workspace` };
  if (state.kind === 'newer' && !viewing) {
    const detail = `made by a newer Adslate (schema ${state.version}, this one knows ${state.known})`;
    return { kind: 'not-writable', why: 'newer-schema', detail };
  }
  if (state.kind !== 'empty' && hasMeta(db)) {
    const isDue = readMeta(db, OPEN_KEY) === '1' || fileBytes(db) <= CHECKED_ALWAYS_BYTES;
    const problem = isDue ? asText(db.get('PRAGMA quick_check(1)')?.[0]) : 'ok';
    if (problem !== 'ok') return { kind: 'not-writable', why: 'damaged', detail: problem };
  }
  if (state.kind === 'older') {
    const folder = join(dirname(file), 'backups');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `before-schema-${state.version + 1}-${new Date(nowMs).toISOString().replace(/[:.]/gu, '-')}.adslate-backup`;
    const copied = await backUpBeforeMigration(db, join(folder, name));
    if (!copied.ok) return copied.error;
  }
  migrate(db);
  const missing = missingTable(db);
  if (missing !== null) return { kind: 'not-writable', why: 'damaged', detail: `the table ${missing} is missing` };
  addNewFields(db);
  setWorkspaceUuid(db);
  writeMeta(db, OPEN_KEY, '1');
  return null;
}
