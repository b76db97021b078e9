import { copyParent, type Subtree } from '../../../shared/bulk/copy-rows.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import { type AnyRow, DELETED, isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { readRowsByIds } from '../rows/read-rows.ts';
import { readBelow } from '../rows/read-trees.ts';
import type { CreateRow } from '../types.ts';
import { type BulkRows, type CopyTool, slices, type ToolProblem } from './bulk-rows.ts';

/** Where the copy of a row goes, or why it cannot. */
export type CopyPlace = { readonly parent: CreateRow['parent'] } | { readonly why: 'wrong-parent' | 'not-editable' };

export function copyPlace(db: Db, row: AnyRow, tool: CopyTool): CopyPlace {
  // A file of the library is known by its content: a second one of the same would be the first.
  if (row.kind === 'media') return { why: 'not-editable' };
  if (tool.tool === 'duplicate') return { parent: ownParent(row) };
  const parent = copyParent(row.kind, tool.to, (campaignId) => onlyGroupIn(db, campaignId));
  if (parent === 'none') return { why: 'wrong-parent' };
  const isHome = tool.tool === 'move' && sameParent(parent, ownParent(row));
  return isHome ? { why: 'wrong-parent' } : { parent };
}

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
  /** Rows asked for in this slice, those that are gone or go along with another included. */
  readonly asked: number;
  readonly gone: number;
  /** The rows to copy by themselves. What hangs from another row of the scope goes along with that one. */
  readonly roots: readonly AnyRow[];
}

/** The rows of a scope as the roots of what is to be copied, in slices. */
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
