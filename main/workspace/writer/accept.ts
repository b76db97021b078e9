import type { RowRef } from '../../../shared/contract/scalars.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { differingBits, FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { noteCampaignWrite } from '../known/campaign-status.ts';
import { recordRemoteId } from '../known/note-known.ts';
import { toBound, toStored } from '../rows/codec.ts';
import { readRow } from '../rows/read-rows.ts';
import { type Table, tableOf } from '../schema/tables.ts';
import type { AcceptProblem } from './store.ts';
import type { AffectedRows } from './touched.ts';

interface Pushed {
  readonly remoteId: RemoteId | null;
  readonly sent: AnyValues;
  readonly serviceFields?: AnyValues;
}

/** Makes what was sent the base of the row. Fields edited since then stay dirty, against the new base. */
export function acceptSent(
  db: Db,
  ref: RowRef,
  pushed: Pushed,
  nowMs: number,
  touched: AffectedRows,
): Result<null, AcceptProblem> {
  const row = readRow(db, ref);
  if (row === null) return err({ kind: 'no-row' });
  const table = tableOf(ref.kind);
  if (pushed.remoteId !== null) {
    const holder = db.get(`SELECT id FROM ${table.name} WHERE remote_id = ? AND id <> ?`, pushed.remoteId, ref.id);
    if (holder !== undefined) return err({ kind: 'remote-id-taken', by: rowIdOf(holder[0]) });
  }
  const base: AnyValues = { ...row.values, ...row.base, ...pushed.sent };
  const dirty = (row.dirty & ~(NEW | FIELD_BITS)) | differingBits(ref.kind, row.values, base);
  db.run(
    `UPDATE ${table.name} SET remote_id = coalesce(?, remote_id), dirty = ? WHERE id = ?`,
    pushed.remoteId,
    dirty,
    ref.id,
  );
  if (pushed.remoteId !== null) recordRemoteId(db, ref.kind, pushed.remoteId, 'made', nowMs);
  writeBase(db, table, ref.id, (dirty & FIELD_BITS) === 0 ? null : base);
  writeServiceFields(db, table, ref.id, pushed.serviceFields ?? {});
  dropSettled(db, table, ref.id, dirty);
  if (ref.kind === 'campaign') noteCampaignWrite(db, ref.id, pushed.sent, nowMs);
  db.run('DELETE FROM refusal WHERE kind = ? AND id = ?', table.code, ref.id);
  touched.kinds.add(ref.kind);
  if (row.campaignId !== null) touched.campaign(row.campaignId);
  if (table.parent === 'account') touched.account = true;
  return ok(null);
}

function writeBase(db: Db, table: Table, id: RowId, base: AnyValues | null): void {
  db.run(`DELETE FROM ${table.base} WHERE id = ?`, id);
  if (base === null) return;
  const stored = table.userColumns.map((column) => toBound(column, toStored(column.spec, base[column.field] ?? null)));
  const names = table.userColumns.map((column) => column.sql).join(', ');
  db.run(`INSERT INTO ${table.base}(id, ${names}) VALUES (?, ${stored.map(() => '?').join(', ')})`, id, ...stored);
}

/** What does not fit a field of its own is left out, the rest is kept; a word that this version does not know fits. */
function writeServiceFields(db: Db, table: Table, id: RowId, fields: AnyValues): void {
  for (const column of table.columns) {
    const cell = fields[column.field];
    if (column.mask !== 0 || cell === undefined || !isCellOf(column.spec, cell)) continue;
    const key = table.keyColumn === column ? ', sort_key = fold(?1)' : '';
    db.run(
      `UPDATE ${table.name} SET ${column.sql} = ?1${key} WHERE id = ?2`,
      toBound(column, toStored(column.spec, cell)),
      id,
    );
  }
}

function dropSettled(db: Db, table: Table, id: RowId, dirty: number): void {
  for (const [field] of db.all('SELECT field FROM conflict WHERE kind = ? AND id = ?', table.code, id)) {
    const column = table.columns.find((candidate) => candidate.code === field);
    if (column === undefined || (dirty & column.mask) !== 0) continue;
    db.run('DELETE FROM conflict WHERE kind = ? AND id = ? AND field = ?', table.code, id, column.code);
  }
}
