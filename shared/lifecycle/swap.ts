import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Values } from '../model/fields.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { isUndecided } from './states.ts';

/**
 * Changes what a campaign shows without pausing it (document, "SBA profile", rules for scheduled and live campaigns): the
 * disabled profile is edited and reviewed while the enabled one stays on, and only then they change places.
 *
 *   edit --> send --> review --approved--> enable --> disable --> done
 *    ^                  |rejected                       (by the service itself, where it shows one profile only)
 *    +------------------+
 *
 * Where it stands is read from the rows, so an answer that was lost or a program that was ended takes nothing from it.
 */
export interface Swap {
  readonly campaignId: RowId;
  /** The profile that is shown now, and the one that takes its place. */
  readonly from: RowId;
  readonly to: RowId;
  /** What `to` said when the swap began (`contentOf`): until it differs there is nothing to send. */
  readonly began: string;
  /** The user wants `to` as it is. */
  readonly asItIs: boolean;
}

export const SWAP_STEPS = ['edit', 'send', 'review', 'enable', 'disable'] as const;
export type SwapStep = (typeof SWAP_STEPS)[number];

/** What carries the present step out. Nothing here pauses a campaign or switches off what is shown too early. */
export type SwapMove =
  | { readonly way: 'edit'; readonly id: RowId; readonly canStay: boolean }
  | { readonly way: 'write'; readonly id: RowId; readonly status: 'enabled' | 'disabled' }
  | { readonly way: 'sync' }
  | { readonly way: 'submit' }
  /** The service has to say something first. */
  | { readonly way: 'look'; readonly at: 'reviews' | 'rows' };

export interface SwapState {
  /** The step that is due; all before it are done. */
  readonly step: SwapStep | 'done';
  readonly move: SwapMove | null;
  /** Set at `edit` after a review that said no. */
  readonly rejected: { readonly reason: string | null } | null;
}

type Profile = Row<'sbaProfile'>;

/** The two profiles that could change places: one that is shown, and the other of its ad group; null without such a pair. */
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
 * @param singleEnabled enabling one profile disables the other (deployment profile, `sba.singleEnabled`)
 * @returns null when one of the two profiles has gone
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

/** Only reached once the service has the other profile enabled, which it allows for an approved one alone. */
function switchOff(from: Profile, singleEnabled: boolean): SwapState {
  if (saidOf(from)?.status === 'disabled') return { step: 'done', move: null, rejected: null };
  if (from.values.status === 'disabled') return due('disable', { way: 'sync' });
  if (singleEnabled) return due('disable', { way: 'look', at: 'rows' });
  return due('disable', { way: 'write', id: from.id, status: 'disabled' });
}

const due = (step: SwapStep, move: SwapMove): SwapState => ({ step, move, rejected: null });

const profileOf = (tree: CampaignTree, id: RowId): Profile | undefined =>
  tree.sbaProfiles.find((row) => row.id === id && !isDeleted(row));

/** What the service last said of a profile; null for one it has not got. */
const saidOf = (row: Profile): Values<'sbaProfile'> | null => (row.remoteId === null ? null : (row.base ?? row.values));

/** What reviewers see of a profile, as one text. */
const contentOf = ({ brand, headline, clickUrl, logo }: Values<'sbaProfile'>): string =>
  JSON.stringify([brand, headline, clickUrl, logo]);
