import type { Failure } from '../../../shared/api/operation.ts';
import type { BulkDone, BulkTool } from '../../../shared/contract/bulk.ts';
import type { RestoreScope } from '../../../shared/contract/history.ts';
import type { PastedTable } from '../../../shared/contract/paste.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import type { DeploymentSettings } from '../../../shared/profile/profile.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import type { Commit, Db } from '../db/db.ts';
import { type Restored, type RestoreProblem, restore } from '../history/restore.ts';
import { noteStatusReads } from '../known/campaign-status.ts';
import { notWritableFrom } from '../not-writable.ts';
import { type NoteCommand, type NoteProblem, runNote } from '../notes/note-commands.ts';
import { LAST_REFRESH_KEY, readMeta, writeMeta } from '../rows/meta.ts';
import { readRow } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { currentRevision } from '../rows/revision.ts';
import { calendarAheadMs, isRuleSetting } from '../rows/standards.ts';
import { tableOf } from '../schema/tables.ts';
import { applyStaged } from '../staged/apply-staged.ts';
import { withStage } from '../staged/attached.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/staged-edit.ts';
import type { CellUpdate, EditBatch, EditOutcome, EditProblem } from '../types.ts';
import { acceptSent } from './accept.ts';
import { applyEdit } from './apply.ts';
import { applyPaste } from './apply-paste.ts';
import { type ApplyProblem, applyTool, type Job } from './apply-tool.ts';
import { createCheckQueue } from './check-queue.ts';
import { listConflicts, resolveConflict } from './conflicts.ts';
import { mergeRemoteRows } from './merge-remote.ts';
import { applyUndoOrRedo } from './replay.ts';
import { holdRows, revertRows } from './revert.ts';
import { createSelection } from './selection.ts';
import { setServiceFields } from './service-fields.ts';
import { beginSession, nextStep, pruneHistory } from './steps.ts';
import type { WriterStore } from './store.ts';
import { AffectedRows } from './touched.ts';

/** Hears of each commit that changed something; `only` is set when that is findings, and no cell. */
export type CommitListener = (revision: number, kinds: readonly Kind[], only: 'findings' | null) => void;

export interface StoreOptions {
  readonly db: Db;
  readonly profile: DeploymentSettings;
  readonly workspaceId: string;
  readonly migrated: boolean | null;
  /** On whose behalf edits are made, for the log. */
  readonly who?: string;
  /** Called when the disk is full; true when that has made room, and then the transaction is tried once more. */
  readonly makeRoom?: () => boolean;
  readonly onCommitted: CommitListener;
}

export type Edited<Problem> = Result<EditOutcome, Problem>;

/** What an operation of the writer works with. */
export interface WriterContext {
  readonly store: OwnStore;
  /** How a long operation says how far it is, and hears that it is to end. */
  readonly job: Job;
}

/** The store with the operations that only the workspace's own calls use. */
export interface OwnStore extends WriterStore {
  /** Says what time it is for the calls that follow. */
  setNow(nowMs: number): void;
  apply(edit: EditBatch): Edited<EditProblem>;
  applyStaged(edit: StagedEdit): Result<StagedOutcome, StaleStage>;
  revert(refs: EditBatch['deletes'] & {}, field: string | null): Edited<EditProblem>;
  hold(refs: EditBatch['deletes'] & {}, held: boolean): Edited<EditProblem>;
  applyTool(rows: readonly BulkRows[], tool: BulkTool, label: string, job: Job): Result<BulkDone, ApplyProblem>;
  applyPaste(paste: PastedTable, skip: readonly number[], label: string, job: Job): Result<BulkDone, ApplyProblem>;
  note<C extends NoteCommand>(command: C): Result<{ id: number; revision: number }, NoteProblem<C>>;
  restore(
    to: number,
    scope: RestoreScope,
    label: string,
  ): Result<Restored & { readonly revision: number }, RestoreProblem>;
  step(direction: 'undo' | 'redo'): Edited<Failure<'NOTHING_TO_DO'>>;
  setServiceFields(updates: readonly CellUpdate[]): number;
  /** Checks a slice of what an edit left to be checked; false when nothing waits. */
  checkSlice(): boolean;
}

export function createStore(options: StoreOptions): OwnStore {
  const { db, profile } = options;
  const touched = new AffectedRows();
  const checks = createCheckQueue(db, profile, options.migrated);
  let now = 0;
  createSelection(db);
  beginSession(db, options.who ?? '');

  let committed: Parameters<CommitListener> | null = null;
  /** Checks what was touched since it was called last in this transaction, and writes the revision. */
  const settle = (): void => {
    for (const kind of checks.settle(touched)) touched.kinds.add(kind);
    const revision = touched.record(db);
    if (revision !== null) {
      const only = touched.kinds.size === 0 && (committed === null || committed[2] !== null) ? 'findings' : null;
      committed = [revision, [...new Set([...(committed?.[1] ?? []), ...touched.kinds, ...touched.checked])], only];
    }
    touched.clear();
  };
  const forget = (): void => {
    touched.clear();
    checks.forget();
    committed = null;
  };
  const tx = <T>(work: () => T, commit: Commit = 'flushed'): T => {
    if (db.inTransaction) return work();
    touched.clear();
    committed = null;
    const run = () => {
      const value = work();
      settle();
      return value;
    };
    let isDone = false;
    try {
      const result = withRoom(run, commit);
      isDone = true;
      notify(committed);
      return result;
    } finally {
      if (!isDone) forget();
    }
  };
  /** A transaction that found the disk full was rolled back whole, so it can be run again as it was. */
  const withRoom = <T>(run: () => T, commit: Commit): T => {
    try {
      return db.tx(run, commit);
    } catch (error) {
      if (notWritableFrom(error)?.why !== 'disk-full' || options.makeRoom?.() !== true) throw error;
      forget();
      return db.tx(run, commit);
    }
  };
  const notify = (committed: Parameters<CommitListener> | null): void => {
    if (committed !== null) options.onCommitted(...committed);
  };

  /** Runs an edit in a transaction; a refusal rolls everything back and is answered as a value. */
  const revised = <T extends object, P>(work: () => Result<T, P>): Result<T & { readonly revision: number }, P> =>
    attempt(tx, () => {
      const outcome = work();
      if (!outcome.ok) return outcome;
      settle();
      return ok({ revision: currentRevision(db), ...outcome.value });
    });
  const edit = <P>(work: () => Result<EditOutcome['touched'], P>): Edited<P> =>
    revised(() => {
      const outcome = work();
      return outcome.ok ? ok({ touched: outcome.value }) : outcome;
    });

  const store: OwnStore = {
    db,
    profile,
    workspaceId: options.workspaceId,
    nowMs: () => now,
    setNow: (nowMs) => {
      now = nowMs;
      checks.noticeDay(nowMs);
    },
    tx,
    bumpRevision: (kinds) => {
      for (const kind of kinds) touched.kinds.add(kind);
    },
    recheck: (campaignIds) => {
      for (const id of campaignIds) touched.campaign(id);
    },
    readTree: (campaignId) => readTrees(db, [campaignId])[0] ?? null,
    readRow: (ref) => readRow(db, ref),
    acceptPushed: (ref, pushed) => tx(() => acceptSent(db, ref, pushed, now, touched)),
    mergeRemoteRows: (rows) => {
      const merged = tx(() => {
        writeMeta(db, LAST_REFRESH_KEY, String(now));
        const merged = mergeRemoteRows(db, rows, now, touched);
        const day = dateInZone(now + calendarAheadMs(db), profile.business.zone);
        noteStatusReads(db, rows, { ms: now, day }, touched);
        return merged;
      });
      return { revision: currentRevision(db), ...merged };
    },
    setRefusal: (ref, message) =>
      tx(() => {
        const { code } = tableOf(ref.kind);
        if (message === null) db.run('DELETE FROM refusal WHERE kind = ? AND id = ?', code, ref.id);
        else db.run('INSERT OR REPLACE INTO refusal VALUES (?, ?, ?, ?)', code, ref.id, message, now);
        touched.kinds.add(ref.kind);
      }),
    listConflicts: () => listConflicts(db),
    resolveConflict: (ref, field, take, by) =>
      tx(() => resolveConflict(db, { ref, field, take, by }, (step) => applyEdit(db, step, now, touched), touched)),
    getMeta: (key) => readMeta(db, key),
    setMeta: (key, value) =>
      tx(() => {
        writeMeta(db, key, value);
        if (!isRuleSetting(key)) return;
        checks.judgeAnew(now);
        // What findings say may differ even where the same rules find the same rows.
        touched.kinds.add('campaign');
      }),
    apply: (batch) => edit(() => applyEdit(db, batch, now, touched)),
    applyStaged: (staged) => {
      const revision = currentRevision(db);
      if (revision !== staged.revision) return err({ kind: 'stale', revision });
      const made = withStage(db, staged.file, () => tx(() => applyStaged(db, staged, now, touched)));
      return ok({ revision: currentRevision(db), ...made });
    },
    revert: (refs, field) => edit(() => revertRows(db, refs, field, now, touched)),
    hold: (refs, held) => edit(() => holdRows(db, refs, held, now, touched)),
    applyTool: (rows, tool, label, job) =>
      revised(() => applyTool({ db, profile, touched }, rows, tool, label, now, job)),
    applyPaste: (paste, skip, label, job) =>
      revised(() => applyPaste({ db, profile, touched }, paste, skip, label, now, job)),
    note: <C extends NoteCommand>(command: C) =>
      revised(() => {
        const written = runNote(db, command, now, touched);
        // `NoteProblem` says which failures go with which command.
        return written.ok ? ok({ id: written.value }) : err(written.error as NoteProblem<C>);
      }),
    restore: (to, scope, label) => revised(() => restore(db, to, scope, label, now, touched)),
    step: (direction) =>
      edit(() => {
        const step = nextStep(db, direction);
        return step === null ? fail('NOTHING_TO_DO', {}) : ok(applyUndoOrRedo(db, step, direction, touched));
      }),
    setServiceFields: (updates) => tx(() => setServiceFields(db, updates, now, touched)),
    checkSlice: () => {
      // What a power cut undoes waits again, so the hundreds of slices of a large account need not wait for the disk.
      return tx(() => {
        const changed = checks.slice();
        if (changed === null) return pruneHistory(db);
        for (const kind of changed.kinds) touched.checked.add(kind);
        if (changed.moved) touched.kinds.add('campaign');
        return true;
      }, 'unflushed');
    },
  };
  return store;
}

/** Rolls back when the answer is a refusal, and hands it on. */
export function attempt<T, E>(tx: (work: () => T) => T, work: () => Result<T, E>): Result<T, E> {
  let refusal: { readonly ok: false; readonly error: E } | null = null;
  let rollback: Error | null = null;
  try {
    const value = tx(() => {
      const result = work();
      if (result.ok) return result.value;
      refusal = result;
      // Made only here: an error writes down its stack, and an edit that goes well should not pay for that.
      rollback = new Error('refused');
      throw rollback;
    });
    return ok(value);
  } catch (error) {
    if (error === rollback && refusal !== null) return refusal;
    throw error;
  }
}
