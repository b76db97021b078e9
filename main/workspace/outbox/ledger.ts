import { asText } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';
import {
  elementsOf,
  HEAD_COLUMNS,
  HEAD_WIDTH,
  headOf,
  type Receipt,
  type RequestElement,
  type RequestHead,
  receiptsOf,
} from './request-rows.ts';

/** One request of the ledger with everything that became of it. */
export interface RequestLogEntry extends RequestHead {
  /** The exact bytes that were sent; credentials travel in headers and never stand here. */
  readonly body: string;
  readonly rows: readonly RequestElement[];
  readonly receipts: readonly Receipt[];
}

/**
 * The requests that were ever sent, oldest first, a part at a time.
 *
 * @param args.after the id of the last entry that is known already; 0 for the first part
 */
export const readRequestLog = (
  { db }: WriterStore,
  args: { readonly after: number; readonly count: number },
): readonly RequestLogEntry[] =>
  db
    .all(
      `SELECT ${HEAD_COLUMNS}, b.body FROM outbox_batch b WHERE b.id > ? ORDER BY b.id LIMIT ?`,
      args.after,
      args.count,
    )
    .map((row) => {
      const head = headOf(row);
      return {
        ...head,
        body: asText(row[HEAD_WIDTH]),
        rows: elementsOf(db, head.id),
        receipts: receiptsOf(db, head.id),
      };
    });
