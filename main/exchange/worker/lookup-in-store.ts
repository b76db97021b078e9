import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { SheetKind } from '../../../shared/sheet/columns.ts';
import type { SheetLookup } from '../../../shared/sheet/sheet-changes.ts';
import type { Db } from '../../workspace/db/db.ts';
import { lookupInTables } from '../../workspace/rows/sheet-lookup.ts';
import { tableOf } from '../../workspace/schema/tables.ts';

/** Parents whose rows are at hand. */
const PARENTS_KEPT = 64;

/**
 * The linker's questions answered from the store, a parent at a time, so that linking a sheet to a million rows holds
 * few of them. Campaigns and ad groups are asked for by every row below them and are kept; of the rest, the rows of
 * the parents asked for last.
 */
export function createWorkspaceLookup(db: Db): SheetLookup {
  const kept = new Map<string, unknown>();
  const once = <T>(key: string, read: () => T): T => {
    if (kept.has(key)) return kept.get(key) as T;
    const value = read();
    kept.set(key, value);
    return value;
  };
  const parents = new Map<string, ReadonlyMap<string, AnyRow>>();
  const tables = lookupInTables(db);

  /** Rows below one parent by id of the service; sheets name siblings one after another. */
  const siblings = (kind: SheetKind, parent: RowId): ReadonlyMap<string, AnyRow> => {
    const key = `${kind} ${parent}`;
    const known = parents.get(key);
    if (known !== undefined) return known;
    if (parents.size >= PARENTS_KEPT) parents.delete(parents.keys().next().value ?? '');
    const rows = new Map(tables.children(kind, parent).map((row) => [row.remoteId ?? `#${row.id}`, row]));
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

  return {
    campaignsNamed: (name) => once(`named ${name}`, () => tables.campaignsNamed(name)),
    byRemoteId: (kind, remoteId) => {
      if (isParent(kind)) return once(`${kind} ${remoteId}`, () => tables.byRemoteId(kind, remoteId));
      const near = fromParents(kind, remoteId);
      if (near !== null) return near;
      const found = tables.byRemoteId(kind, remoteId);
      if (found === null) return null;
      const parent = tableOf(kind).parent === 'adGroup' ? found.adGroupId : found.campaignId;
      if (parent !== null) siblings(kind, parent);
      return found;
    },
    children: (kind, parentId) =>
      kind === 'adGroup'
        ? once(`groups ${parentId}`, () => tables.children('adGroup', parentId))
        : [...siblings(kind, parentId).values()],
    media: (id) => once(`media ${id}`, () => tables.media(id)),
    isEdited: tables.isEdited,
    notes: tables.notes,
  };
}
