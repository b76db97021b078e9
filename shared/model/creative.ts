import { canonicalClickUrl } from './click-url.ts';
import { textOrNull } from './field-types.ts';
import type { AnyValues } from './fields.ts';
import type { PlainDate } from './scalars.ts';

/** Exactly what reviewers see of a profile: its texts, its click URL, and the bytes of its logo or video. */
export interface Creative {
  readonly kind: CreativeKind;
  readonly brand: string | null;
  readonly headline: string | null;
  /** In canonical form, so that equal URLs give the same creative. */
  readonly clickUrl: string | null;
  /** SHA-256 of the logo or the video; null where only the service has the file. */
  readonly sha256: string | null;
}

export const CREATIVE_KINDS = ['sbaProfile', 'videoProfile'] as const;
export type CreativeKind = (typeof CREATIVE_KINDS)[number];

/** The result of the last review of exactly this creative. */
export interface Verdict {
  readonly verdict: 'approved' | 'rejected';
  readonly reason: string | null;
  /** Date in the business time zone. */
  readonly day: PlainDate;
}

/** The review results of all creatives of the account so far. */
export interface CreativeMemory {
  last(creative: Creative): Verdict | null;
}

/**
 * The creative of a profile from its cells.
 *
 * @param sha256 hash of the file in a cell, null if unknown here
 * @returns null for a profile without content
 */
export function creativeOf(
  kind: CreativeKind,
  values: AnyValues,
  sha256: (media: number) => string | null,
): Creative | null {
  const file = values[kind === 'sbaProfile' ? 'logo' : 'video'];
  const hash = typeof file === 'number' ? sha256(file) : null;
  if (kind === 'videoProfile') {
    return hash === null ? null : { kind, brand: null, headline: null, clickUrl: null, sha256: hash };
  }
  const { brand, headline, clickUrl } = values;
  if (typeof headline !== 'string' || headline === '') return null;
  return {
    kind,
    brand: textOrNull(brand),
    headline,
    clickUrl: typeof clickUrl === 'string' ? canonicalClickUrl(clickUrl).url : null,
    sha256: hash,
  };
}

/** A text for a creative; equal texts mean that reviewers see the same. */
export const creativeKey = ({ kind, brand, headline, clickUrl, sha256 }: Creative): string =>
  JSON.stringify([kind, brand, headline, clickUrl, sha256]);

export type CreativePart = 'brand' | 'headline' | 'clickUrl' | 'sha256';
const PARTS: readonly CreativePart[] = ['headline', 'brand', 'clickUrl', 'sha256'];

export interface CreativeChange {
  readonly part: CreativePart;
  readonly before: string | null;
  readonly after: string | null;
}

/** The differences between two creatives that a reviewer sees. */
export const creativeChanges = (before: Creative, after: Creative): readonly CreativeChange[] =>
  PARTS.filter((part) => before[part] !== after[part]).map((part) => ({
    part,
    before: before[part],
    after: after[part],
  }));
