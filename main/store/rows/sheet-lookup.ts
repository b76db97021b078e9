import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, DELETED, HELD, isChanged } from '../../../shared/model/row.ts';
import type { SheetLookup } from '../../../shared/spreadsheet/sheet-changes.ts';
import { systemUser } from '../../app/system.ts';
import type { Db } from '../db/db.ts';
import { rowNotes } from '../notes/read-notes.ts';
import { tableOf } from '../schema/tables.ts';
import { readRows } from './read-rows.ts';
import { kindsBelow } from './read-trees.ts';

/** Looks up a spreadsheet's rows in the tables on demand, so that only rows named in the sheet are read. */
export function lookupInTables(db: Db): SheetLookup {
  const alive = `k.dirty & ${DELETED} = 0`;
  const read = (kind: Kind, where: string, ...bind: readonly (string | number)[]): readonly AnyRow[] =>
    readRows(db, kind, `${where} AND ${alive}`, ...bind) as readonly AnyRow[];
  return {
    campaignsNamed: (name) => readRows(db, 'campaign', `k.sort_key = fold(?1) AND k.name = ?1 AND ${alive}`, name),
    isNameTaken: (name) => db.get('SELECT 1 FROM campaign WHERE sort_key = fold(?)', name) !== undefined,
    byRemoteId: (kind, remoteId) => read(kind, 'k.remote_id = ?', remoteId)[0] ?? null,
    row: (kind, id) => read(kind, 'k.id = ?', id)[0] ?? null,
    children: (kind, parentId) => {
      const column = tableOf(kind).parent === 'campaign' ? 'campaign_id' : 'ad_group_id';
      return read(kind, `k.${column} = ?`, parentId);
    },
    media: (id) => readRows(db, 'media', 'k.id = ?', id)[0] ?? null,
    isEdited: (row) => isChanged(row) || hasEditsBelow(db, row),
    notes: rowNotes(db, systemUser()),
  };
}

/** Deletions below a row don't count: deleting the row itself would include them. */
function hasEditsBelow(db: Db, row: AnyRow): boolean {
  if (row.kind !== 'campaign' && row.kind !== 'adGroup') return false;
  const column = row.kind === 'campaign' ? 'campaign_id' : 'ad_group_id';
  return kindsBelow(row.kind).some((kind) => {
    const sql = `SELECT 1 FROM ${tableOf(kind).name} WHERE ${column} = ? AND dirty & ${~(HELD | DELETED)} LIMIT 1`;
    return db.get(sql, row.id) !== undefined;
  });
}
