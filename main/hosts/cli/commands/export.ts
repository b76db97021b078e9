import { extname, resolve } from 'node:path';
import type { ViewSpec } from '../../../../shared/api/workspace.ts';
import { sheetKind } from '../../../../shared/spreadsheet/columns.ts';
import { systemClock } from '../../../app/clock.ts';
import type { ExportProblem } from '../../../files/spreadsheet/worker/export-sheet.ts';
import { CliError, EXIT_CODE, type ExitCode, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeError, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const FORMATS = ['csv', 'tsv', 'xlsx', 'adslate', 'adslate-changes'] as const;
const ONLY = ['all', 'changed', 'errors', 'warnings', 'conflicts', 'in-doubt', 'rejected', 'held'] as const;

export const exportCommand: Command = {
  name: 'export',
  takes:
    '[FILE] [--format csv|tsv|xlsx|adslate|adslate-changes] [--kind KIND [--filter TEXT] [--only WHICH]] [--force]',
  summary: 'Writes the account, or what a filter shows of one kind, as a sheet; without FILE, into the current folder.',
  options: {
    force: { type: 'boolean' },
    out: { type: 'string' },
    format: { type: 'string' },
    kind: { type: 'string' },
    filter: { type: 'string' },
    only: { type: 'string' },
  },
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const named = context.positionals[0] ?? context.text('out');
    const format = oneOf(FORMATS, context.text('format') ?? extname(named ?? '').slice(1)) ?? 'csv';
    const day = new Date(systemClock.nowMs()).toISOString().slice(0, 10);
    const path = resolve(named ?? `adslate-${await context.workspaceId()}-${day}.${format}`);
    const { exchange } = await context.core();
    const account = await context.account();
    if (format === 'adslate' || format === 'adslate-changes') return saveArchive(context, path, format);
    const written = await writeOutputFile(context, path, (target) =>
      exchange.export(account, { target, format, view: viewFrom(context) }),
    );
    if (!written.ok) throw exportStop(written.error, path);
    const { rows } = written.value;
    context.output.say(`Wrote ${counted(rows, 'row')} to ${path}.`);
    context.output.result({ file: path, rows });
    return EXIT_CODE.done;
  },
};

async function saveArchive(context: Context, path: string, format: 'adslate' | 'adslate-changes'): Promise<ExitCode> {
  const { exchange } = await context.core();
  const workspaceId = await context.workspaceId();
  const accounts = await (await context.client()).accounts.list();
  const { name = '', advertiserId = '' } = accounts.find((account) => account.workspaceId === workspaceId) ?? {};
  const account = await context.account();
  const source = format === 'adslate' ? 'archive' : 'changes';
  const nowMs = systemClock.nowMs();
  const written = await writeOutputFile(context, path, (target) =>
    exchange.archive(account, { source, target, account: { name, advertiserId }, nowMs }),
  );
  if (!written.ok) {
    const { fileName } = written.error;
    throw new CliError(
      EXIT_CODE.refused,
      'BAD_FILE',
      `${fileName} is no longer in the media library. Add it again first.`,
    );
  }
  const { rows, media, isSigned } = written.value;
  if (!isSigned) context.output.say('Not signed: the keys are locked. --passphrase-file FILE opens them.');
  context.output.say(`Wrote ${counted(rows, 'row')} and ${counted(media, 'file')} to ${path}.`);
  context.output.result({ file: path, rows, media, isSigned });
  return EXIT_CODE.done;
}

function viewFrom(context: Context): ViewSpec | null {
  const named = context.text('kind');
  if (named === null) return null;
  const kind = sheetKind(named);
  if (kind === null) throw usageError(`There is no kind "${named}". Write campaign, keyword, ad item and so on.`);
  const only = oneOf(ONLY, context.text('only') ?? 'all');
  if (only === null) throw usageError(`--only is one of: ${ONLY.join(', ')}.`);
  return { kind, filter: context.text('filter') ?? '', sort: [], campaignId: null, only };
}

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text) ?? null;

function exportStop(problem: ExportProblem, path: string): CliError {
  if (problem.kind === 'cannot-write') return writeError(path, problem.code);
  if (problem.kind === 'bad-filter') return usageError(`--filter cannot be read at ${problem.at}: ${problem.problem}`);
  const { rows, limit } = problem;
  return new CliError(
    EXIT_CODE.refused,
    'TOO_MANY_ROWS',
    `${rows} rows; an XLSX sheet takes ${limit}. Write CSV instead.`,
  );
}
