import type { AppEvent } from '../../shared/contract/app.ts';
import type { SyncReport } from '../../shared/contract/sync.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { OpState } from '../workspace/outbox/outbox-types.ts';
import { isPaused, type RoundContext, type Stop } from './core/context.ts';
import { mayPass } from './core/pending-steps.ts';

/** The report of a run that has just begun. */
export const emptyReport = (runId: string): SyncReport => ({
  runId,
  state: 'running',
  stoppedBy: null,
  requests: 0,
  done: 0,
  refused: [],
  inDoubt: 0,
  questions: 0,
  untouched: 0,
  uploads: 0,
  failedUploads: [],
  unreadable: [],
  reviews: 0,
  live: 0,
  inReview: 0,
});

/** The last event of a run. Whoever hears it finds the report finished: it is sent after `report` answers so. */
export const endOf = (workspaceId: WorkspaceId, report: SyncReport): AppEvent => ({
  type: 'sync.progress',
  workspaceId,
  runId: report.runId,
  phase: 'done',
  batchesDone: report.requests,
  batchesTotal: report.requests,
  elementsDone: report.done,
  elementsRefused: report.refused.length,
  elementsInDoubt: report.inDoubt,
  retryAt: null,
  ...whyOf(report),
});

/** The lines of another plan have no names yet: whoever reads rows adds them. */
function stoppedBy(stop: Stop | null): SyncReport['stoppedBy'] {
  if (stop === null) return null;
  const { otherPlan: _, ...told } = stop;
  return told;
}

function stateOf(ctx: RoundContext): SyncReport['state'] {
  if (ctx.stop !== null) return 'stopped';
  if (isPaused(ctx)) return 'paused';
  return ctx.isCancelled() ? 'cancelled' : 'finished';
}

function whyOf({ state, stoppedBy }: SyncReport): Pick<Extract<AppEvent, { type: 'sync.progress' }>, 'ended'> {
  if (state === 'paused') return { ended: 'paused' };
  if (stoppedBy === null) return {};
  const { cause } = stoppedBy;
  if (cause === 'deadline' || cause === 'plan-changed') return { ended: cause };
  return mayPass(stoppedBy) ? { ended: 'away' } : {};
}

/** What a run came to. What is in doubt and what is asked are the workspace's figures, not only this run's. */
export function reportOf(
  ctx: RoundContext,
  states: Readonly<Record<OpState, number>>,
  standing: { readonly live: number; readonly inReview: number },
  labelOf: (row: AnyRow) => string,
): SyncReport {
  const { tally } = ctx;
  return {
    runId: ctx.runId,
    state: stateOf(ctx),
    stoppedBy: stoppedBy(ctx.stop),
    requests: tally.requests,
    done: tally.done,
    refused: tally.refused.map(({ kind, id, message }) => {
      const row = ctx.rows.get(`${kind}:${id}`);
      return { kind, id, label: row === undefined ? `${kind} ${id}` : labelOf(row), message };
    }),
    inDoubt: states.IN_DOUBT,
    questions: states.NEEDS_USER,
    untouched: tally.untouched,
    uploads: tally.uploads,
    failedUploads: tally.failedUploads,
    unreadable: ctx.notes.unreadable,
    reviews: tally.reviews,
    live: standing.live,
    inReview: standing.inReview,
  };
}
