import { fieldSpec } from '../../../shared/model/fields.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asNumberOrNull, asTextOrNull, numberOf } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';
import type { WriterStore } from '../writer/store.ts';

/** Rows in a state that only the service ends: how many there are, and the first of them. */
export interface PendingRows {
  readonly rows: number;
  readonly first: readonly WaitingRow[];
}

export interface WaitingRow {
  readonly id: RowId;
  readonly name: string;
  /** When the upload was finished, the first day of the campaign, or null. */
  readonly since: number | null;
  readonly day: string | null;
}

const NAMED = 20;

/** SQL: the field has one of these words, or one of the service that this version does not know. */
const isOneOf = (kind: Kind, field: string, words: readonly string[]): string => {
  const type = fieldSpec(kind, field)?.type;
  const codes = words.map((word) => (type?.is === 'choice' ? type.choices.indexOf(word) : -1)).join(', ');
  return `(k."${field}" IN (${codes}) OR typeof(k."${field}") = 'text')`;
};

/** Videos the service works on, ad groups under review, and campaigns that wait for their first day. */
export function pendingOnService(store: WriterStore): {
  readonly videos: PendingRows;
  readonly reviews: PendingRows;
  readonly scheduled: PendingRows;
} {
  // The newest upload counts; a row that came from a read has none.
  const finished = `(SELECT max(b.last_moment_at) FROM outbox_op o JOIN outbox_batch b ON b.id = o.batch_id
    WHERE o.kind = ${kindCode('media')} AND o.row_id = k.id AND o.verb = 'upload' AND o.state = 'DONE')`;
  const states = {
    videos: ['media', 'mediaState', ['processing'], 'k."mediaName"', finished, 'NULL'],
    reviews: ['adGroup', 'reviewStatus', ['pending', 'in-progress'], CAMPAIGN_NAME, 'NULL', 'NULL'],
    scheduled: ['campaign', 'campaignState', ['scheduled'], 'k."name"', 'NULL', 'k."startDate"'],
  } as const;
  const read = (which: keyof typeof states): PendingRows => {
    const [kind, field, words, name, since, day] = states[which];
    const from = `FROM ${tableOf(kind).name} k WHERE k.remote_id IS NOT NULL AND ${isOneOf(kind, field, words)}`;
    const first = store.db.all(
      `SELECT k.id, ${name}, ${since}, ${day} ${from} ORDER BY ${since}, ${day}, k.id LIMIT ${NAMED}`,
    );
    return {
      rows: numberOf(store.db, `SELECT count(*) ${from}`),
      first: first.map(([id, label, at, date]) => ({
        id: asRowId(asNumber(id)),
        name: asTextOrNull(label) ?? '',
        since: asNumberOrNull(at),
        day: asTextOrNull(date),
      })),
    };
  };
  return { videos: read('videos'), reviews: read('reviews'), scheduled: read('scheduled') };
}

/** When the newest review of each campaign was asked for from here, as far as the ledger knows. */
export const reviewsAsked = (store: WriterStore): readonly { readonly campaignId: RowId; readonly at: number }[] =>
  store.db
    .all(
      `SELECT b.campaign_id, max(b.sent_at) FROM outbox_batch b JOIN outbox_op o ON o.batch_id = b.id
       WHERE b.kind = 'review' AND b.verb = 'submit' AND o.state = 'DONE' AND b.campaign_id IS NOT NULL
       GROUP BY b.campaign_id`,
    )
    .map(([campaignId, at]) => ({ campaignId: asRowId(asNumber(campaignId)), at: asNumber(at) }));

const CAMPAIGN_NAME = '(SELECT c.name FROM campaign c WHERE c.id = k.campaign_id)';
