import type { RowId } from '../../../shared/model/scalars.ts';
import type { PlanBatch } from '../../../shared/plan/plan-types.ts';
import { rowKey } from './books.ts';
import { type RoundContext, stopFor } from './context.ts';
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
  if (batch.kind === 'campaign' && batch.verb === 'create') return yield* sameNamed(ctx, batch);
  if (!needsPreImage(batch)) return null;
  const parent =
    batch.kind === 'adGroup' ? rowKeyOf('campaign', batch.campaignId) : rowKeyOf('adGroup', batch.adGroupId);
  if (parent !== null && ctx.fresh.has(parent)) return [];
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
 * Campaigns that already have the name of a new one, where campaigns can be listed: they are somebody else's, and
 * finding one later proves nothing. The list is read once a round.
 */
function* sameNamed(ctx: RoundContext, batch: PlanBatch): Work<readonly string[] | null | 'failed'> {
  if (!(yield* seeCampaigns(ctx))) return 'failed';
  if (ctx.campaignsSeen === null) return null;
  const names = new Set(batch.elements.map(({ sent }) => trimmed(sent['name'])));
  return ctx.campaignsSeen.filter(({ values }) => names.has(trimmed(values['name']))).map(({ remoteId }) => remoteId);
}

/** Lists the campaigns before the first one is created. @returns false when the read did not come through */
export function* seeCampaigns(ctx: RoundContext): Work<boolean> {
  if (!ctx.capabilities.campaignRead || ctx.campaignsSeen !== null) return true;
  const seen = yield* sight(ctx, { kind: 'campaign', verb: 'create', campaignId: null, adGroupId: null, ops: [] });
  if (seen === 'no-read') return true;
  if (seen.ok) ctx.campaignsSeen = seen.value;
  else stopFor(ctx, seen.error);
  return seen.ok;
}

const rowKeyOf = (kind: 'campaign' | 'adGroup', id: RowId | null): string | null =>
  id === null ? null : rowKey(kind, id);
const trimmed = (cell: unknown): string => (typeof cell === 'string' ? cell.trim() : '');

/**
 * Profiles, reviews and finished uploads have no identity but their id. Ad items, keywords and
 * multipliers have one of their own (item, text, type), so a read afterwards is enough.
 */
function needsPreImage({ kind, verb }: PlanBatch): boolean {
  if (verb === 'submit' || verb === 'upload') return true;
  // A logo sent twice is the same logo: the picture before it is not worth a request.
  return verb === 'create' && (kind === 'adGroup' || kind === 'sbaProfile' || kind === 'videoProfile');
}
