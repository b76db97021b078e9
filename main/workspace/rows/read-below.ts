import type { RowRef } from '../../../shared/contract/scalars.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';
import { readRows } from './read-rows.ts';

/** All rows below a campaign or an ad group that are not marked as deleted, parents before children. */
export function readBelow(db: Db, root: AnyRow): readonly AnyRow[] {
  if (root.kind !== 'campaign' && root.kind !== 'adGroup') return [];
  const column = root.kind === 'campaign' ? 'campaign_id' : 'ad_group_id';
  const rows = kindsBelow(root.kind)
    .flatMap((kind): readonly AnyRow[] => readRows(db, kind, `k.${column} = ?`, root.id) as readonly AnyRow[])
    .filter((row) => !isDeleted(row));
  const groups = new Set(rows.filter(({ kind }) => kind === 'adGroup').map(({ id }) => id));
  // What hangs from a deleted group leaves with it, whatever its own mark says.
  return root.kind === 'adGroup' ? rows : rows.filter((row) => row.adGroupId === null || groups.has(row.adGroupId));
}

/** These rows with all that hangs from them, by kind. */
export function withDescendants(db: Db, refs: readonly RowRef[]): ReadonlyMap<Kind, ReadonlySet<RowId>> {
  const idsByKind = new Map<Kind, Set<RowId>>(KINDS.map((kind) => [kind, new Set()]));
  for (const { kind, id } of refs) idsByKind.get(kind)?.add(id);
  for (const [parentKind, parentColumn] of [
    ['campaign', 'campaign_id'],
    ['adGroup', 'ad_group_id'],
  ] as const) {
    const parents = JSON.stringify([...(idsByKind.get(parentKind) ?? [])]);
    if (parents === '[]') continue;
    for (const kind of kindsBelow(parentKind)) {
      const sql = `SELECT id FROM ${tableOf(kind).name} WHERE ${parentColumn} IN (SELECT value FROM json_each(?))`;
      for (const row of db.all(sql, parents)) idsByKind.get(kind)?.add(rowIdOf(row[0]));
    }
  }
  return idsByKind;
}

/** Kinds of rows that hang from a campaign, at any depth, or from an ad group. */
export function kindsBelow(parent: 'campaign' | 'adGroup'): readonly Kind[] {
  return KINDS.filter((kind) => {
    const hangsFrom = tableOf(kind).parent;
    return parent === 'campaign' ? hangsFrom !== 'account' : hangsFrom === 'adGroup';
  });
}
