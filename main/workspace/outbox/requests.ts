import type { RequestDetail, SentRequest } from '../../../shared/contract/requests.ts';
import { BODY_SHOWN_MAX, ELEMENT_STATES } from '../../../shared/contract/sent-elements.ts';
import { nameKey } from '../../../shared/model/keyword-key.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import { asNumber, asText, asTextOrNull, type DbValue, numberOf } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';

/** The ledger as a person looks things up in it: newest first, found by what stands on a support ticket. */
export function sentRequests(
  { db }: WriterStore,
  args: { readonly from: number; readonly count: number; readonly words: string },
): { readonly total: number; readonly requests: SentRequest[] } {
  const patterns = nameKey(args.words)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => `%${word.replace(/[\\%_]/gu, '\\$&')}%`);
  const said = `fold(b.correlation_id || ' ' || b.path || ' ' || b.kind || ' ' || coalesce(c.name, ''))`;
  const where = ['true', ...patterns.map(() => `${said} LIKE ? ESCAPE '\\'`)].join(' AND ');
  const source = `FROM outbox_batch b LEFT JOIN campaign c ON c.id = b.campaign_id WHERE ${where}`;
  const columns = `b.id, b.sent_at, b.method, b.path, b.kind, b.verb, b.attempt, coalesce(c.name, ''), b.correlation_id`;
  const page = db.all(
    `SELECT ${columns} ${source} ORDER BY b.id DESC LIMIT ? OFFSET ?`,
    ...patterns,
    args.count,
    args.from,
  );
  const requests = page.map(([id, sentAt, method, path, kind, verb, attempt, campaign, correlationId]) => ({
    id: asNumber(id),
    sentAt: asNumber(sentAt),
    method: asText(method),
    path: asText(path),
    kind: asText(kind),
    verb: asText(verb),
    attempt: asNumber(attempt),
    campaign: asText(campaign),
    correlationId: asText(correlationId),
    states: Object.fromEntries(
      db
        .all('SELECT state, count(*) FROM outbox_op WHERE batch_id = ? GROUP BY state', asNumber(id))
        .map(([state, count]) => [stateOf(state), asNumber(count)]),
    ),
  }));
  return { total: numberOf(db, `SELECT count(*) ${source}`, ...patterns), requests };
}

/** One request whole; null when there is none of this id. */
export function sentRequest(store: WriterStore, args: { readonly id: number }): RequestDetail | null {
  const { db } = store;
  const found = db.get('SELECT body FROM outbox_batch WHERE id = ?', args.id);
  if (found === undefined) return null;
  const body = asText(found[0]);
  const ops = 'SELECT kind, row_id, state, remote_id, reason FROM outbox_op WHERE batch_id = ? ORDER BY idx';
  const receipts = 'SELECT at, class, detail FROM outbox_receipt WHERE batch_id = ? ORDER BY seq';
  return {
    body: body.slice(0, BODY_SHOWN_MAX),
    bodyLength: body.length,
    elements: db.all(ops, args.id).map(([code, rowId, state, remoteId, reason]) => {
      const kind = KINDS[asNumber(code)];
      if (kind === undefined) throw new Error('the outbox holds an unknown kind');
      const ref = { kind, id: asRowId(asNumber(rowId)) };
      const row = store.readRow(ref);
      const label = row === null ? '' : rowLabel(row);
      return { ...ref, label, state: stateOf(state), remoteId: asTextOrNull(remoteId), reason: asTextOrNull(reason) };
    }),
    receipts: db
      .all(receipts, args.id)
      .map(([at, word, detail]) => ({ at: asNumber(at), class: asText(word), detail: asText(detail) })),
  };
}

function stateOf(value: DbValue | undefined): (typeof ELEMENT_STATES)[number] {
  const state = ELEMENT_STATES.find((each) => each === value);
  if (state === undefined) throw new Error(`the outbox holds an unknown state ${value}`);
  return state;
}
