import { KINDS } from '../../../shared/model/kinds.ts';
import { asNumber, asText, asTextOrNull } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';

/** One request of the ledger with everything that became of it. */
export interface LedgerEntry {
  readonly id: number;
  readonly sentAt: number;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly verb: string;
  readonly attempt: number;
  readonly correlationId: string;
  /** The exact bytes that were sent; credentials travel in headers and never stand here. */
  readonly body: string;
  readonly rows: readonly {
    readonly kind: string;
    readonly id: number;
    readonly state: string;
    readonly remoteId: string | null;
    readonly reason: string | null;
  }[];
  readonly receipts: readonly { readonly at: number; readonly class: string; readonly detail: string }[];
}

/**
 * The requests that were ever sent, oldest first, a part at a time.
 *
 * @param args.after the id of the last entry that is known already; 0 for the first part
 */
export function ledger(
  store: WriterStore,
  args: { readonly after: number; readonly count: number },
): readonly LedgerEntry[] {
  const { db } = store;
  return db
    .all(
      `SELECT id, sent_at, method, path, kind, verb, attempt, correlation_id, body FROM outbox_batch
       WHERE id > ? ORDER BY id LIMIT ?`,
      args.after,
      args.count,
    )
    .map(([id, sentAt, method, path, kind, verb, attempt, correlationId, body]) => ({
      id: asNumber(id),
      sentAt: asNumber(sentAt),
      method: asText(method),
      path: asText(path),
      kind: asText(kind),
      verb: asText(verb),
      attempt: asNumber(attempt),
      correlationId: asText(correlationId),
      body: asText(body),
      rows: db
        .all(
          'SELECT kind, row_id, state, remote_id, reason FROM outbox_op WHERE batch_id = ? ORDER BY idx',
          asNumber(id),
        )
        .map(([code, rowId, state, remoteId, reason]) => ({
          kind: KINDS[asNumber(code)] ?? '',
          id: asNumber(rowId),
          state: asText(state),
          remoteId: asTextOrNull(remoteId),
          reason: asTextOrNull(reason),
        })),
      receipts: db
        .all('SELECT at, class, detail FROM outbox_receipt WHERE batch_id = ? ORDER BY seq', asNumber(id))
        .map(([at, word, detail]) => ({ at: asNumber(at), class: asText(word), detail: asText(detail) })),
    }));
}
