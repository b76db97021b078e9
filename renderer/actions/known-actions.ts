import type { CampaignToTakeIn, TakenIn } from '../../shared/contract/known.ts';
import { attempt, type Doing } from './doing.ts';

/** Campaigns that are on the service and not here. */
export interface KnownActions {
  /** Takes campaigns in by their ids; null when it could not begin, which is said. */
  takeIn(campaigns: readonly CampaignToTakeIn[], source: 'pasted' | 'report' | 'sheet'): Promise<TakenIn | null>;
}

export const knownActions = (doing: Doing): KnownActions => ({
  takeIn: (campaigns, source) =>
    attempt(doing, (workspaceId) =>
      doing.connection.client.known.add({ workspaceId, source, campaigns: [...campaigns] }),
    ),
});
