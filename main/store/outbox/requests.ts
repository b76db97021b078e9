import { BODY_SHOWN_MAX } from '../../../shared/api/limits.ts';
import type { RequestDetail, SentRequest } from '../../../shared/api/requests.ts';
import { textKey } from '../../../shared/model/text.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { asNumber, asText, type Db, numberOf } from '../db/db.ts';
import { readRow } from '../rows/read-rows.ts';
import { elementsOf, HEAD_COLUMNS, HEAD_WIDTH, headOf, receiptsOf, stateOf } from './request-rows.ts';

/** The ledger as a person looks things up in it: newest first, found by what stands on a support ticket. */
export function sentRequests(
  { db }: { readonly db: Db },
  args: { readonly from: number; readonly count: number; readonly words: string },
): { readonly total: number; readonly requests: SentRequest[] } {
  const patterns = textKey(args.words)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => `%${word.replace(/[\\%_]/gu, '\\$&')}%`);
  const said = `fold(b.correlation_id || ' ' || b.path || ' ' || b.kind || ' ' || coalesce(c.name, ''))`;
  const where = ['true', ...patterns.map(() => `${said} LIKE ? ESCAPE '\\'`)].join(' AND ');
  const source = `FROM outbox_batch b LEFT JOIN campaign c ON c.id = b.campaign_id WHERE ${where}`;
  const page = db.all(
    `SELECT ${HEAD_COLUMNS}, coalesce(c.name, '') ${source} ORDER BY b.id DESC LIMIT ? OFFSET ?`,
    ...patterns,
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
  return { total: numberOf(db, `SELECT count(*) ${source}`, ...patterns), requests };
}

/** One request whole; null when there is none of this id. */
export function sentRequest({ db }: { readonly db: Db }, args: { readonly id: number }): RequestDetail | null {
  const found = db.get('SELECT body FROM outbox_batch WHERE id = ?', args.id);
  if (found === undefined) return null;
  const body = asText(found[0]);
  return {
    body: body.slice(0, BODY_SHOWN_MAX),
    bodyLength: body.length,
    elements: elementsOf(db, args.id).map((element) => {
      const row = readRow(db, element);
      return { ...element, label: row === null ? '' : rowLabel(row) };
    }),
    receipts: receiptsOf(db, args.id),
  };
}
