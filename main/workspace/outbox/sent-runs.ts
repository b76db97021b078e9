import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';
import { asNumber, asText, asTextOrNull, numberOf } from '../db/db.ts';
import { readMeta, writeMeta } from '../rows/meta.ts';
import type { WriterStore } from '../writer/store.ts';

/**
 * Which requests of the ledger belong to which run: a run is told by the last request before it. Reads are no part of the
 * ledger, so the requests of a run end where the next run begins.
 */
const RUNS_KEY = 'sync-runs';
/** Runs that are remembered; older ones are still in the ledger, and in the history as single changes. */
const RUNS_KEPT = 50;

interface NotedRun {
  readonly runId: string;
  readonly at: number;
  /** Id of the last batch before the run. */
  readonly after: number;
}

/** A run that changed something, newest first in lists. */
export interface SentRun extends NotedRun {
  /** Id of the last batch of the run. */
  readonly until: number;
  /** Elements the service has taken. */
  readonly elements: number;
}

/** One element that the service has taken, with what it had before and the row as it is now. */
export interface SentElement {
  readonly kind: Kind;
  readonly id: RowId;
  readonly verb: Verb;
  readonly sent: AnyValues;
  /** Of the fields in `sent`, as the service had them; null for a create. */
  readonly base: AnyValues | null;
  /** Null when the row has left. */
  readonly row: AnyRow | null;
}

/** Notes that a run begins. */
export function noteRun(store: WriterStore, args: { readonly runId: string }): void {
  const after = numberOf(store.db, 'SELECT coalesce(max(id), 0) FROM outbox_batch');
  // Runs that sent nothing fall out, so that many of them do not push out those that did.
  const kept = notedRuns(store).filter((run, at, all) => (all[at + 1]?.after ?? after) > run.after);
  const noted = [...kept, { runId: args.runId, at: store.nowMs(), after }].slice(-RUNS_KEPT);
  writeMeta(store.db, RUNS_KEY, JSON.stringify(noted));
}

export function sentRuns(store: WriterStore): readonly SentRun[] {
  const last = numberOf(store.db, 'SELECT coalesce(max(id), 0) FROM outbox_batch');
  const runs = notedRuns(store).map((run, at, all) => {
    const until = all[at + 1]?.after ?? last;
    const done = `SELECT count(*) FROM outbox_op WHERE state = 'DONE' AND batch_id > ? AND batch_id <= ?`;
    return { ...run, until, elements: numberOf(store.db, done, run.after, until) };
  });
  return runs.filter(({ elements }) => elements > 0).toReversed();
}

/** What the service has taken in these batches, in the order in which it was sent. */
export function sentElements(
  store: WriterStore,
  args: { readonly after: number; readonly until: number },
): readonly SentElement[] {
  const sql = `SELECT kind, row_id, verb, sent, base FROM outbox_op
    WHERE state = 'DONE' AND batch_id > ? AND batch_id <= ? ORDER BY batch_id, idx`;
  return store.db.all(sql, args.after, args.until).map(([code, rowId, verb, sent, base]) => {
    const kind = KINDS[asNumber(code)];
    if (kind === undefined) throw new Error('the outbox holds an unknown kind');
    const id = asRowId(asNumber(rowId));
    const before = asTextOrNull(base);
    return {
      kind,
      id,
      verb: asText(verb) as Verb,
      // Written by this folder alone.
      sent: JSON.parse(asText(sent)) as AnyValues,
      base: before === null ? null : (JSON.parse(before) as AnyValues),
      row: store.readRow({ kind, id }),
    };
  });
}

/** Written above, by this program alone. */
function notedRuns({ db }: WriterStore): readonly NotedRun[] {
  return JSON.parse(readMeta(db, RUNS_KEY) ?? '[]') as readonly NotedRun[];
}
