import { elementResults, type ResultShape } from './element-results.ts';
import { errorText, textIn } from './error-text.ts';
import { parseJson } from './json.ts';
import { isKnownRefusal, isNotAuthenticated } from './known-refusals.ts';
import type { Answer, Observation, Outcome, ReadFailure } from './outcome.ts';
import { retryAfterMs } from './retry-after.ts';

const NO_SECRETS = 'The access token and the private key of this account are not available.';

/**
 * The one table that says what a write came to, and so whether it may be sent again. It is total: whatever is
 * not proven is in doubt.
 *
 *   no byte left ............................... NOT_SENT   send again
 *   400 403 404 422 ............................ REFUSED    nothing of the batch was written
 *   401, 403 `User not Authenticated` .......... AUTH       wait for other credentials
 *   429 ........................................ LATER      not carried out; send again after a while
 *   200 with one result per element ............ ELEMENTS   done, rejected or in doubt, one by one
 *   200 with a refusal from the document ....... REFUSED
 *   3xx ........................................ IN_DOUBT   never followed, reported
 *   5xx, broken connection, anything else ...... IN_DOUBT   may have been carried out, now or later
 */
export function classify(seen: Observation, shape: ResultShape, nowMs: number): Outcome {
  if (seen.kind === 'not-sent') return { class: 'NOT_SENT', cause: seen.cause, security: seen.security };
  if (seen.kind === 'no-secrets') return { class: 'AUTH', message: NO_SECRETS, skewMs: null };
  if (seen.kind === 'broken') return inDoubt(seen.cause);
  const { status } = seen;
  if (status >= 300 && status < 400) {
    return { class: 'IN_DOUBT', cause: `the service answered with a redirect (${status})`, security: true };
  }
  if (seen.body === null) return status === 429 ? later(seen, nowMs) : inDoubt('the answer was cut off or too long');
  if (status === 401 || (status === 403 && isNotAuthenticated(errorText(seen.body)))) {
    return { class: 'AUTH', message: errorText(seen.body), skewMs: seen.skewMs };
  }
  if (status === 429) return later(seen, nowMs);
  if (status === 400 || status === 403 || status === 404 || status === 422) {
    return { class: 'REFUSED', status, message: errorText(seen.body) };
  }
  if (status === 200 || status === 201) return ofResults(seen.body, status, shape);
  return inDoubt(`the service answered ${status}: ${errorText(seen.body)}`);
}

function ofResults(body: string, status: number, shape: ResultShape): Outcome {
  const parsed = parseJson(body);
  if (!parsed.ok) return inDoubt('the answer is not JSON');
  const elements = elementResults(parsed.value, shape);
  if (elements !== null) return { class: 'ELEMENTS', elements };
  const message = textIn(parsed.value);
  if (message !== null && isKnownRefusal(message)) return { class: 'REFUSED', status, message };
  return inDoubt(message === null ? 'the answer has no results' : `the answer has no results: ${message}`);
}

const inDoubt = (cause: string): Outcome => ({ class: 'IN_DOUBT', cause, security: false });

const later = (answer: Answer, nowMs: number): Outcome => ({
  class: 'LATER',
  message: answer.body === null ? '' : errorText(answer.body),
  retryAfterMs: retryAfterMs(answer.retryAfter, nowMs + (answer.skewMs ?? 0)),
});

/** Why a read failed, or null when it gave an answer with status 200. */
export function readFailure(seen: Observation, nowMs: number): ReadFailure | null {
  if (seen.kind === 'not-sent') {
    return seen.security ? { kind: 'security', message: seen.cause } : { kind: 'unreachable', cause: seen.cause };
  }
  if (seen.kind === 'no-secrets') return { kind: 'credentials', message: NO_SECRETS };
  if (seen.kind === 'broken') return { kind: 'unreachable', cause: seen.cause };
  const { status } = seen;
  if (status >= 300 && status < 400) {
    return { kind: 'security', message: `The service answered with a redirect (${status}), which is never followed.` };
  }
  if (seen.body === null) return { kind: 'service', status, message: 'The answer was cut off or too long.' };
  if (status === 200) return null;
  const message = errorText(seen.body);
  if (status === 401 || (status === 403 && isNotAuthenticated(message))) return { kind: 'credentials', message };
  if (status === 429) {
    return { kind: 'later', message, retryAfterMs: retryAfterMs(seen.retryAfter, nowMs + (seen.skewMs ?? 0)) };
  }
  return status >= 400 && status < 500 ? { kind: 'refused', status, message } : { kind: 'service', status, message };
}
