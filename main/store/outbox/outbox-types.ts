import type { Question } from '../../../shared/api/sync.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';

/** How long after its intent a request may begin without a new date of the intent, in milliseconds. */
export const TURN_MS = 5_000;
/** How long after its intent a request with an unknown end may have been on the wire, in milliseconds. */
export const ON_THE_WIRE_MS = 60_000 + TURN_MS;
/** How long after that time an absence counts as proof, in milliseconds. */
export const SETTLE_MS = 120_000;
/** Minimum time between two reads that count separately, in milliseconds. */
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
  /** IDs on the service before the request; null if there is no read. */
  readonly preImage: readonly string[] | null;
  readonly ops: readonly NewOp[];
}

export interface NewOp {
  readonly kind: Kind;
  readonly rowId: RowId;
  readonly sent: AnyValues;
  readonly base: AnyValues | null;
  /** Digest of what would be sent of the row, if a colleague has to sign it off (`shared/plan/sign-off.ts`). */
  readonly digest?: string | undefined;
}

export type IntendAnswer =
  | { readonly kind: 'ok'; readonly batchId: number }
  /** Another process has taken this workspace over. */
  | { readonly kind: 'stale-epoch' }
  /** One of the rows has an unconfirmed request. */
  | { readonly kind: 'live'; readonly rowIds: readonly RowId[] }
  /** The request is larger than the hourly limit of the service. */
  | { readonly kind: 'too-many'; readonly perHour: number }
  /** The request would exceed the hourly limit of the service. */
  | { readonly kind: 'over-budget'; readonly waitMs: number };

export type OpState = 'SENT' | 'IN_DOUBT' | 'NEEDS_USER' | 'DONE' | 'REJECTED' | 'RETURNED';

export interface LiveOp extends NewOp {
  readonly id: number;
  readonly index: number;
  readonly state: OpState;
  /** Time of the first read that lacked the row; null before. */
  readonly absentAt: number | null;
}

/** A batch with at least one open op. */
export interface LiveBatch extends Omit<NewBatch, 'method' | 'path' | 'attempt' | 'ops'> {
  readonly id: number;
  readonly sentAt: number;
  /** The last time at which the request can have been on the wire. */
  readonly lastMomentAt: number;
  readonly ops: readonly LiveOp[];
}

/** The outcome of a batch, by op in the order of the batch. */
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
  /** What was sent; the row of a review is its ad group. */
  readonly of: Kind | 'review';
  readonly verb: Verb;
}

/** The message on a row that a read lacks, until a second read lacks it too or a read has it again. */
export const MISSED =
  'The service no longer lists this row, so its change was not sent. A sync at least 2 minutes from now checks again. If the row is still missing, you choose whether to create it again or delete it here.';
/** The message on such a row without edits. */
export const MISSED_UNCHANGED =
  'The service no longer lists this row. Refresh again after 2 minutes. If the row is still missing, you choose whether to create it again or delete it here.';
