import type { PendingGroup, PendingReason } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { startOfDayMs } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import type { LeftOut } from '../../shared/plan/plan-types.ts';
import type { UploadHosts } from '../files/upload/upload-url-check.ts';
import { SETTLE_MS } from '../store/outbox/outbox-types.ts';
import type { WaitingRow } from '../store/outbox/sync-queries.ts';
import type { Workspace } from '../store/workspace.ts';
import type { PendingSync } from './pending-sync.ts';
import { changesOf, firstChanges, staysOf } from './plan-lines.ts';
import { byReason } from './plan-preview.ts';
import { OVERDUE_MS } from './poll-scheduler.ts';

interface WaitingDeps {
  readonly workspace: Workspace;
  readonly sync: Pick<PendingSync, 'planned' | 'status' | 'pending'>;
  readonly hosts: Pick<UploadHosts, 'list'>;
  readonly profile: DeploymentSettings;
  readonly nowMs: () => number;
}

type First = PendingGroup['first'];

/** Lists everything that is pending, by reason and by what ends the wait. */
export async function listPending(deps: WaitingDeps): Promise<PendingGroup[]> {
  const { profile, nowMs } = deps;
  const { outbox } = deps.workspace;
  const now = nowMs();
  const status = await deps.sync.status();
  const { videos, reviews, scheduled } = await outbox.pendingOnService();
  const isOverdue = ({ since }: WaitingRow): boolean => since !== null && now - since > OVERDUE_MS;
  // Sorted by age, so the overdue ones are among the first.
  const overdue = videos.first.filter(isOverdue);
  const [firstDay] = scheduled.first;
  const { plan, trees } = await deps.sync.planned({ submit: true, campaignIds: null });
  const leftOut = byReason(staysOf(plan, trees), trees);
  // While the service limits requests, all changes are pending for that reason.
  const short = status.limitedUntil === null ? Math.max(0, plan.elements - status.budgetLeft) : 0;
  const { sentBy } = await outbox.changeLimit({ changes: plan.elements });
  const due = Math.max(0, changesOf(plan).size - short);
  const pending = await deps.sync.pending();
  // The changes of a pending sync are listed with it.
  const unplanned = Math.max(0, due - (pending?.left ?? 0));
  // Which rows a pending sync sends is known only to its own plan.
  const next = firstChanges(plan, pending === null ? Math.min(unplanned, NAMED) : 0);
  const changed = byReason(
    next.map((row) => ({ ...row, reason: 'changed' })),
    trees,
  ).flatMap(({ first }) => first);
  const live = await outbox.live();
  const inDoubt = live.flatMap((batch) => batch.ops.filter(({ state }) => state === 'IN_DOUBT').map(() => batch));
  const questions = await outbox.listUnresolved();
  const asked = (await deps.hosts.list()).filter(({ state }) => state === 'asked');
  const { nextPollAt, limitedUntil } = status;
  const inDoubtUntil = latest(
    inDoubt.map(({ lastMomentAt }) => lastMomentAt + SETTLE_MS),
    now,
  );
  const young = videos.first.filter((row) => !isOverdue(row));
  const files = asked.reduce((sum, one) => sum + one.files.length, 0);
  const named = questions.slice(0, NAMED).map(({ kind, rowId, what }) => ({ kind, id: rowId, label: what }));
  const found: PendingGroup[] = [
    waiting('video-processing', videos.rows - overdue.length, of('media', young), nextPollAt),
    waiting('video-overdue', overdue.length, of('media', overdue), nextPollAt),
    waiting('review-going-on', reviews.rows, of('adGroup', reviews.first), nextPollAt),
    waiting('scheduled', scheduled.rows, of('campaign', scheduled.first), dayMs(firstDay, profile)),
    waiting(limitedUntil === null ? 'changed' : 'rate-limited', unplanned, changed, limitedUntil),
    ...(pending === null ? [] : [waiting(`sync-${pending.state}`, pending.left, [], pending.nextAt)]),
    waiting('budget', short, [], Math.round(sentBy)),
    waiting('in-doubt', inDoubt.length, [], inDoubtUntil),
    ...leftOut
      .filter(({ reason }) => !NOT_PENDING.has(reason))
      .map(({ reason, rows, first }) =>
        waiting(reason as Exclude<LeftOut['reason'], NotPending>, rows, first.slice(0, NAMED)),
      ),
    waiting('upload-host', files),
    waiting('question', questions.length, named),
  ];
  const order = ['time', 'sync', 'user'];
  return found
    .filter(({ elements }) => elements > 0)
    .toSorted((a, b) => order.indexOf(a.until) - order.indexOf(b.until));
}

const NAMED = 20;

const UNTIL: Readonly<Record<PendingReason, PendingGroup['until']>> = {
  'video-processing': 'time',
  'video-overdue': 'time',
  'review-going-on': 'time',
  scheduled: 'time',
  changed: 'sync',
  'rate-limited': 'time',
  'sync-paused': 'user',
  'sync-waiting': 'time',
  'sync-scheduled': 'time',
  budget: 'sync',
  'in-doubt': 'sync',
  'waits-for-media': 'time',
  'review-open': 'time',
  'parent-left-out': 'user',
  conflict: 'user',
  'has-errors': 'user',
  held: 'user',
  'not-offered': 'user',
  'needs-sign-off': 'user',
  'changed-since-sign-off': 'user',
  'upload-host': 'user',
  question: 'user',
};

/** Reasons to leave out rows for which nothing is pending, or which another entry lists. */
type NotPending = 'in-doubt' | 'nothing-to-send' | 'not-chosen';
const NOT_PENDING: ReadonlySet<string> = new Set<NotPending>(['in-doubt', 'nothing-to-send', 'not-chosen']);

const waiting = (
  reason: PendingReason,
  elements: number,
  first: First = [],
  nextAt: number | null = null,
): PendingGroup => ({ reason, until: UNTIL[reason], elements, first, nextAt });

const of = (kind: First[number]['kind'], rows: readonly WaitingRow[]): First =>
  rows.map(({ id, name }: { id: RowId; name: string }) => ({ kind, id, label: name }));

function dayMs(row: WaitingRow | undefined, { business }: DeploymentSettings): number | null {
  return row?.day == null ? null : startOfDayMs(row.day as PlainDate, business.zone);
}

/** The latest of the times; null if it has passed. */
function latest(moments: readonly number[], now: number): number | null {
  const last = Math.max(0, ...moments);
  return last > now ? last : null;
}
