import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OutdatedSummary, PendingGroup, PendingReason, Unreadable } from '../../../../shared/api/sync.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted, isoOrNull, wordOf } from '../output.ts';
import { campaignIdsOf } from './plan.ts';

const MIB = 2 ** 20;

export const statusCommand: Command = {
  name: 'status',
  summary:
    'Says how the account stands: what differs from the service, what the check found, what only you can settle, what the service still takes in this hour, and whether the disk runs full.',
  run: async ({ output, atAccount }) => {
    const { client, workspaceId } = await atAccount();
    const summary = await client.workspace.summary({ workspaceId });
    const { changed, held, findings, conflicts, questions, lastRefreshAt } = summary;
    const { budgetLeft, budgetPerHour, limitedUntil, lowSpaceBytes } = await client.accountStatus.get({ workspaceId });
    const readAt = isoOrNull(lastRefreshAt);
    output.say(`${counted(changed, 'row')} changed here, ${held} held back.`);
    output.say(`${counted(findings.error, 'error')}, ${counted(findings.warning, 'warning')}.`);
    output.say(`${counted(conflicts, 'conflict')}, ${counted(questions, 'question')}.`);
    output.say(`The service takes ${budgetLeft} of ${budgetPerHour} elements in this hour.`);
    const rateLimitedUntil = isoOrNull(limitedUntil);
    if (rateLimitedUntil !== null) {
      output.say(
        `Rate limited: the service has asked for no further requests until ${rateLimitedUntil}. "adslate sync" tries all the same.`,
      );
    }
    output.say(readAt === null ? 'The service has never been read.' : `Last read from the service at ${readAt}.`);
    if (lowSpaceBytes !== null) {
      output.say(`Only ${Math.floor(lowSpaceBytes / MIB)} MiB are free on the disk of this account. Make room soon.`);
    }
    const figures = { changed, held, errors: findings.error, warnings: findings.warning, conflicts, questions };
    output.result({ ...figures, budgetLeft, budgetPerHour, lastRefreshAt: readAt, lowSpaceBytes, rateLimitedUntil });
    return conflicts + questions > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

/** What waits, and what for. */
const WHY: Readonly<Record<PendingReason, string>> = {
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

const pendingCommand: Command = {
  name: 'waiting',
  summary: 'Lists everything that is not live yet, with the reason and the time of the next check.',
  run: async (context) => {
    const waits = await printPending(context);
    if (waits.length === 0) context.output.say('Nothing is pending.');
    context.output.result({ waiting: waitingJson(waits) });
    return waits.some(({ until }) => until === 'user') ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

/** One line for each reason. @returns what was shown */
export async function printPending(context: Context): Promise<readonly PendingGroup[]> {
  const { client, workspaceId } = await context.atAccount();
  const waits = await client.pending.list({ workspaceId });
  for (const { reason, elements, first, nextAt } of waits) {
    const names = first.slice(0, 3).map(({ label }) => `"${label}"`);
    const named = names.length === 0 ? '' : `: ${names.join(', ')}${elements > names.length ? ', ...' : ''}`;
    const when = nextAt === null ? '' : `; next look ${new Date(nextAt).toISOString().slice(0, 16)}Z`;
    context.output.say(`waits: ${counted(elements, 'element')}, ${WHY[reason]}${when}${named}`);
  }
  return waits;
}

export const waitingJson = (waits: readonly PendingGroup[]) =>
  waits.map(({ reason, until, elements, nextAt }) => ({ reason, until, elements, nextAt: isoOrNull(nextAt) }));

const HOURS_MAX = 8760;

const refreshCommand: Command = {
  name: 'refresh',
  takes: '[--outdated HOURS | --campaign NAME]',
  summary:
    'Reads everything readable from the service and merges it; what you changed here stays. --outdated HOURS reads only campaigns that were not read for so long, with unsent changes, under review, with a video in work, or with the label "Keep fresh", and says first how many. --campaign NAME reads these.',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const outdatedAfterHours = hoursOf(context);
    const campaignIds = await campaignIdsOf(context);
    if (outdatedAfterHours !== null && campaignIds !== null) {
      throw usageError('Choose one: --outdated HOURS or --campaign NAME.');
    }
    const outdated =
      outdatedAfterHours === null ? null : await client.sync.outdated({ workspaceId, hours: outdatedAfterHours });
    if (outdated !== null) context.output.say(outdatedText(outdated));
    const read = await client.sync.refresh({ workspaceId, campaignIds, outdatedAfterHours });
    const { revision, gone, unreadable, notRead } = read;
    const summary = await client.workspace.summary({ workspaceId });
    const rows = Object.values(summary.rows).reduce((sum, count) => sum + count, 0);
    context.output.say(
      `Refreshed: ${counted(rows, 'row')}, ${summary.changed} changed here, ${counted(summary.conflicts, 'conflict')}.`,
    );
    for (const { kind, label, asked } of gone) {
      const next = asked
        ? '"adslate conflicts" lists it; "adslate resolve" creates it again (mine) or drops it here too (theirs)'
        : 'refresh again in two minutes or later; if it is still missing, it becomes a conflict that you settle';
      context.output.say(`gone: ${wordOf(kind)} "${label}" is no longer listed by the service: ${next}.`);
    }
    sayUnreadable(context, unreadable);
    for (const { call, label, status, message } of notRead) {
      context.output.say(
        `not read: "${label}": the service answered ${call} with status ${status}: ${message}. What is here of it stays as it was.`,
      );
    }
    const { changed, conflicts } = summary;
    context.output.result({
      revision,
      rows: summary.rows,
      changed,
      conflicts,
      gone: gone.map(({ kind, id, label, asked }) => ({ type: wordOf(kind), id, label, asked })),
      unreadable: unreadableJson(unreadable),
      notRead,
      ...(outdated && { outdated }),
    });
    if (conflicts > 0) return EXIT_CODE.needsUser;
    return gone.length + unreadable.length + notRead.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

/** One line for each value of the service that its field cannot have. */
export function sayUnreadable(context: Context, unreadable: readonly Unreadable[]): void {
  for (const { kind, label, field, value } of unreadable) {
    const what =
      field === null
        ? `a row of type ${wordOf(kind)} in "${label}" has no usable id: ${value}`
        : `${wordOf(kind)} "${label}" has ${value} as its ${field}`;
    context.output.say(`unreadable: ${what}. The row keeps its values here; the others were read.`);
  }
}

export const unreadableJson = (unreadable: readonly Unreadable[]) =>
  unreadable.map(({ kind, id, label, field, value }) => ({ type: wordOf(kind), id, label, field, value }));

function hoursOf(context: Context): number | null {
  const text = context.text('outdated');
  if (text === null) return null;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : HOURS_MAX + 1;
  if (hours > HOURS_MAX) throw usageError(`--outdated takes hours, a whole number from 0 to ${HOURS_MAX}.`);
  return hours;
}

function outdatedText({ campaigns, all, why }: OutdatedSummary): string {
  const reasons = [
    [why.old, 'not read for so long'],
    [why.touched, 'with unsent changes'],
    [why.inReview, 'under review'],
    [why.processing, 'with a video in work'],
    [why.keptFresh, 'kept fresh'],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${campaigns} of ${counted(all, 'campaign')} may be out of date${said.length === 0 ? '' : `: ${said.join(', ')}`}.`;
}

/** Shows the text for somebody who helps, or writes it to a file that is not there yet. */
const supportCommand: Command = {
  name: 'support',
  takes: '[FILE]',
  summary:
    'Prints a diagnostic report for support: versions and recent log entries, without names, paths or credentials.',
  positionals: [0, 1],
  run: async (context) => {
    const support = await (await context.client()).app.support();
    const [file] = context.positionals;
    if (file === undefined) context.output.say(support.text);
    else {
      await writeFile(resolve(file), support.text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error)) throw error;
        throw refused('BAD_FILE', `${file} cannot be written. Name a file that is not there yet.`);
      });
      context.output.say(`Written to ${file}. Read it before you hand it on.`);
    }
    context.output.result(support);
  },
};

export const statusCommands: readonly Command[] = [statusCommand, pendingCommand, refreshCommand, supportCommand];
