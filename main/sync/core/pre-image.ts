import type { PlanBatch } from '../../../shared/plan/plan-types.ts';
import { type RoundContext, rowKey, stopFor } from './context.ts';
import type { Work } from './effects.ts';
import { sight } from './sightings.ts';

/**
 * The ids that the service had before a create, so that afterwards what is new can be told from what was there.
 * Where this round has just made the parent nothing can be there, and nothing is asked.
 *
 * @returns null when no read exists or none is needed; `failed` when the read did not come through, in which case
 * the batch must not be sent: its outcome could not be proven
 */
export function* preImageOf(ctx: RoundContext, batch: PlanBatch): Work<readonly string[] | null | 'failed'> {
  if (!needsPreImage(batch)) return null;
  if (batch.adGroupId !== null && ctx.fresh.has(rowKey('adGroup', batch.adGroupId))) return [];
  const seen = yield* sight(ctx, {
    kind: batch.kind,
    verb: batch.verb,
    campaignId: batch.campaignId,
    adGroupId: batch.adGroupId,
    ops: batch.elements.map(({ id }) => ({ rowId: id })),
  });
  if (seen === 'no-read') return null;
  if (!seen.ok) {
    stopFor(ctx, seen.error);
    return 'failed';
  }
  return seen.value.map(({ remoteId }) => remoteId);
}

/**
 * Profiles, reviews and finished uploads have no identity but their id. Ad items, keywords, multipliers, campaigns
 * and ad groups have one of their own (item, text, type, name), so a read afterwards is enough.
 */
function needsPreImage({ kind, verb }: PlanBatch): boolean {
  if (verb === 'submit' || verb === 'upload') return true;
  // A logo sent twice is the same logo: the picture before it is not worth a request.
  return verb === 'create' && (kind === 'sbaProfile' || kind === 'videoProfile');
}
