import { SPREAD_MAX } from '../../shared/api/limits.ts';
import type { MetricsQuery } from '../../shared/api/views.ts';
import { type CopiedRow, copyRows } from '../../shared/bulk/copy-rows.ts';
import { FULL_RULE, spreadKeywords } from '../../shared/bulk/spread-keywords.ts';
import { treeRows } from '../../shared/model/campaign-tree.ts';
import { isDeleted, isNew, type Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { metricField } from '../../shared/reports/account-metrics.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { err, fail, ok } from '../../shared/result.ts';
import { NO_OBSERVER } from '../app/long-task.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { type CopyProblem, createAccountCopy } from '../files/spreadsheet/copy-to-account.ts';
import { lookOf, TOTALED } from '../store/reader/row-metrics.ts';
import type { EditProblem } from '../store/types.ts';
import { markMetricRules, matchMetricRules, metricColumns } from './metrics.ts';
import type { MainContext, MainOperations, RouterContext } from './router.ts';

/** Operations on rows that need several calls of the store, or two accounts. */
export const rowOperations = (
  parts: RouterContext,
): Pick<MainOperations, 'workspace' | 'bulk' | 'views' | 'copyToAccount'> => ({
  workspace: {
    openView: async ({ account, signal }, { workspaceId, view, window }) => {
      // The command line shows no marks.
      if (parts.options.host !== 'cli') markMetricRules(account, workspaceId, parts.events);
      const opening = await account.workspace.openView(view, {
        ...(window === undefined ? {} : { window }),
        ...(isReported(view.kind) ? { metrics: metricColumns(account, view.kind, signal) } : {}),
      });
      return opening.ok ? opening : fail('BAD_FILTER', opening.error);
    },
    issues: async ({ account, signal }, { from, count, campaignId, rule }) => {
      const metricRules = await matchMetricRules(account, signal);
      return ok(await account.workspace.issues(from, count, campaignId, rule, metricRules));
    },
  },
  bulk: {
    previewSpread: async ({ account, signal }, { campaignIds }) => {
      const spread = await spreadOf(account, campaignIds, signal);
      if (!spread.ok) return spread;
      const { campaigns, dailyBudget, leaving, left } = spread.value;
      return ok({ campaigns, dailyBudget, moved: leaving.length, left });
    },
    spreadKeywords: ({ account }, { campaignIds }) => spreadIntoNew(account, campaignIds),
    apply: ({ account: { workspace }, task }, { scope, tool, label, taskId }) =>
      workspace.applyTool(scope, tool, label, task ?? { taskId }),
  },
  views: {
    saved: async ({ account: { workspace, tellNewer } }) => ok(await workspace.savedViews(tellNewer('view'))),
    totals: async (context, { viewId, metrics, ranges }) => {
      const totals = await context.account.workspace.viewTotals(viewId, await keptMetrics(context, metrics), ranges);
      return totals === null ? fail('NO_VIEW', { viewId }) : ok({ totals: [...totals] });
    },
    groups: async (context, { viewId, from, count, metrics }) => {
      const source = await keptMetrics(context, metrics);
      const groups = await context.account.workspace.viewGroups(viewId, from, count, source);
      return groups === null ? fail('NO_VIEW', { viewId }) : ok(groups);
    },
  },
  copyToAccount: copyToAccountOperations(parts),
});

/**
 * Copies of each campaign with complete themes of its keywords, which leave the original.
 *
 * @param asked null for the campaigns that have too many
 */
async function spreadOf({ workspace, profile }: ActiveAccount, asked: readonly RowId[] | null, signal?: AbortSignal) {
  const full = asked ?? (await workspace.campaignsWithIssue(FULL_RULE));
  const campaignIds = full.slice(0, SPREAD_MAX);
  const creates: CopiedRow[] = [];
  const leaving: Row<'keyword'>[] = [];
  let campaigns = 0;
  let dailyBudget = 0;
  for (const id of campaignIds) {
    signal?.throwIfAborted();
    const [tree] = await workspace.readTrees([id]);
    if (tree === undefined) return fail('NO_ROW', { kind: 'campaign', id });
    const live = tree.keywords.filter(isEnabled);
    const texts = live.map((row) => ({ id: row.id, text: row.values.text ?? '' }));
    for (const part of spreadKeywords(texts, profile.keywords.maxDistinctEnabled)) {
      const below = treeRows(tree)
        .slice(1)
        .filter((row) => !isDeleted(row) && (row.kind !== 'keyword' || part.has(row.id)));
      creates.push(...placedAfter(creates.length, copyRows({ root: tree.campaign, below }, null, null, new Map())));
      leaving.push(...live.filter((row) => part.has(row.id)));
      campaigns++;
      dailyBudget += tree.campaign.values.dailyBudget ?? 0;
    }
  }
  if (campaigns === 0) return fail('NOTHING_TO_DO', {});
  return ok({ creates, leaving, campaigns, dailyBudget, left: full.length - campaignIds.length });
}

/** Adds these copies, and pauses or deletes in the originals the keywords that leave them. */
async function spreadIntoNew(account: ActiveAccount, asked: readonly RowId[] | null) {
  const spread = await spreadOf(account, asked);
  if (!spread.ok) return spread;
  const { creates, leaving, campaigns, dailyBudget, left } = spread.value;
  const sent = leaving.filter((row) => !isNew(row));
  const done = await account.workspace.apply({
    label: campaigns === 1 ? 'Spread keywords into a new campaign' : 'Spread keywords into new campaigns',
    source: 'user',
    creates,
    keepNamesApart: true,
    // The service can't delete keywords, so keywords that it has are paused.
    updates: sent.map(({ kind, id }) => ({ kind, id, field: 'state', value: 'paused' })),
    deletes: leaving.filter(isNew).map(({ kind, id }) => ({ kind, id })),
  });
  if (!done.ok) return done;
  const { revision, touched } = done.value;
  const campaignId = touched[0]?.id;
  if (campaignId === undefined) return fail('NOTHING_TO_DO', {});
  return ok({
    revision,
    campaignId,
    campaigns,
    dailyBudget,
    moved: leaving.length,
    paused: sent.length,
    left,
  });
}

/** As the rule that limits keywords counts them: a keyword without a state is enabled. */
const isEnabled = (row: Row<'keyword'>): boolean =>
  !isDeleted(row) && row.values.state !== 'paused' && row.values.state !== 'archived';

/** Copies that follow `length` other rows in a list: their parents are places in it. */
const placedAfter = (length: number, copies: readonly CopiedRow[]): readonly CopiedRow[] =>
  copies.map((copy) =>
    copy.parent !== null && 'at' in copy.parent ? { ...copy, parent: { at: copy.parent.at + length } } : copy,
  );

/** Passes the metrics of a period to the reader thread, which sums them. */
async function keptMetrics({ account, signal }: MainContext, query: MetricsQuery | null): Promise<MetricsQuery | null> {
  if (query === null) return null;
  const { kind } = query;
  const look = lookOf(query);
  const wanted = TOTALED.map((name) => ({ kind, look, column: metricField({ name, window: null, isChange: false }) }));
  await account.workspace.keepMetrics(wanted, metricColumns(account, kind, signal));
  return query;
}

function copyToAccountOperations({ open, grants, prober }: RouterContext): MainOperations['copyToAccount'] {
  const copyToAccount = createAccountCopy({ grants, prober });
  type Input = Parameters<MainOperations['copyToAccount']['preview']>[1];
  /** The request with both accounts open. */
  const ordered = async ({ account }: MainContext, { workspaceId, target, scope, to }: Input) => {
    if (target === workspaceId) {
      return fail('BAD_TOOL', { at: 0, problem: 'Choose another account to copy to.' });
    }
    const opened = await open.get(target);
    return opened.ok ? ok({ from: account, target: opened.value, scope, to }) : opened;
  };
  return {
    preview: async (context, input) => {
      const order = await ordered(context, input);
      if (!order.ok) return order;
      const preview = await copyToAccount.preview(order.value);
      return preview.ok ? preview : notCopied(preview.error);
    },
    apply: async (context, input) => {
      const order = await ordered(context, input);
      if (!order.ok) return order;
      const applied = await copyToAccount.apply(order.value, input.label, context.task ?? NO_OBSERVER);
      return applied.ok ? applied : notCopied(applied.error);
    },
  };
}

function notCopied(problem: CopyProblem | EditProblem) {
  if (problem.code !== 'BAD_VALUE') return err(problem);
  // Values that are valid in one account are valid in another.
  throw new Error(`a copied row was refused: ${JSON.stringify(problem.data)}`);
}
