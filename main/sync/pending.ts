import type { PendingGroup, PendingReason, PendingSyncView } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { startOfDayMs } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import type { LeftOut } from '../../shared/plan/plan-types.ts';
import type { UploadHosts } from '../files/upload/upload-url-check.ts';
import { SETTLE_MS } from '../store/outbox/outbox-types.ts';
import type { WaitingRow } from '../store/outbox/sync-queries.ts';
import type { Workspace } from '../store/store.ts';
import type { PendingSync } from './pending-sync.ts';
import { changesOf, staysOf } from './plan-lines.ts';
import { byReason } from './plan-preview.ts';
import { OVERDUE_MS } from './poll-scheduler.ts';

interface WaitingDeps {
  readonly workspace: Workspace;
  readonly sync: Pick<PendingSync, 'planned' | 'standing' | 'pending'>;
  readonly hosts: Pick<UploadHosts, 'list'>;
  readonly profile: DeploymentSettings;
  readonly nowMs: () => number;
}

type First = PendingGroup['first'];

/** Everything that is not where it is meant to be, by what it waits for and until when. */
export async function listPending(deps: WaitingDeps): Promise<PendingGroup[]> {
  const { profile, nowMs } = deps;
  const { outbox } = deps.workspace;
  const now = nowMs();
  const standing = await deps.sync.standing();
  const { videos, reviews, scheduled } = await outbox.pendingOnService();
  const isOverdue = ({ since }: WaitingRow): boolean => since !== null && now - since > OVERDUE_MS;
  // Sorted by age, so the overdue ones stand among the first.
  const overdue = videos.first.filter(isOverdue);
  const [firstDay] = scheduled.first;
  const { plan, trees } = await deps.sync.planned({ submit: true, campaignIds: null });
  const leftOut = byReason(staysOf(plan, trees), trees);
  // As long as the service takes nothing, all of it is for then.
  const short = standing.limitedUntil === null ? Math.max(0, plan.elements - standing.budgetLeft) : 0;
  const { sentBy } = await outbox.changeLimit({ changes: plan.elements });
  const due = Math.max(0, changesOf(plan).size - short);
  const pending = await deps.sync.pending();
  // What a pending sync sends is told with it.
  const unplanned = Math.max(0, due - (pending?.left ?? 0));
  const live = await outbox.live();
  const inDoubt = live.flatMap((batch) => batch.ops.filter(({ state }) => state === 'IN_DOUBT').map(() => batch));
  const questions = await outbox.questions();
  const asked = (await deps.hosts.list()).filter(({ state }) => state === 'asked');
  const found: PendingGroup[] = [
    byTime(
      'video-processing',
      videos.rows - overdue.length,
      of(
        'media',
        videos.first.filter((row) => !isOverdue(row)),
      ),
      standing.nextPollAt,
    ),
    byTime('video-overdue', overdue.length, of('media', overdue), standing.nextPollAt),
    byTime('review-going-on', reviews.rows, of('adGroup', reviews.first), standing.nextPollAt),
    byTime('scheduled', scheduled.rows, of('campaign', scheduled.first), dayMs(firstDay, profile)),
    standing.limitedUntil === null
      ? bySync('changed', unplanned, [], null)
      : byTime('rate-limited', unplanned, [], standing.limitedUntil),
    ...(pending === null ? [] : [waiting(...PENDING[pending.state], pending.left, [], pending.nextAt)]),
    bySync('budget', short, [], Math.round(sentBy)),
    bySync(
      'in-doubt',
      inDoubt.length,
      [],
      latest(
        inDoubt.map(({ lastMomentAt }) => lastMomentAt + SETTLE_MS),
        now,
      ),
    ),
    ...leftOut.flatMap(({ reason, rows, first }) => {
      const mapped = LEFT_OUT[reason as LeftOut['reason']];
      return mapped === null ? [] : [waiting(mapped[0], mapped[1], rows, first.slice(0, NAMED), null)];
    }),
    byUser(
      'upload-host',
      asked.reduce((sum, { files }) => sum + files.length, 0),
      [],
    ),
    byUser(
      'question',
      questions.length,
      questions.slice(0, NAMED).map(({ kind, rowId, what }) => ({ kind, id: rowId, label: what })),
    ),
  ];
  const order = ['time', 'sync', 'user'];
  return found
    .filter(({ elements }) => elements > 0)
    .toSorted((a, b) => order.indexOf(a.until) - order.indexOf(b.until));
}

const NAMED = 20;

const PENDING: Readonly<Record<PendingSyncView['state'], readonly [PendingReason, PendingGroup['until']]>> = {
  paused: ['sync-paused', 'user'],
  waiting: ['sync-waiting', 'time'],
  scheduled: ['sync-scheduled', 'time'],
};

/** Why a plan leaves a row here, as a wait; null where nothing is waited for, or another entry tells it better. */
const LEFT_OUT: Readonly<Record<LeftOut['reason'], readonly [PendingReason, PendingGroup['until']] | null>> = {
  'waits-for-media': ['waits-for-media', 'time'],
  'review-open': ['review-open', 'time'],
  'parent-left-out': ['parent-left-out', 'user'],
  conflict: ['conflict', 'user'],
  'has-errors': ['has-errors', 'user'],
  held: ['held', 'user'],
  'not-offered': ['not-offered', 'user'],
  'needs-sign-off': ['needs-sign-off', 'user'],
  'changed-since-sign-off': ['changed-since-sign-off', 'user'],
  'in-doubt': null,
  'nothing-to-send': null,
  'not-chosen': null,
};

const waiting = (
  reason: PendingReason,
  until: PendingGroup['until'],
  elements: number,
  first: First,
  nextAt: number | null,
): PendingGroup => ({ reason, until, elements, first, nextAt });
const byTime = (reason: PendingReason, elements: number, first: First, nextAt: number | null): PendingGroup =>
  waiting(reason, 'time', elements, first, nextAt);
const bySync = (reason: PendingReason, elements: number, first: First, nextAt: number | null): PendingGroup =>
  waiting(reason, 'sync', elements, first, nextAt);
const byUser = (reason: PendingReason, elements: number, first: First): PendingGroup =>
  waiting(reason, 'user', elements, first, null);

const of = (kind: First[number]['kind'], rows: readonly WaitingRow[]): First =>
  rows.map(({ id, name }: { id: RowId; name: string }) => ({ kind, id, label: name }));

function dayMs(row: WaitingRow | undefined, { business }: DeploymentSettings): number | null {
  return row?.day == null ? null : startOfDayMs(row.day as PlainDate, business.zone);
}

/** When all of them may be looked at; null when that is now. */
function latest(moments: readonly number[], now: number): number | null {
  const last = Math.max(0, ...moments);
  return last > now ? last : null;
}
