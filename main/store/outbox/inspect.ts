import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import { asRowId, remoteId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';
import type { SentChange } from '../../../shared/plan/rollback-plan.ts';
import { asNumber, asText, asTextOrNull, numberOf, rowIdOf } from '../db/db.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { kindAt } from '../schema/tables.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import type { OpState } from './outbox-types.ts';
import { insertBatch, insertOp, isLive } from './save-intent.ts';
import { adopt } from './unconfirmed.ts';

/** The number of ops in each state; together they are all ops ever sent. */
export function countStates(store: WriterStore): Readonly<Record<OpState, number>> {
  const counts = { SENT: 0, IN_DOUBT: 0, NEEDS_USER: 0, DONE: 0, REJECTED: 0, RETURNED: 0 };
  for (const [state, count] of store.db.all('SELECT state, count(*) FROM outbox_op GROUP BY state')) {
    counts[asText(state) as OpState] = asNumber(count);
  }
  return counts;
}

/** The correlation IDs of the list that are in the outbox. */
export function correlationsKnown(store: WriterStore, args: { readonly ids: readonly string[] }): readonly string[] {
  const sql = 'SELECT correlation_id FROM outbox_batch WHERE correlation_id IN (SELECT value FROM json_each(?))';
  return store.db.all(sql, JSON.stringify(args.ids)).map(([id]) => asText(id));
}

/** An intent that the side journal has and the database lacks, because the database is older than the journal. */
export interface JournalIntent {
  readonly correlationId: string;
  readonly kind: string;
  readonly verb: string;
  readonly rows: readonly { readonly kind: string; readonly id: number }[];
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  readonly at: number;
  /** IDs from the response, by position in `rows`; empty without a response. */
  readonly ids: readonly (string | null)[];
}

/**
 * After a restore of a backup: requests that the journal has and the database lacks become unconfirmed, so that nothing
 * is sent twice because of an old copy.
 *
 * @returns the number of rows that became unconfirmed
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
      return isForgotten && !isLive(store.db, row.kind, id, intent.verb)
        ? [{ row, remoteId: remoteId(intent.ids[at]) }]
        : [];
    });
    if (rows.length === 0) continue;
    const { at, verb } = intent;
    // The journal does not have the values that were sent.
    const batch = { ...intent, method: 'POST', path: '', attempt: 0, body: '', preImage: null } as const;
    const batchId = insertBatch(store.db, args.epoch, batch, at, at);
    for (const [index, { row, remoteId: known }] of rows.entries()) {
      const op = { kind: row.kind, rowId: row.id, sent: row.values, base: null };
      const opId = insertOp(store.db, batchId, index, verb, op, 'IN_DOUBT', 'sent after the backup was made');
      imported++;
      if (known === null) continue;
      const evidence = 'the side journal has the ID of its response';
      adopt(store, { epoch: args.epoch, opId, remoteId: known, serviceFields: {}, seen: null, evidence });
    }
    store.bumpRevision(rows.map(({ row }) => row.kind));
  }
  return imported;
}

/**
 * Assigns the requests of the log to runs: each run is stored with the last batch before it. Reads are not in the log,
 * so the requests of a run end where the next run begins.
 */
const RUNS_KEY = 'sync-runs';
/** Number of runs stored; the requests of older ones stay in the log and, as single changes, in the history. */
const RUNS_KEPT = 50;

interface NotedRun {
  readonly runId: string;
  readonly at: number;
  /** ID of the last batch before the run. */
  readonly after: number;
}

/** A run that changed something; lists have the newest first. */
export interface SentRun extends NotedRun {
  /** ID of the last batch of the run. */
  readonly until: number;
  /** Number of rows accepted by the service, without uploads and reviews. */
  readonly elements: number;
}

/** Records that a run begins. */
export function noteRun(store: WriterStore, args: { readonly runId: string }): void {
  const after = numberOf(store.db, 'SELECT coalesce(max(id), 0) FROM outbox_batch');
  // Runs that sent nothing are dropped, so that they do not displace those that did.
  const kept = notedRuns(store).filter((run, at, all) => (all[at + 1]?.after ?? after) > run.after);
  const noted = [...kept, { runId: args.runId, at: store.nowMs(), after }].slice(-RUNS_KEPT);
  writeMeta(store.db, RUNS_KEY, JSON.stringify(noted));
}

export function sentRuns(store: WriterStore): readonly SentRun[] {
  const last = numberOf(store.db, 'SELECT coalesce(max(id), 0) FROM outbox_batch');
  const runs = notedRuns(store).map((run, at, all) => {
    const until = all[at + 1]?.after ?? last;
    const done = `FROM outbox_op WHERE state = 'DONE' AND batch_id > ? AND batch_id <= ?`;
    const isRow = `verb NOT IN ('submit', 'cancel', 'upload')`;
    const rows = `SELECT count(*) FROM (SELECT DISTINCT kind, row_id ${done} AND ${isRow})`;
    const hasDone = numberOf(store.db, `SELECT count(*) ${done}`, run.after, until) > 0;
    return { ...run, until, elements: numberOf(store.db, rows, run.after, until), hasDone };
  });
  return runs.filter(({ hasDone }) => hasDone).toReversed();
}

/** The changes that the service accepted in these batches, in the order in which they were sent. */
export function sentElements(
  store: WriterStore,
  args: { readonly after: number; readonly until: number },
): readonly SentChange[] {
  const sql = `SELECT kind, row_id, verb, sent, base FROM outbox_op
    WHERE state = 'DONE' AND batch_id > ? AND batch_id <= ? ORDER BY batch_id, idx`;
  return store.db.all(sql, args.after, args.until).map(([code, rowId, verb, sent, base]) => {
    const kind = kindAt(code);
    const id = rowIdOf(rowId);
    const before = asTextOrNull(base);
    return {
      kind,
      id,
      verb: asText(verb) as Verb,
      // Written only by this folder.
      sent: JSON.parse(asText(sent)) as AnyValues,
      base: before === null ? null : (JSON.parse(before) as AnyValues),
      row: store.readRow({ kind, id }),
    };
  });
}

/** Written only by this program, above. */
function notedRuns({ db }: WriterStore): readonly NotedRun[] {
  return JSON.parse(readMeta(db, RUNS_KEY) ?? '[]') as readonly NotedRun[];
}

/** The item IDs in the workspace: those of drafts, those on the service, and the new IDs of old ones. */
export type ItemProvenance = ReturnType<typeof itemProvenance>;

export function itemProvenance({ db }: WriterStore) {
  const drafts = db.all(
    `SELECT k.id, k.itemId, k.itemName, c.name FROM ad_item k JOIN campaign c ON c.id = k.campaign_id
     WHERE k.dirty <> 0 AND k.dirty & ${NEW} AND NOT k.dirty & ${DELETED} AND k.itemId IS NOT NULL ORDER BY k.id`,
  );
  const known = db.all(
    `SELECT itemId, max(itemName) FROM ad_item WHERE remote_id IS NOT NULL AND itemId IS NOT NULL GROUP BY itemId`,
  );
  const renamed = db.all(
    `SELECT DISTINCT json_extract(o.sent, '$.itemId'), k.itemId FROM outbox_op o JOIN ad_item k ON k.id = o.row_id
     WHERE o.kind = ${kindCode('adItem')} AND o.state = 'DONE' AND k.remote_id IS NOT NULL
       AND k.itemId IS NOT NULL AND json_extract(o.sent, '$.itemId') <> k.itemId`,
  );
  return {
    drafts: drafts.map(([id, itemId, name, campaign]) => ({
      id: rowIdOf(id),
      itemId: asText(itemId),
      name: asTextOrNull(name),
      campaign: asTextOrNull(campaign) ?? '',
    })),
    known: known.map(([itemId, name]) => ({ itemId: asText(itemId), name: asTextOrNull(name) })),
    /**
     * IDs that were sent and under which the service no longer lists the row: it now lists the row under its new ID
     * (wire shapes, section 5, "Migration").
     */
    renamed: renamed.map(([from, to]) => ({ from: asText(from), to: asText(to) })),
  };
}
