import type { RowRef } from '../../shared/contract/scalars.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { split } from '../../shared/plan/batches.ts';
import { choiceOf, containsSelected } from '../../shared/plan/chosen.ts';
import { planInParts } from '../../shared/plan/plan.ts';
import type { Plan } from '../../shared/plan/plan-types.ts';
import type { SyncContext } from './context.ts';
import { planInputOf } from './planning.ts';
import { indexRows, indexTrees } from './row-index.ts';

/** Campaigns taken into the index at once: a window that asks for something meanwhile waits that long. */
const CAMPAIGNS_A_READ = 25;

/** Reads the campaigns this run may touch, as they are now, and takes them into its index. */
export async function loadDueCampaigns(ctx: SyncContext): Promise<readonly CampaignTree[]> {
  const { submit, campaignIds: wanted } = ctx.options;
  const due = await ctx.ports.outbox.campaignsToVisit({ submit, named: wanted });
  const ids = wanted === null ? due : due.filter((id) => wanted.includes(id));
  if (ids.length === 0) return [];
  const isChosen = ctx.options.chosen == null ? null : choiceOf(ctx.options.chosen);
  const trees: CampaignTree[] = [];
  for (const some of split(ids, CAMPAIGNS_A_READ)) {
    const read = await ctx.ports.workspace.readTrees(some);
    const found = isChosen === null ? read : read.filter((tree) => containsSelected(tree, isChosen));
    indexTrees(ctx, found);
    trees.push(...found);
  }
  return trees;
}

/** Campaigns a plan is made of, and the rows, theirs or others, that a rule finds an error in. */
export interface PlanScope {
  readonly trees: readonly CampaignTree[];
  readonly errors: readonly RowRef[];
}

/** @param known the campaigns as they were read a moment ago; null when something was taken in since */
export async function loadPlanScope(ctx: SyncContext, known: readonly CampaignTree[] | null): Promise<PlanScope> {
  const trees = known ?? (await loadDueCampaigns(ctx));
  return { trees, errors: await ctx.ports.workspace.rowsWithErrors() };
}

/** Reads what else a plan depends on and plans. Campaigns of which something has to stay get no review. */
export async function loadAndPlan(ctx: SyncContext, { trees, errors }: PlanScope): Promise<Plan> {
  indexRows(ctx, await ctx.ports.workspace.readMedia());
  const live = await ctx.ports.outbox.live();
  const conflicts = await ctx.ports.outbox.conflicts();
  // What this run has seen refused is not sent a second time by it.
  const refused = ctx.state.tally.refused.map(({ kind, id }) => `${kind}:${id}`);
  const today = await ctx.ports.today();
  const withErrors = new Set([...errors.map(({ kind, id }) => `${kind}:${id}`), ...refused]);
  const gathered = { trees, live, conflicts, absent: ctx.state.absent, withErrors };
  const settings = { ...ctx.options, today };
  const unchanged = ctx.ports.unchangedPlan(gathered, settings);
  const plan = unchanged ?? (await ctx.ports.runInSlices(planInParts(planInputOf(gathered, settings))));
  for (const left of plan.leftOut) {
    const campaignId = ctx.index.rows.get(`${left.kind}:${left.id}`)?.campaignId ?? null;
    const standsInTheWay = left.reason !== 'held' && left.reason !== 'nothing-to-send' && left.reason !== 'not-offered';
    if (campaignId !== null && standsInTheWay) ctx.state.troubled.add(campaignId);
  }
  return plan;
}
