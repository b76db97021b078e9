import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { asRowId, type RemoteId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, asTextOrNull, type DbRow } from '../db/db.ts';
import { kindAt } from '../schema/tables.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { noteSentElsewhere } from './change-limit.ts';
import type { NewOp, OpState } from './outbox-types.ts';
import { setState } from './record-outcome.ts';
import { insertBatch, insertOp, isCurrentOwner, isLive } from './save-intent.ts';
import { LIVE } from './schema.ts';
import { adopt, markNotProcessed, openUnresolved } from './unconfirmed.ts';

/**
 * Keeps the outbox of a shared account consistent with the intents of all computers. Unconfirmed requests of colleagues
 * are inserted here and then resolved like requests of this computer.
 */
export interface OpOutcome {
  /** Position in the request. */
  readonly idx: number;
  readonly state: OpState;
  readonly remoteId: string | null;
  readonly reason: string | null;
}

export interface TeamIntentOp extends OpOutcome {
  readonly kind: string;
  readonly row: number;
  /** JSON, written only by the outbox. */
  readonly sent: string;
  readonly base: string | null;
}

/** A request in the team's log. Times are relative to now, so that no two clocks are compared. */
export interface TeamIntent {
  readonly correlation: string;
  readonly kind: string;
  readonly verb: string;
  readonly campaign: number | null;
  readonly adGroup: number | null;
  readonly preImage: readonly string[] | null;
  /** Empty if none of its ops is open. */
  readonly body: string;
  readonly sentInMs: number;
  readonly lastInMs: number;
  readonly ops: readonly TeamIntentOp[];
}

/** The states of a request in this outbox. */
export interface RequestOutcome {
  readonly correlation: string;
  readonly ops: readonly OpOutcome[];
}

export const isOpen = (state: OpState): boolean => state === 'SENT' || state === 'IN_DOUBT' || state === 'NEEDS_USER';

/** The states of a request, by the ID of its batch or of one of its ops. */
export function outcomeOf(
  { db }: WriterStore,
  args: { readonly batchId: number } | { readonly opId: number },
): RequestOutcome | null {
  const batchId =
    'batchId' in args ? args.batchId : db.get('SELECT batch_id FROM outbox_op WHERE id = ?', args.opId)?.[0];
  const found = db.get('SELECT correlation_id FROM outbox_batch WHERE id = ?', batchId ?? 0);
  if (found === undefined) return null;
  const ops = db.all(
    'SELECT idx, state, remote_id, reason FROM outbox_op WHERE batch_id = ? ORDER BY idx',
    batchId ?? 0,
  );
  return {
    correlation: asText(found[0]),
    ops: ops.map(outcomeIn),
  };
}

const outcomeIn = ([idx, state, remoteId, reason]: DbRow): OpOutcome => ({
  idx: asNumber(idx),
  state: asText(state) as OpState,
  remoteId: asTextOrNull(remoteId),
  reason: asTextOrNull(reason),
});

/** Correlation IDs of requests that are open, or were sent since a time. */
export const correlationsSince = ({ db }: WriterStore, args: { readonly since: number }): readonly string[] =>
  db
    .all(
      `SELECT correlation_id FROM outbox_batch WHERE sent_at >= ?
       OR id IN (SELECT batch_id FROM outbox_op WHERE ${LIVE}) ORDER BY id`,
      args.since,
    )
    .map(([id]) => asText(id));

/**
 * Requests in the form of the team's log, for a database that lacks them. Their responses are no longer awaited, so
 * SENT becomes IN_DOUBT.
 */
export function intentsOf(
  store: WriterStore,
  args: { readonly correlations: readonly string[] },
): readonly TeamIntent[] {
  const sql = `SELECT id, correlation_id, kind, verb, campaign_id, ad_group_id, pre_image, body, sent_at, last_moment_at
    FROM outbox_batch WHERE correlation_id IN (SELECT value FROM json_each(?)) ORDER BY id`;
  const nowMs = store.nowMs();
  return store.db.all(sql, JSON.stringify(args.correlations)).map((row) => {
    const [id, correlation, kind, verb, campaign, adGroup, preImage, body, sentAt, lastMomentAt] = row;
    const before = asTextOrNull(preImage);
    const ops = store.db.all(
      'SELECT idx, state, remote_id, reason, kind, row_id, sent, base FROM outbox_op WHERE batch_id = ? ORDER BY idx',
      asNumber(id),
    );
    return {
      correlation: asText(correlation),
      kind: asText(kind),
      verb: asText(verb),
      campaign: campaign === null ? null : asNumber(campaign),
      adGroup: adGroup === null ? null : asNumber(adGroup),
      preImage: before === null ? null : (JSON.parse(before) as readonly string[]),
      body: asText(body),
      sentInMs: Math.round(asNumber(sentAt) - nowMs),
      lastInMs: Math.round(asNumber(lastMomentAt) - nowMs),
      ops: ops.map((op) => {
        const { state, ...outcome } = outcomeIn(op);
        const [code, rowId, sent, base] = op.slice(4);
        return {
          ...outcome,
          state: state === 'SENT' ? 'IN_DOUBT' : state,
          kind: kindAt(code),
          row: asNumber(rowId),
          sent: asText(sent),
          base: asTextOrNull(base),
        };
      }),
    };
  });
}

/**
 * Updates this outbox from the team's log:
 *
 *   open there, unknown here  > inserted as unconfirmed, or with its question
 *   settled there, open here  > settled here with the same result
 *   done there, unknown here  > the row gets the ID, or the sent values
 *
 * @returns requests that are settled here and open there
 */
export function recallIntents(
  store: WriterStore,
  args: { readonly epoch: number; readonly intents: readonly TeamIntent[] },
): readonly RequestOutcome[] {
  if (!isCurrentOwner(store.db, args.epoch)) return [];
  return args.intents.flatMap((intent) => {
    countOfColleague(store, intent);
    const ops = intent.ops.flatMap((op) => recallOp(store, args.epoch, intent, op) ?? []);
    return ops.length === 0 ? [] : [{ correlation: intent.correlation, ops }];
  });
}

/** Counts a colleague's changes: the hourly limit applies to all computers together. */
function countOfColleague(store: WriterStore, { correlation, sentInMs, ops }: TeamIntent): void {
  if (store.db.get('SELECT 1 FROM outbox_batch WHERE correlation_id = ?', correlation) !== undefined) return;
  const changes = ops.filter(({ state }) => state !== 'RETURNED').length;
  noteSentElsewhere(store, correlation, { at: Math.round(store.nowMs() + sentInMs), changes });
}

/** @returns the state of the op here if the team does not have it */
function recallOp(store: WriterStore, epoch: number, intent: TeamIntent, there: TeamIntentOp): OpOutcome | null {
  const { db } = store;
  const found = db.get(
    `SELECT o.idx, o.state, o.remote_id, o.reason, o.id, o.batch_id FROM outbox_op o JOIN outbox_batch b ON b.id = o.batch_id
     WHERE b.correlation_id = ? AND o.idx = ?`,
    intent.correlation,
    there.idx,
  );
  if (found === undefined) {
    const opId = insertUnknownOp(store, epoch, intent, there);
    if (opId !== null) applyTeamState(store, epoch, opId, intent.verb, there);
    return null;
  }
  const here = outcomeIn(found);
  const { state } = here;
  const opId = asNumber(found[4]);
  if (isOpen(there.state)) {
    if (!isOpen(state)) return here;
    const last = Math.round(store.nowMs() + intent.lastInMs);
    db.run('UPDATE outbox_batch SET last_moment_at = max(last_moment_at, ?) WHERE id = ?', last, asNumber(found[5]));
    if (state === 'NEEDS_USER' && there.state !== 'NEEDS_USER') return here;
  }
  if ((state === 'RETURNED' || state === 'DONE') && isMissingHere(store, intent.verb, there)) {
    // Returned here, then found by a colleague; or lost here when the log was rolled back.
    if (isLive(db, kindOf(there), there.row, intent.verb)) return null;
    db.run(`UPDATE outbox_op SET state = 'IN_DOUBT' WHERE id = ?`, opId);
    applyTeamState(store, epoch, opId, intent.verb, there);
  } else if (isOpen(state)) applyTeamState(store, epoch, opId, intent.verb, there);
  return null;
}

/** Inserts an unknown op as unconfirmed. @returns its ID; null if the op changes nothing here */
function insertUnknownOp(store: WriterStore, epoch: number, intent: TeamIntent, op: TeamIntentOp): number | null {
  const { db } = store;
  const kind = kindOf(op);
  const ref = { kind, id: asRowId(op.row) };
  if (!isOpen(op.state) && !isMissingHere(store, intent.verb, op)) return null;
  if (store.readRow(ref) === null || isLive(db, kind, op.row, intent.verb)) return null;
  const known = db.get('SELECT id FROM outbox_batch WHERE correlation_id = ?', intent.correlation);
  const [sentAt, last] = [intent.sentInMs, intent.lastInMs].map((inMs) => Math.round(store.nowMs() + inMs));
  const { correlation: correlationId, campaign: campaignId, adGroup: adGroupId, verb, body, preImage } = intent;
  const head = { kind: intent.kind, verb, method: 'POST', path: '', campaignId, adGroupId, attempt: 0 } as const;
  const batch = { ...head, correlationId, body, preImage };
  const batchId = known === undefined ? insertBatch(db, epoch, batch, sentAt ?? 0, last ?? 0) : asNumber(known[0]);
  const sent = JSON.parse(op.sent) as NewOp['sent'];
  const base = op.base === null ? null : (JSON.parse(op.base) as NewOp['base']);
  store.bumpRevision([kind]);
  const written = { kind, rowId: ref.id, sent, base };
  return insertOp(db, batchId, op.idx, verb, written, 'IN_DOUBT', 'sent by another computer of the team');
}

const BY_THE_TEAM = 'another computer of the team has settled it';

/** Sets an open op here to its state in the team. */
function applyTeamState(store: WriterStore, epoch: number, opId: number, verb: string, there: TeamIntentOp): void {
  if (there.state === 'NEEDS_USER') {
    openUnresolved(store, { epoch, opId, why: there.reason ?? '' });
    return;
  }
  if (isOpen(there.state)) return;
  const remoteId = there.remoteId as RemoteId | null;
  // A row that already has these or later values is not changed.
  if (there.state === 'DONE' && (verb === 'create' || verb === 'update') && !isMissingHere(store, verb, there)) {
    setState(store, opId, 'DONE', remoteId, BY_THE_TEAM);
  } else if (there.state === 'DONE') {
    adopt(store, { epoch, opId, remoteId, serviceFields: {}, seen: null, evidence: BY_THE_TEAM });
  } else {
    markNotProcessed(store, { epoch, opId, evidence: there.reason ?? BY_THE_TEAM });
    if (there.state === 'REJECTED') store.setRefusal({ kind: kindOf(there), id: asRowId(there.row) }, there.reason);
  }
  store.db.run(
    'UPDATE outbox_question SET answer = ?, answered_at = ? WHERE op_id = ? AND answered_at IS NULL',
    BY_THE_TEAM,
    store.nowMs(),
    opId,
  );
}

/** Whether the row still lacks what a colleague has created or changed on the service. */
function isMissingHere(store: WriterStore, verb: string, op: TeamIntentOp): boolean {
  const row = op.state === 'DONE' ? store.readRow({ kind: kindOf(op), id: asRowId(op.row) }) : null;
  if (row === null) return false;
  if (verb === 'create' || verb === 'upload') return op.remoteId !== null && row.remoteId === null;
  if (verb !== 'update' || op.base === null) return false;
  // A base that has changed since comes from a later read.
  const known = (row.base ?? row.values) as AnyValues;
  return Object.entries(JSON.parse(op.base) as AnyValues).every(([field, value]) => known[field] === value);
}

function kindOf(op: TeamIntentOp) {
  const kind = KINDS.find((candidate) => candidate === op.kind);
  if (kind === undefined) throw new Error(`the team has a request of the unknown kind "${op.kind}"`);
  return kind;
}
