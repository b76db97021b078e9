import type { SheetKind } from './columns.ts';
import type { Link, SheetRow } from './sheet-row.ts';

/** The parents that rows of a sheet have asked for so far, whether they were there or not. */
export interface AskedParents {
  note(row: SheetRow): void;
  /** Whether this campaign or ad group comes after a row that may have meant it or what hangs from it. */
  comesLate(row: SheetRow): boolean;
}

/** Kinds that hang from a campaign itself. */
export const IN_CAMPAIGN: ReadonlySet<SheetKind> = new Set<SheetKind>([
  'adGroup',
  'placementMultiplier',
  'platformMultiplier',
]);

/** Marks among the names asked for: that a row named its campaign by id alone, or by name alone. */
const BY_ID = 'by id';
const BY_NAME = 'by name';

export function askedParents(): AskedParents {
  const asked = new Set<string>();

  /** Whether a row before may have meant groups of this campaign: by the same name or id, or one by each. */
  const mayHaveBeenAsked = (campaign: Link): boolean =>
    keysOf(campaign).some((key) => asked.has(`in ${key}`)) ||
    (campaign.name === null && asked.has(BY_NAME)) ||
    (campaign.remoteId === null && asked.has(BY_ID));

  return {
    note: ({ campaign, kind }) => {
      for (const key of keysOf(campaign)) {
        asked.add(key);
        if (!IN_CAMPAIGN.has(kind)) asked.add(`in ${key}`);
      }
      if (campaign.name === null) asked.add(BY_ID);
      if (campaign.remoteId === null) asked.add(BY_NAME);
    },
    comesLate: ({ kind, campaign }) =>
      kind === 'campaign'
        ? keysOf(campaign).some((key) => asked.has(key))
        : kind === 'adGroup' && mayHaveBeenAsked(campaign),
  };
}

function keysOf({ name, remoteId }: Link): readonly string[] {
  return [...(name === null ? [] : [`= ${name}`]), ...(remoteId === null ? [] : [`# ${remoteId}`])];
}
