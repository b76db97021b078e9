import type { MetricsWish } from '../../shared/api/views.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { err, fail, ok } from '../../shared/result.ts';
import { NO_OBSERVER } from '../app/long-task.ts';
import { type CopyProblem, createAccountCopy } from '../files/spreadsheet/copy-to-account.ts';
import { type FigureSource, TOTALED } from '../store/reader/row-figures.ts';
import type { EditProblem } from '../store/types.ts';
import type { MainContext, MainOperations, RouterContext } from './router.ts';

/** Operations on rows that take several calls of the store, or two accounts. */
export const rowOperations = (
  parts: RouterContext,
): Pick<MainOperations, 'workspace' | 'bulk' | 'views' | 'copyToAccount'> => ({
  workspace: {
    openView: async ({ account: { workspace, reports } }, { view, window }) => {
      const { period, ...rest } = view;
      const { report, kind } = rest;
      const metrics = period === undefined || !isReported(kind) ? null : await reports.ofPeriod(kind, period);
      const opening = await workspace.openView(metrics === null ? rest : { ...rest, report: metrics.source }, {
        ...(window === undefined ? {} : { window }),
        figures: async (figure) => {
          if (metrics !== null) return metrics.column(figure);
          if (report === undefined || !isReported(kind)) return null;
          // Rows are there without their figures as well; why those are missing is told to whoever asks for them.
          const column = await reports.column(report, kind, figure);
          return column.ok ? column.value : null;
        },
        metricRows: async (span, isKnown) => {
          if (!isReported(kind) || (await isKnown(await reports.daily.version(kind)))) return null;
          const days = await reports.daily.days(kind, span);
          const ids = new Set<string>();
          days.each((remoteId) => ids.add(remoteId));
          return { version: days.version, remoteIds: [...ids] };
        },
      });
      return opening.ok ? opening : fail('BAD_FILTER', opening.error);
    },
    findings: async ({ account: { workspace } }, { from, count, campaignId, rule }) =>
      ok(await workspace.findings(from, count, campaignId, rule)),
  },
  bulk: {
    apply: ({ account: { workspace }, task }, { scope, tool, label, jobId }) =>
      workspace.applyTool(scope, tool, label, task ?? { jobId }),
  },
  views: {
    saved: async ({ account: { workspace } }) => ok(await workspace.savedViews()),
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

/** Hands the metrics of a period over to the thread that adds up rows. Null for none. */
async function keptMetrics({ account }: MainContext, wanted: MetricsWish | null): Promise<FigureSource | null> {
  if (wanted === null) return null;
  const { kind } = wanted;
  const { source, column } = await account.reports.ofPeriod(kind, wanted.period);
  const spec = { kind, report: source };
  await account.workspace.keepFigures(spec, TOTALED, async (figure) => column(figure));
  return spec;
}

function copyToAccountOperations({ open, grants, prober }: RouterContext): MainOperations['copyToAccount'] {
  const copyToAccount = createAccountCopy({ grants, prober });
  type Input = Parameters<MainOperations['copyToAccount']['preview']>[1];
  /** The order with both accounts open. */
  const ordered = async ({ account }: MainContext, { workspaceId, target, scope, to }: Input) => {
    if (target === workspaceId) {
      return fail('BAD_TOOL', { at: 0, problem: 'Choose another account to copy to.' });
    }
    const opened = await open.get(target);
    if (opened.ok) return ok({ from: account, target: opened.value, scope, to });
    return opened.error.kind === 'no-account' ? fail('NO_WORKSPACE', { workspaceId: target }) : err(opened.error);
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
  if ('code' in problem) {
    if (problem.code !== 'BAD_VALUE') return err(problem);
    // Copies of rows that fit their fields fit them elsewhere too.
    throw new Error(`a copied row was refused: ${JSON.stringify(problem.data)}`);
  }
  if (problem.kind === 'not-writable') return err(problem);
  return fail('BAD_FILE', { fileName: problem.fileName, reason: 'cannot-read', params: { code: 'ENOENT' } });
}
