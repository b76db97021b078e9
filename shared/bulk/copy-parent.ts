import { type Kind, PARENT_OF } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';

/**
 * What a copy hangs from when it is put below `to`; null for the account itself, `none` where it cannot go. A campaign
 * stands for its ad group when it has only one.
 *
 * @param onlyGroupIn the ad group of a campaign that has exactly one
 */
export function copyParent(
  kind: Kind,
  to: { readonly kind: Kind; readonly id: RowId } | null,
  onlyGroupIn: (campaignId: RowId) => RowId | null,
): { readonly id: RowId } | null | 'none' {
  const wanted = PARENT_OF[kind];
  if (wanted === 'account') return to === null ? null : 'none';
  if (to === null) return 'none';
  if (to.kind === wanted) return { id: to.id };
  if (wanted !== 'adGroup' || to.kind !== 'campaign') return 'none';
  const only = onlyGroupIn(to.id);
  return only === null ? 'none' : { id: only };
}
