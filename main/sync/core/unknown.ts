import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { ownerOf, type RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import type { Sighting } from './sightings.ts';

/**
 * What may be merged of a read. While a create is not settled, a thing nobody here knows may be that very create:
 * taken in as a row of its own, it could never be adopted by the row that was sent. So it is left for later.
 */
export function* settledOnly(
  ctx: RoundContext,
  kind: Kind,
  campaignId: RowId | null,
  sightings: readonly Sighting[],
): Work<readonly Sighting[]> {
  const isKnown = ({ remoteId }: Sighting): boolean => ownerOf(ctx, kind, remoteId) !== null;
  if (sightings.every(isKnown)) return sightings;
  const live = yield* tx('live', (ports) => ports.outbox.live());
  const isOpen = live.some(
    (batch) =>
      batch.verb === 'create' && batch.kind === kind && (campaignId === null || batch.campaignId === campaignId),
  );
  return isOpen ? sightings.filter(isKnown) : sightings;
}
