import { ELEMENT_STATES } from '../../../shared/api/choices.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, asTextOrNull, type Db, type DbRow } from '../db/db.ts';

/** The requests of the outbox as rows of their tables, for whoever looks something up in them or writes them out. */
export interface RequestHead {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly verb: string;
  /** Counts from 1; each attempt is a request of its own. */
  readonly attempt: number;
  readonly correlationId: string;
}

export interface RequestElement {
  readonly kind: Kind;
  readonly id: RowId;
  readonly state: (typeof ELEMENT_STATES)[number];
  readonly remoteId: string | null;
  readonly reason: string | null;
}

export interface Receipt {
  readonly at: number;
  readonly class: string;
  readonly detail: string;
}

/** Columns of `outbox_batch b` that `headOf` reads; further ones may stand behind them. */
export const HEAD_COLUMNS = 'b.id, b.sent_at, b.method, b.path, b.kind, b.verb, b.attempt, b.correlation_id';
/** How many columns those are. */
export const HEAD_WIDTH = 8;

export function headOf([id, sentAt, method, path, kind, verb, attempt, correlationId]: DbRow): RequestHead {
  return {
    id: asNumber(id),
    sentAt: asNumber(sentAt),
    method: asText(method),
    path: asText(path),
    kind: asText(kind),
    verb: asText(verb),
    attempt: asNumber(attempt),
    correlationId: asText(correlationId),
  };
}

/** What a request carried, in the order of its body. */
export const elementsOf = (db: Db, batchId: number): readonly RequestElement[] =>
  db
    .all('SELECT kind, row_id, state, remote_id, reason FROM outbox_op WHERE batch_id = ? ORDER BY idx', batchId)
    .map(([code, rowId, state, remoteId, reason]) => {
      const kind = KINDS[asNumber(code)];
      if (kind === undefined) throw new Error('the outbox holds an unknown kind');
      return {
        kind,
        id: asRowId(asNumber(rowId)),
        state: stateOf(state),
        remoteId: asTextOrNull(remoteId),
        reason: asTextOrNull(reason),
      };
    });

/** What was written down of its answers, oldest first. */
export const receiptsOf = (db: Db, batchId: number): Receipt[] =>
  db
    .all('SELECT at, class, detail FROM outbox_receipt WHERE batch_id = ? ORDER BY seq', batchId)
    .map(([at, word, detail]) => ({ at: asNumber(at), class: asText(word), detail: asText(detail) }));

export function stateOf(value: DbRow[number] | undefined): RequestElement['state'] {
  const state = ELEMENT_STATES.find((each) => each === value);
  if (state === undefined) throw new Error(`the outbox holds an unknown state ${value}`);
  return state;
}
