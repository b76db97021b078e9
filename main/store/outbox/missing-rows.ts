import type { RowRef } from '../../../shared/api/scalars.ts';
import { KINDS, type Kind, kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, isChanged, isDeleted, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, type Db, rowIdOf } from '../db/db.ts';
import { withDescendants } from '../rows/read-trees.ts';
import { DELETED_CODE, tableOf } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { MISSED, MISSED_UNCHANGED, SETTLE_MS } from './outbox-types.ts';
import { isCurrentOwner } from './save-intent.ts';
import { LIVE } from './schema.ts';
import { closeDeleted } from './sync-queries.ts';

/**
 * Rows that are missing on the service:
 *
 *   listed --missing in a read--> missed --again, a settle window later--> conflict --mine--> new row
 *     ^                            |                                         |  \---theirs--> deleted here
 *     '-----found in a read--------+-----------------------------------------'
 *
 * One list proves little, so the first is only recorded (in `outbox_meta`, by row). A conflict about the row itself is
 * stored with `DELETED_CODE` as its field.
 */
const PREFIX = 'missed:';

const keyOf = (kind: Kind, id: RowId): string => `${PREFIX}${kindCode(kind)}:${id}`;

/** Label of the step that removes such rows here. */
const REMOVED = 'Delete rows deleted on the service';

/** Records that a read lacks these rows. @returns those that are proven to be missing */
export function recordMissing(
  store: WriterStore,
  args: { readonly epoch: number; readonly kind: Kind; readonly ids: readonly RowId[] },
): { readonly proven: readonly RowId[] } {
  const { db } = store;
  const proven: RowId[] = [];
  if (!isCurrentOwner(db, args.epoch)) return { proven };
  const now = store.nowMs();
  for (const id of args.ids) {
    const row = store.readRow({ kind: args.kind, id });
    if (row === null || row.remoteId === null) continue;
    db.run('INSERT INTO outbox_meta VALUES (?, ?) ON CONFLICT(key) DO NOTHING', keyOf(args.kind, id), now);
    const since = db.get('SELECT value FROM outbox_meta WHERE key = ?', keyOf(args.kind, id))?.[0];
    if (now - asNumber(since) < SETTLE_MS) {
      if (!isDeleted(row)) store.setRefusal(row, isChanged(row) ? MISSED : MISSED_UNCHANGED);
      continue;
    }
    // Deleted here as well: both sides agree.
    if (isDeleted(row)) {
      if (!settleDeletion(store, { kind: args.kind, id })) continue;
    } else {
      unmark(db, args.kind, id);
      db.run(
        'INSERT OR IGNORE INTO conflict(kind, id, field, at) VALUES (?, ?, ?, ?)',
        kindCode(args.kind),
        id,
        DELETED_CODE,
        now,
      );
    }
    proven.push(id);
  }
  if (proven.length > 0) store.bumpRevision([args.kind]);
  return { proven };
}

/** @returns false if the row has an unconfirmed request, so that it can't be settled yet */
function settleDeletion(store: WriterStore, ref: RowRef): boolean {
  if (closeDeleted(store, ref.kind, ref.id)) {
    forgetMissing(store.db, ref.kind, [ref.id]);
    return true;
  }
  if (detachFromService(store, ref) === null) return false;
  store.applyEdit({ label: REMOVED, source: 'sync', deletes: [ref] });
  return true;
}

/** Clears the records of rows that a read has, and of their parents. What windows show of these rows changes with them. */
export function clearMissing(store: WriterStore, rows: readonly RemoteRow[]): void {
  const { db } = store;
  if (db.get(`SELECT 1 FROM outbox_meta WHERE key >= '${PREFIX}' AND key < 'missed;' LIMIT 1`) === undefined) return;
  const parents = { campaign: new Set<RowId>(), adGroup: new Set<RowId>() };
  for (const { kind, remoteId, campaignId, adGroupId } of rows) {
    const byId = `SELECT id FROM ${tableOf(kind).name} WHERE remote_id = ?`;
    const found = remoteId === null ? undefined : db.get(byId, remoteId);
    if (found !== undefined && forgetMissing(db, kind, [rowIdOf(found[0])])) store.bumpRevision([kind]);
    if (campaignId !== null) parents.campaign.add(campaignId);
    if (adGroupId !== null) parents.adGroup.add(adGroupId);
  }
  for (const kind of ['campaign', 'adGroup'] as const) {
    if (forgetMissing(db, kind, parents[kind])) store.bumpRevision([kind]);
  }
}

/** @returns whether a message or a conflict of one of these rows was removed */
function forgetMissing(db: Db, kind: Kind, ids: Iterable<RowId>): boolean {
  let removed = 0;
  for (const id of ids) {
    removed += unmark(db, kind, id);
    db.run('DELETE FROM outbox_meta WHERE key = ?', keyOf(kind, id));
    removed += db.run(
      'DELETE FROM conflict WHERE against = 0 AND kind = ? AND id = ? AND field = ?',
      kindCode(kind),
      id,
      DELETED_CODE,
    );
  }
  return removed > 0;
}

/** Removes only our own messages from the row; a refusal by the service stays. @returns how many were removed */
function unmark(db: Db, kind: Kind, id: RowId): number {
  const ours = [MISSED, MISSED_UNCHANGED];
  return db.run('DELETE FROM refusal WHERE kind = ? AND id = ? AND message IN (?, ?)', kindCode(kind), id, ...ours);
}

/**
 * Resolves such a conflict. Mine: the row and everything below it become new and are sent with the next sync. Theirs: it
 * is deleted here too; undo restores it as a new row.
 *
 * @param args.by the rule that decided; null for the user
 * @returns false if one of the rows has an unconfirmed request, so that the conflict can't be resolved yet
 */
export function resolveMissing(
  store: WriterStore,
  { ref, take, by }: { readonly ref: RowRef; readonly take: 'mine' | 'theirs'; readonly by: string | null },
): boolean {
  const deleted = detachFromService(store, ref);
  if (deleted === null) return false;
  const deletes = take === 'theirs' ? [ref] : deleted;
  if (deletes.length === 0) return true;
  const label = by === null ? REMOVED : `${REMOVED} (policy ${by})`;
  store.applyEdit({ label, source: by === null ? 'user' : 'sync', deletes });
  return true;
}

/** @returns rows that were marked as deleted and now have to be removed; null if one of them has an unconfirmed request */
function detachFromService(store: WriterStore, ref: RowRef): readonly RowRef[] | null {
  const { db } = store;
  const byKind = withDescendants(db, [ref]);
  const deleted: RowRef[] = [];
  for (const [kind, ids] of byKind) {
    const list = JSON.stringify([...ids]);
    const live = `SELECT 1 FROM outbox_op WHERE kind = ? AND row_id IN (SELECT value FROM json_each(?)) AND ${LIVE} LIMIT 1`;
    if (db.get(live, kindCode(kind), list) !== undefined) return null;
  }
  for (const kind of KINDS) {
    const ids = [...(byKind.get(kind) ?? [])];
    if (ids.length === 0 || kind === 'media') continue;
    const table = tableOf(kind);
    const list = JSON.stringify(ids);
    const among = '(SELECT value FROM json_each(?))';
    for (const [id] of db.all(`SELECT id FROM ${table.name} WHERE dirty & ${DELETED} AND id IN ${among}`, list)) {
      deleted.push({ kind, id: rowIdOf(id) });
    }
    // Fields set by the service are cleared; an item keeps its name and the source of its ID.
    const said = table.columns
      .filter(({ mask, field }) => mask === 0 && !KEPT.has(field))
      .map(({ sql }) => `, ${sql} = NULL`);
    db.run(
      `UPDATE ${table.name} SET remote_id = NULL, dirty = ${NEW} | (dirty & ${HELD})${said.join('')} WHERE id IN ${among}`,
      list,
    );
    db.run(`DELETE FROM ${table.base} WHERE id IN ${among}`, list);
    db.run(`DELETE FROM conflict WHERE against = 0 AND kind = ? AND id IN ${among}`, table.code, list);
    db.run(`DELETE FROM refusal WHERE kind = ? AND id IN ${among}`, table.code, list);
    forgetMissing(db, kind, ids);
    store.bumpRevision([kind]);
  }
  const row = store.readRow(ref);
  if (row?.campaignId != null) store.recheck([row.campaignId]);
  return deleted;
}

const KEPT: ReadonlySet<string> = new Set(['itemName', 'itemIdSource']);
