import type { BulkDone, BulkTool, PastedTable } from '../../../shared/api/bulk.ts';
import type { RestoreScope } from '../../../shared/api/history.ts';
import { EVENT_ROWS_MAX, PATCH_MAX } from '../../../shared/api/limits.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { planOf } from '../bulk/paste.ts';
import type { Commit, Db, DbValue } from '../db/db.ts';
import { restore } from '../history/restore.ts';
import { notWritableFrom } from '../not-writable.ts';
import { type NoteCommand, type NoteProblem, runNote } from '../notes/note-commands.ts';
import { type MarkedRows, setMarkedRows } from '../reader/row-metrics.ts';
import { noteStatusReads } from '../remote/campaign-status.ts';
import { toStored } from '../rows/codec.ts';
import { exists, readRow } from '../rows/read-rows.ts';
import { currentRevision, LAST_REFRESH_KEY, readMeta, writeMeta } from '../rows/revision.ts';
import { calendarAheadMs, isRuleSetting } from '../rows/rule-settings.ts';
import { patchOf } from '../rows/window-rows.ts';
import { readLimits } from '../rows/words-in-use.ts';
import { type Column, columnOf, type Table, tableOf } from '../schema/tables.ts';
import { applyStaged } from '../staged/apply-staged.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/stage-file.ts';
import { withStage } from '../staged/stage-file.ts';
import { createTeamStore } from '../team/team.ts';
import type { CellUpdate, EditBatch, EditOutcome, EditProblem, ReplayOutcome, StayingCells } from '../types.ts';
import { acceptSent, listConflicts, resolveConflict, setServiceFields } from './accept.ts';
import { type ApplyProblem, applyTool, type ToolRun, type WriterTask } from './apply-tool.ts';
import { createCheckQueue } from './check-queue.ts';
import { createRows, withFreeNames } from './create-rows.ts';
import { mergeRemoteRows } from './merge-remote.ts';
import { noteCells, removeRows } from './removal.ts';
import { replayStep } from './replay.ts';
import { holdRows, revertRows } from './revert.ts';
import { createSelection, fillSelection, missingInSelection } from './selection.ts';
import { beginSession, beginStep, endStep, nextStep, noteReasons, pruneHistory, stepLabel } from './steps.ts';
import { badValue, problemOfCell, writeField } from './write-field.ts';
import { AffectedRows, type WriterStore } from './writer-store.ts';

/**
 * Called after each commit with changes. `only` is set if only issues changed. `patch` has the changed rows of an
 * edit if they are few.
 */
export type CommitListener = (
  revision: number,
  kinds: readonly Kind[],
  only: 'issues' | null,
  patch: Patch | null,
) => void;
type Patch = Pick<EditOutcome, 'rows' | 'reread'>;

export interface StoreOptions {
  readonly db: Db;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
  /** The user's name for the log. */
  readonly who?: string;
  /** Called when the disk is full. If it returns true, it has freed space and the transaction is tried once more. */
  readonly makeRoom?: () => boolean;
  readonly onCommitted: CommitListener;
}

export type Edited<Problem> = Result<EditOutcome, Problem>;

/** The context of a writer operation. */
export interface WriterContext {
  readonly store: OwnStore;
  /** Reports the progress of a long operation, and its cancellation. */
  readonly task: WriterTask;
}

/** The store with the operations that only the workspace's own calls use. */
export type OwnStore = ReturnType<typeof createStore>;

export function createStore(options: StoreOptions) {
  const { db, profile } = options;
  const touched = new AffectedRows();
  const checks = createCheckQueue(db, profile, options.migrated);
  let now = 0;
  createSelection(db);
  beginSession(db, options.who ?? '');

  let committed: Parameters<CommitListener> | null = null;
  /** Checks what changed since the last call in this transaction, and writes the revision. */
  const settle = (): Patch & { readonly revision: number | null } => {
    if (touched.standards) checks.recheckAll(now);
    for (const kind of checks.settle(touched)) touched.kinds.add(kind);
    const revision = touched.record(db);
    const patch = patchOf(db, touched);
    if (revision !== null) {
      const only = touched.kinds.size === 0 && (committed === null || committed[2] !== null) ? 'issues' : null;
      const kinds = [...new Set([...(committed?.[1] ?? []), ...touched.kinds, ...touched.checked])];
      const isNews = committed === null && touched.wantsRows && (patch.rows?.length ?? Infinity) <= EVENT_ROWS_MAX;
      committed = [revision, kinds, only, isNews ? patch : null];
    }
    touched.clear();
    return { revision, ...patch };
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
  /** If the disk was full, the transaction was rolled back completely, so it can be run again. */
  const withRoom = <T>(run: () => T, commit: Commit): T => {
    try {
      return db.tx(run, commit);
    } catch (error) {
      if (notWritableFrom(error)?.data.why !== 'disk-full' || options.makeRoom?.() !== true) throw error;
      forget();
      return db.tx(run, commit);
    }
  };
  const notify = (committed: Parameters<CommitListener> | null): void => {
    if (committed !== null) options.onCommitted(...committed);
  };

  /** Runs an edit in a transaction; a refusal rolls everything back and is returned as a value. */
  const revised = <T extends object, P>(work: () => Result<T, P>): Result<T & { readonly revision: number }, P> =>
    attempt(tx, () => {
      const outcome = work();
      if (!outcome.ok) return outcome;
      settle();
      return ok({ revision: currentRevision(db), ...outcome.value });
    });
  /** Same for an edit that returns the changed rows. */
  const edit = <P>(work: () => Result<EditOutcome['touched'], P>): Edited<P> =>
    attempt(tx, () => {
      touched.wantRows();
      const outcome = work();
      if (!outcome.ok) return outcome;
      // Includes rows that already had the new value: the caller that displays them waits for the answer.
      for (const { kind, id } of outcome.value.slice(0, PATCH_MAX + 1)) touched.row(kind, id);
      const { revision, ...patch } = settle();
      return ok({ revision: revision ?? currentRevision(db), touched: outcome.value, ...patch });
    });

  const store = {
    db,
    profile,
    /** The part of the store for teams. */
    team: createTeamStore({ db, touched, zone: profile.business.zone, now: () => now, tx }),
    nowMs: () => now,
    /** Sets the time for the calls that follow. */
    setNow: (nowMs: number) => {
      now = nowMs;
      checks.noticeDay(nowMs);
    },
    tx,
    bumpRevision: (kinds) => {
      for (const kind of kinds) touched.kinds.add(kind);
    },
    noteRemoved: (kind) => {
      touched.kinds.add(kind);
      touched.shuffled.add(kind);
    },
    recheck: (campaignIds) => {
      for (const id of campaignIds) touched.campaign(id);
    },
    readRow: (ref) => readRow(db, ref),
    applyEdit: (batch) =>
      tx(() => {
        const applied = applyEdit(db, batch, now, touched);
        if (!applied.ok) throw new Error(`the edit is refused: ${JSON.stringify(applied.error)}`);
      }),
    acceptSent: (ref, pushed) => tx(() => acceptSent(db, ref, pushed, now, touched)),
    mergeRemoteRows: (rows) =>
      tx(() => {
        writeMeta(db, LAST_REFRESH_KEY, String(now));
        mergeRemoteRows(db, rows, now, touched);
        const day = dateInZone(now + calendarAheadMs(db), profile.business.zone);
        noteStatusReads(db, rows, { ms: now, day }, touched);
      }),
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
    markRows: (marked: readonly MarkedRows[]): void => setMarkedRows(db, marked),
    setMeta: (key, value) =>
      tx(() => {
        writeMeta(db, key, value);
        if (!isRuleSetting(key)) return;
        checks.recheckAll(now);
        // The text of issues may change even if the same rules find the same rows.
        touched.kinds.add('campaign');
      }),
    apply: (batch: EditBatch) => edit(() => applyEdit(db, batch, now, touched)),
    applyStaged: (staged: StagedEdit, task: Pick<WriterTask, 'progress'>): Result<StagedOutcome, StaleStage> => {
      const revision = currentRevision(db);
      if (revision !== staged.revision) return err({ kind: 'stale', revision });
      const made = withStage(db, staged.file, () => tx(() => applyStaged(db, staged, now, touched, task.progress)));
      return ok({ revision: currentRevision(db), ...made });
    },
    revert: (refs: EditBatch['deletes'] & {}, field: string | null) =>
      edit(() => revertRows(db, refs, field, now, touched)),
    hold: (refs: EditBatch['deletes'] & {}, held: boolean) => edit(() => holdRows(db, refs, held, now, touched)),
    applyTool: (
      rows: readonly BulkRows[],
      tool: BulkTool,
      label: string,
      task: WriterTask,
    ): Result<BulkDone, ApplyProblem> =>
      revised(() => applyTool({ db, profile, touched }, rows, tool, label, now, task)),
    applyPaste: (
      paste: PastedTable,
      skip: readonly number[],
      label: string,
      task: WriterTask,
    ): Result<BulkDone, ApplyProblem> =>
      revised(() => applyPaste({ db, profile, touched }, paste, skip, label, now, task)),
    note: <C extends NoteCommand>(command: C): Result<{ id: number; revision: number }, NoteProblem<C>> =>
      revised(() => {
        const written = runNote(db, command, now, touched);
        // `NoteProblem` declares which failures each command has.
        return written.ok ? ok({ id: written.value }) : err(written.error as NoteProblem<C>);
      }),
    restore: (to: number, scope: RestoreScope, label: string) =>
      revised(() => restore(db, to, scope, label, now, touched)),
    step: (direction: 'undo' | 'redo'): Result<ReplayOutcome, Failure<'NOTHING_TO_DO'>> => {
      let left: StayingCells | undefined;
      let label = '';
      const done = edit(() => {
        const step = nextStep(db, direction);
        if (step === null) return fail('NOTHING_TO_DO', {});
        label = stepLabel(db, step);
        const { rows, stay } = replayStep(db, step, direction, touched);
        left = stay;
        return ok(rows);
      });
      if (!done.ok) return done;
      return ok({ ...done.value, label, ...(left === undefined ? {} : { stay: left }) });
    },
    setServiceFields: (updates: readonly CellUpdate[]) => tx(() => setServiceFields(db, updates, now, touched)),
    /** Checks one slice of the pending campaigns; false if none are pending. */
    checkSlice: (): boolean => {
      // After a power failure the slice is pending again, so slices need not wait for the disk.
      return tx(() => {
        const changed = checks.slice();
        if (changed === null) return pruneHistory(db);
        for (const kind of changed.kinds) touched.checked.add(kind);
        if (changed.moved) touched.kinds.add('campaign');
        return true;
      }, 'unflushed');
    },
  } satisfies WriterStore & Record<string, unknown>;
  return store;
}

/** Runs `work` in a transaction; a refusal rolls it back and is returned. */
export function attempt<T, E>(tx: (work: () => T) => T, work: () => Result<T, E>): Result<T, E> {
  let refusal: { readonly ok: false; readonly error: E } | null = null;
  let rollback: Error | null = null;
  try {
    const value = tx(() => {
      const result = work();
      if (result.ok) return result.value;
      refusal = result;
      // Created only here: an error records its stack, which a successful edit should not pay for.
      rollback = new Error('refused');
      throw rollback;
    });
    return ok(value);
  } catch (error) {
    if (error === rollback && refusal !== null) return refusal;
    throw error;
  }
}

/**
 * Applies an edit as one step of the history: creates, then updates, then deletes. Must run in a transaction that is
 * rolled back when this returns a problem.
 *
 * @returns the rows concerned: created ones in list order, then updated and deleted ones
 */
function applyEdit(
  db: Db,
  edit: EditBatch,
  nowMs: number,
  touched: AffectedRows,
): Result<readonly RowRef[], EditProblem> {
  const step = beginStep(db, edit.label, edit.source, nowMs);
  const creates = edit.creates ?? [];
  const named = edit.keepNamesApart === true ? withFreeNames(db, creates) : creates;
  const created = createRows(db, named, edit.source, step, touched);
  if (!created.ok) return created;
  const updated = updateCells(db, edit.updates ?? [], edit.source, step, touched);
  if (!updated.ok) return updated;
  const deletes = edit.deletes ?? [];
  const missing = deletes.find((ref) => !exists(db, ref));
  if (missing !== undefined) return fail('NO_ROW', missing);
  const deleted = deletes.length === 0 ? [] : removeRows(db, deletes, step, touched);
  noteReasons(db, step, edit.reasons ?? []);
  endStep(db, step, created.value.length + updated.value.changed + deleted.length);
  return ok([...created.value, ...updated.value.refs, ...deleted]);
}

type ByField = Map<string, Map<RowId, DbValue>>;

function updateCells(
  db: Db,
  updates: readonly CellUpdate[],
  source: EditBatch['source'],
  step: number,
  touched: AffectedRows,
): Result<{ readonly refs: readonly RowRef[]; readonly changed: number }, EditProblem> {
  const grouped = groupUpdates(db, updates, source);
  if (!grouped.ok) return grouped;
  const refs: RowRef[] = [];
  let changed = 0;
  for (const [kind, byField] of grouped.value) {
    const table = tableOf(kind);
    const ids = new Set<RowId>();
    for (const [field, valueById] of byField) {
      const column = columnOf(table, field);
      if (column === undefined) return badValue(kind, field, 'unknown-field');
      const written = updateField(db, table, column, valueById, step, touched);
      if (!written.ok) return written;
      changed += written.value;
      for (const id of valueById.keys()) ids.add(id);
    }
    for (const id of ids) refs.push({ kind, id });
  }
  return ok({ refs, changed });
}

function groupUpdates(
  db: Db,
  updates: readonly CellUpdate[],
  source: EditBatch['source'],
): Result<ReadonlyMap<Kind, ByField>, EditProblem> {
  const byKind = new Map<Kind, ByField>();
  for (const { kind, id, field, value } of updates) {
    const spec = fieldSpec(kind, field);
    const problem = problemOfCell(db, kind, field, spec, value, source);
    if (problem !== null) return err(problem);
    if (spec === undefined) continue;
    const byField = byKind.get(kind) ?? new Map<string, Map<RowId, DbValue>>();
    byKind.set(kind, byField);
    const valueById = byField.get(field) ?? new Map<RowId, DbValue>();
    byField.set(field, valueById);
    valueById.set(id, toStored(spec, value));
  }
  return ok(byKind);
}

/** Writes one field of many rows. A field that can no longer be changed may be "set" to its current value. */
function updateField(
  db: Db,
  table: Table,
  column: Column,
  valueById: ReadonlyMap<RowId, DbValue>,
  step: number,
  touched: AffectedRows,
): Result<number, EditProblem> {
  fillSelection(db, valueById);
  const missing = missingInSelection(db, table);
  if (missing !== null) return fail('NO_ROW', { kind: table.kind, id: missing });
  if (column.spec.owner === 'user-until-sent') {
    const fixed = db.get(
      `SELECT 1 FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id
       WHERE k.dirty & ${NEW} = 0 AND k.${column.sql} IS NOT s.v LIMIT 1`,
    );
    if (fixed !== undefined) return badValue(table.kind, column.field, 'owner');
  }
  const changed = writeField(db, table, column, step);
  // The selection now has only changed rows, so an edit without effect touches nothing.
  if (changed > 0) noteCells(db, table, touched, column, changed);
  return ok(changed);
}

const ROOTS_NAMED = 500;

/** Applies the lines of a pasted table that have no error and are not skipped, as one step. */
function applyPaste(
  { db, profile, touched }: Pick<ToolRun, 'db' | 'profile' | 'touched'>,
  paste: PastedTable,
  skip: readonly number[],
  label: string,
  nowMs: number,
  task: WriterTask,
): Result<Omit<BulkDone, 'revision'>, ApplyProblem> {
  const plan = planOf(db, paste, readLimits(db, profile), new Set(skip));
  if (!plan.ok) return plan;
  const { changes, needsDecimals, needsDates } = plan.value;
  if (needsDecimals) return fail('BAD_TOOL', { at: 0, problem: 'Choose the decimal separator first.' });
  if (needsDates) return fail('BAD_TOOL', { at: 0, problem: 'Choose the order of dates first.' });
  if (task.isCancelled()) return fail('CANCELLED', {});
  const creates = changes.creates.map(({ kind, parent, values }) => ({ kind, parent, values }));
  const updates = changes.updates.map(({ kind, id, field, value }) => ({ kind, id, field, value }));
  const applied = applyEdit(db, { label, source: 'import', creates, updates }, nowMs, touched);
  if (!applied.ok) return applied;
  if (task.isCancelled()) return fail('CANCELLED', {});
  task.progress(plan.value.lines.length, plan.value.lines.length);
  return ok({
    cells: updates.length,
    created: creates.length,
    removed: 0,
    refused: [],
    roots: applied.value.slice(0, Math.min(creates.length, ROOTS_NAMED)).map((ref) => ({ ...ref })),
  });
}
