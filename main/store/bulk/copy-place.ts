import { copyParent, type Subtree } from '../../../shared/bulk/copy-rows.ts';
import { finalStatus } from '../../../shared/lifecycle/states.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import { type AnyRow, DELETED, isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { readRowsByIds } from '../rows/read-rows.ts';
import { readBelow } from '../rows/read-trees.ts';
import { tableOf } from '../schema/tables.ts';
import type { CreateRow } from '../types.ts';
import { type BulkRows, type CopyTool, slices, type ToolProblem } from './bulk-rows.ts';

/** The parent of a row's copy, or why it can't be copied. */
export type CopyPlace =
  | { readonly parent: CreateRow['parent'] }
  | { readonly why: 'wrong-parent' | 'not-editable' | 'deleted' };

export function copyPlace(db: Db, row: AnyRow, tool: CopyTool): CopyPlace {
  // A file of the library is identified by its content, so a copy would be the same file.
  if (row.kind === 'media' || finalStatus(row.kind, row.values) !== null) return { why: 'not-editable' };
  if (tool.tool === 'duplicate') return { parent: ownParent(row) };
  const parent = copyParent(row.kind, tool.to, (campaignId) => onlyGroupIn(db, campaignId));
  if (parent === 'none') return { why: 'wrong-parent' };
  // The next sync would delete the copies with their parent.
  if (parent !== null && isMarked(db, PARENT_OF[row.kind], parent.id)) return { why: 'deleted' };
  const isHome = tool.tool === 'move' && sameParent(parent, ownParent(row));
  return isHome ? { why: 'wrong-parent' } : { parent };
}

const isMarked = (db: Db, kind: 'account' | 'campaign' | 'adGroup', id: RowId): boolean =>
  kind !== 'account' &&
  db.get(`SELECT 1 FROM ${tableOf(kind).name} WHERE id = ? AND dirty & ${DELETED}`, id) !== undefined;

function onlyGroupIn(db: Db, campaignId: RowId): RowId | null {
  const sql = `SELECT id FROM ad_group WHERE campaign_id = ? AND dirty & ${DELETED} = 0 LIMIT 2`;
  const [only, second] = db.all(sql, campaignId);
  return only === undefined || second !== undefined ? null : rowIdOf(only[0]);
}

function ownParent(row: AnyRow): CreateRow['parent'] {
  const wanted = PARENT_OF[row.kind];
  const id = wanted === 'adGroup' ? row.adGroupId : wanted === 'campaign' ? row.campaignId : null;
  return id === null ? null : { id };
}

const sameParent = (a: CreateRow['parent'], b: CreateRow['parent']): boolean =>
  a === b || (a !== null && b !== null && 'id' in a && 'id' in b && a.id === b.id);

export interface CopySlice {
  /** Rows of the slice, including deleted ones and those below another row of the scope. */
  readonly asked: number;
  readonly gone: number;
  /** The rows to copy. Rows below another row of the scope are copied with it. */
  readonly roots: readonly AnyRow[];
}

/** The roots of the rows to copy, in slices. */
export function* copySlices(db: Db, groups: readonly BulkRows[], size: number): Generator<CopySlice> {
  const idsOf = (kind: Kind) => new Set(groups.filter((group) => group.kind === kind).flatMap(({ ids }) => [...ids]));
  const campaigns = idsOf('campaign');
  const adGroups = idsOf('adGroup');
  for (const slice of slices(groups, size)) {
    const rows = readRowsByIds(db, slice.kind, slice.ids);
    const roots = rows.filter(
      (row) =>
        (row.kind === 'campaign' || row.campaignId === null || !campaigns.has(row.campaignId)) &&
        (row.adGroupId === null || !adGroups.has(row.adGroupId)),
    );
    yield { asked: slice.ids.length, gone: slice.ids.length - rows.length, roots };
  }
}

/** Rows with all rows below them, for copying into another workspace. */
export interface Subtrees {
  readonly subtrees: readonly Subtree[];
  /** Rows of the scope that no longer exist, and rows marked as deleted. */
  readonly gone: number;
  readonly deleted: number;
}

/** How many campaigns are read before their rows are counted. */
const SLICE_ROOTS = 50;

/** @param limit maximum of rows, because they pass between threads in one message */
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
