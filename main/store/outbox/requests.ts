import { ELEMENT_STATES } from '../../../shared/api/choices.ts';
import { BODY_SHOWN_MAX } from '../../../shared/api/limits.ts';
import type { RequestDetail, SentRequest } from '../../../shared/api/requests.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { asNumber, asText, asTextOrNull, containsWords, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { campaignNameSql } from '../rows/campaign-ids.ts';
import { readRow } from '../rows/read-rows.ts';
import { kindAt } from '../schema/tables.ts';

/** The request log for search: newest first, matched by correlation ID, path, kind and campaign name. */
export function sentRequests(
  db: Db,
  args: { readonly from: number; readonly count: number; readonly words: string },
): { readonly total: number; readonly requests: SentRequest[] } {
  const said = `fold(b.correlation_id || ' ' || b.path || ' ' || b.kind || ' ' || coalesce(${campaignNameSql('c')}, ''))`;
  const { sql, bind } = containsWords(said, args.words);
  const source = `FROM outbox_batch b LEFT JOIN campaign c ON c.id = b.campaign_id WHERE ${sql}`;
  const page = db.all(
    `SELECT ${HEAD_COLUMNS}, coalesce(${campaignNameSql('c')}, '') ${source} ORDER BY b.id DESC LIMIT ? OFFSET ?`,
    ...bind,
    args.count,
    args.from,
  );
  const requests = page.map((row) => {
    const head = headOf(row);
    const states = db
      .all('SELECT state, count(*) FROM outbox_op WHERE batch_id = ? GROUP BY state', head.id)
      .map(([state, count]) => [stateOf(state), asNumber(count)]);
    return { ...head, campaign: asText(row[HEAD_WIDTH]), states: Object.fromEntries(states) };
  });
  return { total: numberOf(db, `SELECT count(*) ${source}`, ...bind), requests };
}

/** One request with its body; null for an unknown ID. */
export function sentRequest(db: Db, id: number): RequestDetail | null {
  const found = db.get('SELECT body FROM outbox_batch WHERE id = ?', id);
  if (found === undefined) return null;
  const body = asText(found[0]);
  return {
    body: body.slice(0, BODY_SHOWN_MAX),
    bodyLength: body.length,
    elements: elementsOf(db, id).map((element) => {
      const row = readRow(db, element);
      return { ...element, label: row === null ? '' : rowLabel(row) };
    }),
    receipts: receiptsOf(db, id),
  };
}

/** A request of the outbox as stored in its table. */
export type RequestHead = Omit<SentRequest, 'campaign' | 'states'>;

export type RequestElement = Omit<RequestDetail['elements'][number], 'label'>;

export type Receipt = RequestDetail['receipts'][number];

/** Columns of `outbox_batch b` that `headOf` reads; more may follow. */
export const HEAD_COLUMNS = 'b.id, b.sent_at, b.method, b.path, b.kind, b.verb, b.attempt, b.correlation_id';
/** The number of these columns. */
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

/** The elements of a request, in the order of its body. */
export const elementsOf = (db: Db, batchId: number): readonly RequestElement[] =>
  db
    .all('SELECT kind, row_id, state, remote_id, reason FROM outbox_op WHERE batch_id = ? ORDER BY idx', batchId)
    .map(([code, rowId, state, remoteId, reason]) => ({
      kind: kindAt(code),
      id: rowIdOf(rowId),
      state: stateOf(state),
      remoteId: asTextOrNull(remoteId),
      reason: asTextOrNull(reason),
    }));

/** The receipts of a request, oldest first. */
export const receiptsOf = (db: Db, batchId: number): Receipt[] =>
  db
    .all('SELECT at, class, detail FROM outbox_receipt WHERE batch_id = ? ORDER BY seq', batchId)
    .map(([at, word, detail]) => ({ at: asNumber(at), class: asText(word), detail: asText(detail) }));

function stateOf(value: DbRow[number] | undefined): RequestElement['state'] {
  const state = ELEMENT_STATES.find((each) => each === value);
  if (state === undefined) throw new Error(`the outbox holds an unknown state ${value}`);
  return state;
}
