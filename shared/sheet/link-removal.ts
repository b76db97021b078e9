import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import { TYPE_NAMES } from './columns.ts';
import type { LinkProblem } from './link-parents.ts';
import type { SheetLookup } from './lookup.ts';
import type { RowMatcher } from './row-match.ts';
import { valuesOf } from './row-values.ts';
import type { SheetRow } from './sheet-row.ts';

/**
 * The row that a line marks for deletion, or null when it is gone already. Only what the service knows is ever marked:
 * it is named by its id, and a multiplier, which has none, by its campaign and what it multiplies.
 */
export function rowToRemove(
  row: SheetRow,
  lookup: SheetLookup,
  matcher: RowMatcher,
): Result<AnyRow | null, LinkProblem> {
  const own = row.kind === 'campaign' ? row.campaign.remoteId : row.kind === 'adGroup' ? row.adGroup.remoteId : null;
  const id = row.rowId ?? own;
  if (id !== null) return ok(lookup.byRemoteId(row.kind, id));
  const isMultiplier = row.kind === 'placementMultiplier' || row.kind === 'platformMultiplier';
  if (!isMultiplier || row.campaign.remoteId === null) {
    const problem = { kind: 'required', type: TYPE_NAMES[row.kind], column: 'Row id' } as const;
    return err({ column: 'Row id', problem });
  }
  const campaign = lookup.byRemoteId('campaign', row.campaign.remoteId);
  return ok(campaign === null ? null : (matcher.find(row.kind, campaign.id, valuesOf(row)) ?? null));
}
