import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addDays, plainDate } from '../../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../../shared/model/scalars.ts';
import { guardCell } from '../../../../shared/sheet/cell-guard.ts';
import { writeSheet } from '../../../exchange/write-sheet.ts';
import { addressProblemText } from '../../../media/upload/address-guard.ts';
import type { ReportProblem } from '../../../reports/fetch-report.ts';
import type { KeptProblem } from '../../../reports/snapshot-store.ts';
import type { NotWritable } from '../../../workspace/port.ts';
import type { Command, Context } from '../command.ts';
import { openingStop } from '../problem-text.ts';
import { EXIT, Stop, usageStop } from '../stop.ts';
import { counted, table } from '../table.ts';

const SHOWN_ROWS = 40;

export const reportCommand: Command = {
  name: 'report',
  takes: '[--type keyword] [--from DATE] [--to DATE] [--by-date] [--again] [--out FILE]',
  summary:
    'Fetches a performance report once a day and keeps it (campaign, adGroup, adItem, keyword, platform, pageType, brand, category).',
  options: {
    type: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    'by-date': { type: 'boolean' },
    again: { type: 'boolean' },
    out: { type: 'string' },
  },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const account = await context.account();
    // Figures are there from the next day on.
    const yesterday = addDays(await account.reports.today(), -1);
    const endDate = dateOf(context, 'to') ?? yesterday;
    const startDate = dateOf(context, 'from') ?? addDays(endDate, -6);
    if (startDate > endDate) throw usageStop('--from must not be after --to.');
    const reportType = context.text('type') ?? 'keyword';
    const wish = { reportType, startDate, endDate, byDate: context.flag('by-date') };
    const asked = await account.reports.request(wish, context.flag('again'));
    if (!asked.ok) throw problemStop(asked.error);
    const { snapshot, kept } = asked.value;
    const report = await account.reports.rows(snapshot.id);
    if (!report.ok) throw keptStop(report.error);
    const [columns = [], ...rows] = report.value.rows;
    if (kept) context.output.say(`This is the answer of ${snapshot.fetchedOn}; --again asks the service anew.`);
    const out = context.text('out');
    if (out !== null) {
      await writeFile(resolve(out), writeSheet(report.value.rows.map((row) => row.map(disarmed))));
      context.output.say(`Wrote ${counted(rows.length, 'row')} to ${resolve(out)}.`);
    } else if (rows.length === 0) {
      context.output.say(`The service has no figures from ${startDate} to ${endDate}.`);
    } else {
      for (const line of table(
        columns.slice(0, 8),
        rows.slice(0, SHOWN_ROWS).map((row) => row.slice(0, 8)),
      )) {
        context.output.say(line);
      }
      context.output.say(
        `${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}; --out FILE saves all of them.`,
      );
    }
    context.output.result({ reportType, startDate, endDate, columns, rows: out === null ? rows : rows.length });
    return EXIT.done;
  },
};

/** Plain numbers, also negative ones, are no formulas. */
const disarmed = (cell: string): string => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell));

function dateOf(context: Context, option: string): PlainDate | null {
  const text = context.text(option);
  if (text === null) return null;
  const date = plainDate(text);
  if (date === null) throw usageStop(`--${option} "${text}" is no date. Write it as 2026-05-31.`);
  return date;
}

const keptStop = (problem: KeptProblem): Stop =>
  problem.kind === 'not-kept'
    ? new Stop(EXIT.refused, 'NO_REPORT', 'The report was deleted meanwhile. Ask for it again.')
    : new Stop(
        EXIT.refused,
        'REPORT_UNREADABLE',
        `The report that is kept here is damaged on the disk (${problem.detail}). --again fetches it anew.`,
      );

function problemStop(problem: ReportProblem | NotWritable): Stop {
  switch (problem.kind) {
    case 'not-writable':
      return openingStop(problem);
    case 'read': {
      const { failure } = problem;
      const detail = failure.kind === 'unreachable' ? failure.cause : failure.message;
      return failure.kind === 'unreachable'
        ? new Stop(EXIT.unreachable, 'UNREACHABLE', `The service cannot be reached (${detail}). Try again later.`)
        : new Stop(EXIT.refused, 'REFUSED', `The service refuses the report: ${detail}.`);
    }
    case 'refused':
      return new Stop(EXIT.refused, 'REFUSED', `The service refuses the report: ${problem.message}.`);
    case 'not-ready':
      return new Stop(EXIT.unreachable, 'NOT_READY', 'The report is not ready after a minute. Ask for it again later.');
    case 'download':
      return downloadStop(problem.problem);
  }
}

function downloadStop(problem: Extract<ReportProblem, { kind: 'download' }>['problem']): Stop {
  switch (problem.kind) {
    case 'address':
      return new Stop(EXIT.refused, 'SECURITY', addressProblemText(problem.problem));
    case 'status':
      return new Stop(EXIT.refused, 'REFUSED', `The report file cannot be had (${problem.status}). Ask for it again.`);
    case 'connection':
      return new Stop(
        EXIT.unreachable,
        'UNREACHABLE',
        `The report file cannot be reached (${problem.cause}). Try again.`,
      );
    case 'too-large':
      return new Stop(EXIT.refused, 'TOO_LARGE', 'The report is too large. Ask for fewer days.');
    case 'not-readable':
      return new Stop(EXIT.refused, 'BAD_FILE', `The report is ${problem.found}, which Adslate does not read yet.`);
  }
}
