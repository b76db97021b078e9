import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { split } from '../../../shared/plan/batches.ts';
import { choiceOf, holdsChosen } from '../../../shared/plan/chosen.ts';
import type { Plan } from '../../../shared/plan/plan-types.ts';
import { learnRows, learnTrees } from './books.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import { planFrom } from './planning.ts';

/** Campaigns taken into the books at once: a window that asks for something meanwhile waits that long. */
const CAMPAIGNS_A_READ = 25;

/** Reads the campaigns this round may touch, as they are now, and takes them into its books. */
export function* learnDueCampaigns(ctx: RoundContext): Work<readonly CampaignTree[]> {
  const { submit, campaignIds: wanted } = ctx;
  const due = yield* tx('visit', (ports) => ports.outbox.campaignsToVisit({ submit, named: wanted }));
  const ids = wanted === null ? due : due.filter((id) => wanted.includes(id));
  if (ids.length === 0) return [];
  const isChosen = ctx.chosen == null ? null : choiceOf(ctx.chosen);
  const trees: CampaignTree[] = [];
  for (const some of split(ids, CAMPAIGNS_A_READ)) {
    const read = yield* tx('read trees', (ports) => ports.workspace.readTrees(some));
    const found = isChosen === null ? read : read.filter((tree) => holdsChosen(tree, isChosen));
    learnTrees(ctx, found);
    trees.push(...found);
  }
  return trees;
}

/** Campaigns a plan is made of, and the rows, theirs or others, that a rule finds an error in. */
export interface Due {
  readonly trees: readonly CampaignTree[];
  readonly errors: readonly RowRef[];
}

/** @param known the campaigns as they were read a moment ago; null when something was taken in since */
export function* gatherDue(ctx: RoundContext, known: readonly CampaignTree[] | null): Work<Due> {
  const trees = known ?? (yield* learnDueCampaigns(ctx));
  return { trees, errors: yield* tx('errors', (ports) => ports.workspace.rowsWithErrors()) };
}

/** Reads what else a plan depends on and plans. Campaigns of which something has to stay get no review. */
export function* gatherAndPlan(ctx: RoundContext, { trees, errors }: Due): Work<Plan> {
  learnRows(ctx, yield* tx('read media', (ports) => ports.workspace.readMedia()));
  const live = yield* tx('live', (ports) => ports.outbox.live());
  const conflicts = yield* tx('conflicts', (ports) => ports.outbox.conflicts());
  // What this run has seen refused is not sent a second time by it.
  const refused = ctx.tally.refused.map(({ kind, id }) => `${kind}:${id}`);
  const today = yield* tx('today', () => ctx.today());
  const withErrors = new Set([...errors.map(({ kind, id }) => `${kind}:${id}`), ...refused]);
  const gathered = { trees, live, conflicts, absent: ctx.absent, withErrors };
  const plan = yield* tx('plan', () => planFrom(gathered, { ...ctx, today }));
  for (const left of plan.leftOut) {
    const campaignId = ctx.rows.get(`${left.kind}:${left.id}`)?.campaignId ?? null;
    const standsInTheWay = left.reason !== 'held' && left.reason !== 'nothing-to-send' && left.reason !== 'not-offered';
    if (campaignId !== null && standsInTheWay) ctx.troubled.add(campaignId);
  }
  return plan;
}
