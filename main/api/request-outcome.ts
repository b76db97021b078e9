import type { RemoteId } from '../../shared/model/scalars.ts';

/** What was seen of one request, before anybody says what it means. */
export type RawResult =
  /** Proof that no byte of the request reached the service. */
  | { readonly kind: 'not-sent'; readonly cause: string; readonly security: boolean }
  /** The connection ended without a whole answer; the request may have been carried out, now or later. */
  | { readonly kind: 'broken'; readonly cause: string }
  /** Token or key are not there, so nothing was sent. */
  | { readonly kind: 'no-secrets' }
  | ServiceResponse;

export interface ServiceResponse {
  readonly kind: 'answer';
  readonly status: number;
  /** Null when the body was longer than we read, or ended early. */
  readonly body: string | null;
  readonly retryAfter: string | null;
  /** Changes that it allows in an hour, as far as it says so (wire shapes, section 2, "rate limit"). */
  readonly perHour?: number;
  /** The service's clock less ours at the time of the answer, in milliseconds; null without a readable `Date`. */
  readonly skewMs: number | null;
}

/** What one element of a batch came to. */
export type ElementOutcome =
  | { readonly is: 'done'; readonly remoteId: RemoteId | null }
  | { readonly is: 'rejected'; readonly message: string }
  | { readonly is: 'in-doubt'; readonly cause: string };

/**
 * What one write came to. Only `NOT_SENT` and `LATER` may be sent again without asking anybody; an `IN_DOUBT`
 * request leaves that state by proof or by a person.
 */
export type Outcome = { readonly perHour?: number } & (
  | { readonly class: 'NOT_SENT'; readonly cause: string; readonly security: boolean }
  /** Without a status when there was no answer. */
  | { readonly class: 'IN_DOUBT'; readonly cause: string; readonly security: boolean; readonly status?: number }
  | { readonly class: 'REFUSED'; readonly status: number; readonly message: string }
  | { readonly class: 'AUTH'; readonly message: string }
  /** `retryAfterMs` is what the service said, however long; how long we wait by ourselves is decided in `sync/retry.ts`. */
  | { readonly class: 'LATER'; readonly message: string; readonly retryAfterMs: number | null }
  | { readonly class: 'ELEMENTS'; readonly elements: readonly ElementOutcome[] }
);

/**
 * Why a read gave nothing. A read may always be tried again. `call` is the method and the path that were asked, `retryAt`
 * the moment by our clock that the answer named, in milliseconds since 1970.
 */
export type ReadFailure = { readonly call?: string } & (
  | { readonly kind: 'unreachable'; readonly cause: string }
  | { readonly kind: 'credentials'; readonly message: string }
  | {
      readonly kind: 'later';
      readonly message: string;
      readonly retryAfterMs: number | null;
      readonly retryAt: number | null;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** An answer came and cannot be used; `message` says what it was, or holds its words. */
  | {
      readonly kind: 'service';
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs?: number | null;
      readonly retryAt?: number | null;
    }
  | { readonly kind: 'security'; readonly message: string; readonly status?: number }
);
