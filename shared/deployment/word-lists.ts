import type { Kind } from '../model/kinds.ts';
import type { DeploymentSettings } from './deployment-settings.ts';

/** A profile, or what of it has the lists. */
interface Lists {
  readonly multiplier: Pick<DeploymentSettings['multiplier'], 'placements' | 'platforms'>;
}

/** Placements that campaigns of this targeting may have; those of all where nobody knows the targeting. */
export function placementsFor({ multiplier: { placements } }: Lists, targeting: string | null) {
  if (targeting === 'auto' || targeting === 'manual') return placements[targeting];
  return [...new Set([...placements.auto, ...placements.manual])];
}

/** The words that a deployment's own lists offer for a field, or null where the document's words are the list. */
export function listedWords(profile: Lists, kind: Kind, field: string): readonly string[] | null {
  if (kind === 'placementMultiplier' && field === 'placement') return placementsFor(profile, null);
  return kind === 'platformMultiplier' && field === 'platform' ? profile.multiplier.platforms : null;
}
