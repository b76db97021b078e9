import { createHash } from 'node:crypto';
import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import { asRowId, remoteId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, numberOf } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';
import { adopt } from './doubt.ts';
import type { OpState } from './outbox-types.ts';
import { LIVE } from './schema.ts';

/** How many ops are in each state; together they are all that were ever sent. */
export function countStates(store: WriterStore): Readonly<Record<OpState, number>> {
  const counts = { SENT: 0, IN_DOUBT: 0, NEEDS_USER: 0, DONE: 0, REJECTED: 0, RETURNED: 0 };
  for (const [state, count] of store.db.all('SELECT state, count(*) FROM outbox_op GROUP BY state')) {
    counts[asText(state) as OpState] = asNumber(count);
  }
  return counts;
}

/** Which of these correlation ids the outbox knows. */
export function correlationsKnown(store: WriterStore, args: { readonly ids: readonly string[] }): readonly string[] {
  const sql = 'SELECT correlation_id FROM outbox_batch WHERE correlation_id IN (SELECT value FROM json_each(?))';
  return store.db.all(sql, JSON.stringify(args.ids)).map(([id]) => asText(id));
}

/** An intent of the side journal that the database does not know: the database is older than the journal. */
export interface JournalIntent {
  readonly correlationId: string;
  readonly kind: string;
  readonly verb: string;
  readonly rows: readonly { readonly kind: string; readonly id: number }[];
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  readonly at: number;
  /** Ids that the answer gave, by position in `rows`; empty when no answer came. */
  readonly ids: readonly (string | null)[];
}

/**
 * After a backup was restored: what the journal says was sent and the database has forgotten becomes in doubt, so
 * that nothing is sent a second time on the strength of an old copy.
 *
 * @returns how many rows were put in doubt
 */
export function importIntents(
  store: WriterStore,
  args: { readonly epoch: number; readonly intents: readonly JournalIntent[] },
): number {
  let imported = 0;
  for (const intent of args.intents) {
    const rows = intent.rows.flatMap(({ kind, id }, at) => {
      const known = KINDS.find((candidate) => candidate === kind);
      const row = known === undefined ? null : store.readRow({ kind: known, id: asRowId(id) });
      const isForgotten = row !== null && (intent.verb !== 'create' || row.remoteId === null);
      return isForgotten && !hasLiveOp(store, kindCode(row.kind), id, intent.verb)
        ? [{ row, remoteId: remoteId(intent.ids[at]) }]
        : [];
    });
    if (rows.length === 0) continue;
    store.db.run(
      `INSERT INTO outbox_batch(kind, verb, method, path, campaign_id, ad_group_id, attempt, epoch, correlation_id,
         body, body_sha256, pre_image, sent_at, last_moment_at) VALUES (?,?,'POST','',?,?,0,?,?,'',?,NULL,?,?)`,
      intent.kind,
      intent.verb,
      intent.campaignId,
      intent.adGroupId,
      args.epoch,
      intent.correlationId,
      createHash('sha256').update('').digest('hex'),
      intent.at,
      intent.at,
    );
    const batchId = numberOf(store.db, 'SELECT last_insert_rowid()');
    for (const [index, { row, remoteId: known }] of rows.entries()) {
      store.db.run(
        `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent, base, reason)
         VALUES (?,?,?,?,?,'IN_DOUBT',?,NULL,'sent after the backup was made')`,
        batchId,
        index,
        kindCode(row.kind),
        row.id,
        intent.verb,
        JSON.stringify(row.values),
      );
      imported++;
      if (known === null) continue;
      const opId = numberOf(store.db, 'SELECT last_insert_rowid()');
      const evidence = 'the side journal has the id of its answer';
      adopt(store, { epoch: args.epoch, opId, remoteId: known, serviceFields: {}, seen: null, evidence });
    }
    store.bumpRevision(rows.map(({ row }) => row.kind));
  }
  return imported;
}

function hasLiveOp(store: WriterStore, kind: number, rowId: number, verb: string): boolean {
  const sql = `SELECT count(*) FROM outbox_op WHERE kind = ? AND row_id = ? AND verb = ? AND ${LIVE}`;
  return numberOf(store.db, sql, kind, rowId, verb) > 0;
}
