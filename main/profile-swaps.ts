import { SWAPS_MAX, SwapsText } from '../shared/contract/swaps.ts';
import { createTurns } from '../shared/in-turn.ts';
import type { Swap } from '../shared/lifecycle/swap.ts';
import type { RowId } from '../shared/model/scalars.ts';
import type { Workspace } from './workspace/port.ts';

/**
 * Which campaigns are changing what they show, kept in the workspace's file. How far each is stands in its rows
 * (`swapState`); here is only what they cannot say: which profile is meant to take the place of which.
 */
export interface ProfileSwaps {
  of(campaignId: RowId): Promise<Swap | null>;
  /** Takes the place of the swap of the same campaign. */
  keep(swap: Swap): Promise<void>;
  forget(campaignId: RowId): Promise<void>;
}

const KEY = 'profile-swaps';

export function createProfileSwaps(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): ProfileSwaps {
  const read = async (): Promise<readonly Swap[]> => SwapsText.parse((await workspace.getMeta(KEY)) ?? '[]');
  /** One after the other: each change starts from what the one before has written. */
  const inTurn = createTurns();
  const write = (campaignId: RowId, added: readonly Swap[]): Promise<void> =>
    inTurn(async () => {
      const others = (await read()).filter((swap) => swap.campaignId !== campaignId);
      await workspace.setMeta(KEY, JSON.stringify([...others, ...added].slice(-SWAPS_MAX)));
    });
  return {
    of: async (campaignId) => (await read()).find((swap) => swap.campaignId === campaignId) ?? null,
    keep: (swap) => write(swap.campaignId, [swap]),
    forget: (campaignId) => write(campaignId, []),
  };
}
