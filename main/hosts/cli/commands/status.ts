import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OutdatedSummary, PendingGroup, PendingReason, Unreadable } from '../../../../shared/api/sync.ts';
import { fieldLabel } from '../../../../shared/model/fields.ts';
import { codeOrThrow } from '../../../app/system.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted, isoOrNull, wordOf } from '../output.ts';
import { campaignIdsOf, limitText } from './plan.ts';

const MIB = 2 ** 20;

export const statusCommand: Command = {
  name: 'status',
  purpose: 'Shows unsynced changes, issues, conflicts, hourly limit and low disk space.',
  example: 'adslate status',
  run: async ({ output, atAccount }) => {
    const { client, workspaceId } = await atAccount();
    const summary = await client.workspace.summary({ workspaceId });
    const { changed, held, issues, conflicts, questions, lastRefreshAt } = summary;
    const { budgetLeft, budgetPerHour, changeLimit, limitedUntil, lowSpaceBytes } = await client.accountStatus.get({
      workspaceId,
    });
    const readAt = isoOrNull(lastRefreshAt);
    output.say(`${counted(changed, 'unsynced change')}, ${held} on hold.`);
    output.say(`${counted(issues.error, 'error')}, ${counted(issues.warning, 'warning')}.`);
    output.say(`${counted(conflicts, 'conflict')}, ${counted(questions, 'unresolved request')}.`);
    output.say(`${budgetLeft} of ${budgetPerHour} changes left this hour. ${limitText(changeLimit)}`);
    const rateLimitedUntil = isoOrNull(limitedUntil);
    if (rateLimitedUntil !== null) {
      output.say(
        `Rate limited: the service accepts no requests until ${rateLimitedUntil}. Run "adslate sync" to try now.`,
      );
    }
    output.say(readAt === null ? 'Not refreshed yet. Run "adslate refresh".' : `Last refreshed ${readAt}.`);
    if (lowSpaceBytes !== null) {
      output.say(
        `Low disk space: ${Math.floor(lowSpaceBytes / MIB)} MB left on the disk of this account. Free up space soon.`,
      );
    }
    const counts = { changed, held, errors: issues.error, warnings: issues.warning, conflicts, questions };
    output.result({
      ...counts,
      budgetLeft,
      budgetPerHour,
      changeLimit,
      lastRefreshAt: readAt,
      lowSpaceBytes,
      rateLimitedUntil,
    });
    return conflicts + questions > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

/** Why something is pending. */
const WHY: Readonly<Record<PendingReason, string>> = {
  'video-processing': 'processing video',
  'video-overdue': 'processing video for more than 2 hours',
  'review-going-on': 'in review',
  'sync-waiting':
    'sync waiting for the service; resumes automatically ("adslate sync --resume" tries now, --cancel ends it)',
  'sync-scheduled':
    'sync scheduled; starts when the service is healthy ("adslate sync --resume" waits for it, --cancel ends it)',
  'sync-paused': 'sync paused ("adslate sync --resume" resumes it, --cancel ends it)',
  scheduled: 'scheduled: goes live on its start date',
  'rate-limited': 'rate limited: the service accepts no requests until then ("adslate sync" tries now)',
  changed: 'changed: will be sent with the next sync',
  budget: 'over the hourly change limit',
  'in-doubt': 'unconfirmed: the next sync checks it',
  'waits-for-media': 'waiting for its video',
  'review-open': 'locked during review',
  'parent-left-out': 'its campaign or ad group is not sent',
  'upload-host': 'upload host not allowed yet ("adslate media hosts")',
  question: 'needs your answer ("adslate questions")',
  conflict: 'conflict: changed here and on the service ("adslate conflicts")',
  'has-errors': 'has errors ("adslate check")',
  held: 'on hold',
  'not-offered': "not supported by this service: use the retailer's console, then refresh",
  'needs-sign-off': 'needs sign-off by a colleague ("adslate team request submit")',
  'changed-since-sign-off': 'signed off, then changed: needs sign-off again ("adslate team request submit")',
};

const pendingCommand: Command = {
  name: 'pending',
  purpose: 'Lists everything that is not live yet, with the reason and the next check.',
  example: 'adslate pending',
  run: async (context) => {
    const waits = await printPending(context);
    if (waits.length === 0) context.output.say('Nothing is pending.');
    context.output.result({ waiting: waitingJson(waits) });
    return waits.some(({ until }) => until === 'user') ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

/** Prints one line for each reason. @returns the printed groups */
export async function printPending(context: Context): Promise<readonly PendingGroup[]> {
  const { client, workspaceId } = await context.atAccount();
  const waits = await client.pending.list({ workspaceId });
  for (const { reason, elements, first, nextAt } of waits) {
    const names = first.slice(0, 3).map(({ label }) => `"${label}"`);
    const named = names.length === 0 ? '' : `: ${names.join(', ')}${elements > names.length ? ', ...' : ''}`;
    const when = nextAt === null ? '' : `; next check ${new Date(nextAt).toISOString().slice(0, 16)}Z`;
    context.output.say(`pending: ${counted(elements, 'row')}, ${WHY[reason]}${when}${named}`);
  }
  return waits;
}

export const waitingJson = (waits: readonly PendingGroup[]) =>
  waits.map(({ reason, until, elements, nextAt }) => ({ reason, until, elements, nextAt: isoOrNull(nextAt) }));

const HOURS_MAX = 8760;

const refreshCommand: Command = {
  name: 'refresh',
  takes: '[--outdated HOURS | --campaign NAME]',
  purpose: 'Reads the account from the service and merges it with your changes.',
  parameters: {
    '--outdated HOURS': 'Only campaigns not refreshed for so long, changed, in review or "Keep fresh".',
    '--campaign NAME': 'Only these campaigns, separated by commas.',
  },
  example: 'adslate refresh --outdated 24',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const outdatedAfterHours = hoursOf(context);
    const campaignIds = await campaignIdsOf(context);
    if (outdatedAfterHours !== null && campaignIds !== null) {
      throw usageError("--outdated and --campaign can't be combined. Use one of them.");
    }
    const outdated =
      outdatedAfterHours === null ? null : await client.sync.outdated({ workspaceId, hours: outdatedAfterHours });
    if (outdated !== null) context.output.say(outdatedText(outdated));
    const read = await client.sync.refresh({ workspaceId, campaignIds, outdatedAfterHours });
    const { revision, counts, gone, unreadable, notRead } = read;
    const summary = await client.workspace.summary({ workspaceId });
    const rows = Object.values(summary.rows).reduce((sum, count) => sum + count, 0);
    context.output.say(
      `Refreshed: ${counted(rows, 'row')}, ${counted(summary.changed, 'unsynced change')}, ${counted(summary.conflicts, 'conflict')}.`,
    );
    for (const { kind, label, asked } of gone) {
      const next = asked
        ? 'Run "adslate resolve" to create it again (mine) or delete it here (theirs)'
        : 'Refresh again in 2 minutes or later. If it is still missing, it becomes a conflict';
      context.output.say(`missing: the service no longer lists ${wordOf(kind)} "${label}". ${next}.`);
    }
    sayOthers(context, 'missing', counts.gone - gone.length);
    sayUnreadable(context, unreadable, counts.unreadable - unreadable.length);
    for (const { call, label, status, message } of notRead) {
      context.output.say(
        `not read: "${label}". The service responded to ${call} with status ${status}: "${message}". The rows here are unchanged. Try again later.`,
      );
    }
    sayOthers(context, 'not read', counts.notRead - notRead.length);
    const { changed, conflicts } = summary;
    context.output.result({
      revision,
      rows: summary.rows,
      changed,
      conflicts,
      counts,
      gone: gone.map(({ kind, id, label, asked }) => ({ type: wordOf(kind), id, label, asked })),
      unreadable: unreadableJson(unreadable),
      notRead,
      ...(outdated && { outdated }),
    });
    if (conflicts > 0) return EXIT_CODE.needsUser;
    return counts.gone + counts.unreadable + counts.notRead > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

/** The number of notes that have no line of their own. */
export function sayOthers(context: Context, what: string, others: number): void {
  if (others > 0) context.output.say(`${what}: ${others} more.`);
}

/**
 * One line for each value of the service that its field cannot have.
 *
 * @param others the number of further ones
 */
export function sayUnreadable(context: Context, unreadable: readonly Unreadable[], others: number): void {
  for (const { kind, label, field, value } of unreadable) {
    const what =
      field === null
        ? `a row of type ${wordOf(kind)} in "${label}" has an ID that can't be used: ${value}`
        : `${wordOf(kind)} "${label}" has the ${fieldLabel(field, kind)} ${value}`;
    context.output.say(`not readable: ${what}. This row keeps its values here. The other rows were read.`);
  }
  sayOthers(context, 'not readable', others);
}

export const unreadableJson = (unreadable: readonly Unreadable[]) =>
  unreadable.map(({ kind, id, label, field, value }) => ({ type: wordOf(kind), id, label, field, value }));

function hoursOf(context: Context): number | null {
  const text = context.text('outdated');
  if (text === null) return null;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : HOURS_MAX + 1;
  if (hours > HOURS_MAX) throw usageError(`--outdated must be a whole number of hours from 0 to ${HOURS_MAX}.`);
  return hours;
}

function outdatedText({ campaigns, all, why }: OutdatedSummary): string {
  const reasons = [
    [why.old, 'not refreshed for so long'],
    [why.touched, 'with unsynced changes'],
    [why.inReview, 'in review'],
    [why.processing, 'processing a video'],
    [why.keptFresh, 'labeled "Keep fresh"'],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${campaigns} of ${counted(all, 'campaign')} to refresh${said.length === 0 ? '' : `: ${said.join(', ')}`}.`;
}

const supportCommand: Command = {
  name: 'support',
  takes: '[FILE]',
  purpose: 'Prints a diagnostic report for support, without names, paths or credentials.',
  parameters: { FILE: 'New file for the report. Without it, the report is printed.' },
  example: 'adslate support report.txt',
  positionals: [0, 1],
  run: async (context) => {
    const support = await (await context.client()).app.support();
    const [file] = context.positionals;
    if (file === undefined) context.output.say(support.text);
    else {
      await writeFile(resolve(file), support.text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        codeOrThrow(error);
        throw refused('BAD_FILE', `Can't write ${file}. Use the name of a new file.`);
      });
      context.output.say(`Wrote the diagnostic report to ${file}. Read it before you share it.`);
    }
    context.output.result(support);
  },
};

export const statusCommands: readonly Command[] = [statusCommand, pendingCommand, refreshCommand, supportCommand];
