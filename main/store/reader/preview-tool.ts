import { setImmediate as yieldToQueue } from 'node:timers/promises';
import type { BulkPair, BulkPreview, BulkTool, RefusalReason } from '../../../shared/api/bulk.ts';
import type { BulkChange } from '../../../shared/bulk/bulk-change.ts';
import { copyRows } from '../../../shared/bulk/copy-rows.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyValues, fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, changedFields, isDeleted, isHeld, isNew, rowKey } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result, unreachable } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import {
  type BulkRows,
  type Cancelled,
  type CellTool,
  type CopyTool,
  Refusals,
  slices,
  type ToolProblem,
  totalRows,
} from '../bulk/bulk-rows.ts';
import { cellRun, fieldsRead, isCellTool } from '../bulk/cell-tools.ts';
import { copyPlace, copySlices } from '../bulk/copy-place.ts';
import type { Db } from '../db/db.ts';
import { campaignNames } from '../rows/campaign-ids.ts';
import { exists, readRowsByIds, readRowsOf, readRowsWithIds } from '../rows/read-rows.ts';
import { readBelow, withDescendants } from '../rows/read-trees.ts';
import { currentRevision } from '../rows/revision.ts';
import type { RowNotFound } from '../types.ts';
import type { ReaderContext } from './context.ts';
import { createEffects, effectFields } from './effects.ts';

type PreviewProblem = ToolProblem | RowNotFound | Cancelled;
type Context = Pick<ReaderContext, 'db' | 'profile' | 'isCancelled'>;

/** Rows per slice before yielding to other calls: about 10 ms of work. */
const SLICE_ROWS = 2000;
const SLICE_ROOTS = 50;

/** Runs a tool without writing. Yields to other calls between slices, and stops when the call is canceled. */
export async function previewTool(
  context: Context,
  groups: readonly BulkRows[],
  tool: BulkTool,
  count: number,
): Promise<Result<BulkPreview, PreviewProblem>> {
  const { db } = context;
  const revision = currentRevision(db);
  const gathered = new PreviewValues(db, count);
  const problem = await gather(context, groups, tool, gathered);
  if (problem !== null) return err(problem);
  const { cells, created, removed, refusals, dropped, effects, amounts } = gathered;
  return ok({
    revision,
    rows: totalRows(groups),
    cells,
    created,
    removed,
    refused: refusals.list(),
    average:
      amounts.cells === 0
        ? null
        : { before: Math.round(amounts.before / amounts.cells), value: Math.round(amounts.value / amounts.cells) },
    effects: effects.list(),
    pairs: named(db, gathered.pairs),
    refusals: withLabels(db, gathered.refused),
    dropped: [...dropped].map(([field, rows]) => ({ field, rows })),
  });
}

function gather(
  context: Context,
  groups: readonly BulkRows[],
  tool: BulkTool,
  into: PreviewValues,
): Promise<PreviewProblem | null> {
  if (isCellTool(tool)) return previewCells(context, groups, tool, into);
  switch (tool.tool) {
    case 'duplicate':
    case 'copy':
    case 'move':
      return previewCopies(context, groups, tool, into);
    case 'delete':
      return previewRemoval(context, groups, into);
    case 'hold':
      return eachSlice(context, groups, into, (row) => {
        if (isHeld(row) === tool.held) return;
        into.cells++;
        into.pair(row, null, isHeld(row) ? 'held' : 'ready', tool.held ? 'held' : 'ready');
      });
    case 'revert':
      return previewRevert(context, groups, tool.field, into);
    default:
      return unreachable(tool);
  }
}

async function previewCells(
  context: Context,
  groups: readonly BulkRows[],
  tool: CellTool,
  into: PreviewValues,
): Promise<PreviewProblem | null> {
  const { db, profile } = context;
  const [group] = groups;
  const first = group === undefined ? null : (readRowsByIds(db, group.kind, group.ids.subarray(0, 1))[0] ?? null);
  const run = cellRun(tool, first, profile, (rows) => campaignNames(db, rows));
  if (!run.ok) return run.error;
  for (const slice of slices(groups, SLICE_ROWS)) {
    const read = fieldsRead(tool, slice.kind);
    const beside = effectFields(slice.kind);
    const rows = readRowsByIds(
      db,
      slice.kind,
      slice.ids,
      read === null || beside === null ? null : [...read, ...beside],
    );
    into.refusals.add('gone', slice.ids.length - rows.length);
    const { changes, refused } = run.value(rows);
    const byId = new Map<RowId, AnyRow>();
    for (const row of rows) byId.set(row.id, row);
    const changed = new Map<string, AnyRow[]>();
    into.cells += changes.length;
    for (const change of changes) {
      const row = byId.get(change.id);
      if (row === undefined) continue;
      into.change(row, change);
      const others = changed.get(change.field);
      if (others === undefined) changed.set(change.field, [row]);
      else others.push(row);
    }
    for (const [field, own] of changed) into.effects.add(field, own);
    for (const { kind, id, why } of refused) into.refuse({ kind, id }, why);
    if (await isOver(context)) return CANCELLED;
  }
  return null;
}

async function previewCopies(
  context: Context,
  groups: readonly BulkRows[],
  tool: CopyTool,
  into: PreviewValues,
): Promise<PreviewProblem | null> {
  const { db } = context;
  if (tool.tool !== 'duplicate' && tool.to !== null && !exists(db, tool.to)) return { code: 'NO_ROW', data: tool.to };
  for (const { gone, roots } of copySlices(db, groups, SLICE_ROOTS)) {
    into.refusals.add('gone', gone);
    for (const root of roots) {
      const place = isDeleted(root) ? ({ why: 'deleted' } as const) : copyPlace(db, root, tool);
      if ('why' in place) {
        into.refuse(root, place.why);
        continue;
      }
      const below = readBelow(db, root);
      into.created += copyRows({ root, below }, place.parent, null, into.dropped).length;
      if (tool.tool === 'move') into.removed += below.length + 1;
      into.pair(root, null, null, null);
    }
    if (await isOver(context)) return CANCELLED;
  }
  return null;
}

async function previewRemoval(
  context: Context,
  groups: readonly BulkRows[],
  into: PreviewValues,
): Promise<PreviewProblem | null> {
  const { db } = context;
  const seen = new Map<string, Set<number>>();
  for (const slice of slices(groups, SLICE_ROWS)) {
    const rows = readRowsByIds(db, slice.kind, slice.ids, []);
    into.refusals.add('gone', slice.ids.length - rows.length);
    for (const row of rows) into.pair(row, null, null, null);
    for (const [kind, ids] of withDescendants(db, rows)) {
      const known = seen.get(kind) ?? new Set<number>();
      seen.set(kind, known);
      for (const id of ids) known.add(id);
    }
    if (await isOver(context)) return CANCELLED;
  }
  for (const ids of seen.values()) into.removed += ids.size;
  return null;
}

function previewRevert(
  context: Context,
  groups: readonly BulkRows[],
  field: string | null,
  into: PreviewValues,
): Promise<PreviewProblem | null> {
  return eachSlice(context, groups, into, (row) => {
    if (isNew(row)) {
      into.refuse(row, 'not-editable');
      return;
    }
    const values: AnyValues = row.values;
    const base: AnyValues = row.base ?? {};
    for (const name of changedFields(row.kind, row.dirty)) {
      if (field !== null && name !== field) continue;
      into.cells++;
      into.pair(row, name, values[name] ?? null, base[name] ?? null);
    }
    if (field === null && isDeleted(row)) {
      into.cells++;
      into.pair(row, null, 'deleted', null);
    }
  });
}

/** Calls `look` for all existing rows, in slices, and yields to other calls in between. */
async function eachSlice(
  context: Context,
  groups: readonly BulkRows[],
  into: PreviewValues,
  look: (row: AnyRow) => void,
): Promise<PreviewProblem | null> {
  for (const slice of slices(groups, SLICE_ROWS)) {
    const rows = readRowsWithIds(context.db, slice.kind, slice.ids) as readonly AnyRow[];
    into.refusals.add('gone', slice.ids.length - rows.length);
    for (const row of rows) look(row);
    if (await isOver(context)) return CANCELLED;
  }
  return null;
}

const CANCELLED: Cancelled = { code: 'CANCELLED', data: {} };

/** Yields to other calls of the reader. */
async function isOver({ isCancelled }: Context): Promise<boolean> {
  await yieldToQueue();
  return isCancelled();
}

/** A changed cell without the names, which only shown cells need. */
type Pair = Omit<BulkPair, 'campaignName' | 'label'>;

/** Collects the effects of a tool; keeps only the first pairs and refusals. */
class PreviewValues {
  readonly pairs: Pair[] = [];
  readonly refused: { kind: Pair['kind']; id: Pair['id']; why: RefusalReason }[] = [];
  readonly refusals = new Refusals();
  readonly dropped = new Map<string, number>();
  readonly effects: ReturnType<typeof createEffects>;
  /** Sums of the changed amounts, before and after. */
  readonly amounts = { cells: 0, before: 0, value: 0 };
  cells = 0;
  created = 0;
  removed = 0;
  readonly #limit: number;

  constructor(db: Db, limit: number) {
    this.effects = createEffects(db);
    this.#limit = limit;
  }

  change(row: AnyRow, { field, before, value }: BulkChange): void {
    const by = difference(row.kind, field, before, value);
    if (by !== null) {
      this.amounts.cells += 1;
      this.amounts.before += Number(before);
      this.amounts.value += Number(value);
    }
    this.pair(row, field, before, value);
  }

  pair(row: AnyRow, field: string | null, before: Pair['before'], value: Pair['value']): void {
    if (this.pairs.length >= this.#limit) return;
    const { kind, id, campaignId } = row;
    this.pairs.push({ kind, id, campaignId, field, before, value, by: difference(kind, field, before, value) });
  }

  refuse(row: Pick<AnyRow, 'kind' | 'id'>, why: RefusalReason): void {
    this.refusals.add(why);
    if (this.refused.length < this.#limit) this.refused.push({ kind: row.kind, id: row.id, why });
  }
}

/** The difference of two amounts; null for cells that are no amounts, and for empty ones. */
function difference(kind: Kind, field: string | null, before: Cell, value: Cell): number | null {
  const is = field === null ? undefined : fieldSpec(kind, field)?.type.is;
  const isAmount = is === 'money' || is === 'factor';
  return isAmount && typeof before === 'number' && typeof value === 'number' ? value - before : null;
}

function named(db: Db, pairs: readonly Pair[]): BulkPair[] {
  const rows = readRowsOf(db, pairs);
  const names = campaignNames(db, [...rows.values()]);
  return pairs.map((pair) => {
    const row = rows.get(rowKey(pair.kind, pair.id));
    return {
      ...pair,
      campaignName: pair.campaignId === null ? '' : (names.get(pair.campaignId) ?? ''),
      label: row === undefined ? '' : rowLabel(row),
    };
  });
}

function withLabels(db: Db, refused: PreviewValues['refused']): BulkPreview['refusals'] {
  const rows = readRowsOf(db, refused);
  return refused.map((refusal) => {
    const row = rows.get(rowKey(refusal.kind, refusal.id));
    return { ...refusal, label: row === undefined ? '' : rowLabel(row) };
  });
}
