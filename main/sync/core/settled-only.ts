import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { ownerOf } from './books.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import type { Sighting } from './sightings.ts';

/**
 * What may be merged of a read while sends are not settled. A row in doubt is left to the resolving: merged, our own
 * value would look like somebody else's and contradict a later edit. And while a create is not settled, a thing
 * nobody here knows may be that very create: taken in as a row of its own, it could never be adopted any more.
 */
export function* settledOnly(
  ctx: RoundContext,
  kind: Kind,
  campaignId: RowId | null,
  sightings: readonly Sighting[],
): Work<readonly Sighting[]> {
  if (sightings.length === 0) return sightings;
  const live = (yield* tx('live', (ports) => ports.outbox.live())).filter((batch) => batch.kind === kind);
  if (live.length === 0) return sightings;
  const inDoubt = new Set(live.flatMap(({ ops }) => ops.map(({ rowId }) => rowId)));
  const createIsOpen = live.some(
    ({ verb, ...batch }) =>
      (verb === 'create' || verb === 'upload') && (campaignId === null || batch.campaignId === campaignId),
  );
  return sightings.filter(({ remoteId }) => {
    const owner = ownerOf(ctx, kind, remoteId);
    return owner === null ? !createIsOpen : !inDoubt.has(owner);
  });
}
