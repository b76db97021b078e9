import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { type AnyRow, rowKey } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import type { Db } from '../db/db.ts';
import { readRowsOf } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import type { CellUpdate } from '../types.ts';
import type { IssuesReader } from './issues.ts';

/**
 * Checks edits before they are made, with the rules of campaigns. An edit counts as the cause of an error of its own
 * row; for an error of a row that no edit changes, all edits of its campaign count.
 *
 * @returns positions of the updates that would cause a new error
 */
export function errorsAfter(
  db: Db,
  issues: Pick<IssuesReader, 'ofTree'>,
  nowMs: number,
  updates: readonly CellUpdate[],
): readonly number[] {
  const campaignOf = new Map<string, RowId>();
  for (const [key, { campaignId }] of readRowsOf(db, updates, []))
    if (campaignId !== null) campaignOf.set(key, campaignId);
  const byCampaign = Map.groupBy(updates.entries(), ([, { kind, id }]) => campaignOf.get(rowKey(kind, id)) ?? null);
  const bad = new Set<number>();
  for (const [campaignId, own] of byCampaign) {
    const [tree] = campaignId === null ? [] : readTrees(db, [campaignId]);
    if (tree === undefined) continue;
    const byRow = Map.groupBy(own, ([, { kind, id }]) => rowKey(kind, id));
    const before = new Set(errorsOf(issues.ofTree(nowMs, tree)).map(nameOf));
    const after = errorsOf(issues.ofTree(nowMs, changed(tree, byRow)));
    for (const issue of after) {
      if (before.has(nameOf(issue))) continue;
      for (const [at] of byRow.get(rowKey(issue.kind, issue.id)) ?? own) bad.add(at);
    }
  }
  return [...bad].toSorted((a, b) => a - b);
}

const errorsOf = (all: readonly Issue[]): readonly Issue[] => all.filter(({ severity }) => severity === 'error');
const nameOf = ({ rule, kind, id, field }: Issue): string => [rule, kind, id, field].join(' ');

/** An update and its position. */
type Numbered = readonly [number, CellUpdate];

function changed(tree: CampaignTree, byRow: ReadonlyMap<string, readonly Numbered[]>): CampaignTree {
  const edited = <R extends AnyRow>(row: R): R => {
    const found = byRow.get(rowKey(row.kind, row.id));
    if (found === undefined) return row;
    return {
      ...row,
      values: { ...row.values, ...Object.fromEntries(found.map(([, { field, value }]) => [field, value])) },
      base: row.base ?? row.values,
    };
  };
  return {
    ...tree,
    campaign: edited(tree.campaign),
    adItems: tree.adItems.map(edited),
    keywords: tree.keywords.map(edited),
    placementMultipliers: tree.placementMultipliers.map(edited),
    platformMultipliers: tree.platformMultipliers.map(edited),
  };
}
