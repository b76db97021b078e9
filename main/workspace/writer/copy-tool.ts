import { copyName, copyRows } from '../../../shared/bulk/copy-rows.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { type AnyRow, isDeleted } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { BulkRows, CopyTool } from '../bulk/bulk-rows.ts';
import { copyPlace, copySlices, exists } from '../bulk/copy-place.ts';
import type { Db } from '../db/db.ts';
import type { CreateRow } from '../port.ts';
import { readBelow } from '../rows/read-below.ts';
import type { ApplyProblem, ToolCounts, ToolRun } from './apply-tool.ts';
import { createRows } from './create-rows.ts';
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
      const name = newName(db, original, place.parent, named);
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

/** Campaigns and ad groups are told apart by their names, so a copy beside its original gets one of its own. */
function newName(db: Db, row: AnyRow, parent: CreateRow['parent'], named: Set<string>): string | null {
  if (row.kind !== 'campaign' && row.kind !== 'adGroup') return null;
  const { name } = row.values;
  if (name === null) return null;
  const place = parent !== null && 'id' in parent ? parent.id : null;
  const sql =
    row.kind === 'campaign'
      ? 'SELECT 1 FROM campaign WHERE sort_key = fold(?1) AND ?2 IS NULL'
      : 'SELECT 1 FROM ad_group WHERE campaign_id = ?2 AND sort_key = fold(?1)';
  const isTaken = (candidate: string): boolean =>
    named.has(`${place} ${candidate}`) || db.get(sql, candidate, place) !== undefined;
  const chosen = isTaken(name) ? copyName(name, isTaken) : null;
  named.add(`${place} ${chosen ?? name}`);
  return chosen;
}
