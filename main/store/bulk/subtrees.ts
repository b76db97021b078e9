import type { Subtree } from '../../../shared/bulk/copy-rows.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Db } from '../db/db.ts';
import { readBelow } from '../rows/read-trees.ts';
import type { BulkRows, ToolProblem } from './bulk-rows.ts';
import { copySlices } from './copy-place.ts';

/** Rows with all that hangs from them, read to be copied into another workspace. */
export interface Subtrees {
  readonly subtrees: readonly Subtree[];
  /** Rows of the scope that are there no more, and those that are marked as deleted. */
  readonly gone: number;
  readonly deleted: number;
}

/** So many campaigns are read before their rows are counted. */
const SLICE_ROOTS = 50;

/** @param limit rows at most, since they cross from thread to thread at once */
export function readSubtrees(db: Db, groups: readonly BulkRows[], limit: number): Result<Subtrees, ToolProblem> {
  const subtrees: Subtree[] = [];
  let gone = 0;
  let deleted = 0;
  let rows = 0;
  for (const slice of copySlices(db, groups, SLICE_ROOTS)) {
    gone += slice.gone;
    for (const root of slice.roots) {
      if (isDeleted(root)) {
        deleted++;
        continue;
      }
      const subtree = { root, below: readBelow(db, root) };
      rows += 1 + subtree.below.length;
      if (rows > limit) return fail('BAD_TOOL', { at: 0, problem: `No more than ${limit} rows at once.` });
      subtrees.push(subtree);
    }
  }
  return ok({ subtrees, gone, deleted });
}
