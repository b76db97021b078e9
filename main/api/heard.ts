import type { RemoteId } from '../../shared/model/scalars.ts';
import type { HttpRequest } from './http.ts';
import type { Answer } from './outcome.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An answer of the service as it came, without what must not be kept (`without-secrets.ts`). */
export interface HeardAnswer {
  /** Milliseconds since 1970 by our clock. */
  readonly at: number;
  readonly method: HttpRequest['method'];
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Null when the answer was longer than is read, or ended early. */
  readonly body: string | null;
  readonly correlationId: string;
  /** The campaign the request named in its query. */
  readonly campaignId: RemoteId | null;
}

/**
 * An answer that was heard and is not looked through yet: taking the secrets out costs a third of a millisecond, which the
 * sync that asked need not wait for.
 */
export type Hearing = () => HeardAnswer;

/** @param secrets texts that went out with the request, in its headers */
export function heardAnswer(
  request: HttpRequest,
  { status, body }: Answer,
  secrets: readonly string[],
  at: number,
): HeardAnswer {
  const { method, path, query = {}, correlationId } = request;
  const parameters = new URLSearchParams(query).toString();
  return {
    at,
    method,
    path: parameters === '' ? path : `${path}?${parameters}`,
    status,
    body: body === null ? null : withoutSecrets(body, secrets),
    correlationId,
    campaignId: (query['campaignId'] as RemoteId | undefined) ?? null,
  };
}
