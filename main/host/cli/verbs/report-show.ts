import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ReportJob, ReportSnapshot, ReportWish } from '../../../../shared/contract/reports.ts';
import { reportJobText } from '../../../../shared/reports/job-text.ts';
import { guardCell } from '../../../../shared/sheet/cell-guard.ts';
import { writeSheet } from '../../../exchange/write-sheet.ts';
import type { OpenAccount } from '../../../open-account.ts';
import type { Context } from '../command.ts';
import { EXIT, type ExitCode } from '../stop.ts';
import { counted, table } from '../table.ts';
import { writeTo } from '../write-to.ts';
import { keptStop } from './report-stops.ts';

const SHOWN_ROWS = 40;
const SHOWN_COLUMNS = 8;

/** A job that nobody waits for just now. */
export function showWaiting(context: Context, job: ReportJob): ExitCode {
  context.output.say(`${job.snapshotId}  ${reportJobText(job)} "adslate report wait ${job.snapshotId}" picks it up.`);
  const isFile = context.text('out') !== null;
  context.output.result({ ...wishFacts(job), columns: [], rows: isFile ? 0 : [], ...jobFacts(job) });
  return EXIT.done;
}

/**
 * The rows of a report.
 *
 * @param path where they go; null for the one of `--out`, or the screen
 */
export async function show(
  context: Context,
  account: OpenAccount,
  snapshot: ReportSnapshot,
  path: string | null,
): Promise<ExitCode> {
  const report = await account.reports.rows(snapshot.id);
  if (!report.ok) throw keptStop(report.error);
  const [columns = [], ...rows] = report.value.rows;
  const { output } = context;
  const { parts = [], startDate, endDate } = snapshot;
  for (const part of parts.filter(({ used }) => !used)) {
    output.aside(
      `Not included: ${part.name} (${counted(part.rows, 'row')}), which has other columns than the files with the most rows.`,
    );
  }
  const out = path ?? context.text('out');
  if (out !== null) {
    const sheet = writeSheet(report.value.rows.map((row) => row.map(disarmed)));
    await writeTo(context, resolve(out), (target) => writeFile(target, sheet));
    output.say(`Wrote ${counted(rows.length, 'row')} to ${resolve(out)}.`);
  } else if (rows.length === 0) {
    output.say(`The service has no figures from ${startDate} to ${endDate}.`);
  } else {
    const shown = rows.slice(0, SHOWN_ROWS).map((row) => row.slice(0, SHOWN_COLUMNS));
    for (const line of table(columns.slice(0, SHOWN_COLUMNS), shown)) output.say(line);
    output.say(`${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}; --out FILE saves all of them.`);
  }
  output.result({
    ...wishFacts(snapshot),
    columns,
    rows: out === null ? rows : rows.length,
    ...reportFacts(snapshot),
    state: 'ready',
  });
  return EXIT.done;
}

export const wishFacts = ({ reportType, startDate, endDate }: ReportWish) => ({ reportType, startDate, endDate });

export const reportFacts = ({ id, attributionWindow, format, parts }: ReportSnapshot) => ({
  reportId: id,
  attributionWindow: attributionWindow ?? null,
  format: format ?? null,
  parts: parts ?? [],
});

export const jobFacts = (job: ReportJob) => ({
  ...wishFacts(job),
  snapshotId: job.snapshotId,
  state: job.state,
  status: job.status,
  detail: job.detail,
  askedAt: new Date(job.askedAt).toISOString(),
  reportId: job.reportId,
});

/** Plain numbers, also negative ones, are no formulas. */
const disarmed = (cell: string): string => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell));
