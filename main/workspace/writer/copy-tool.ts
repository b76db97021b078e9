import { copyRows } from '../../../shared/bulk/copy-rows.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { BulkRows, CopyTool } from '../bulk/bulk-rows.ts';
import { copyPlace, copySlices, exists } from '../bulk/copy-place.ts';
import type { CreateRow } from '../port.ts';
import { readBelow } from '../rows/read-below.ts';
import type { ApplyProblem, ToolCounts, ToolRun } from './apply-tool.ts';
import { createRows } from './create-rows.ts';
import { freeName } from './free-name.ts';
import { removeRows } from './removal.ts';

/** Roots copied before the job is asked whether to stop. Each may be a campaign with hundreds of rows. */
const SLICE_ROOTS = 200;
const ROOTS_NAMED = 500;

/** Copies rows with all that hangs from them to their new place; a move then removes the originals. */
export function copyTool(run: ToolRun, groups: readonly BulkRows[], tool: CopyTool): Result<ToolCounts, ApplyProblem> {
  const { db, step, touched, refusals } = run;
  if (tool.tool !== 'duplicate' && tool.to !== null && !exists(db, tool.to))
    return err({ kind: 'no-row', ref: tool.to });
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
    if (run.isStopped(asked)) return err({ kind: 'cancelled' });
  }
  return ok({ cells: 0, created, removed, roots });
}

const shifted = (parent: CreateRow['parent'], by: number): CreateRow['parent'] =>
  parent !== null && 'at' in parent ? { at: parent.at + by } : parent;
