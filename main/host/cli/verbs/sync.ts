import type { SyncReport } from '../../../../shared/contract/sync.ts';
import type { Client, Command, Context } from '../command.ts';
import { watchProgress } from '../progress.ts';
import { readReviewedPlan } from '../reviewed-plan.ts';
import { EXIT, type ExitCode, Stop } from '../stop.ts';
import { type SyncWish, syncWishOf, WISH_OPTIONS } from '../sync-wish.ts';
import { counted } from '../table.ts';
import { wordOf } from '../words.ts';
import { requestsOf, showPlan } from './plan.ts';
import { planLines } from './plan-text.ts';
import { showWaiting, waitingJson } from './waiting.ts';

export const syncCommand: Command = {
  name: 'sync',
  takes: '[--yes] [--submit] [--campaign NAME] [--only TYPE[:FILTER]] [--dry-run | --plan FILE]',
  summary:
    'Sends what has changed; with --submit also asks for the reviews. On a terminal it shows the plan and asks first. --dry-run prints the plan as a file and sends nothing; --plan FILE sends that plan, and nothing when another would be sent by now. --only sends nothing but these rows and the parents they need.',
  options: {
    ...WISH_OPTIONS,
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    plan: { type: 'string' },
  },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const wish = await syncWishOf(context);
    if (context.flag('dry-run')) return showDryRun(context, wish);
    const planFile = context.text('plan');
    const reviewed = planFile === null ? null : await readReviewedPlan(planFile);
    const plan = await client.sync.plan(wish);
    // A plan that was handed in has been read already.
    if (!context.flag('yes') && reviewed === null) {
      const account = (await client.accounts.list()).find((known) => known.workspaceId === workspaceId);
      const asks = context.interactive || account?.mode === 'confirm';
      if (asks && plan.requests + plan.uploads.length > 0) {
        showPlan(context, plan, await requestsOf(client, workspaceId, plan, false));
        if (!context.interactive)
          throw new Stop(EXIT.needsUser, 'CONFIRM', 'This account asks before it sends. Add --yes.');
        if (!/^y(es)?$/i.test((await context.ask('Send this? [y/N] ')).trim())) {
          context.output.say('Nothing was sent.');
          return EXIT.done;
        }
      }
    }
    await client.sync.run({ ...wish, plan: reviewed });
    const report = await finished(context);
    await showReport(context, report);
    return exitOf(client, context, report, plan.errors);
  },
};

/** The plan as a file: it can be read, kept, compared with another and handed to `--plan`. Nothing is sent. */
async function showDryRun(context: Context, wish: SyncWish): Promise<ExitCode> {
  const lines = planLines(await (await (await context.account()).sync()).planned(wish));
  for (const line of lines) context.output.say(line);
  context.output.result({ plan: lines });
  return EXIT.done;
}

/** Waits for the end of the run; the first Ctrl+C stops it between two requests. */
export async function finished(context: Context): Promise<SyncReport> {
  const sync = await (await context.account()).sync();
  const stop = () => {
    context.output.say('Stopping after the requests under way ...');
    sync.cancel();
  };
  process.once('SIGINT', stop);
  const over = new AbortController();
  const watching = watchProgress(context, over.signal);
  try {
    const report = await sync.idle();
    if (report === null) throw new Error('a run without a report');
    return report;
  } finally {
    process.off('SIGINT', stop);
    over.abort();
    await watching;
  }
}

export async function showReport(context: Context, report: SyncReport): Promise<void> {
  const { output } = context;
  const lineOf = await (await context.account()).lines.read();
  const refused = report.refused.map(({ kind, id, label, message }) => ({
    row: lineOf(kind, id),
    type: wordOf(kind),
    label,
    message,
  }));
  for (const { row, type, label, message } of refused) {
    output.say(`refused: ${type} "${label}"${row === null ? '' : ` (line ${row})`}: ${message}`);
  }
  output.say(
    `${report.done} done, ${refused.length} refused, ${report.inDoubt} in doubt, ${counted(report.questions, 'question')}, ${report.untouched} untouched, ${counted(report.uploads, 'upload')}, ${counted(report.reviews, 'review')}; ${counted(report.requests, 'request')}.`,
  );
  output.say(`${report.live} live now, ${report.inReview} in review.`);
  const waits = await showWaiting(context);
  if (report.stoppedBy !== null) output.say(stoppedText(report.stoppedBy));
  if (report.questions + report.inDoubt > 0) output.say('"adslate questions" shows what only you can answer.');
  output.result({
    done: report.done,
    refused,
    inDoubt: report.inDoubt,
    questions: report.questions,
    untouched: report.untouched,
    uploads: report.uploads,
    reviews: report.reviews,
    requests: report.requests,
    state: report.state,
    stoppedBy: report.stoppedBy,
    live: report.live,
    inReview: report.inReview,
    waiting: waitingJson(waits),
  });
}

function stoppedText({ cause, detail }: NonNullable<SyncReport['stoppedBy']>): string {
  const why: Readonly<Record<string, string>> = {
    unreachable: 'the service cannot be reached. Check the network, then sync again',
    credentials: 'the service does not accept the credentials. Check key, token and consumer id, then sync again',
    disk: 'nothing can be written to the disk. Free some space, then sync again',
    defect: 'Adslate has a fault here. Sync again; if it stays, report it with this line',
    service: 'the service refuses to go on. Sync again later',
    'plan-changed': 'another plan than the reviewed one would be sent by now, so nothing was sent',
    security: 'an answer looked unsafe. Check the addresses of the account before you sync again',
  };
  return `Stopped before the end: ${why[cause] ?? cause} (${detail}). Nothing was lost.`;
}

async function exitOf(client: Client, context: Context, report: SyncReport, errors: number): Promise<ExitCode> {
  if (report.stoppedBy?.cause === 'unreachable') return EXIT.unreachable;
  if (report.stoppedBy?.cause === 'disk') return EXIT.workspace;
  if (report.questions + report.inDoubt > 0) return EXIT.needsUser;
  const conflicts = await client.sync.conflicts({ workspaceId: await context.workspaceId() });
  if (conflicts.length > 0) {
    context.output.say(
      `${counted(conflicts.length, 'field')} changed here and on the service: "adslate conflicts" shows both.`,
    );
    return EXIT.needsUser;
  }
  return report.stoppedBy !== null || report.refused.length > 0 || errors > 0 ? EXIT.refused : EXIT.done;
}
