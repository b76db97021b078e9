import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, type DbRow } from '../db/db.ts';
import type { LiveBatch, LiveOp, OpState } from './outbox-types.ts';
import { LIVE } from './schema.ts';

/** Reads the outbox tables. Their JSON columns were written by this folder alone, so they are trusted. */
const BATCH_COLUMNS =
  'id, kind, verb, campaign_id, ad_group_id, correlation_id, pre_image, body, sent_at, last_moment_at';
const OP_COLUMNS = 'id, idx, kind, row_id, state, sent, base, absent_at';

/** Batches with at least one live op, oldest first, each with its live ops. */
export function readLiveBatches(db: Db): readonly LiveBatch[] {
  const sql = `SELECT ${BATCH_COLUMNS} FROM outbox_batch
    WHERE id IN (SELECT batch_id FROM outbox_op WHERE ${LIVE}) ORDER BY id`;
  return db.all(sql).map((row) => batchOf(row, readOps(db, asNumber(row[0]), true)));
}

export function readBatch(db: Db, batchId: number): LiveBatch | null {
  const row = db.get(`SELECT ${BATCH_COLUMNS} FROM outbox_batch WHERE id = ?`, batchId);
  return row === undefined ? null : batchOf(row, readOps(db, batchId, false));
}

function readOps(db: Db, batchId: number, onlyLive: boolean): readonly LiveOp[] {
  const condition = onlyLive ? ` AND ${LIVE}` : '';
  return db.all(`SELECT ${OP_COLUMNS} FROM outbox_op WHERE batch_id = ?${condition} ORDER BY idx`, batchId).map(opOf);
}

/** The batch an op belongs to, and the op. */
export function readOp(db: Db, opId: number): { readonly batch: LiveBatch; readonly op: LiveOp } | null {
  const found = db.get('SELECT batch_id FROM outbox_op WHERE id = ?', opId);
  const batch = found === undefined ? null : readBatch(db, asNumber(found[0]));
  const op = batch?.ops.find((candidate) => candidate.id === opId);
  return batch === null || op === undefined ? null : { batch, op };
}

function batchOf(row: DbRow, ops: readonly LiveOp[]): LiveBatch {
  const [id, kind, verb, campaignId, adGroupId, correlationId, preImage, body, sentAt, lastMomentAt] = row;
  return {
    id: asNumber(id),
    kind: asText(kind) as Kind | 'review',
    verb: asText(verb) as Verb,
    campaignId: rowIdOrNull(asNumberOrNull(campaignId)),
    adGroupId: rowIdOrNull(asNumberOrNull(adGroupId)),
    correlationId: asText(correlationId),
    preImage: listOrNull(asTextOrNull(preImage)),
    body: asText(body),
    sentAt: asNumber(sentAt),
    lastMomentAt: asNumber(lastMomentAt),
    ops,
  };
}

function opOf(row: DbRow): LiveOp {
  const [id, index, kind, rowId, state, sent, base, absentAt] = row;
  const kindName = KINDS[asNumber(kind)];
  if (kindName === undefined) throw new Error('the outbox holds an unknown kind');
  return {
    id: asNumber(id),
    index: asNumber(index),
    kind: kindName,
    rowId: asRowId(asNumber(rowId)),
    state: asText(state) as OpState,
    sent: JSON.parse(asText(sent)) as AnyValues,
    base: valuesOrNull(asTextOrNull(base)),
    absentAt: asNumberOrNull(absentAt),
  };
}

const rowIdOrNull = (value: number | null): RowId | null => (value === null ? null : asRowId(value));
const listOrNull = (json: string | null): readonly string[] | null =>
  json === null ? null : (JSON.parse(json) as readonly string[]);
const valuesOrNull = (json: string | null): AnyValues | null =>
  json === null ? null : (JSON.parse(json) as AnyValues);
