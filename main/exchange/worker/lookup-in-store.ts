import type { AnyRow, Row } from '../../../shared/model/row.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { SheetKind } from '../../../shared/sheet/columns.ts';
import type { SheetLookup } from '../../../shared/sheet/lookup.ts';
import type { Db } from '../../workspace/db/db.ts';
import { readRows } from '../../workspace/rows/read-rows.ts';
import { tableOf } from '../../workspace/schema/tables.ts';

/**
 * The linker's questions answered from the store, a parent at a time, so that linking a sheet to a million rows holds
 * few of them. Campaigns and ad groups are asked for by every row below them and are kept; of the rest, the rows of
 * the parents asked for last.
 */
const PARENTS_KEPT = 64;

export function lookupInStore(db: Db): SheetLookup {
  const kept = new Map<string, unknown>();
  const once = <T>(key: string, read: () => T): T => {
    if (kept.has(key)) return kept.get(key) as T;
    const value = read();
    kept.set(key, value);
    return value;
  };
  const parents = new Map<string, ReadonlyMap<string, AnyRow>>();
  const living = <K extends SheetKind>(kind: K, where: string, value: string | number): readonly AnyRow[] =>
    readRows(db, kind, where, value).filter((row) => !isDeleted(row)) as unknown as readonly AnyRow[];

  /** Rows below one parent by id of the service; sheets name siblings one after another. */
  const siblings = (kind: SheetKind, column: string, parent: RowId): ReadonlyMap<string, AnyRow> => {
    const key = `${kind} ${parent}`;
    const known = parents.get(key);
    if (known !== undefined) return known;
    if (parents.size >= PARENTS_KEPT) parents.delete(parents.keys().next().value ?? '');
    const rows = new Map(living(kind, `k.${column} = ?`, parent).map((row) => [row.remoteId ?? `#${row.id}`, row]));
    parents.set(key, rows);
    return rows;
  };
  const fromParents = (kind: SheetKind, remoteId: string): AnyRow | null => {
    for (const [key, rows] of parents) {
      if (!key.startsWith(`${kind} `)) continue;
      const row = rows.get(remoteId);
      if (row !== undefined) return row;
    }
    return null;
  };
  const isParent = (kind: SheetKind): boolean => kind === 'campaign' || kind === 'adGroup';
  const columnOf = (kind: SheetKind): string => (tableOf(kind).parent === 'adGroup' ? 'ad_group_id' : 'campaign_id');

  return {
    campaignsNamed: (name) =>
      once(`named ${name}`, () => living('campaign', 'k.name = ?', name) as readonly Row<'campaign'>[]),
    byRemoteId: (kind, remoteId) => {
      if (isParent(kind))
        return once(`${kind} ${remoteId}`, () => living(kind, 'k.remote_id = ?', remoteId)[0] ?? null);
      const near = fromParents(kind, remoteId);
      if (near !== null) return near;
      const found = living(kind, 'k.remote_id = ?', remoteId)[0] ?? null;
      if (found === null) return null;
      const parent = columnOf(kind) === 'ad_group_id' ? found.adGroupId : found.campaignId;
      if (parent !== null) siblings(kind, columnOf(kind), parent);
      return found;
    },
    children: (kind, parentId) =>
      kind === 'adGroup'
        ? once(`groups ${parentId}`, () => living('adGroup', 'k.campaign_id = ?', parentId))
        : [...siblings(kind, columnOf(kind), parentId).values()],
    media: (id) => once(`media ${id}`, () => readRows(db, 'media', 'k.id = ?', id)[0] ?? null),
  };
}
