import type { Kind } from '../../shared/model/kinds.ts';

/** The kinds whose rows of one campaign belong together in lines and columns. */
export const hasMatrix = (kind: Kind): boolean =>
  kind === 'keyword' || kind === 'placementMultiplier' || kind === 'platformMultiplier';
