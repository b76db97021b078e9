import { createContext, type SyncContext, type SyncRunOptions } from '../../../main/sync/context.ts';
import type { Ports } from '../../../main/sync/ports.ts';
import { asWorkspaceId, type RemoteId } from '../../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../../shared/plan/plan-types.ts';
import { PROFILE } from './real-store.ts';

/** What a run of the simulated account is told at its start; a test names what it is about. */
export const aContext = (ports: Ports, more: Partial<SyncRunOptions> = {}): SyncContext =>
  createContext(
    {
      runId: 'run',
      workspaceId: asWorkspaceId('w1'),
      profile: PROFILE,
      capabilities: DOCUMENTED_ONLY,
      advertiserId: '900001' as RemoteId,
      submit: false,
      campaignIds: null,
      logoField: 'SBABaseProfileRequest',
      isCancelled: () => false,
      requestsMax: 4,
      ...more,
    },
    ports,
  );
