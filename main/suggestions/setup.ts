import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { ScopedGoal } from '../../shared/suggestions/goals.ts';
import type { Cube } from '../cube/cube.ts';
import type { openReports } from '../reports/report-service.ts';
import type { BulkRows } from '../store/bulk/bulk-rows.ts';
import type { Workspace } from '../store/workspace.ts';
import type { createCapabilityStore } from '../sync/capabilities.ts';
import type { SuggestionSetup } from './load-facts.ts';
import type { SuggestionAnswer, SuggestionQuery } from './suggestion-queries.ts';
import { createSuggestionSettings } from './suggestion-settings.ts';

export interface SuggestionAccount {
  readonly workspace: Workspace;
  readonly reports: ReturnType<typeof openReports>;
  readonly cube: () => Promise<Cube>;
  readonly capabilities: ReturnType<typeof createCapabilityStore>;
  readonly profile: DeploymentSettings;
}

/** The inputs of an account's suggestions. The service is not asked. */
async function setupOf(account: SuggestionAccount, goal: ScopedGoal['goal'] | null): Promise<SuggestionSetup> {
  const { workspace, reports, capabilities, profile } = account;
  const settings = createSuggestionSettings(workspace);
  const known = await capabilities.list();
  const can = (name: string): boolean => known.some((one) => one.name === name && one.inUse);
  return {
    today: await reports.today(),
    zone: profile.business.zone,
    goals: goal === null ? await settings.goals() : [{ scope: { of: 'account' }, goal }],
    plans: await settings.plans(),
    dismissals: await settings.dismissals(),
    limits: {
      floorItem: profile.bid.floorItemCents,
      floorVideoKeyword: profile.bid.floorVideoKeywordCents,
      max: profile.bid.maxCents,
      multiplierMax: Math.floor(profile.multiplier.max * 100),
      textsMax: profile.keywords.maxDistinctEnabled,
    },
    keywordEffect: can('keywordUpdate') ? 'immediate' : 'not-possible',
    budgetEffect: can('campaignUpdate') ? 'immediate' : 'not-possible',
  };
}

/** @param goal replaces all stored goals */
export async function askSuggestions(
  account: SuggestionAccount,
  query: SuggestionQuery,
  goal: ScopedGoal['goal'] | null = null,
): Promise<SuggestionAnswer & { readonly setup: SuggestionSetup }> {
  const setup = await setupOf(account, goal);
  const cube = await account.cube();
  return { ...(await cube.suggestions(setup, query)), setup };
}

/** Counts the bids suggested for rows. */
export async function countBids(account: SuggestionAccount, rows: readonly BulkRows[]) {
  const cube = await account.cube();
  return cube.countBids(await setupOf(account, null), rows);
}
