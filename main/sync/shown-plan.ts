import { randomUUID } from 'node:crypto';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { PlanView } from '../../shared/contract/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { planDifference } from '../../shared/plan/plan-difference.ts';
import { planText, printPlan } from '../../shared/plan/plan-text.ts';
import type { Capabilities, Plan } from '../../shared/plan/plan-types.ts';
import { afterCancelling, withReviewsCancelled } from '../../shared/plan/review-restart.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { Workspace } from '../workspace/port.ts';
import { type Gathered, type PlanSettings, planFrom, planInputOf } from './core/planning.ts';
import { namedChanges } from './plan-changes.ts';
import { batchViews, type CampaignNames, campaignNames, planView } from './plan-view.ts';
import type { RunOptions, ShownPlan, SyncService } from './port.ts';

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

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
export function createShownPlan(
  deps: ShownPlanDeps,
): Pick<SyncService, 'planned' | 'plan' | 'planBatches' | 'planInput' | 'shownPlan' | 'planBeside'> {
  const { workspace, profile, advertiserId } = deps;
  const { outbox } = workspace;
  let shown: (ShownPlan & { readonly planId: string; readonly names: CampaignNames }) | null = null;

  const gather = async (trees: readonly CampaignTree[], errors: readonly RowRef[]): Promise<Gathered> => ({
    trees,
    live: await outbox.live(),
    conflicts: await outbox.conflicts(),
    withErrors: new Set(errors.map(({ kind, id }) => `${kind}:${id}`)),
  });
  const settingsFor = async (options: RunOptions): Promise<PlanSettings> => {
    const capabilities = await deps.capabilities();
    return { ...options, profile, capabilities, advertiserId, today: await deps.today() };
  };

  const planned: SyncService['planned'] = async (options) => {
    const due = await outbox.campaignsToVisit({ submit: options.submit, named: options.campaignIds });
    const wanted = options.campaignIds;
    const ids = wanted === null ? due : due.filter((id) => wanted.includes(id));
    const trees = ids.length === 0 ? [] : await workspace.readTrees(ids);
    const errors = await workspace.rowsWithErrors();
    const cancels = options.cancelReviews === true && wanted !== null;
    const gathered = await gather(cancels ? trees.map(withReviewsCancelled) : trees, errors);
    const settings = await settingsFor(options);
    const { capabilities } = settings;
    const plan = await planFrom(gathered, settings);
    return {
      plan: cancels ? afterCancelling(trees, plan) : plan,
      trees,
      capabilities,
      errors: errors.length,
    };
  };

  const show = async (options: RunOptions): Promise<{ readonly view: PlanView; readonly plan: Plan }> => {
    const { plan, trees, errors } = await planned(options);
    const budgetLeft = await outbox.budgetLeft();
    const planId = randomUUID();
    shown = { planId, plan, options, names: campaignNames(trees) };
    return { view: planView(plan, trees, { planId, budgetLeft, perHour: profile.rate.opsPerHour, errors }), plan };
  };

  return {
    planned,
    planInput: async (campaignIds) => {
      // Whatever waits to be checked is checked first, which also says in which state a campaign is.
      const errors = await workspace.rowsWithErrors();
      const trees = campaignIds.length === 0 ? [] : await workspace.readTrees(campaignIds);
      const gathered = await gather(trees, errors);
      return planInputOf(gathered, await settingsFor({ submit: true, campaignIds: null }));
    },
    plan: async (options) => (await show(options)).view,
    shownPlan: (planId) => (shown?.planId === planId ? shown : null),
    planBeside: async (written, options) => {
      const { view, plan } = await show(options);
      const changed = planDifference(linesOf(printPlan(written)), linesOf(planText(plan)));
      return { plan: view, changed: await namedChanges(workspace, changed) };
    },
    planBatches: (planId, window) => (shown?.planId === planId ? batchViews(shown.plan, shown.names, window) : null),
  };
}
