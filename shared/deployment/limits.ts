import type { Kind } from '../model/kinds.ts';

/** The parts of the deployment settings that the window displays and checks input against. */
export interface ShownLimits {
  readonly sba: {
    readonly brandMax: number;
    readonly headlineMax: number;
    readonly clickUrlEncoding: 'document' | 'as-typed';
  };
  readonly logo: {
    readonly width: number;
    readonly height: number;
    readonly contentMaxKb: number;
    readonly uploadMaxKb: number;
  };
  readonly multiplier: {
    readonly max: number;
    readonly placements: { readonly auto: readonly string[]; readonly manual: readonly string[] };
    readonly platforms: readonly string[];
  };
  readonly keywords: { readonly maxDistinctEnabled: number };
  readonly media: { readonly seconds: { readonly min: number; readonly max: number }; readonly maxMb: number };
}

/**
 * Numbers and words of the document that the window shows before an account is open (document, "Limits"). They are the
 * defaults of the deployment settings, which apply once an account is open.
 */
export const DOCUMENT_LIMITS = {
  sba: { brandMax: 35, headlineMax: 45, clickUrlEncoding: 'document' as ShownLimits['sba']['clickUrlEncoding'] },
  logo: { width: 100, height: 100, contentMaxKb: 200, uploadMaxKb: 1024 },
  multiplier: {
    max: 50_000,
    placements: { auto: ['Search Ingrid', 'Buy-Box'], manual: ['Search Ingrid'] },
    platforms: ['Desktop', 'Mobile', 'App'],
  },
  keywords: { maxDistinctEnabled: 200 },
  media: { seconds: { min: 5, max: 45 }, maxMb: 500 },
} satisfies ShownLimits;

/** The deployment limits that a window gets. */
export const shownLimits = ({ sba, logo, multiplier, keywords, media }: ShownLimits): ShownLimits => ({
  sba: { brandMax: sba.brandMax, headlineMax: sba.headlineMax, clickUrlEncoding: sba.clickUrlEncoding },
  logo,
  multiplier: { max: multiplier.max, placements: multiplier.placements, platforms: multiplier.platforms },
  keywords: { maxDistinctEnabled: keywords.maxDistinctEnabled },
  media: { seconds: media.seconds, maxMb: media.maxMb },
});

/** Deployment settings, or the part with the lists. */
interface Lists {
  readonly multiplier: Pick<ShownLimits['multiplier'], 'placements' | 'platforms'>;
}

/** Placements that campaigns of this targeting may have; all placements if the targeting is unknown. */
export function placementsFor({ multiplier: { placements } }: Lists, targeting: string | null) {
  if (targeting === 'auto' || targeting === 'manual') return placements[targeting];
  return [...new Set([...placements.auto, ...placements.manual])];
}

/** The choices of a field from the deployment's own lists, or null where the document's words are the list. */
export function listedWords(profile: Lists, kind: Kind, field: string): readonly string[] | null {
  if (kind === 'placementMultiplier' && field === 'placement') return placementsFor(profile, null);
  return kind === 'platformMultiplier' && field === 'platform' ? profile.multiplier.platforms : null;
}

/** Changes per hour if neither the settings nor the service name a limit. */
export const USUAL_CHANGES_PER_HOUR = 3000;
