import type { RemoteId } from '../../shared/model/scalars.ts';

/** The raw result of one request, before it is classified. */
export type RawResult =
  /** Proof that no byte of the request reached the service. */
  | { readonly kind: 'not-sent'; readonly cause: string; readonly security: boolean }
  /** The connection ended without a complete response; the request may be executed, now or later. */
  | { readonly kind: 'broken'; readonly cause: string }
  /** Token or key are not available, so nothing was sent. */
  | { readonly kind: 'no-secrets' }
  | ServiceResponse;

export interface ServiceResponse {
  readonly kind: 'answer';
  readonly status: number;
  /** Null if the body was longer than the limit, or ended early. */
  readonly body: string | null;
  readonly retryAfter: string | null;
  /** Changes allowed per hour, if the response names them (wire shapes, section 2, "rate limit"). */
  readonly perHour?: number;
  /** The service's clock minus ours at the time of the response, in milliseconds; null without a readable `Date`. */
  readonly skewMs: number | null;
}

/** The outcome of one element of a batch. */
export type ElementOutcome =
  | { readonly is: 'done'; readonly remoteId: RemoteId | null }
  | { readonly is: 'rejected'; readonly message: string }
  | { readonly is: 'in-doubt'; readonly cause: string };

/**
 * The outcome of one write. Only `NOT_SENT` and `LATER` may be sent again without a decision of the user; an `IN_DOUBT`
 * request is resolved by proof or by the user.
 */
export type Outcome = { readonly perHour?: number } & (
  | { readonly class: 'NOT_SENT'; readonly cause: string; readonly security: boolean }
  /** Without a status if there was no response. */
  | { readonly class: 'IN_DOUBT'; readonly cause: string; readonly security: boolean; readonly status?: number }
  | { readonly class: 'REFUSED'; readonly status: number; readonly message: string }
  | { readonly class: 'AUTH'; readonly message: string }
  /** `retryAfterMs` is the unlimited wait named by the service; `sync/retry.ts` decides the actual wait. */
  | { readonly class: 'LATER'; readonly message: string; readonly retryAfterMs: number | null }
  | { readonly class: 'ELEMENTS'; readonly elements: readonly ElementOutcome[] }
);

/**
 * Why a read failed. A read may always be repeated. `call` is its method and path, `retryAt` the time named by the
 * response on our clock, in milliseconds since 1970.
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
  /** A response arrived but can't be used; `message` describes it or quotes it. */
  | {
      readonly kind: 'service';
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs?: number | null;
      readonly retryAt?: number | null;
    }
  | { readonly kind: 'security'; readonly message: string; readonly status?: number }
);
