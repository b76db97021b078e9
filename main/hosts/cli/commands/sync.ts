import type { AppEvent } from '../../../../shared/api/app.ts';
import type { PlanHeader } from '../../../../shared/api/plan-file.ts';
import type { Review } from '../../../../shared/api/reviews.ts';
import type { PendingReason, PendingSyncView, PlanChanges, SyncReport } from '../../../../shared/api/sync.ts';
import { serviceAnsweredText } from '../../../../shared/error-help/connection-errors.ts';
import { SYNC_PHASES, statusName } from '../../../../shared/lifecycle/states.ts';
import { momentInZone } from '../../../../shared/model/plain-date.ts';
import type { RowId, WorkspaceId } from '../../../../shared/model/scalars.ts';
import { lineText } from '../../../../shared/model/text.ts';
import { printPlan } from '../../../../shared/plan/plan-text.ts';
import { CliError, EXIT_CODE, type ExitCode, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { counted, isoOrNull, wordOf } from '../output.ts';
import {
  campaignIdsOf,
  planFileLines,
  readPlanFile,
  readSyncOptions,
  requestsOf,
  SCOPE,
  type SyncOptions,
  showPlan,
} from './plan.ts';
import { printPending, sayOthers, sayUnreadable, unreadableJson, waitingJson } from './status.ts';

const syncCommand: Command = {
  name: 'sync',
  takes: '[--dry-run | --plan FILE | --resume | --cancel]',
  purpose: 'Sends your changes to the service.',
  parameters: {
    '--yes': 'Sends without asking. On a terminal, the plan is shown first.',
    '--submit': 'Also submits campaigns for review.',
    ...SCOPE,
    '--dry-run': 'Prints the plan as a file, and sends nothing.',
    '--plan FILE': 'Sends this saved plan, or nothing if the changes no longer match it.',
    '--wait': 'Resumes automatically if the service is not available.',
    '--deadline TIME': 'Sends nothing after this time, such as 2h or 2026-11-30T18:00.',
    '--when-healthy': 'Sends when the service has responded for some minutes without a break.',
    '--healthy-for MINUTES': 'Number of these minutes. The default is 5.',
    '--after TIME': 'Earliest time for --when-healthy.',
    '--resume': 'Resumes a sync that is paused, waiting or scheduled.',
    '--cancel': 'Cancels a sync that is paused, waiting or scheduled.',
  },
  example: 'adslate sync --submit --yes',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('cancel')) return cancelPending(context);
    if (context.flag('resume')) return resumePending(context);
    const { health, ...times } = await syncTimesOf(context);
    const planFile = context.text('plan');
    if (context.flag('dry-run') && planFile !== null) {
      throw usageError("--dry-run and --plan can't be combined. Use one of them.");
    }
    const reviewed = planFile === null ? null : await readPlanFile(context, planFile);
    const options = reviewed === null ? await readSyncOptions(context) : optionsIn(workspaceId, reviewed.header);
    if (context.flag('dry-run')) return showDryRun(context, options);
    const plan = await client.sync.plan(options);
    let shownPlan: string | null = null;
    // A plan from a file was reviewed already.
    if (!context.flag('yes') && reviewed === null) {
      const account = (await client.accounts.list()).find((known) => known.workspaceId === workspaceId);
      const asks = context.interactive || account?.mode === 'confirm';
      if (asks && plan.requests + plan.uploads.length > 0) {
        showPlan(context, plan, await requestsOf(client, workspaceId, plan, false));
        const otherwise = new CliError(
          EXIT_CODE.needsUser,
          'CONFIRM',
          'This account requires confirmation. Add --yes to send.',
        );
        if (!(await context.isConfirmed('Send these changes?', otherwise)))
          return context.output.say('Nothing was sent.');
        shownPlan = plan.planId;
      }
    }
    const asked = { ...options, ...times, shownPlan, plan: reviewed === null ? null : printPlan(reviewed.plan) };
    if (health === null) await client.sync.run(asked);
    else await client.sync.schedule({ ...asked, ...health });
    const report = await finished(context);
    return exitOf(client, context, report, plan.errors);
  },
};

const optionsIn = (
  workspaceId: WorkspaceId,
  { submit, cancelReviews, campaignIds, chosen }: PlanHeader,
): SyncOptions => ({
  workspaceId,
  submit,
  cancelReviews,
  campaignIds,
  chosen,
});

/** Resumes a sync that is paused, waiting or scheduled, and waits for its end. */
async function resumePending(context: Context): Promise<ExitCode> {
  const { client, workspaceId } = await context.atAccount();
  const pending = await client.sync.pending({ workspaceId });
  if (pending === null) return noneIsPending(context);
  if (pending.state === 'scheduled') await (await (await context.account()).sync()).takeUp();
  else await client.sync.resume({ workspaceId });
  const report = await finished(context);
  return exitOf(client, context, report, 0);
}

/** Prints the plan as a file, for `--plan`. Nothing is sent. */
async function showDryRun(context: Context, options: SyncOptions): Promise<void> {
  const planned = await (await (await context.account()).sync()).planned(options);
  const lines = await planFileLines(context, options, planned);
  context.output.say(lines);
  context.output.result({ plan: lines });
}

/** Waits for the end of the run and shows the result; the first Ctrl+C stops it between two requests. */
async function finished(context: Context): Promise<SyncReport> {
  const sync = await (await context.account()).sync();
  const stop = () => {
    context.output.say('Stopping after the current requests...');
    sync.cancel();
  };
  process.once('SIGINT', stop);
  const over = new AbortController();
  const watching = watchProgress(context, over.signal);
  let report: SyncReport | null;
  try {
    report = await sync.settled();
  } finally {
    process.off('SIGINT', stop);
    over.abort();
    await watching;
  }
  if (report === null) throw new Error('a run without a report');
  await showReport(context, report);
  return report;
}

async function showReport(context: Context, report: SyncReport): Promise<void> {
  const { output } = context;
  const lineOf = await (await context.account()).lines.read();
  const refused = report.refused.map(({ kind, id, label, message }) => ({
    row: lineOf(kind, id),
    type: wordOf(kind),
    label,
    message,
  }));
  for (const { row, type, label, message } of refused) {
    output.say(`failed: ${type} "${label}"${row === null ? '' : ` (${lineText(row)})`}: ${message}`);
  }
  sayOthers(context, 'failed', report.refusedMore);
  for (const { file, reason } of report.failedUploads) output.say(`not uploaded: "${file}": ${reason}`);
  sayUnreadable(context, report.unreadable, report.unreadableMore);
  output.say(
    `${report.done} sent, ${refused.length + report.refusedMore} failed, ${report.inDoubt} unconfirmed, ${counted(report.questions, 'unresolved request')}, ${report.untouched} not sent, ${counted(report.uploads, 'upload')}, ${counted(report.reviews, 'review')}; ${counted(report.requests, 'request')}.`,
  );
  output.say(`${counted(report.live, 'campaign')} live, ${report.inReview} in review.`);
  const waits = await printPending(context);
  const changedSince = changesJson(report.stoppedBy?.changed);
  for (const { sign, line, type, label } of changedSince.lines) {
    output.say(`${sign} ${label === null ? '' : `${type} "${label}": `}${line}`);
  }
  if (changedSince.more > 0) output.say(`... and ${counted(changedSince.more, 'more line')}.`);
  if (report.stoppedBy !== null) output.say(stoppedText(report.stoppedBy));
  if (report.questions + report.inDoubt > 0) output.say('Run "adslate questions" to see unresolved requests.');
  output.result({
    done: report.done,
    refused,
    refusedMore: report.refusedMore,
    inDoubt: report.inDoubt,
    questions: report.questions,
    untouched: report.untouched,
    uploads: report.uploads,
    failedUploads: report.failedUploads.map(({ file, reason }) => ({ file, reason })),
    unreadable: unreadableJson(report.unreadable),
    unreadableMore: report.unreadableMore,
    reviews: report.reviews,
    requests: report.requests,
    state: report.state,
    stoppedBy: report.stoppedBy === null ? null : { ...report.stoppedBy, changed: undefined },
    changedSince: changedSince.lines,
    changedSinceMore: changedSince.more,
    live: report.live,
    inReview: report.inReview,
    waiting: waitingJson(waits),
  });
}

/** The differing lines of two plans, with row types in words. */
const changesJson = (changed: PlanChanges = { lines: [], more: 0 }) => ({
  lines: changed.lines.map(({ sign, line, kind, label }) => ({
    sign,
    line,
    type: kind === null ? null : wordOf(kind),
    label,
  })),
  more: changed.more,
});

function stoppedText({ cause, detail, status, call, retryAt }: NonNullable<SyncReport['stoppedBy']>): string {
  if (status !== undefined && cause !== 'security') {
    const text = serviceAnsweredText({ status, call: call ?? '', detail, retryAt: retryAt ?? null });
    return `Sync stopped. ${text}`;
  }
  if (cause === 'plan-changed') {
    return 'The changes no longer match the plan file, so nothing was sent. Review the lines above, then run "adslate sync --dry-run > FILE" to save a new plan.';
  }
  const why: Readonly<Record<string, string>> = {
    unreachable: "Can't reach the service. Check the network, then sync again",
    credentials: 'The service does not accept the credentials. Check key, token and consumer ID, then sync again',
    disk: "Can't write to the disk. Free up space, then sync again",
    defect: 'Internal error. Sync again. If it happens again, report this line',
    service: 'The service does not accept more requests. Sync again later',
    deadline: 'The deadline has passed. To send the rest, sync again',
    team: "Connect to your team's database, then sync again",
    'rate-limited': 'The service accepts no more requests for now. Sync again later',
    security: 'A response looked unsafe. Check the addresses of the account before you sync again',
  };
  return `Sync stopped (${detail}). ${why[cause] ?? cause}. Nothing was lost.`;
}

async function exitOf(client: Client, context: Context, report: SyncReport, errors: number): Promise<ExitCode> {
  if (report.stoppedBy?.cause === 'unreachable' || report.stoppedBy?.cause === 'team') return EXIT_CODE.unreachable;
  if (report.stoppedBy?.cause === 'disk') return EXIT_CODE.workspace;
  if (report.questions + report.inDoubt > 0) return EXIT_CODE.needsUser;
  const conflicts = await client.sync.conflicts({ workspaceId: await context.workspaceId() });
  if (conflicts.length > 0) {
    context.output.say(
      `${counted(conflicts.length, 'conflict')} with the service. Run "adslate conflicts" to see both values.`,
    );
    return EXIT_CODE.needsUser;
  }
  const waits = await client.pending.list({ workspaceId: await context.workspaceId() });
  const unsigned = waits.reduce((sum, { reason, elements }) => sum + (NEEDS_SIGN_OFF.has(reason) ? elements : 0), 0);
  if (unsigned > 0) {
    context.output.say(`${counted(unsigned, 'row')} not signed off. Run "adslate team request submit".`);
    return EXIT_CODE.needsUser;
  }
  const isWhole = report.refused.length + report.failedUploads.length + report.unreadable.length === 0;
  return report.stoppedBy !== null || !isWhole || errors > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
}

const NEEDS_SIGN_OFF: ReadonlySet<string> = new Set<PendingReason>(['needs-sign-off', 'changed-since-sign-off']);

/** Shows the progress of a run on standard error, at a terminal only. */
async function watchProgress(context: Context, until: AbortSignal): Promise<void> {
  if (!context.interactive) return;
  const client = await context.client();
  let last = '';
  for await (const event of await client.app.events(undefined, { signal: until })) {
    const line = lineOf(event);
    if (line === null || line === last) continue;
    last = line;
    process.stderr.write(`${line}\n`);
  }
}

function lineOf(event: AppEvent): string | null {
  if (event.type === 'upload.progress') {
    const percent = event.totalBytes === 0 ? 100 : Math.floor((event.sentBytes / event.totalBytes) * 10) * 10;
    return `Uploading ${event.fileName}: ${percent}%`;
  }
  if (event.type === 'sync.pending') return pendingLine(event);
  if (event.type !== 'sync.progress' || event.phase === 'done') return null;
  const wait = event.retryAt === null ? '' : `, next try at ${clockText(event.retryAt)}`;
  if (event.phase !== 'sending') return `${SYNC_PHASES[event.phase]}${wait}`;
  const tenths = Math.floor((event.batchesDone * 10) / Math.max(event.batchesTotal, 1));
  return `Sending ${counted(event.batchesTotal, 'request')}: ${tenths * 10}%${wait}`;
}

function pendingLine({ state, nextAt }: Extract<AppEvent, { type: 'sync.pending' }>): string | null {
  const at = nextAt === null ? '' : `, next check at ${clockText(nextAt)}`;
  if (state === 'waiting') return `Waiting for the service${at}`;
  return state === 'scheduled' ? `Scheduled until the service is healthy${at}` : null;
}

const clockText = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;

/** Cancels a sync that is paused, waiting or scheduled. Nothing is sent. */
async function cancelPending(context: Context): Promise<ExitCode> {
  const { client, workspaceId } = await context.atAccount();
  const pending = await client.sync.pending({ workspaceId });
  if (pending === null) return noneIsPending(context);
  await client.sync.cancel({ workspaceId });
  await (await (await context.account()).sync()).settled();
  context.output.say(`Canceled the ${pending.state} sync. ${counted(pending.left, 'change')} not sent.`);
  context.output.result({ canceled: pendingJson(pending) });
  return EXIT_CODE.done;
}

function noneIsPending(context: Context): ExitCode {
  context.output.say('No sync is paused, waiting or scheduled.');
  context.output.result({ canceled: null });
  return EXIT_CODE.done;
}

const pendingJson = ({ state, left, nextAt, deadline, cause, problem }: PendingSyncView) => ({
  state,
  left,
  nextAt: isoOrNull(nextAt),
  deadline: isoOrNull(deadline),
  cause,
  problem,
});

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MINUTES_MAX = 1440;

/**
 * When a sync starts and ends, in milliseconds since 1970, and whether it waits for a service that is not available;
 * `health` is null when it starts at once.
 *
 * @throws CliError for a time that can't be parsed or has passed, and for options that require another one
 */
async function syncTimesOf(context: Context) {
  const isScheduled = context.flag('when-healthy');
  const other = ['after', 'healthy-for'].find((name) => context.text(name) !== null);
  if (!isScheduled && other !== undefined) throw usageError(`--${other} needs --when-healthy.`);
  const minutes = context.text('healthy-for') ?? '5';
  if (!/^\d{1,4}$/.test(minutes) || Number(minutes) < 1 || Number(minutes) > MINUTES_MAX) {
    throw usageError(`--healthy-for must be a number of minutes from 1 to ${MINUTES_MAX}, not "${minutes}".`);
  }
  const deadline = await momentOf(context, 'deadline');
  const after = await momentOf(context, 'after');
  if (deadline !== null && after !== null && after >= deadline) {
    throw usageError(
      '--after is not before --deadline, so nothing would be sent. Enter an earlier --after or a later --deadline.',
    );
  }
  const health = isScheduled ? { after: after ?? 0, healthyMinutes: Number(minutes) } : null;
  return { resumes: context.flag('wait') || isScheduled, deadline, health };
}

/** `2h`, `30m`, `1d` from now, or a local time in the account's zone. */
async function momentOf(context: Context, name: string): Promise<number | null> {
  const text = context.text(name);
  if (text === null) return null;
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const now = context.nowMs();
  const { zone } = (await context.account()).profile.business;
  const moment = count === '' ? momentInZone(text, zone) : now + Number(count) * (UNITS[unit] ?? 0);
  if (moment === null) {
    throw usageError(`--${name} must be a time such as 2026-11-30T18:00 (in ${zone}) or 2h, not "${text}".`);
  }
  if (moment <= now) throw usageError(`--${name} ${text} has passed. Enter a later time.`);
  return moment;
}

const reviewSubmit: Command = {
  name: 'review submit',
  purpose: 'Submits SBA and video campaigns for review.',
  parameters: { '--campaign NAME': 'Only these campaigns, separated by commas. Without it, all are submitted.' },
  example: 'adslate review submit --campaign "Summer video"',
  run: async (context) => {
    const chosen = await campaignIdsOf(context);
    const campaignIds = chosen ?? (await reviewable(context));
    if (campaignIds.length === 0)
      throw usageError('No campaign can be submitted for review. Run "adslate sync" first to send your campaigns.');
    const { client, workspaceId } = await context.atAccount();
    await client.review.submit({ workspaceId, campaignIds });
    const report = await finished(context);
    if (report.stoppedBy?.cause === 'unreachable' || report.stoppedBy?.cause === 'team') return EXIT_CODE.unreachable;
    if (report.questions + report.inDoubt > 0) return EXIT_CODE.needsUser;
    return report.refused.length + report.failedUploads.length > 0 || report.stoppedBy !== null
      ? EXIT_CODE.refused
      : EXIT_CODE.done;
  },
};

const reviewCancel: Command = {
  name: 'review cancel',
  takes: '--campaign NAME',
  purpose: 'Cancels the open review of a campaign, so that you can add rows again.',
  parameters: { '--campaign NAME': 'Campaigns, separated by commas.' },
  example: 'adslate review cancel --campaign "Summer video"',
  run: async (context) => {
    const campaignIds = await campaignIdsOf(context);
    if (campaignIds === null) throw usageError('The campaign is missing. Run "adslate review cancel --campaign NAME".');
    const { client, workspaceId } = await context.atAccount();
    await client.review.cancel({ workspaceId, campaignIds });
    const report = await finished(context);
    return report.refused.length > 0 || report.stoppedBy !== null ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

const reviewStatus: Command = {
  name: 'review status',
  purpose: 'Shows the current status of all reviews and their components.',
  example: 'adslate review status',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const reviews = await client.review.poll({ workspaceId });
    const lines = reviews.map(
      (review) => `${review.campaign}: ${statusName(review.status)} (${componentsText(review)})`,
    );
    context.output.say(lines.length === 0 ? 'No reviews.' : lines);
    context.output.result({
      reviews: reviews.map(({ campaign, reviewId, status: state, components }) => ({
        campaign,
        reviewId,
        status: state,
        components,
      })),
    });
    const isRejected = reviews.some(({ components }) => components.some((part) => part.status === 'rejected'));
    return isRejected ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

function componentsText({ components }: Review): string {
  const counts = Map.groupBy(components, (component) => component.status);
  const parts = [...counts].map(([state, all]) => `${all.length} ${statusName(state)}`);
  const reasons = components.flatMap(({ label, reason }) => (reason === null ? [] : [`${label}: "${reason}"`]));
  return [counted(components.length, 'component'), ...parts, ...reasons].join('; ');
}

/** SBA and video campaigns that are on the service and not in review. */
async function reviewable(context: Context): Promise<RowId[]> {
  const { workspace } = await context.account();
  const trees = await workspace.readTrees('all');
  return trees
    .filter(({ campaign, adGroups }) => {
      const open = adGroups.some(
        ({ values }) => values.reviewStatus === 'pending' || values.reviewStatus === 'in-progress',
      );
      return campaign.remoteId !== null && campaign.values.campaignType !== 'sponsoredProducts' && !open;
    })
    .map(({ campaign }) => campaign.id);
}

export const syncCommands: readonly Command[] = [syncCommand, reviewSubmit, reviewStatus, reviewCancel];
