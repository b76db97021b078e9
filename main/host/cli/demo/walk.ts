import { createRouterClient } from '@orpc/server';
import type { SyncReport } from '../../../../shared/contract/sync.ts';
import { addDays, dateInZone } from '../../../../shared/model/plain-date.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import type { Core } from '../../../core.ts';
import type { OpenAccount } from '../../../open-accounts.ts';
import type { PracticeControl } from '../../../practice/practice-control.ts';
import type { Client } from '../command.ts';
import { counted } from '../table.ts';

/** What the steps of the demo share, and small ways to do one thing and insist that it worked. */
export interface Walk {
  readonly client: Client;
  readonly workspaceId: WorkspaceId;
  readonly account: OpenAccount;
  readonly control: PracticeControl;
  readonly grant: (path: string) => Promise<string>;
}

/** A step that did not do what it had to; the demo ends with exit code 1. */
export class DemoFailed extends Error {}

export async function startWalk(core: Core): Promise<Walk> {
  const client: Client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Demo' });
  const account = await core.open.get(workspaceId);
  if (!account.ok) throw new DemoFailed('the workspace cannot be opened');
  const control = await account.value.practice?.control();
  if (control?.ok !== true) throw new DemoFailed('the practice service does not start');
  return {
    client,
    workspaceId,
    account: account.value,
    control: control.value,
    grant: async (path) => {
      const file = await core.grants.grantPath(path);
      if (!file.ok) throw new DemoFailed(`${path} cannot be read`);
      return file.value.grant;
    },
  };
}

/** Sends what can be sent, waits for the end, and insists that nothing was refused or left in doubt. */
export async function syncOnce({ account }: Walk): Promise<SyncReport> {
  const sync = await account.sync();
  const started = await sync.run({ submit: true, campaignIds: null });
  if (!started.ok) throw new DemoFailed(`the sync does not start (${started.error.kind})`);
  const report = await sync.idle();
  if (report === null) throw new DemoFailed('the sync leaves no report');
  if (report.stoppedBy !== null) throw new DemoFailed(`the sync stopped: ${report.stoppedBy.detail}`);
  const [refused] = report.refused;
  if (refused !== undefined) throw new DemoFailed(`"${refused.label}" was refused: ${refused.message}`);
  if (report.inDoubt + report.questions > 0) throw new DemoFailed('something is in doubt without a fault');
  return report;
}

export const reportText = (report: SyncReport): string =>
  `${report.done} elements done, ${counted(report.uploads, 'upload')}, ${counted(report.reviews, 'review')} asked for, ${counted(report.requests, 'request')}`;

/** Moves the practice clock; what falls due meanwhile happens in order. */
export async function moveClock({ control }: Walk, duration: string): Promise<string> {
  const state = await control.advance(duration);
  if (!state.ok) throw new DemoFailed(`the practice clock does not move: ${state.error.detail}`);
  return state.value.now;
}

/** All campaigns start this many days from the practice service's today, as one edit. */
export async function startIn(walk: Walk, days: number): Promise<string> {
  const state = await walk.control.state();
  if (!state.ok) throw new DemoFailed('the practice service does not answer');
  const today = dateInZone(Date.parse(state.value.now), walk.account.profile.business.zone);
  const start = addDays(today, days);
  const trees = await walk.account.workspace.readTrees('all');
  await walk.client.workspace.edit({
    workspaceId: walk.workspaceId,
    label: 'Move the start dates',
    changes: trees.flatMap(({ campaign }) => [
      { kind: 'campaign', id: campaign.id, field: 'startDate', value: start },
      { kind: 'campaign', id: campaign.id, field: 'endDate', value: addDays(start, 60) },
    ]),
  });
  return start;
}

export async function decideAll({ control }: Walk): Promise<number> {
  const state = await control.state();
  if (!state.ok) throw new DemoFailed('the practice service does not answer');
  for (const { reviewId } of state.value.openReviews) {
    const decided = await control.decide(reviewId, 'approved');
    if (!decided.ok) throw new DemoFailed(`review ${reviewId} cannot be decided: ${decided.error.detail}`);
  }
  return state.value.openReviews.length;
}
