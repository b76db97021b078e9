import type { BulkDone, BulkTool } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { copyRows } from '../../../shared/bulk/copy-rows.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, fail, ok, type Result, unreachable } from '../../../shared/result.ts';
import {
  type BulkRows,
  type Cancelled,
  type CellTool,
  type CopyTool,
  Refusals,
  refsOf,
  slices,
  type ToolProblem,
  totalRows,
} from '../bulk/bulk-rows.ts';
import { cellRun, fieldsRead, isCellTool } from '../bulk/cell-tools.ts';
import { copyPlace, copySlices } from '../bulk/copy-place.ts';
import type { Db, DbValue } from '../db/db.ts';
import { campaignNames } from '../rows/campaign-ids.ts';
import { toStored } from '../rows/codec.ts';
import { exists, readRowsByIds } from '../rows/read-rows.ts';
import { readBelow } from '../rows/read-trees.ts';
import { columnOf, tableOf } from '../schema/tables.ts';
import type { CreateRow, EditProblem } from '../types.ts';
import { createRows, freeName } from './create-rows.ts';
import { noteCells, removeRows } from './removal.ts';
import { holdIn, revertIn } from './revert.ts';
import { fillSelection } from './selection.ts';
import { beginStep, endStep } from './steps.ts';
import { badValue, problemOfCell, writeField } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';

/** Reports the progress of a tool, and lets it be canceled between two slices. */
export interface WriterTask {
  readonly isCancelled: () => boolean;
  progress(done: number, total: number): void;
}

export type ToolCounts = Omit<BulkDone, 'revision' | 'refused'>;
export type ApplyProblem = EditProblem | ToolProblem | Cancelled;

/** The context of a tool. */
export interface ToolRun {
  readonly db: Db;
  readonly profile: DeploymentSettings;
  readonly step: number;
  readonly touched: AffectedRows;
  readonly refusals: Refusals;
  /** Adds `rows` to the progress. True if the task was canceled. */
  readonly isStopped: (rows: number) => boolean;
}

/**
 * Runs a tool over rows as one step of the history, in slices. Must run in a transaction that is rolled back when this
 * returns a problem, so that a canceled tool changes nothing.
 */
export function applyTool(
  context: Pick<ToolRun, 'db' | 'profile' | 'touched'>,
  groups: readonly BulkRows[],
  tool: BulkTool,
  label: string,
  nowMs: number,
  task: WriterTask,
): Result<Omit<BulkDone, 'revision'>, ApplyProblem> {
  const { db } = context;
  const total = totalRows(groups);
  let done = 0;
  const isStopped = (rows: number): boolean => {
    done += rows;
    task.progress(done, total);
    return task.isCancelled();
  };
  const step = beginStep(db, label, 'user', nowMs);
  const run: ToolRun = { ...context, step, refusals: new Refusals(), isStopped };
  const counts = counted(run, groups, tool);
  if (!counts.ok) return counts;
  const { cells, created, removed } = counts.value;
  endStep(db, step, cells + created + removed);
  return ok({ ...counts.value, refused: run.refusals.list() });
}

function counted(run: ToolRun, groups: readonly BulkRows[], tool: BulkTool): Result<ToolCounts, ApplyProblem> {
  if (isCellTool(tool)) return cells(run, groups, tool);
  switch (tool.tool) {
    case 'duplicate':
    case 'copy':
    case 'move':
      return copyTool(run, groups, tool);
    case 'delete':
      return removed(run, groups);
    case 'hold':
      return marks(run, groups, (rows) => holdIn(run.db, refsOf(rows), tool.held, run.step, run.touched));
    case 'revert':
      return marks(run, groups, (rows) => revertIn(run.db, refsOf(rows), tool.field, run.step, run.touched));
    default:
      return unreachable(tool);
  }
}

const NOTHING: ToolCounts = { cells: 0, created: 0, removed: 0, roots: [] };

function cells(run: ToolRun, groups: readonly BulkRows[], tool: CellTool): Result<ToolCounts, ApplyProblem> {
  const { db, profile } = run;
  const wrong = wrongReference(run, groups, tool);
  if (wrong !== null) return err(wrong);
  const first = firstRow(db, groups, tool);
  const made = cellRun(tool, first, profile, (rows) => campaignNames(db, rows));
  if (!made.ok) return made;
  let changed = 0;
  for (const slice of slices(groups)) {
    const rows = readRowsByIds(db, slice.kind, slice.ids, fieldsRead(tool, slice.kind));
    run.refusals.add('gone', slice.ids.length - rows.length);
    const { changes, refused } = made.value(rows);
    for (const { why } of refused) run.refusals.add(why);
    const table = tableOf(slice.kind);
    const byField = new Map<string, Map<RowId, DbValue>>();
    for (const { id, field, value } of changes) {
      const spec = fieldSpec(slice.kind, field);
      if (spec === undefined) continue;
      const valueById = byField.get(field) ?? new Map<RowId, DbValue>();
      byField.set(field, valueById);
      valueById.set(id, toStored(spec, value));
    }
    for (const [field, valueById] of byField) {
      const column = columnOf(table, field);
      if (column === undefined) return badValue(slice.kind, field, 'unknown-field');
      fillSelection(db, valueById);
      const written = writeField(db, table, column, run.step, 'others');
      if (written > 0) noteCells(db, table, run.touched, column, written);
      changed += written;
    }
    if (run.isStopped(slice.ids.length)) return fail('CANCELLED', {});
  }
  return ok({ ...NOTHING, cells: changed });
}

/** A value that refers to a row must refer to an existing one; the tool checks everything else about a cell. */
function wrongReference({ db }: ToolRun, groups: readonly BulkRows[], tool: CellTool): EditProblem | null {
  if (tool.tool !== 'set') return null;
  for (const { kind } of groups) {
    for (const [field, value] of Object.entries(tool.values)) {
      const spec = fieldSpec(kind, field);
      const problem = spec?.type.is === 'ref' ? problemOfCell(db, kind, field, spec, value, 'user') : null;
      if (problem !== null) return problem;
    }
  }
  return null;
}

function firstRow(db: Db, groups: readonly BulkRows[], tool: CellTool) {
  const [group] = groups;
  if (tool.tool !== 'fill-down' || group === undefined) return null;
  return readRowsByIds(db, group.kind, group.ids.subarray(0, 1))[0] ?? null;
}

function removed(run: ToolRun, groups: readonly BulkRows[]): Result<ToolCounts, ApplyProblem> {
  let rows = 0;
  // Media last, so that profiles that are removed too are not changed first.
  const ordered = groups.toSorted((a, b) => Number(a.kind === 'media') - Number(b.kind === 'media'));
  for (const slice of slices(ordered)) {
    const present = readRowsByIds(run.db, slice.kind, slice.ids, []);
    run.refusals.add('gone', slice.ids.length - present.length);
    rows += removeRows(run.db, present, run.step, run.touched).length;
    if (run.isStopped(slice.ids.length)) return fail('CANCELLED', {});
  }
  return ok({ ...NOTHING, removed: rows });
}

function marks(
  run: ToolRun,
  groups: readonly BulkRows[],
  write: (rows: BulkRows) => Result<number, EditProblem>,
): Result<ToolCounts, ApplyProblem> {
  let changed = 0;
  for (const slice of slices(groups)) {
    const present = Int32Array.from(readRowsByIds(run.db, slice.kind, slice.ids, []), (row) => row.id);
    run.refusals.add('gone', slice.ids.length - present.length);
    const written = write({ kind: slice.kind, ids: present });
    if (!written.ok) return written;
    changed += written.value;
    if (run.isStopped(slice.ids.length)) return fail('CANCELLED', {});
  }
  return ok({ ...NOTHING, cells: changed });
}

/** Copied roots between two checks for cancellation. Each may be a campaign with hundreds of rows. */
const SLICE_ROOTS = 200;
const ROOTS_NAMED = 500;

/** Copies rows with all rows below them to a new parent; a move then removes the originals. */
function copyTool(run: ToolRun, groups: readonly BulkRows[], tool: CopyTool): Result<ToolCounts, ApplyProblem> {
  const { db, step, touched, refusals } = run;
  if (tool.tool !== 'duplicate' && tool.to !== null && !exists(db, tool.to)) return fail('NO_ROW', tool.to);
  const roots: RowRef[] = [];
  let created = 0;
  let removed = 0;
  for (const { asked, gone, roots: originals } of copySlices(db, groups, SLICE_ROOTS)) {
    refusals.add('gone', gone);
    const creates: CreateRow[] = [];
    const moved: RowRef[] = [];
    const rootsAt: number[] = [];
    const named = new Set<string>();
    for (const original of originals) {
      if (isDeleted(original)) {
        refusals.add('deleted');
        continue;
      }
      const place = copyPlace(db, original, tool);
      if ('why' in place) {
        refusals.add(place.why);
        continue;
      }
      const name = freeName(db, original.kind, original.values, place.parent, named);
      const copies = copyRows({ root: original, below: readBelow(db, original) }, place.parent, name, new Map());
      rootsAt.push(creates.length);
      const offset = creates.length;
      for (const copy of copies) creates.push({ ...copy, parent: shifted(copy.parent, offset) });
      moved.push({ kind: original.kind, id: original.id });
    }
    const made = createRows(db, creates, 'user', step, touched);
    if (!made.ok) return made;
    created += made.value.length;
    for (const at of rootsAt) {
      const root = made.value[at];
      if (root !== undefined && roots.length < ROOTS_NAMED) roots.push(root);
    }
    if (tool.tool === 'move') removed += removeRows(db, moved, step, touched).length;
    if (run.isStopped(asked)) return fail('CANCELLED', {});
  }
  return ok({ cells: 0, created, removed, roots });
}

const shifted = (parent: CreateRow['parent'], by: number): CreateRow['parent'] =>
  parent !== null && 'at' in parent ? { at: parent.at + by } : parent;
