import { createContext, type RoundContext, type RoundOptions } from '../../../main/sync/core/context.ts';
import { asWorkspaceId, type RemoteId } from '../../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../../shared/plan/plan-types.ts';
import { PROFILE } from './real-store.ts';
import type { VirtualClock } from './seeded.ts';

/** What a round of the simulated account is told at its start; a test names what it is about. */
export const aContext = (clock: VirtualClock, more: Partial<RoundOptions> = {}): RoundContext =>
  createContext({
    runId: 'run',
    workspaceId: asWorkspaceId('w1'),
    epoch: 1,
    profile: PROFILE,
    capabilities: DOCUMENTED_ONLY,
    advertiserId: '900001' as RemoteId,
    submit: false,
    campaignIds: null,
    logoField: 'SBABaseProfileRequest',
    today: async () => '2026-11-21',
    nowMs: () => clock.nowMs(),
    random: () => 0.5,
    newCorrelationId: () => 'c',
    isCancelled: () => false,
    lanesMax: 4,
    ...more,
  });
