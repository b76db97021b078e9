import type { SwapView } from '../../../shared/api/campaigns.ts';
import { enSwap } from '../../texts/en-swap.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** A campaign that changes what it shows without a pause: which profiles are meant. */
export interface SwapActions {
  beginSwap(campaignId: number): Promise<SwapView | null>;
  /** The spare is wanted as it is. */
  keepSpare(campaignId: number): Promise<SwapView | null>;
  endSwap(campaignId: number): Promise<SwapView | null>;
  /** Switches a profile on or off in the draft, as one step that can be undone. */
  switchProfile(id: number, status: 'enabled' | 'disabled'): Promise<boolean>;
}

export function swapActions(doing: ActionContext): SwapActions {
  const { client } = doing.connection;
  const ask =
    (what: 'begin' | 'keep' | 'end') =>
    async (campaignId: number): Promise<SwapView | null> => {
      const now = await runAction(doing, (workspaceId) => client.swaps[what]({ workspaceId, campaignId }));
      const { workspaceId } = doing.store.getState();
      doing.queries.refetch(`swap ${workspaceId} ${campaignId}`);
      return now;
    };
  return {
    beginSwap: ask('begin'),
    keepSpare: ask('keep'),
    endSwap: ask('end'),
    switchProfile: (id, status) =>
      doing.inOrder(async () => {
        const changes = [{ kind: 'sbaProfile' as const, id, field: 'status', value: status }];
        const label = enSwap.label[status];
        const edited = await runAction(doing, (workspaceId) => client.workspace.edit({ workspaceId, label, changes }));
        return edited !== null;
      }),
  };
}
