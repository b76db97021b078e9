import { type RoundContext, stopFor } from './context.ts';
import { read, type Work } from './effects.ts';
import { keepLimit, liftLimit } from './rate-limit.ts';

/**
 * Asks the service once for finished uploads, a read that every deployment has (document, "GET /api/v1/media"). A refusal
 * is a response too; anything else becomes what stops the round.
 */
export function* probe(ctx: RoundContext): Work<void> {
  const answer = yield* read('probe', (ports) => ports.api.media(null));
  if (answer.ok || answer.error.kind === 'refused') return yield* liftLimit(ctx, 'read');
  const { error } = answer;
  if (error.kind === 'later') yield* keepLimit(ctx, 'read', error.retryAt, error.retryAfterMs);
  stopFor(ctx, error);
}
