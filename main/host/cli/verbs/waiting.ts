import type { Waiting, WaitReason } from '../../../../shared/contract/waiting.ts';
import type { Command, Context } from '../command.ts';
import { EXIT } from '../stop.ts';
import { counted } from '../table.ts';

/** What waits, and what for. */
const WHY: Readonly<Record<WaitReason, string>> = {
  'video-processing': 'the service works on the video',
  'video-overdue': 'the service has worked on the video for more than two hours',
  'review-going-on': 'a review is going on',
  'sync-waiting':
    'the sync waits for the service and goes on by itself ("adslate sync --resume" tries now, "adslate sync --cancel" drops it)',
  'sync-scheduled':
    'the sync is scheduled until the service is healthy ("adslate sync --resume" carries on, "adslate sync --cancel" drops it)',
  'sync-paused': 'the sync is paused ("adslate sync --resume" goes on, "adslate sync --cancel" drops it)',
  scheduled: 'scheduled, goes live on its first day',
  'rate-limited':
    'rate limited: the service has asked for no further requests until then; "adslate sync" tries all the same',
  changed: 'changed since, goes with the next sync',
  budget: 'over what the service takes in an hour',
  'in-doubt': 'an answer was lost; the next sync looks again',
  'waits-for-media': 'its video is not ready yet',
  'review-open': 'cannot change while its review is open',
  'parent-left-out': 'belongs to a row that stays here',
  'upload-host': 'wants to go to a host you have not allowed ("adslate upload-hosts")',
  question: 'only you can answer ("adslate questions")',
  conflict: 'changed here and on the service ("adslate conflicts")',
  'has-errors': 'has errors ("adslate check")',
  held: 'held back by you',
  'not-offered': "not offered by this service: do it in the service's own console, then refresh",
};

export const waitingCommand: Command = {
  name: 'waiting',
  takes: '',
  summary: 'Tells what is not on the service or not live although it is meant to be: why, and when it goes on.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const waits = await showWaiting(context);
    if (waits.length === 0) context.output.say('Nothing waits.');
    context.output.result({ waiting: waitingJson(waits) });
    return waits.some(({ until }) => until === 'user') ? EXIT.needsUser : EXIT.done;
  },
};

/** One line for each reason. @returns what was shown */
export async function showWaiting(context: Context): Promise<readonly Waiting[]> {
  const client = await context.client();
  const waits = await client.waiting.list({ workspaceId: await context.workspaceId() });
  for (const { reason, elements, first, nextAt } of waits) {
    const names = first.slice(0, 3).map(({ label }) => `"${label}"`);
    const named = names.length === 0 ? '' : `: ${names.join(', ')}${elements > names.length ? ', ...' : ''}`;
    const when = nextAt === null ? '' : `; next look ${new Date(nextAt).toISOString().slice(0, 16)}Z`;
    context.output.say(`waits: ${counted(elements, 'element')}, ${WHY[reason]}${when}${named}`);
  }
  return waits;
}

export const waitingJson = (waits: readonly Waiting[]) =>
  waits.map(({ reason, until, elements, nextAt }) => ({
    reason,
    until,
    elements,
    nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
  }));
