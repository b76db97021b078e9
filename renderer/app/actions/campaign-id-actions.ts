import type { CampaignToAdd, TakenIn } from '../../../shared/api/campaigns.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** Campaigns that are on the service and not here. */
export interface CampaignIdActions {
  /** Takes campaigns in by their ids; null when it could not begin, which is said. */
  takeIn(campaigns: readonly CampaignToAdd[], source: 'pasted' | 'report' | 'sheet'): Promise<TakenIn | null>;
}

export const knownActions = (doing: ActionContext): CampaignIdActions => ({
  takeIn: (campaigns, source) =>
    runAction(doing, (workspaceId) =>
      doing.connection.client.known.add({ workspaceId, source, campaigns: [...campaigns] }),
    ),
});
