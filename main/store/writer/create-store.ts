import type { BulkDone, BulkTool, PastedTable } from '../../../shared/api/bulk.ts';
import type { RestoreScope } from '../../../shared/api/history.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { CREATIVE_KINDS } from '../../../shared/model/creative.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, type Kind, kindCode } from '../../../shared/model/kinds.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import { DELETED, differingBits, FIELD_BITS, HELD, NEW } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { planOf } from '../bulk/paste.ts';
import { asNumber, type Commit, type Db, type DbRow, type DbValue, rowIdOf } from '../db/db.ts';
import { type Restored, type RestoreProblem, restore } from '../history/restore.ts';
import { noteCampaignWrite, noteStatusReads } from '../known/campaign-status.ts';
import { recordRemoteId } from '../known/remote-ids.ts';
import { notWritableFrom } from '../not-writable.ts';
import { type NoteCommand, type NoteProblem, runNote } from '../notes/note-commands.ts';
import { fromStored, toBound, toStored } from '../rows/codec.ts';
import { readRow } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { currentRevision, LAST_REFRESH_KEY, readMeta, writeMeta } from '../rows/revision.ts';
import { calendarAheadMs, isRuleSetting } from '../rows/rule-settings.ts';
import { readLimits } from '../rows/words-in-use.ts';
import { type Column, columnByCode, columnOf, DELETED_CODE, HELD_CODE, type Table, tableOf } from '../schema/tables.ts';
import { applyStaged } from '../staged/apply-staged.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/stage-file.ts';
import { withStage } from '../staged/stage-file.ts';
import type { CellUpdate, EditBatch, EditOutcome, EditProblem } from '../types.ts';
import { recordReviewResults } from '../verdicts/review-history.ts';
import { applyEdit } from './apply.ts';
import { type ApplyProblem, applyTool, type Job, type ToolRun } from './apply-tool.ts';
import { createCheckQueue } from './check-queue.ts';
import { mergeRemoteRows } from './merge-remote.ts';
import { noteSelection, restoreRemovedRows, takeOut } from './removal.ts';
import { holdRows, revertRows } from './revert.ts';
import { createSelection, fillSelection, fillSelectionWith, selectionSize } from './selection.ts';
import { beginSession, measureStep, nextStep, pruneHistory } from './steps.ts';
import type { AcceptProblem, ConflictRow, WriterStore } from './store.ts';
import { AffectedRows } from './store.ts';
import { writeField, writeMark } from './write-field.ts';

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

interface Pushed {
  readonly remoteId: RemoteId | null;
  readonly sent: AnyValues;
  readonly serviceFields?: AnyValues;
}

/** Makes what was sent the base of the row. Fields edited since then stay dirty, against the new base. */
function acceptSent(
  db: Db,
  ref: RowRef,
  pushed: Pushed,
  nowMs: number,
  touched: AffectedRows,
): Result<null, AcceptProblem> {
  const row = readRow(db, ref);
  if (row === null) return err({ kind: 'no-row' });
  const table = tableOf(ref.kind);
  if (pushed.remoteId !== null) {
    const holder = db.get(`SELECT id FROM ${table.name} WHERE remote_id = ? AND id <> ?`, pushed.remoteId, ref.id);
    if (holder !== undefined) return err({ kind: 'remote-id-taken', by: rowIdOf(holder[0]) });
  }
  const base: AnyValues = { ...row.values, ...row.base, ...pushed.sent };
  const dirty = (row.dirty & ~(NEW | FIELD_BITS)) | differingBits(ref.kind, row.values, base);
  db.run(
    `UPDATE ${table.name} SET remote_id = coalesce(?, remote_id), dirty = ? WHERE id = ?`,
    pushed.remoteId,
    dirty,
    ref.id,
  );
  if (pushed.remoteId !== null) recordRemoteId(db, ref.kind, pushed.remoteId, 'made', nowMs);
  writeBase(db, table, ref.id, (dirty & FIELD_BITS) === 0 ? null : base);
  writeServiceFields(db, table, ref.id, pushed.serviceFields ?? {});
  dropSettled(db, table, ref.id, dirty);
  if (ref.kind === 'campaign') noteCampaignWrite(db, ref.id, pushed.sent, nowMs);
  db.run('DELETE FROM refusal WHERE kind = ? AND id = ?', table.code, ref.id);
  touched.kinds.add(ref.kind);
  if (row.campaignId !== null) touched.campaign(row.campaignId);
  if (table.parent === 'account') touched.account = true;
  return ok(null);
}

function writeBase(db: Db, table: Table, id: RowId, base: AnyValues | null): void {
  db.run(`DELETE FROM ${table.base} WHERE id = ?`, id);
  if (base === null) return;
  const stored = table.userColumns.map((column) => toBound(column, toStored(column.spec, base[column.field] ?? null)));
  const names = table.userColumns.map((column) => column.sql).join(', ');
  db.run(`INSERT INTO ${table.base}(id, ${names}) VALUES (?, ${stored.map(() => '?').join(', ')})`, id, ...stored);
}

/** What does not fit a field of its own is left out, the rest is kept; a word that this version does not know fits. */
function writeServiceFields(db: Db, table: Table, id: RowId, fields: AnyValues): void {
  for (const column of table.columns) {
    const cell = fields[column.field];
    if (column.mask !== 0 || cell === undefined || !isCellOf(column.spec, cell)) continue;
    const key = table.keyColumn === column ? ', sort_key = fold(?1)' : '';
    db.run(
      `UPDATE ${table.name} SET ${column.sql} = ?1${key} WHERE id = ?2`,
      toBound(column, toStored(column.spec, cell)),
      id,
    );
  }
}

function dropSettled(db: Db, table: Table, id: RowId, dirty: number): void {
  for (const [field] of db.all('SELECT field FROM conflict WHERE kind = ? AND id = ?', table.code, id)) {
    const column = table.columns.find((candidate) => candidate.code === field);
    if (column === undefined || (dirty & column.mask) !== 0) continue;
    db.run('DELETE FROM conflict WHERE kind = ? AND id = ? AND field = ?', table.code, id, column.code);
  }
}

const ROOTS_NAMED = 500;

/** Carries out the lines of a pasted table that are without error and not skipped, as one step. */
function applyPaste(
  { db, profile, touched }: Pick<ToolRun, 'db' | 'profile' | 'touched'>,
  paste: PastedTable,
  skip: readonly number[],
  label: string,
  nowMs: number,
  job: Job,
): Result<Omit<BulkDone, 'revision'>, ApplyProblem> {
  const plan = planOf(db, paste, readLimits(db, profile), new Set(skip));
  if (!plan.ok) return plan;
  const { changes, needsDecimals } = plan.value;
  if (needsDecimals) return fail('BAD_TOOL', { at: 0, problem: 'Say first how decimals are written.' });
  if (job.isCancelled()) return fail('CANCELLED', {});
  const creates = changes.creates.map(({ kind, parent, values }) => ({ kind, parent, values }));
  const updates = changes.updates.map(({ kind, id, field, value }) => ({ kind, id, field, value }));
  const applied = applyEdit(db, { label, source: 'import', creates, updates }, nowMs, touched);
  if (!applied.ok) return applied;
  if (job.isCancelled()) return fail('CANCELLED', {});
  job.progress(plan.value.lines.length, plan.value.lines.length);
  return ok({
    cells: updates.length,
    created: creates.length,
    removed: 0,
    refused: [],
    roots: applied.value.slice(0, Math.min(creates.length, ROOTS_NAMED)).map((ref) => ({ ...ref })),
  });
}

/** Open disagreements, oldest first. `mine` is what the row holds now. */
const listConflicts = (db: Db): readonly ConflictRow[] =>
  conflictsOf(db, db.all('SELECT kind, id, field, base, theirs, at FROM conflict ORDER BY at, kind, id, field'));

function conflictsOf(db: Db, rows: readonly DbRow[]): readonly ConflictRow[] {
  const found: ConflictRow[] = [];
  for (const [kindNumber, id, field, base, theirs, at] of rows) {
    const kind = KINDS[asNumber(kindNumber)];
    if (kind === undefined) throw new Error(`a conflict names kind ${kindNumber}, which does not exist`);
    const ref: RowRef = { kind, id: rowIdOf(id) };
    const row = readRow(db, ref);
    if (row === null) continue;
    if (field === DELETED_CODE) {
      found.push({ ref, label: rowLabel(row), field: null, base: null, mine: null, theirs: null, at: asNumber(at) });
      continue;
    }
    const column = columnByCode(tableOf(kind), asNumber(field));
    const values: Readonly<Record<string, string | number | null>> = row.values;
    found.push({
      ref,
      label: rowLabel(row),
      field: column.field,
      base: fromStored(column.spec, base),
      mine: values[column.field] ?? null,
      theirs: fromStored(column.spec, theirs),
      at: asNumber(at),
    });
  }
  return found;
}

interface Settling {
  readonly ref: RowRef;
  readonly field: string;
  readonly take: 'mine' | 'theirs';
  /** The rule of a policy that decided; null when the user did. */
  readonly by: string | null;
}

/** Ends a conflict by steps of the history, so that both values stay in it: theirs, and where mine counts, mine after it. */
function resolveConflict(
  db: Db,
  { ref, field, take, by }: Settling,
  apply: (step: EditBatch) => Result<unknown, EditProblem>,
  touched: AffectedRows,
): void {
  const table = tableOf(ref.kind);
  const column = columnOf(table, field);
  if (column === undefined) throw new Error(`${ref.kind} has no field ${field}`);
  const one = 'kind = ? AND id = ? AND field = ?';
  const key = [table.code, ref.id, column.code] as const;
  const sql = `SELECT kind, id, field, base, theirs, at FROM conflict WHERE ${one}`;
  const [open] = conflictsOf(db, db.all(sql, ...key));
  if (open === undefined) return;
  const why = by === null ? '' : ` (policy ${by})`;
  const step = (label: string, source: 'user' | 'sync', value: Cell): void => {
    const applied = apply({ label: `${label}${why}`, source, updates: [{ ...ref, field, value }] });
    if (!applied.ok) throw new Error(`the conflict cannot be settled: ${JSON.stringify(applied.error)}`);
  };
  const source = by === null ? 'user' : 'sync';
  if (take === 'mine') step(`What the service has of ${field}`, 'sync', open.theirs);
  step(`${take === 'mine' ? 'Keep mine' : 'Take theirs'}: ${field}`, source, take === 'mine' ? open.mine : open.theirs);
  db.run(`DELETE FROM conflict WHERE ${one}`, ...key);
  touched.kinds.add(ref.kind);
}

/**
 * Writes fields that only the service or an upload changes, outside the history. Rows that are gone by now and
 * words the field does not know are passed over; a field of the user's is a mistake of the caller.
 *
 * @returns how many cells changed
 */
function setServiceFields(db: Db, updates: readonly CellUpdate[], nowMs: number, touched: AffectedRows): number {
  const grouped = new Map<Table, Map<Column, Map<RowId, DbValue>>>();
  for (const { kind, id, field, value } of updates) {
    const table = tableOf(kind);
    const column = columnOf(table, field);
    if (column === undefined || column.mask !== 0) throw new Error(`${kind}.${field} is not a field of the service`);
    if (!isCellOf(column.spec, value)) continue;
    const byColumn = grouped.get(table) ?? new Map<Column, Map<RowId, DbValue>>();
    grouped.set(table, byColumn);
    const valueById = byColumn.get(column) ?? new Map<RowId, DbValue>();
    byColumn.set(column, valueById);
    valueById.set(id, toStored(column.spec, value));
  }
  let changed = 0;
  for (const [table, byColumn] of grouped) {
    for (const [column, valueById] of byColumn) {
      fillSelection(db, valueById);
      db.run(`DELETE FROM temp.sel WHERE NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = sel.id)`);
      const written = writeField(db, table, column, null);
      if (written > 0) noteSelection(db, table, touched);
      changed += written;
    }
  }
  for (const kind of CREATIVE_KINDS) {
    const judged = updates.filter((update) => update.kind === kind && VERDICT_FIELDS.has(update.field));
    recordReviewResults(db, kind, [...new Set(judged.map(({ id }) => id))], nowMs, touched);
  }
  return changed;
}

const VERDICT_FIELDS: ReadonlySet<string> = new Set(['reviewStatus', 'reviewReason']);

/**
 * Takes a step back, or carries it out again. Only rows and marks are written, never the base, so taking back an
 * edit that was synced meanwhile makes a new difference to the service instead of a false past.
 *
 * @returns the rows concerned, the first of them where they are very many: whoever asks wants to show where it was
 */
function applyUndoOrRedo(db: Db, step: number, direction: 'undo' | 'redo', touched: AffectedRows): readonly RowRef[] {
  const isUndo = direction === 'undo';
  for (const kind of KINDS) putBack(db, tableOf(kind), step, isUndo ? 0 : 1, touched);
  const groups = db.all('SELECT DISTINCT kind, field FROM step_cell WHERE step = ?', step);
  for (const [kindNumber, field] of groups) {
    const kind = KINDS[asNumber(kindNumber)];
    if (kind === undefined) throw new Error(`the history names kind ${kindNumber}, which does not exist`);
    replayCells(db, tableOf(kind), asNumber(field), step, isUndo, touched);
  }
  for (const kind of [...KINDS].reverse()) {
    const table = tableOf(kind);
    takeOut(db, table, stepRows(db, table, step, isUndo ? 1 : 0), step, null, touched);
  }
  db.run('UPDATE step SET state = ? WHERE id = ?', isUndo ? 1 : 0, step);
  // Rows that left are kept in the step, those that came back are not.
  if (db.get('SELECT 1 FROM step_row WHERE step = ? LIMIT 1', step) !== undefined) measureStep(db, step);
  return rowsOfStep(db, step);
}

function replayCells(db: Db, table: Table, code: number, step: number, isUndo: boolean, touched: AffectedRows): void {
  const where = `step = ? AND kind = ${table.code} AND field = ${code}`;
  const [from, to] = isUndo ? ['new', 'old'] : ['old', 'new'];
  const mark = code === DELETED_CODE ? DELETED : code === HELD_CODE ? HELD : null;
  const column = mark === null ? columnByCode(table, code) : null;
  const present = column === null ? `(k.dirty & ${mark}) <> 0` : `k.${column.sql}`;
  // What a sync or a refresh has put there since is what the opposite direction has to bring back.
  db.run(
    `UPDATE step_cell SET "${from}" = ${present} FROM ${table.name} k
     WHERE ${where} AND k.id = +step_cell.id AND step_cell."${from}" IS NOT ${present}`,
    step,
  );
  // A field that is fixed once the row is on the service stays as it is there.
  const fixed = column?.spec.owner === 'user-until-sent' ? `AND k.dirty & ${NEW}` : '';
  db.run('DELETE FROM temp.sel');
  db.run(
    `INSERT INTO temp.sel(id, v) SELECT c.id, c."${to}" FROM step_cell c CROSS JOIN ${table.name} k ON k.id = c.id
     WHERE ${where} ${fixed}`,
    step,
  );
  if (selectionSize(db) === 0) return;
  noteSelection(db, table, touched);
  if (column !== null) writeField(db, table, column, null);
  else writeMark(db, table, code === DELETED_CODE ? DELETED : HELD, null);
}

/** Puts the step's rows back into their table; those that never left lose the mark DELETED. */
function putBack(db: Db, table: Table, step: number, made: 0 | 1, touched: AffectedRows): void {
  const ids = stepRows(db, table, step, made);
  if (ids.length === 0) return;
  const put = restoreRemovedRows(db, table, step, made);
  if (put > 0) touched.shuffled.add(table.kind);
  fillSelectionWith(db, ids, 0);
  noteSelection(db, table, touched);
  if (put < ids.length) writeMark(db, table, DELETED, null);
}

function stepRows(db: Db, table: Table, step: number, made: 0 | 1): readonly RowId[] {
  const sql = 'SELECT id FROM step_row WHERE step = ? AND kind = ? AND made = ?';
  return db.all(sql, step, table.code, made).map((row) => rowIdOf(row[0]));
}

/** A million ids would take longer to hand over than to write. */
const ROWS_NAMED = 1000;

function rowsOfStep(db: Db, step: number): readonly RowRef[] {
  const refs: RowRef[] = [];
  for (const kind of KINDS) {
    const sql = `SELECT id FROM step_cell WHERE step = ?1 AND kind = ?2
      UNION SELECT id FROM step_row WHERE step = ?1 AND kind = ?2 LIMIT ?3`;
    const wanted = ROWS_NAMED - refs.length;
    if (wanted <= 0) break;
    for (const row of db.all(sql, step, kindCode(kind), wanted)) refs.push({ kind, id: rowIdOf(row[0]) });
  }
  return refs;
}
