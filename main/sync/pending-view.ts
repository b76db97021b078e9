import type { PendingSyncView, SyncReport } from '../../shared/contract/sync.ts';
import type { Order, PendingEvent, PendingState } from './core/pending-state.ts';
import type { Wish } from './pending-file.ts';
import type { PendingOptions } from './pending-port.ts';
import type { RunProblem } from './port.ts';

/** A sync that does not run and is not over. */
type Resting = Exclude<PendingState<Wish>, { is: 'none' | 'running' }>;

/** What is kept of what was asked for; the reviewed plan is kept apart. */
export const orderOf = (options: PendingOptions): Order<Wish> => ({
  wish: {
    submit: options.submit,
    campaignIds: options.campaignIds,
    chosen: options.chosen ?? null,
    cancelReviews: options.cancelReviews ?? false,
    agreed: options.agreed ?? null,
  },
  resumes: options.resumes ?? false,
  deadline: options.deadline ?? null,
});

/** @param by who ended it, apart from itself: the user, or the account that closes */
export function endOf(
  report: SyncReport | null,
  by: 'user' | 'closing' | null,
): Extract<PendingEvent<Wish>, { is: 'ended' }> {
  if (report?.state === 'paused') return { is: 'ended', how: 'paused' };
  // A request that failed because of it is not why.
  const isCut = report?.state === 'cancelled' || (report?.state === 'stopped' && by !== null);
  if (isCut) return { is: 'ended', how: by === 'closing' ? 'closed' : 'canceled' };
  if (report?.state !== 'stopped' || report.stoppedBy === null) return { is: 'ended', how: 'finished' };
  return { is: 'ended', how: 'stopped', stop: report.stoppedBy, hasSent: report.done + report.uploads > 0 };
}

/** Why a run could not begin, for the view. */
export const problemOf = (problem: RunProblem): string =>
  problem.kind === 'not-writable' ? problem.detail : problem.kind;

/** What is told of a sync that is paused, waits or is scheduled. */
export function viewOf(state: Resting, leftThen: number, left: number): PendingSyncView {
  const { since, order } = state;
  const all = { since, deadline: order.deadline, left, leftThen, cause: null, nextAt: null, health: null } as const;
  switch (state.is) {
    case 'paused':
      return { ...all, state: 'paused', problem: state.problem };
    case 'waiting':
      return { ...all, state: 'waiting', nextAt: state.nextAt, cause: state.stop.cause, problem: state.stop.detail };
    case 'scheduled': {
      const health = { since: state.healthySince, minutes: state.healthyMs / 60_000 };
      return { ...all, state: 'scheduled', nextAt: state.nextAt, problem: state.problem, health };
    }
  }
}
