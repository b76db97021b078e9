import type { Question } from '../../../shared/api/sync.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';

/** How long after its intent a request may begin without the intent being dated again, in milliseconds. */
export const TURN_MS = 5_000;
/** How long after its intent a request may have been on the wire when nobody saw its end, in milliseconds. */
export const ON_THE_WIRE_MS = 60_000 + TURN_MS;
/** How long after the last possible moment an absence proves anything, in milliseconds. */
export const SETTLE_MS = 120_000;
/** How far two reads must lie apart before they count as two, in milliseconds. */
export const BETWEEN_READS_MS = 30_000;

export interface NewBatch {
  readonly kind: Kind | 'review';
  readonly verb: Verb;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
  readonly attempt: number;
  readonly correlationId: string;
  /** The exact text that will be sent. */
  readonly body: string;
  /** Ids that the service had before, as far as a read told; null where there is no read. */
  readonly preImage: readonly string[] | null;
  readonly ops: readonly NewOp[];
}

export interface NewOp {
  readonly kind: Kind;
  readonly rowId: RowId;
  readonly sent: AnyValues;
  readonly base: AnyValues | null;
  /** Of what would be sent of the row, where a colleague has to sign it off (`shared/plan/sign-off.ts`). */
  readonly digest?: string | undefined;
}

export type IntendAnswer =
  | { readonly kind: 'ok'; readonly batchId: number }
  /** Somebody else writes this workspace by now. */
  | { readonly kind: 'stale-epoch' }
  /** A send of one of the rows is not settled yet. */
  | { readonly kind: 'live'; readonly rowIds: readonly RowId[] }
  /** The hourly limit of the service allows no request of this size, at no time. */
  | { readonly kind: 'too-many'; readonly perHour: number }
  /** The hourly limit of the service would be passed. */
  | { readonly kind: 'over-budget'; readonly waitMs: number };

export type OpState = 'SENT' | 'IN_DOUBT' | 'NEEDS_USER' | 'DONE' | 'REJECTED' | 'RETURNED';

export interface LiveOp extends NewOp {
  readonly id: number;
  readonly index: number;
  readonly state: OpState;
  /** When a read first lacked it; null before. */
  readonly absentAt: number | null;
}

/** A batch of which at least one op still binds its row. */
export interface LiveBatch extends Omit<NewBatch, 'method' | 'path' | 'attempt' | 'ops'> {
  readonly id: number;
  readonly sentAt: number;
  /** The last moment at which the request can have been on the wire. */
  readonly lastMomentAt: number;
  readonly ops: readonly LiveOp[];
}

/** What the answer to a batch came to, op by op, in the order of the batch. */
export type Settlement =
  | { readonly is: 'returned'; readonly detail: string }
  | { readonly is: 'rejected'; readonly message: string }
  | { readonly is: 'in-doubt'; readonly cause: string }
  | { readonly is: 'elements'; readonly elements: readonly ElementSettlement[] };

export type ElementSettlement =
  | { readonly is: 'done'; readonly remoteId: RemoteId | null; readonly serviceFields: AnyValues }
  | { readonly is: 'rejected'; readonly message: string }
  | { readonly is: 'in-doubt'; readonly cause: string };

export interface OpenQuestion extends Readonly<Omit<Question, 'answers'>> {
  readonly opId: number;
  readonly askedAt: number;
  /** What was sent: a review has the ad group for its row. */
  readonly of: Kind | 'review';
  readonly verb: Verb;
}

/** What stands at a row until a second read has shown the same, or one has it again. */
export const MISSED =
  'The service no longer lists this row, so its change was not sent. A sync at least 2 minutes from now checks again. If the row is still missing, you choose whether to create it again or delete it here.';
/** The same at a row without edits. */
export const MISSED_UNCHANGED =
  'The service no longer lists this row. Refresh again after 2 minutes. If the row is still missing, you choose whether to create it again or delete it here.';
