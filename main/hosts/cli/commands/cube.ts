import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addDays } from '../../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../../shared/model/scalars.ts';
import { FIRST_WINDOW } from '../../../../shared/reports/account-metrics.ts';
import { keptAsDaysFrom } from '../../../../shared/reports/metric-calendar.ts';
import { REPORT_TYPE } from '../../../../shared/reports/report-words.ts';
import { csvTarget, exportMetrics } from '../../../cube/export-metrics.ts';
import { parquetTarget } from '../../../cube/parquet.ts';
import type { FetchedReport } from '../../../reports/metrics-fetch.ts';
import { keepMonths } from '../../../service/metrics.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';
import { dateOf, writable } from './report.ts';

const DAYS = {
  '--from DATE': 'First day, such as 2026-05-01.',
  '--to DATE': 'Last day. The default is yesterday.',
};

const statusCommand: Command = {
  name: 'cube status',
  purpose: 'Shows which days of metrics are saved, and which would be requested now.',
  example: 'adslate cube status',
  run: async (context) => {
    const { cube: open, metricsFetch, reports } = await context.account();
    const cube = await open();
    const today = await reports.today();
    const { bytes, sources } = await cube.sizes();
    const due = await metricsFetch.due();
    const waiting = (await reports.jobs.list()).jobs.filter(({ state }) => state === 'waiting').length;
    const refusals = Object.entries(await metricsFetch.refused()).map(([reportType, one]) => ({ reportType, ...one }));
    const known = [];
    for (const { first, last, firstDaily: _, ...source } of sources) {
      const span = { from: (first ?? today) as PlainDate, to: addDays(today, -1) };
      const days = await cube.dayStates(source.reportType, span, FIRST_WINDOW);
      const count = (state: string): number => days.filter((day) => day.state === state).length;
      const states = { notSettled: count('not-settled'), restated: count('restated'), gaps: count('gap') };
      known.push({ ...source, first, last, ...states, heldBack: count('held-back') });
    }
    const keepFresh = await metricsFetch.keepsFresh();
    const { output } = context;
    if (cube.problem !== null) output.aside(`There are no metrics: ${cube.problem.detail}.`);
    output.table(
      ['Report', 'Days', 'First', 'Last', 'Months only', 'Rows', 'Not settled', 'Gaps', 'To confirm', 'MB'],
      known.map((one) => [
        one.reportType,
        String(one.days),
        one.first ?? '',
        one.last ?? '',
        one.lastReduced === null ? '' : `to ${one.lastReduced}`,
        String(one.rows),
        String(one.notSettled),
        String(one.gaps),
        String(one.heldBack),
        (one.bytes / 1024 / 1024).toFixed(1),
      ]),
      'No metrics. Run "adslate cube fetch" to request them.',
    );
    for (const { reportType, on, why } of refusals) output.say(`Not received on ${on}: ${reportType} (${why}).`);
    output.say(`${counted(due.length, 'report')} to request now, ${waiting} in progress at the service.`);
    output.say(keepFresh ? 'Metrics are kept fresh.' : 'Metrics are requested only when you ask for them.');
    output.result({
      today,
      keepFresh,
      problem: cube.problem?.detail ?? '',
      bytes,
      sources: known,
      due,
      waiting,
      refused: refusals,
    });
  },
};

const fetchCommand: Command = {
  name: 'cube fetch',
  purpose: 'Requests the days whose metrics are missing or may have changed.',
  parameters: {
    '--type TYPE': 'Only this report, such as keyword. The default is all of the service.',
    ...DAYS,
    '--no-wait': 'Ends without waiting for reports that are not ready yet.',
    '--keep-fresh on|off': 'Also requests metrics every day while Adslate is open, or no longer does.',
  },
  example: 'adslate cube fetch',
  run: async (context) => {
    const { metricsFetch, reports } = await writable(context);
    const { output } = context;
    const fresh = context.text('keep-fresh');
    if (fresh !== null && fresh !== 'on' && fresh !== 'off') throw usageError('--keep-fresh must be on or off.');
    if (fresh !== null) await metricsFetch.setFresh(fresh === 'on');
    const type = context.text('type');
    const from = dateOf(context, 'from');
    const to = dateOf(context, 'to') ?? addDays(await reports.today(), -1);
    if (from === null && context.text('to') !== null) throw usageError('--to needs --from. Enter both days.');
    if (from !== null && from > to) throw usageError('--from is after --to. Enter an earlier --from.');
    const fetched = await metricsFetch.fetch({
      ...(type === null ? {} : { types: [typeOf(type)] }),
      span: from === null ? null : { from, to },
      again: from !== null,
      waits: !context.flag('no-wait'),
      heard: (report) => output.say(fetchedLine(report)),
    });
    const count = (wanted: FetchedReport['state']): number => fetched.filter(({ state }) => state === wanted).length;
    const counts = {
      received: count('received'),
      waiting: count('waiting'),
      failed: count('failed'),
      later: count('later'),
    };
    if (fetched.length === 0) output.say('All metrics are up to date.');
    output.result({ reports: fetched, ...counts });
    if (counts.later > 0) return EXIT_CODE.unreachable;
    return counts.failed > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

function fetchedLine({ reportType, startDate, endDate, state, detail }: FetchedReport): string {
  const name = `${reportType}, ${startDate} to ${endDate}`;
  const why = detail === '' ? '' : ` (${detail})`;
  switch (state) {
    case 'received':
      return `${name}: received`;
    case 'waiting':
      return `${name}: in progress at the service${why}`;
    case 'failed':
      return `${name}: not received${why}. It is requested again tomorrow.`;
    case 'later':
      return `${name}: not requested${why}. Try again later.`;
  }
}

const exportCommand: Command = {
  name: 'cube export',
  takes: '--type TYPE --out FILE',
  purpose: 'Exports saved metrics, one row per day and row of the report.',
  parameters: {
    '--type TYPE': 'Report, such as keyword or campaign.',
    ...DAYS,
    '--out FILE': 'File to write: CSV, or Parquet if its name ends with .parquet.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate cube export --type keyword --from 2026-05-01 --to 2026-05-31 --out may.csv',
  run: async (context) => {
    const account = await context.account();
    const cube = await account.cube();
    const reportType = typeOf(context.need('type'));
    const path = resolve(context.need('out'));
    const first = (await cube.sizes()).sources.find((source) => source.reportType === reportType)?.first ?? null;
    if (first === null)
      throw refused('NO_METRICS', `There are no metrics of "${reportType}". Run "adslate cube status" to list them.`);
    const to = dateOf(context, 'to') ?? addDays(await account.reports.today(), -1);
    const from = dateOf(context, 'from') ?? (first as PlainDate);
    if (from > to) throw usageError('--from is after --to. Enter an earlier --from.');
    const isParquet = path.toLowerCase().endsWith('.parquet');
    const written = await writeOutputFile(context, path, async (target) =>
      exportMetrics(cube, reportType, { from, to }, isParquet ? await parquetTarget(target) : csvTarget(target)),
    );
    const { size: bytes } = await stat(path);
    context.output.say(`Wrote ${counted(written.rows, 'row')} of ${counted(written.days, 'day')} to ${path}.`);
    if (written.missing > 0) context.output.say(`${counted(written.missing, 'day')} of them have no metrics.`);
    const format = isParquet ? 'parquet' : 'csv';
    context.output.result({ file: path, format, reportType, from, to, ...written, bytes });
  },
};

const reduceCommand: Command = {
  name: 'cube reduce',
  takes: '--before MONTH',
  purpose: 'Reduces the single days of old metrics to months, permanently.',
  parameters: {
    '--before MONTH': 'First month whose days stay, such as 2025-03. The last 184 days always stay.',
    '--yes': 'Deletes the days without asking.',
  },
  example: 'adslate cube reduce --before 2025-03 --yes',
  run: async (context) => {
    const account = await writable(context);
    const before = context.need('before');
    const today = await account.reports.today();
    const last = keptAsDaysFrom(today);
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(before))
      throw usageError(`--before "${before}" is not a month such as 2025-03.`);
    if (before > last) throw usageError(`--before ${before} is too recent. Enter ${last} or earlier.`);
    const agreed = await context.isConfirmed(
      `Permanently delete the single days before ${before} and keep only their months?`,
      usageError(`Add --yes to permanently delete the single days before ${before}.`),
    );
    if (!agreed) return context.output.say('Nothing was deleted.');
    const kept = await keepMonths(account, before);
    const { output } = context;
    output.say(`${counted(kept.days, 'day')} reduced to months.`);
    for (const { reportType, month } of kept.left)
      output.say(
        `${month} of the report "${reportType}" is kept as days: days are missing, to be confirmed or have other columns.`,
      );
    if (kept.problem !== '')
      output.say(`The file could not be made smaller: ${kept.problem}. Free disk space, then try again.`);
    output.result(kept);
  },
};

function typeOf(text: string): string {
  if (REPORT_TYPE.test(text)) return text;
  throw usageError(`--type "${text}" is not a report type. Use one from "adslate cube status".`);
}

const importCommand: Command = {
  name: 'report import',
  takes: 'FILE',
  purpose: 'Adds a report file to the metrics: CSV, ZIP or gzip with a row per day.',
  parameters: { FILE: 'Report with the column "date". Columns are recognized by their headings.' },
  example: 'adslate report import may.csv',
  positionals: [1, 1],
  run: async (context) => {
    const account = await writable(context);
    const path = resolve(context.positionals[0] ?? '');
    const taken = await account.importReport(path);
    if (!taken.ok) {
      const next = 'Nothing was changed. Export the report again as CSV with one row per day, then try again.';
      throw refused('BAD_FILE', `Can't add ${path}: ${taken.error.detail}. ${next}`);
    }
    const { reportType, rows, skipped, unreadable, older, held, gaps } = taken.value;
    const { output } = context;
    output.say(
      `Added ${counted(rows, 'row')} of the report "${reportType}": ${counted(taken.value.taken.length, 'day')}.`,
    );
    if (skipped > 0) output.say(`${counted(skipped, 'row')} skipped: without a day or an ID.`);
    if (unreadable > 0) output.say(`${counted(unreadable, 'cell')} left empty: no number.`);
    if (older.length > 0) output.say(`${counted(older.length, 'day')} kept as saved, from a newer report.`);
    if (held.length > 0)
      output.say(`${counted(held.length, 'day')} not replaced: they came with less than half of what is saved.`);
    output.result({ file: path, reportType, rows, skipped, unreadable, taken: taken.value.taken, older, held, gaps });
  },
};

export const cubeCommands: readonly Command[] = [
  statusCommand,
  fetchCommand,
  exportCommand,
  reduceCommand,
  importCommand,
];
