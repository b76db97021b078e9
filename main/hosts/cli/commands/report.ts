import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../../../../shared/api/operation.ts';
import type { ReportJob, ReportRequest, ReportSnapshot } from '../../../../shared/api/reports.ts';
import { serviceAnsweredText } from '../../../../shared/error-help/connection-errors.ts';
import { addDays, plainDate } from '../../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../../shared/model/scalars.ts';
import { attributionWord, REPORT_TYPE, REPORT_WORD, reportJobText } from '../../../../shared/reports/report-words.ts';
import type { ActiveAccount } from '../../../core/active-account.ts';
import { type DownloadProblem, downloadWords, type ReportProblem } from '../../../reports/fetch-report.ts';
import { reportCsv } from '../../../reports/report-store.ts';
import { CliError, EXIT_CODE, type ExitCode, failureError, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const TYPES = 'campaign, adGroup, adItem, keyword, platform, pageType, brand, category';

const OUT = {
  '--out FILE': 'Writes the rows to a CSV file.',
  '--force': 'Replaces an existing file.',
};
const WAITING = { '--no-wait': 'Ends at once if the report is not ready yet.', ...OUT };

const fetchReport: Command = {
  name: 'report fetch',
  alias: 'report',
  purpose: 'Gets a performance report and saves it; each report is requested once a day.',
  parameters: {
    '--type TYPE': 'keyword (default), campaign, adGroup, adItem, platform, brand, ...',
    '--from DATE': 'First day, such as 2026-05-01. The default is 6 days before --to.',
    '--to DATE': 'Last day. The default is yesterday.',
    '--daily': 'Gets one row per day.',
    '--attribution-window DAYS': '3, 14 or 30.',
    '--format FORMAT': 'json, csv, gzip or zip.',
    '--refetch': 'Requests the report again, even if it was requested today.',
    ...WAITING,
  },
  example: 'adslate report fetch --type campaign --from 2026-05-01 --to 2026-05-31 --out may.csv',
  run: async (context) => {
    const account = await writable(context);
    // Metrics are available from the next day on.
    const yesterday = addDays(await account.reports.today(), -1);
    const endDate = dateOf(context, 'to') ?? yesterday;
    const startDate = dateOf(context, 'from') ?? addDays(endDate, -6);
    if (startDate > endDate) throw usageError('--from is after --to. Enter an earlier --from.');
    const request = { ...wordsOf(context), startDate, endDate, byDate: context.flag('daily') };
    const asked = await account.reports.request(request, context.flag('refetch'));
    if (!asked.ok) throw reportError(asked.error);
    if (asked.value.is === 'report') {
      const { snapshot, kept } = asked.value;
      if (kept) context.output.say(`Saved report from ${snapshot.fetchedOn}. Add --refetch to request it again.`);
      return show(context, account, snapshot);
    }
    const { job } = asked.value;
    return context.flag('no-wait') ? showWaiting(context, job) : waitFor(context, account, job);
  },
};

const wait: Command = {
  name: 'report wait',
  takes: '[ID]',
  purpose: 'Waits for a report that is in progress at the service.',
  parameters: { ID: 'Report in progress, from "report list". The default is the newest.', ...WAITING },
  example: 'adslate report wait --out report.csv',
  positionals: [0, 1],
  run: async (context) => {
    const account = await writable(context);
    const { jobs } = await account.reports.jobsToRead();
    const [id] = context.positionals;
    const job =
      id === undefined
        ? (jobs.find(({ state }) => state === 'waiting') ?? jobs[0])
        : jobs.find(({ snapshotId }) => snapshotId === id);
    if (job === undefined) throw noJob(id);
    if (!context.flag('no-wait')) return waitFor(context, account, job);
    const looked = await account.reports.jobs.look(job.snapshotId);
    if (looked.ok)
      return looked.value.state === 'waiting' ? showWaiting(context, looked.value) : waitFor(context, account, job);
    throw 'code' in looked.error && looked.error.code === 'NO_REPORT' ? noJob(id) : reportError(looked.error);
  },
};

const list: Command = {
  name: 'report list',
  purpose: 'Lists the saved reports, and those in progress at the service.',
  example: 'adslate report list',
  run: async (context) => {
    const { reports } = await context.account();
    const { snapshots } = await reports.list();
    const { jobs } = await reports.jobsToRead();
    for (const job of jobs) context.output.say(`${job.snapshotId}  ${reportJobText(job)}`);
    for (const { id, rows, fetchedOn } of snapshots) {
      context.output.say(`${id}  ${counted(rows, 'row')}, fetched ${fetchedOn}`);
    }
    if (jobs.length + snapshots.length === 0) context.output.say('No reports.');
    context.output.result({
      jobs: jobs.map(jobFacts),
      reports: snapshots.map((snapshot) => ({
        ...requestFacts(snapshot),
        ...reportFacts(snapshot),
        rows: snapshot.rows,
      })),
    });
  },
};

const giveUp: Command = {
  name: 'report give-up',
  takes: 'ID',
  purpose: 'Stops waiting for a report, which the service still completes.',
  parameters: { ID: 'Report in progress, from "report list".' },
  example: 'adslate report give-up 6f1c2a',
  positionals: [1, 1],
  run: async (context) => {
    const { reports } = await writable(context);
    const [id = ''] = context.positionals;
    if (!(await reports.jobs.remove(id))) throw noJob(id);
    context.output.say('Stopped waiting for this report.');
    context.output.result({ snapshotId: id, state: 'given-up' });
  },
};

const exportReport: Command = {
  name: 'report export',
  takes: 'ID --out FILE',
  purpose: 'Exports a saved report.',
  parameters: {
    ID: 'Saved report, from "report list".',
    ...OUT,
    '--raw': 'Writes the file exactly as received, instead of CSV.',
  },
  example: 'adslate report export keyword-2026-05-01 --out may.csv',
  positionals: [1, 1],
  run: async (context) => {
    const account = await context.account();
    const path = resolve(context.need('out'));
    const [id = ''] = context.positionals;
    if (!/^[a-z0-9-]{1,120}$/.test(id))
      throw usageError(`"${id}" is not the ID of a saved report. Run "adslate report list" to list them.`);
    const found = await account.reports.raw(id);
    if (!found.ok) throw failureError(found.error);
    const { snapshot, bytes, mediaType } = found.value;
    if (!context.flag('raw')) return show(context, account, snapshot);
    await writeOutputFile(context, path, (target) => writeFile(target, bytes));
    context.output.say(`Wrote ${bytes.length} bytes (${mediaType}) to ${path}.`);
    context.output.result({
      ...requestFacts(snapshot),
      ...reportFacts(snapshot),
      rows: snapshot.rows,
      mediaType,
      bytes: bytes.length,
    });
  },
};

export async function writable(context: Context): Promise<ActiveAccount> {
  const account = await context.account();
  if (account.safety.viewOnly !== null) throw failureError(account.safety.viewOnly);
  return account;
}

/** Waits for the end of a job. If the user stops the command, the job stays and "report wait" finds it. */
async function waitFor(context: Context, account: ActiveAccount, job: ReportJob): Promise<ExitCode> {
  let told = '';
  const tell = (each: ReportJob): void => {
    const line =
      each.state === 'waiting' ? `${reportJobText(each)} To wait for it later, run "adslate report wait".` : '';
    if (line !== '' && line !== told && context.interactive) process.stderr.write(`${line}\n`);
    told = line;
  };
  tell(job);
  const end = await account.reports.jobs.wait(job.snapshotId, Infinity, tell);
  if (end === null) throw noJob(job.snapshotId);
  const snapshot = end.reportId === null ? null : await account.reports.rows(end.reportId);
  if (snapshot?.ok === true) return show(context, account, snapshot.value.snapshot);
  throw snapshot === null ? jobError(end) : failureError(snapshot.error);
}

const noJob = (id: string | undefined): CliError =>
  refused(
    'NO_REPORT',
    id === undefined
      ? 'No report is in progress. Run "adslate report fetch" to request one.'
      : `Report "${id}" is not in progress. Run "adslate report list" to list reports.`,
  );

/** The request in the service's words; options not given come from the deployment settings. */
function wordsOf(context: Context): Pick<ReportRequest, 'reportType' | 'attributionWindow' | 'format'> {
  const reportType = context.text('type') ?? 'keyword';
  if (!REPORT_TYPE.test(reportType))
    throw usageError(`--type "${reportType}" is not a report type. Use ${TYPES}, or a type of your service.`);
  const days = context.text('attribution-window');
  const attributionWindow = days === null ? undefined : attributionWord(days);
  if (attributionWindow === null)
    throw usageError(`--attribution-window "${days}" is not an attribution window. Use 3, 14 or 30.`);
  const format = context.text('format');
  if (format !== null && !REPORT_WORD.test(format)) {
    throw usageError(`--format "${format}" is not a format. Use json, csv, gzip or zip.`);
  }
  return {
    reportType,
    ...(attributionWindow === undefined ? {} : { attributionWindow }),
    ...(format === null ? {} : { format }),
  };
}

export function dateOf(context: Context, option: string): PlainDate | null {
  const text = context.text(option);
  if (text === null) return null;
  const date = plainDate(text);
  if (date === null) throw usageError(`--${option} "${text}" is not a date. Enter it as 2026-05-31.`);
  return date;
}

export const reportCommands: readonly Command[] = [fetchReport, list, wait, giveUp, exportReport];

const SHOWN_ROWS = 40;
const SHOWN_COLUMNS = 8;

/** A job that no command waits for. */
function showWaiting(context: Context, job: ReportJob): ExitCode {
  context.output.say(
    `${job.snapshotId}  ${reportJobText(job)} To wait for it, run "adslate report wait ${job.snapshotId}".`,
  );
  const isFile = context.text('out') !== null;
  context.output.result({ ...requestFacts(job), columns: [], rows: isFile ? 0 : [], ...jobFacts(job) });
  return EXIT_CODE.done;
}

/** The rows of a report, to the file of `--out` or to the screen. */
async function show(context: Context, account: ActiveAccount, snapshot: ReportSnapshot): Promise<ExitCode> {
  const report = await account.reports.rows(snapshot.id);
  if (!report.ok) throw failureError(report.error);
  const [columns = [], ...rows] = report.value.rows;
  const { output } = context;
  const { parts = [], startDate, endDate } = snapshot;
  for (const part of parts.filter(({ used }) => !used)) {
    output.aside(
      `Not included: ${part.name} (${counted(part.rows, 'row')}), because its columns differ from those of the other files.`,
    );
  }
  const out = context.text('out');
  if (out !== null) {
    const sheet = reportCsv(report.value.rows);
    await writeOutputFile(context, resolve(out), (target) => writeFile(target, sheet));
    output.say(`Wrote ${counted(rows.length, 'row')} to ${resolve(out)}.`);
  } else if (rows.length === 0) {
    output.say(`The service reports no data from ${startDate} to ${endDate}.`);
  } else {
    const shown = rows.slice(0, SHOWN_ROWS).map((row) => row.slice(0, SHOWN_COLUMNS));
    output.table(columns.slice(0, SHOWN_COLUMNS), shown);
    output.say(
      `${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}. Add --out FILE to save all of them.`,
    );
  }
  output.result({
    ...requestFacts(snapshot),
    columns,
    rows: out === null ? rows : rows.length,
    ...reportFacts(snapshot),
    state: 'ready',
  });
  return EXIT_CODE.done;
}

const requestFacts = ({ reportType, startDate, endDate }: ReportRequest) => ({ reportType, startDate, endDate });

const reportFacts = ({ id, attributionWindow, format, parts }: ReportSnapshot) => ({
  reportId: id,
  attributionWindow: attributionWindow ?? null,
  format: format ?? null,
  parts: parts ?? [],
});

const jobFacts = (job: ReportJob) => ({
  ...requestFacts(job),
  snapshotId: job.snapshotId,
  state: job.state,
  status: job.status,
  detail: job.detail,
  askedAt: new Date(job.askedAt).toISOString(),
  reportId: job.reportId,
});

/** A job that ended without a report. */
const jobError = (job: ReportJob): CliError =>
  refused(job.state === 'expired' ? 'REPORT_EXPIRED' : 'REPORT_FAILED', reportJobText(job));

/** The reason for which the service returned no report. */
function reportError(problem: ReportProblem | Failure): Error {
  if ('code' in problem) return failureError(problem);
  switch (problem.kind) {
    case 'read': {
      const { failure } = problem;
      const detail = failure.kind === 'unreachable' ? failure.cause : failure.message;
      if (failure.kind === 'service' || failure.kind === 'later') {
        const status = failure.kind === 'later' ? 429 : failure.status;
        const said = { status, call: failure.call ?? '', detail, retryAt: failure.retryAt ?? null };
        return refused('SERVICE_ANSWERED', serviceAnsweredText(said));
      }
      return failure.kind === 'unreachable'
        ? new CliError(
            EXIT_CODE.unreachable,
            'UNREACHABLE',
            `Can't reach the service (${detail}). Check the network, then try again.`,
          )
        : refused('REFUSED', notAccepted(detail));
    }
    case 'refused':
      return refused('REFUSED', notAccepted(problem.message));
    case 'download':
      return downloadError(problem.problem);
  }
}

const notAccepted = (words: string): string =>
  `The service did not accept the request for the report: "${words}". Check the options, then try again.`;

function downloadError(problem: DownloadProblem): CliError {
  const words = downloadWords(problem);
  switch (problem.kind) {
    case 'address':
      return refused('SECURITY', words);
    case 'status':
      return refused(
        'REFUSED',
        `The service returned status ${problem.status} instead of the report file. Add --refetch to request the report again.`,
      );
    case 'connection':
      return new CliError(EXIT_CODE.unreachable, 'UNREACHABLE', `Can't reach the report file (${words}). Try again.`);
    case 'too-large':
      return refused('TOO_LARGE', 'The report is too large. Request fewer days.');
    case 'not-readable':
      return refused('BAD_FILE', `Can't read the report: ${words}. Add --refetch to request it again.`);
  }
}
