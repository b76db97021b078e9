import { randomUUID } from 'node:crypto';
import type { Capabilities, Plan } from '../../shared/plan/plan-types.ts';
import { afterCancelling, withReviewsCancelled } from '../../shared/plan/review-restart.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { Workspace } from '../workspace/port.ts';
import { planFrom } from './core/planning.ts';
import { batchViews, type CampaignNames, campaignNames, planView } from './plan-view.ts';
import type { SyncService } from './port.ts';

interface ShownPlanDeps {
  readonly workspace: Workspace;
  readonly profile: DeploymentProfile;
  readonly advertiserId: string;
  readonly capabilities: () => Promise<Capabilities>;
  readonly today: () => Promise<string>;
}

/**
 * The plan as it is shown before a run. Its requests are read by windows, so the last one is kept; a run makes a plan of
 * its own, from what the workspace holds by then.
 */
export function createShownPlan(deps: ShownPlanDeps): Pick<SyncService, 'planned' | 'plan' | 'planBatches'> {
  const { workspace, profile, advertiserId } = deps;
  const { outbox } = workspace;
  let shown: { readonly planId: string; readonly plan: Plan; readonly names: CampaignNames } | null = null;

  const planned: SyncService['planned'] = async (options) => {
    const due = await outbox.campaignsToVisit({ submit: options.submit, named: options.campaignIds });
    const wanted = options.campaignIds;
    const ids = wanted === null ? due : due.filter((id) => wanted.includes(id));
    const trees = ids.length === 0 ? [] : await workspace.readTrees(ids);
    const errors = await workspace.rowsWithErrors();
    const cancels = options.cancelReviews === true && wanted !== null;
    const gathered = {
      trees: cancels ? trees.map(withReviewsCancelled) : trees,
      live: await outbox.live(),
      conflicts: await outbox.conflicts(),
      withErrors: new Set(errors.map(({ kind, id }) => `${kind}:${id}`)),
    };
    const capabilities = await deps.capabilities();
    const settings = { ...options, profile, capabilities, advertiserId, today: await deps.today() };
    const plan = await planFrom(gathered, settings);
    return {
      plan: cancels ? afterCancelling(trees, plan) : plan,
      trees,
      capabilities,
      errors: errors.length,
    };
  };

  return {
    planned,
    plan: async (options) => {
      const { plan, trees, errors } = await planned(options);
      const budgetLeft = await outbox.budgetLeft();
      const planId = randomUUID();
      shown = { planId, plan, names: campaignNames(trees) };
      return planView(plan, trees, { planId, budgetLeft, perHour: profile.rate.opsPerHour, errors });
    },
    planBatches: (planId, window) => (shown?.planId === planId ? batchViews(shown.plan, shown.names, window) : null),
  };
}
