import { type Kind, KNOWN_KINDS, type KnownKind, kindCode, type RemoteIdSource } from '../../../shared/model/kinds.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/store.ts';
import { noteHeard } from './campaign-status.ts';

const isKnownKind = (kind: Kind): kind is KnownKind => KNOWN_KINDS.some((known) => known === kind);

/** Enters an id. One that is known already keeps where it came from. */
export function recordRemoteId(db: Db, kind: Kind, id: RemoteId, source: RemoteIdSource, nowMs: number): void {
  if (!isKnownKind(kind)) return;
  db.run(
    'INSERT OR IGNORE INTO known_id(kind, id, source, at) VALUES (?, ?, ?, CAST(? AS INTEGER))',
    ...[kindCode(kind), id, source, nowMs],
  );
}

/** What the service has just shown is known and confirmed; unless it was known before, its list is where it came from. */
export function recordShownIds(db: Db, kind: Kind, rows: readonly RemoteRow[], nowMs: number): void {
  if (!isKnownKind(kind)) return;
  for (const { remoteId } of rows) {
    if (remoteId === null) continue;
    recordRemoteId(db, kind, remoteId, 'list', nowMs);
    confirm(db, kind, remoteId, nowMs);
  }
}

/** Writes down that reads by these ids were answered just now. Ids that nobody has entered are passed over. */
export function confirmRemoteIds(
  { db, nowMs }: WriterStore,
  args: { readonly ids: readonly { readonly kind: KnownKind; readonly id: RemoteId }[] },
): void {
  for (const { kind, id } of args.ids) confirm(db, kind, id, nowMs());
  noteHeard(
    db,
    args.ids.flatMap(({ kind, id }) => (kind === 'campaign' ? [id] : [])),
    nowMs(),
  );
}

/** The clock may have been set back: a confirmation is never taken for an older one. */
const confirm = (db: Db, kind: KnownKind, id: RemoteId, nowMs: number): void =>
  void db.run(
    'UPDATE known_id SET confirmed_at = max(coalesce(confirmed_at, 0), CAST(? AS INTEGER)) WHERE kind = ? AND id = ?',
    ...[nowMs, kindCode(kind), id],
  );
