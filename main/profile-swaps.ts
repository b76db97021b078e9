import { SWAPS_MAX, SwapsText } from '../shared/contract/swaps.ts';
import type { Swap } from '../shared/lifecycle/swap.ts';
import type { RowId } from '../shared/model/scalars.ts';
import { createPersistedList } from './kept-list.ts';
import type { Workspace } from './workspace/store.ts';

/**
 * Which campaigns are changing what they show, kept in the workspace's file. How far each is stands in its rows
 * (`swapState`); here is only what they cannot say: which profile is meant to take the place of which.
 */
export interface BannerSwaps {
  of(campaignId: RowId): Promise<Swap | null>;
  /** Takes the place of the swap of the same campaign. */
  keep(swap: Swap): Promise<void>;
  forget(campaignId: RowId): Promise<void>;
}

const KEY = 'profile-swaps';

export function createBannerSwaps(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): BannerSwaps {
  const kept = createPersistedList(workspace, KEY, (text) => SwapsText.parse(text ?? '[]'));
  const put = async (campaignId: RowId, added: readonly Swap[]): Promise<void> => {
    const others = (swaps: readonly Swap[]) => swaps.filter((swap) => swap.campaignId !== campaignId);
    await kept.change((known) => [...others(known), ...added].slice(-SWAPS_MAX));
  };
  return {
    of: async (campaignId) => (await kept.read()).find((swap) => swap.campaignId === campaignId) ?? null,
    keep: (swap) => put(swap.campaignId, [swap]),
    forget: (campaignId) => put(campaignId, []),
  };
}
