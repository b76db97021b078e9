import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Values } from '../model/fields.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { isUndecided } from './states.ts';

/**
 * Changes the banner of a campaign without pausing it (document, "SBA profile", rules for scheduled and live campaigns):
 * the disabled profile is edited and reviewed while the enabled one stays on, and only then they are swapped.
 *
 *   edit --> send --> review --approved--> enable --> disable --> done
 *    ^                  |rejected                       (by the service itself, where it shows one profile only)
 *    +------------------+
 *
 * The step is derived from the rows, so a lost response or a restart does not affect it.
 */
export interface Swap {
  readonly campaignId: RowId;
  /** The profile that is shown now, and its replacement. */
  readonly from: RowId;
  readonly to: RowId;
  /** Content of `to` when the swap began (`contentOf`): until it differs there is nothing to send. */
  readonly began: string;
  /** The user accepts `to` without an edit. */
  readonly asItIs: boolean;
}

export const SWAP_STEPS = ['edit', 'send', 'review', 'enable', 'disable'] as const;
export type SwapStep = (typeof SWAP_STEPS)[number];

/** The action of the present step. None pauses a campaign or disables the shown profile too early. */
export type SwapMove =
  | { readonly way: 'edit'; readonly id: RowId; readonly canStay: boolean }
  | { readonly way: 'write'; readonly id: RowId; readonly status: 'enabled' | 'disabled' }
  | { readonly way: 'sync' }
  | { readonly way: 'submit' }
  /** The service must respond first. */
  | { readonly way: 'look'; readonly at: 'reviews' | 'rows' };

export interface SwapState {
  /** The step that is due; all before it are done. */
  readonly step: SwapStep | 'done';
  readonly move: SwapMove | null;
  /** Set at `edit` after a rejection. */
  readonly rejected: { readonly reason: string | null } | null;
}

type Profile = Row<'sbaProfile'>;

/** Two profiles of one ad group that could be swapped, the shown one first; null without such a pair. */
export function offeredSwap(tree: CampaignTree): { readonly from: Profile; readonly to: Profile } | null {
  for (const group of tree.adGroups) {
    const pair = tree.sbaProfiles.filter((row) => row.adGroupId === group.id && !isDeleted(row));
    const [from, ...others] = pair.filter((row) => saidOf(row)?.status === 'enabled');
    const to = pair.find((row) => row !== from);
    if (from !== undefined && to !== undefined && others.length === 0 && pair.length === 2) return { from, to };
  }
  return null;
}

export const beginSwap = ({ from, to }: { readonly from: Profile; readonly to: Profile }, campaignId: RowId): Swap => ({
  campaignId,
  from: from.id,
  to: to.id,
  began: contentOf(to.values),
  asItIs: false,
});

/**
 * @param singleEnabled enabling one profile disables the other (deployment settings, `sba.singleEnabled`)
 * @returns null when one of the two profiles no longer exists
 */
export function swapState(tree: CampaignTree, swap: Swap, singleEnabled: boolean): SwapState | null {
  const from = profileOf(tree, swap.from);
  const to = profileOf(tree, swap.to);
  if (from === undefined || to === undefined) return null;
  if (saidOf(to)?.status === 'enabled') return switchOff(from, singleEnabled);
  const { reviewStatus, reviewReason, status } = to.values;
  const said = saidOf(to);
  const isSent = said !== null && contentOf(to.values) === contentOf(said);
  const isEdited = swap.asItIs || contentOf(to.values) !== swap.began;
  const edit: SwapMove = { way: 'edit', id: to.id, canStay: to.values.headline !== null };
  if (isSent && reviewStatus === 'rejected') {
    return { step: 'edit', move: { ...edit, canStay: false }, rejected: { reason: reviewReason } };
  }
  if (!isEdited) return due('edit', edit);
  if (!isSent) return due('send', { way: 'sync' });
  if (reviewStatus !== 'approved') {
    const isOpen = tree.adGroups.some((group) => group.id === to.adGroupId && isUndecided(group));
    return due('review', isOpen ? { way: 'look', at: 'reviews' } : { way: 'submit' });
  }
  return due('enable', status === 'enabled' ? { way: 'sync' } : { way: 'write', id: to.id, status: 'enabled' });
}

/** Only reached once the service has enabled the other profile, which requires its approval. */
function switchOff(from: Profile, singleEnabled: boolean): SwapState {
  if (saidOf(from)?.status === 'disabled') return { step: 'done', move: null, rejected: null };
  if (from.values.status === 'disabled') return due('disable', { way: 'sync' });
  if (singleEnabled) return due('disable', { way: 'look', at: 'rows' });
  return due('disable', { way: 'write', id: from.id, status: 'disabled' });
}

const due = (step: SwapStep, move: SwapMove): SwapState => ({ step, move, rejected: null });

const profileOf = (tree: CampaignTree, id: RowId): Profile | undefined =>
  tree.sbaProfiles.find((row) => row.id === id && !isDeleted(row));

/** The service's last values of a profile; null if it does not have it. */
const saidOf = (row: Profile): Values<'sbaProfile'> | null => (row.remoteId === null ? null : (row.base ?? row.values));

/** The reviewed content of a profile, as one text. */
const contentOf = ({ brand, headline, clickUrl, logo }: Values<'sbaProfile'>): string =>
  JSON.stringify([brand, headline, clickUrl, logo]);
