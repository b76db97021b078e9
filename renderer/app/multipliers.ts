import type { WindowRow } from '../../shared/api/workspace.ts';
import { placementsFor } from '../../shared/deployment/limits.ts';
import { effectiveBid } from '../../shared/model/decimal.ts';
import { isDeleted, isNew } from '../../shared/model/row.ts';
import type { CellChange, NewRow, RowName } from './actions.ts';
import { useLimits } from './locale/limits.ts';
import { cellOf, textOf } from './row-cells.ts';
import { useRows } from './shared-queries.ts';

export type MultiplierKind = 'placementMultiplier' | 'platformMultiplier';
const NAME_FIELD = { placementMultiplier: 'placement', platformMultiplier: 'platform' } as const;

export interface Multipliers {
  /** Names of placements and platforms that the campaign has or can have. */
  readonly placements: readonly string[];
  readonly platforms: readonly string[];
  readonly rowOf: (kind: MultiplierKind, name: string) => WindowRow | undefined;
  /** Hundredths of a percent; null for no multiplier. */
  readonly percentOf: (kind: MultiplierKind, name: string) => number | null;
  /** Makes the change that writes a multiplier; null removes it. */
  readonly change: (kind: MultiplierKind, name: string, value: number | null) => MultiplierChange;
}

export interface MultiplierChange {
  readonly creates: readonly NewRow[];
  readonly edits: readonly CellChange[];
  readonly removes: readonly RowName[];
}

interface ReadMultipliers {
  readonly reads: readonly ReturnType<typeof useRows>[];
  /** Undefined until they are read; null for a campaign that can't have any. */
  readonly multipliers: Multipliers | null | undefined;
}

/** The multipliers of a campaign by name, with the reads that they come from. */
export function useMultipliers(workspaceId: string, campaignId: number): ReadMultipliers {
  const limits = useLimits();
  const campaigns = useRows(workspaceId, { kind: 'campaign', campaignId });
  const placements = useRows(workspaceId, { kind: 'placementMultiplier', campaignId });
  const platforms = useRows(workspaceId, { kind: 'platformMultiplier', campaignId });
  const rows = { placementMultiplier: placements.data?.rows, platformMultiplier: platforms.data?.rows };
  return {
    reads: [campaigns, placements, platforms],
    multipliers: multipliersOf(limits, campaigns.data?.rows[0], rows),
  };
}

function multipliersOf(
  limits: ReturnType<typeof useLimits>,
  campaign: WindowRow | undefined,
  { placementMultiplier, platformMultiplier }: Readonly<Record<MultiplierKind, readonly WindowRow[] | undefined>>,
): Multipliers | null | undefined {
  if (campaign === undefined || placementMultiplier === undefined || platformMultiplier === undefined) return undefined;
  if (cellOf('campaign', campaign, 'campaignType') !== 'sponsoredProducts') return null;
  const rowsOf = { placementMultiplier, platformMultiplier };
  const nameOf = (kind: MultiplierKind, row: WindowRow): string => textOf(kind, row, NAME_FIELD[kind]);
  const rowOf = (kind: MultiplierKind, name: string) =>
    rowsOf[kind].find((row) => !isDeleted(row) && nameOf(kind, row) === name);
  const namesOf = (kind: MultiplierKind, offered: readonly string[]): readonly string[] => {
    const there = rowsOf[kind].flatMap((row) => (isDeleted(row) || nameOf(kind, row) === '' ? [] : nameOf(kind, row)));
    return [...new Set([...offered, ...there])];
  };
  const targeting = cellOf('campaign', campaign, 'targetingType');
  return {
    placements: namesOf('placementMultiplier', placementsFor(limits, typeof targeting === 'string' ? targeting : null)),
    platforms: namesOf('platformMultiplier', limits.multiplier.platforms),
    rowOf,
    percentOf: (kind, name) => {
      const row = rowOf(kind, name);
      const value = row === undefined ? null : cellOf(kind, row, 'multiplier');
      return typeof value === 'number' ? value : null;
    },
    change: (kind, name, value) => {
      const row = rowOf(kind, name);
      const none = { creates: [], edits: [], removes: [] };
      if (row === undefined) {
        const values = { [NAME_FIELD[kind]]: name, multiplier: value };
        return value === null ? none : { ...none, creates: [{ kind, parent: { id: campaign.id }, values }] };
      }
      if (value === null && isNew(row)) return { ...none, removes: [{ kind, id: row.id }] };
      return { ...none, edits: [{ kind, id: row.id, field: 'multiplier', value }] };
    },
  };
}

/** The bid for a placement and a platform: each multiplier is applied, and each result is cut to whole cents. */
export const bidAt = (cents: number, placement: number | null, platform: number | null): number =>
  effectiveBid(effectiveBid(cents, placement), platform);
