import { basename, extname, resolve } from 'node:path';
import type { ImportPreview, ImportSignature } from '../../../../shared/api/files.ts';
import type { ViewSpec } from '../../../../shared/api/workspace.ts';
import { type FileRefusal, fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { columnOf, IMPORT_COLUMNS, type ImportColumn, sheetKind } from '../../../../shared/spreadsheet/columns.ts';
import { systemClock } from '../../../app/clock.ts';
import { grantRefusal } from '../../../files/media/add-media.ts';
import type { ExportProblem } from '../../../files/spreadsheet/worker/export-sheet.ts';
import { type CliError, EXIT_CODE, type ExitCode, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeError, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

/** Errors shown to people; `--json` gives all. */
const SHOWN_ERRORS = 50;

const importCommand: Command = {
  name: 'import',
  takes:
    'FILE [--only-columns NAMES | --without-columns NAMES] [--dry-run] [--sheet NAME] [--decimals point|comma] [--failed FILE [--force]] [--even-altered] [--lines-as-rows]',
  summary:
    'Brings a CSV, TSV or XLSX sheet in, as one step that can be undone. Rows with errors stay out; the others come in. With NAMES, columns with commas between them, only these count, or all but these. Of a workbook with several sheets the first visible one with a Type column is read, unless --sheet names another. A signed file that was altered since is refused, unless --even-altered is said. With --lines-as-rows every line of a CSV or TSV file is a row of its own, whatever quotes stand around it.',
  positionals: [1, 1],
  run: async (context) => {
    const [path = ''] = context.positionals;
    const decimals = context.text('decimals') ?? undefined;
    if (decimals !== undefined && decimals !== 'point' && decimals !== 'comma') {
      throw usageError('--decimals is point (1.65) or comma (1,65).');
    }
    const out = columnsLeftOut(context);
    const { grants, exchange } = await context.core();
    const file = await grants.grantPath(path);
    if (!file.ok) return refuseFile(context, path, grantRefusal(file.error));
    const account = await context.account();
    const sheet = context.text('sheet') ?? undefined;
    const [evenAltered, linesAsRows] = [context.flag('even-altered'), context.flag('lines-as-rows')];
    const read = await exchange.preview(account, file.value, { decimals, evenAltered, sheet, linesAsRows });
    if (!read.ok) return refuseFile(context, path, read.error);
    const { previewId } = read.value;
    const chosen = out.length === 0 ? null : await exchange.leaveColumnsOut(account, previewId, out, []);
    if (chosen !== null && !chosen.ok) return refuseFile(context, path, chosen.error);
    const preview = chosen?.value.preview ?? read.value;
    const failedTo = context.text('failed');
    // The preview is gone once it is applied.
    if (failedTo !== null) await saveFailed(context, previewId, failedTo);
    const done = await applied(context, preview);
    tellImport(context, preview, done);
    return preview.errorCount > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

/** The columns that do not count, of the two ways to say so. */
function columnsLeftOut(context: Context): readonly ImportColumn[] {
  const [only, without] = [context.text('only-columns'), context.text('without-columns')];
  if (only !== null && without !== null) throw usageError('--only-columns and --without-columns exclude each other.');
  if (without !== null) return columnsNamed(without);
  if (only === null) return [];
  const wanted = new Set(columnsNamed(only));
  return IMPORT_COLUMNS.filter((column) => !wanted.has(column));
}

const columnsNamed = (text: string): readonly ImportColumn[] =>
  text.split(',').map((name) => {
    const column: ImportColumn | null = name.trim().toLowerCase() === 'label' ? 'Label' : columnOf(name);
    if (column === null)
      throw usageError(`There is no column "${name.trim()}". Write Daily budget, Bid, Status and so on.`);
    return column;
  });

type Done = Awaited<ReturnType<typeof applied>>;

/** Carries the preview out, unless it is only to be looked at or would do nothing. */
async function applied(context: Context, preview: ImportPreview) {
  // A deletion is said by no column.
  const isByColumn = context.text('only-columns') !== null;
  const removed = isByColumn ? 0 : preview.removed;
  const brings = preview.added + preview.changed + removed + preview.spareFiles > 0;
  if (context.flag('dry-run') || !brings) return { ...preview, removed, refusedFiles: [] };
  const { client, workspaceId } = await context.atAccount();
  return client.exchange.apply({
    workspaceId,
    previewId: preview.previewId,
    ...(isByColumn ? { comeIn: ['added', 'changed'] } : {}),
  });
}

function tellImport({ output, flag }: Context, preview: ImportPreview, done: Done): void {
  const { unknownColumns, formulaLines, formulaCount, columns, errors, errorCount, warnings, warningCount } = preview;
  const { rows, conflicts, errorRows, signature } = preview;
  const { added, changed, removed, unchanged, refusedFiles } = done;
  // Deletions that no column says stay out as well.
  const leftOut = preview.leftOut + preview.removed - removed;
  if (signature !== null) output.say(signatureText(signature));
  tellSheet(output, preview);
  output.say(errors.slice(0, SHOWN_ERRORS).map(problemText));
  if (errorCount > SHOWN_ERRORS) {
    output.say(`... and ${errorCount - SHOWN_ERRORS} more; --failed FILE writes them all.`);
  }
  output.say(warnings.slice(0, SHOWN_ERRORS).map((warning) => `Warning: ${problemText(warning)}`));
  if (warningCount > SHOWN_ERRORS) output.say(`... and ${counted(warningCount - SHOWN_ERRORS, 'warning')} more.`);
  if (preview.hasOpenQuotes) {
    output.say(
      '--failed FILE writes these rows to be corrected; --lines-as-rows reads every line as a row of its own.',
    );
  }
  if (unknownColumns.length > 0) {
    output.say(`Not read, because they are no columns of the sheet: ${unknownColumns.join(', ')}.`);
  }
  if (formulaCount > 0) {
    output.say(`Read as plain text, although they look like formulas: ${linesText(formulaLines, formulaCount)}.`);
  }
  const kept = added === 0 ? [] : columns.filter(({ isLeftOut, needed }) => isLeftOut && needed > 0);
  if (kept.length > 0) {
    output.say(`New rows cannot do without ${kept.map(({ column }) => column).join(', ')}: it came in with them.`);
  }
  const counts = [
    `${added} added`,
    `${changed} changed`,
    ...(removed === 0 ? [] : [`${removed} deleted`]),
    `${unchanged} unchanged`,
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
    counted(errorCount, 'error'),
  ];
  output.say(`${counted(rows, 'row')} in the file.`);
  output.say(`${flag('dry-run') ? 'Would import' : 'Imported'} ${preview.fileName}: ${counts.join(', ')}.`);
  for (const { fileName, reason, params } of refusedFiles) {
    output.say(`Left out, and used by no row: ${fileRefusalText(fileName, reason, params)}`);
  }
  if (preview.skippedParts.length > 0) {
    output.say(`Skipped, because no archive of Adslate has such parts: ${namesText(preview.skippedParts)}.`);
  }
  tellMissing(output, preview);
  const { missing } = preview;
  output.result({
    rows,
    missing,
    added,
    changed,
    removed,
    unchanged,
    conflicts,
    leftOut,
    errorRows,
    errors,
    warnings,
    ...(preview.source === 'sheet' ? {} : { skipped: preview.skippedParts }),
    ...(preview.sheet === null ? {} : { sheet: preview.sheet, otherSheets: preview.otherSheets }),
    unknownColumns,
    formulaLines,
    signature,
  });
  if (conflicts > 0) {
    output.say(`${counted(conflicts, 'row')} changed here as well since the export; they stay as they are here.`);
  }
}

/** Which sheet of a workbook was read, where there was a choice. */
function tellSheet(output: Context['output'], { sheet, otherSheets }: ImportPreview): void {
  if (sheet === null || otherSheets.length === 0) return;
  const others = otherSheets.map(
    ({ name, hidden, rows }) => `"${name}" (${hidden ? 'hidden, ' : ''}${counted(rows, 'row')})`,
  );
  output.say(`Read the sheet "${sheet}". Not read: ${others.join(', ')}; --sheet NAME reads another.`);
}

const problemText = ({ line, column, message }: ImportPreview['errors'][number]): string =>
  `line ${line}${column === '' ? '' : `, ${column}`}: ${message}`;

/** What the file names and the account does not have can be asked for by its id. */
function tellMissing(output: Context['output'], { missing, missingCount }: ImportPreview): void {
  if (missingCount === 0) return;
  const ids = [...new Set(missing.map(({ campaign }) => campaign))];
  const named = `${ids.slice(0, 10).join(' ')}${ids.length > 10 ? ' ...' : ''}`;
  output.say(
    `Not in the account: campaigns or ad groups of ${named}. "known add ID..." reads them; then import again.`,
  );
}

function signatureText(signature: ImportSignature): string {
  if (signature.is === 'unsigned') return 'Not signed: nothing proves who wrote it.';
  if (signature.is === 'altered') return 'Altered since it was signed: nothing proves who wrote what is here.';
  const { name, at, fingerprint, signer, knownAs } = signature;
  const key = { own: "this computer's key", known: `known as ${knownAs}`, new: 'a key that is new here' }[signer];
  return `Signed by ${name} at ${new Date(at).toISOString()} (${key}, fingerprint ${fingerprint}).`;
}

const namesText = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ');

const linesText = (lines: readonly number[], count: number): string =>
  count > 10 ? counted(count, 'line') : `line ${lines.join(', ')}`;

/** The rows that cannot come in, to correct and import by themselves; written before the preview is applied and gone. */
async function saveFailed(context: Context, previewId: string, named: string): Promise<void> {
  const { exchange } = await context.core();
  const path = resolve(named);
  const format = path.endsWith('.xlsx') ? 'xlsx' : 'csv';
  const account = await context.account();
  await writeOutputFile(context, path, (target) => exchange.failed(account, previewId, target, format));
}

const NEXT: Readonly<Record<string, string>> = {
  'needs-decimals': ' Or add --decimals comma, if that is how the sheet writes them.',
  altered: ' Or add --even-altered, to bring it in all the same.',
};

/** A file that cannot be read at all is answered in the shape of every import: nothing came in, and why. */
function refuseFile(
  { output }: Context,
  path: string,
  { reason, params }: Pick<FileRefusal, 'reason' | 'params'>,
): ExitCode {
  const next = NEXT[reason] ?? '';
  const message = fileRefusalText(basename(path), reason, params) + next;
  const line = typeof params['line'] === 'number' ? params['line'] : 1;
  const column = typeof params['column'] === 'string' ? params['column'] : '';
  if (output.json) output.result({ added: 0, changed: 0, unchanged: 0, errors: [{ line, column, message }] });
  else output.problem('BAD_FILE', message);
  return EXIT_CODE.refused;
}

const FORMATS = ['csv', 'tsv', 'xlsx', 'adslate', 'adslate-changes'] as const;
const ONLY = ['all', 'changed', 'errors', 'warnings', 'conflicts', 'in-doubt', 'rejected', 'held'] as const;

const exportCommand: Command = {
  name: 'export',
  takes:
    '[FILE] [--format csv|tsv|xlsx|adslate|adslate-changes] [--kind KIND [--filter TEXT] [--only WHICH]] [--force]',
  alsoTakes: '--out FILE',
  summary: 'Exports the account, or the filtered rows of one type. Without FILE, writes to the current folder.',
  positionals: [0, 1],
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
    if (!written.ok) throw exportError(written.error, path);
    const { rows } = written.value;
    context.output.say(`Wrote ${counted(rows, 'row')} to ${path}.`);
    context.output.result({ file: path, rows });
  },
};

async function saveArchive(context: Context, path: string, format: 'adslate' | 'adslate-changes'): Promise<void> {
  const { exchange } = await context.core();
  const { client, workspaceId } = await context.atAccount();
  const accounts = await client.accounts.list();
  const { name = '', advertiserId = '' } = accounts.find((account) => account.workspaceId === workspaceId) ?? {};
  const account = await context.account();
  const source = format === 'adslate' ? 'archive' : 'changes';
  const nowMs = systemClock.nowMs();
  const written = await writeOutputFile(context, path, (target) =>
    exchange.archive(account, { source, target, account: { name, advertiserId }, nowMs }),
  );
  if (!written.ok) {
    const { fileName } = written.error;
    throw refused('BAD_FILE', `${fileName} is no longer in the media library. Add it again first.`);
  }
  const { rows, media, isSigned } = written.value;
  if (!isSigned) context.output.say('Not signed: the keys are locked. --passphrase-file FILE opens them.');
  context.output.say(`Wrote ${counted(rows, 'row')} and ${counted(media, 'file')} to ${path}.`);
  context.output.result({ file: path, rows, media, isSigned });
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

function exportError(problem: ExportProblem, path: string): CliError {
  if (problem.kind === 'cannot-write') return writeError(path, problem.code);
  if (problem.kind === 'bad-filter') return usageError(`--filter cannot be read at ${problem.at}: ${problem.problem}`);
  const { rows, limit } = problem;
  return refused('TOO_MANY_ROWS', `${rows} rows; an XLSX sheet takes ${limit}. Write CSV instead.`);
}

export const importExportCommands: readonly Command[] = [importCommand, exportCommand];
