import { basename, extname, resolve } from 'node:path';
import type { ImportPreview, ImportSignature } from '../../../../shared/api/files.ts';
import type { ViewSpec } from '../../../../shared/api/workspace.ts';
import { type FileRefusal, fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { dateInZone } from '../../../../shared/model/plain-date.ts';
import { lineText, textKey } from '../../../../shared/model/text.ts';
import {
  type ChosenColumn,
  type ColumnChoice,
  columnName,
  MAPPED_COLUMNS,
  unknownHeadings,
} from '../../../../shared/spreadsheet/column-mapping.ts';
import {
  columnOf,
  IMPORT_COLUMNS,
  type ImportColumn,
  type SheetKind,
  sheetKind,
} from '../../../../shared/spreadsheet/columns.ts';
import { FOREIGN_PROGRAMS } from '../../../../shared/spreadsheet/foreign-sheet.ts';
import { DATE_ORDER_NAMES } from '../../../../shared/spreadsheet/sheet-row.ts';
import type { ExportProblem } from '../../../files/spreadsheet/worker/export-sheet.ts';
import { metricsOfView } from '../../../service/metrics.ts';
import { type CliError, EXIT_CODE, type ExitCode, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeError, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

/** Errors shown to people; `--json` gives all. */
const SHOWN_ERRORS = 50;

const importCommand: Command = {
  name: 'import',
  takes: 'FILE',
  purpose: 'Imports a spreadsheet, an archive or a share file as one undoable step.',
  parameters: {
    FILE: 'CSV, TSV, XLSX, archive or share file. Rows with errors are skipped.',
    '--dry-run': 'Shows the result, and imports nothing.',
    '--only-columns NAMES': 'Imports only these columns, separated by commas. Deletes no rows.',
    '--skip-columns NAMES': 'Imports all columns but these.',
    '--column HEADING=NAME...': 'Maps a column: "CPC limit=Bid", "CPC limit[2]=skip" or =auto.',
    '--type TYPE': 'Type of all rows, for a file without a Type column, such as keyword.',
    '--sheet NAME': 'Sheet of a workbook. The default is the first with a Type column.',
    '--decimals point|comma': 'How amounts are written: 1.65 or 1,65.',
    '--dates ORDER': 'Order of dates: month-first (12/31/2026) or day-first (31/12/2026).',
    '--as-new': 'Imports rows with IDs that are not in this account as new rows.',
    '--errors FILE': 'Writes the skipped rows to a CSV or XLSX file, to correct and import.',
    '--force': 'Replaces an existing file of --errors.',
    '--allow-modified': 'Imports a signed file that was modified after signing.',
    '--lines-as-rows': 'Reads each line of a CSV or TSV file as one row and ignores open quotes.',
  },
  example: 'adslate import examples/campaigns.csv --dry-run',
  positionals: [1, 1],
  run: async (context) => {
    const [path = ''] = context.positionals;
    const decimals = context.text('decimals') ?? undefined;
    if (decimals !== undefined && decimals !== 'point' && decimals !== 'comma') {
      throw usageError('--decimals must be point (1.65) or comma (1,65).');
    }
    const dates = context.text('dates') ?? undefined;
    if (dates !== undefined && dates !== 'month-first' && dates !== 'day-first') {
      throw usageError('--dates must be month-first (12/31/2026) or day-first (31/12/2026).');
    }
    const out = skippedColumns(context);
    const mapping = context.texts('column').map(chosenColumn);
    const rowType = typeNamed(context.text('type')) ?? undefined;
    const { grants, exchange } = await context.core();
    const file = await grants.grantPath(path);
    if (!file.ok) return refuseFile(context, path, file.error.data);
    const account = await context.account();
    const sheet = context.text('sheet') ?? undefined;
    const [evenAltered, linesAsRows] = [context.flag('allow-modified'), context.flag('lines-as-rows')];
    const said = { evenAltered, sheet, linesAsRows, mapping, rowType, asNew: context.flag('as-new') };
    const read = await exchange.preview(account, file.value, { decimals, dates, ...said });
    if (!read.ok) return refuseFile(context, path, read.error);
    for (const chosen of mapping) requireColumn(read.value, chosen);
    const { previewId } = read.value;
    const chosen = out.length === 0 ? null : await exchange.leaveColumnsOut(account, previewId, out, []);
    if (chosen !== null && !chosen.ok) return refuseFile(context, path, chosen.error);
    const preview = chosen?.value.preview ?? read.value;
    const failedTo = context.text('errors');
    // Applying the preview discards it, so failed rows are saved first.
    if (failedTo !== null) await saveFailed(context, previewId, failedTo);
    const done = await applied(context, preview);
    tellImport(context, preview, done);
    return preview.errorCount > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

/** The columns that are not imported, of the two options for it. */
function skippedColumns(context: Context): readonly ImportColumn[] {
  const [only, without] = [context.text('only-columns'), context.text('skip-columns')];
  if (only !== null && without !== null)
    throw usageError("--only-columns and --skip-columns can't be combined. Use one of them.");
  if (without !== null) return columnsNamed(without);
  if (only === null) return [];
  const wanted = new Set(columnsNamed(only));
  return IMPORT_COLUMNS.filter((column) => !wanted.has(column));
}

const columnsNamed = (text: string): readonly ImportColumn[] =>
  text.split(',').map((name) => {
    const column: ImportColumn | null = name.trim().toLowerCase() === 'label' ? 'Label' : columnOf(name);
    if (column === null)
      throw usageError(
        `Column "${name.trim()}" not found. Use the names of the columns, such as Daily budget, Bid or Status.`,
      );
    return column;
  });

function chosenColumn(text: string): ChosenColumn {
  const at = text.lastIndexOf('=');
  const [heading, name] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  const [, ofSeveral, nth] = /^(.*\S)\s*\[([1-9]\d{0,4})\]$/u.exec(heading) ?? [];
  if (heading === '' || name === '')
    throw usageError(`--column "${text}" is incomplete. Use HEADING=NAME, such as "Search phrase=Keyword".`);
  const word = name.toLowerCase();
  const choices: readonly ColumnChoice[] = word === 'skip' || word === 'auto' ? [word] : MAPPED_COLUMNS;
  const as = choices.find((choice) => choice === word || choice === columnOf(name));
  if (as !== undefined) return ofSeveral === undefined ? { heading, as } : { heading: ofSeveral, nth: Number(nth), as };
  throw usageError(
    `Column "${heading}" can't be imported as "${name}". Use one of: ${[...MAPPED_COLUMNS, 'skip', 'auto'].join(', ')}.`,
  );
}

/** Refuses a column that is missing or that the conversion reads; it would otherwise be skipped silently. */
function requireColumn({ fileName, headings, foreign }: ImportPreview, { heading, nth }: ChosenColumn): void {
  const isHeading = (other: string): boolean => textKey(other) === textKey(heading);
  const named = [...headings, ...(foreign?.unused ?? [])];
  if (named.some((each) => isHeading(each.heading) && (nth ?? each.nth ?? 1) === (each.nth ?? 1))) return;
  const name = columnName({ heading, nth: nth ?? null });
  if (foreign?.columns.some(({ from }) => isHeading(from)) === true) {
    const program = FOREIGN_PROGRAMS[foreign.program];
    throw usageError(`Column "${name}" is converted from ${program}. Remove --column "${name}=…".`);
  }
  const list =
    named.length === 0
      ? 'There are no columns to choose.'
      : `Use one of its columns: ${namesText(named.map(columnName))}.`;
  throw usageError(`${fileName} has no column "${name}". ${list}`);
}

type Done = Awaited<ReturnType<typeof applied>>;

/** Applies the preview, unless only a preview was requested or there is nothing to apply. */
async function applied(context: Context, preview: ImportPreview) {
  // A deletion does not depend on a column.
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
  const { headings, formulaLines, formulaCount, columns, errors, errorCount, warnings, warningCount } = preview;
  const { rows, conflicts, errorRows, followUpCount, signature } = preview;
  const { added, changed, removed, unchanged, refusedFiles } = done;
  // With --only-columns, deletions are skipped too.
  const leftOut = preview.leftOut + preview.removed - removed;
  if (signature !== null) output.say(signatureText(signature));
  tellSheet(output, preview);
  tellConverted(output, preview);
  if (preview.dateOrder !== null) output.say(`Dates read as ${DATE_ORDER_NAMES[preview.dateOrder]}.`);
  output.say(errors.slice(0, SHOWN_ERRORS).map(problemText));
  if (errorCount > SHOWN_ERRORS) {
    output.say(
      `... and ${counted(errorCount - SHOWN_ERRORS, 'more error')}. Add --errors FILE to write all of these rows to a file.`,
    );
  }
  output.say(warnings.slice(0, SHOWN_ERRORS).map((warning) => `Warning: ${problemText(warning)}`));
  if (warningCount > SHOWN_ERRORS) output.say(`... and ${counted(warningCount - SHOWN_ERRORS, 'more warning')}.`);
  if (preview.hasOpenQuotes) {
    output.say(
      'Add --errors FILE to write these rows to a file and correct them, or --lines-as-rows to read each line as one row.',
    );
  }
  const unknownColumns = unknownHeadings(headings);
  tellColumns(output, headings);
  if (formulaCount > 0) {
    output.say(`Formulas imported as text: ${linesText(formulaLines, formulaCount)}.`);
  }
  const kept = added === 0 ? [] : columns.filter(({ isLeftOut, needed }) => isLeftOut && needed > 0);
  if (kept.length > 0) {
    output.say(`Also imported for new rows, which require it: ${kept.map(({ column }) => column).join(', ')}.`);
  }
  const counts = [
    `${added} added`,
    `${changed} changed`,
    ...(removed === 0 ? [] : [`${removed} deleted`]),
    `${unchanged} unchanged`,
    ...(leftOut === 0 ? [] : [`${leftOut} skipped`]),
    counted(errorCount, 'error'),
    ...(followUpCount === 0 ? [] : [`${followUpCount} of them in rows below others with errors`]),
  ];
  output.say(`${counted(rows, 'row')} in the file.`);
  output.say(
    `${flag('dry-run') ? 'Nothing was imported. Result of importing' : 'Imported'} ${preview.fileName}: ${counts.join(', ')}.`,
  );
  for (const { fileName, reason, params } of refusedFiles) {
    output.say(`File skipped, not used by any row: ${fileRefusalText(fileName, reason, params)}`);
  }
  if (preview.skippedParts.length > 0) {
    output.say(`Unknown parts of the archive skipped: ${namesText(preview.skippedParts)}.`);
  }
  tellMissing(output, preview);
  const { missing } = preview;
  output.result({
    rows,
    missing,
    unknownRows: preview.unknownRows,
    added,
    changed,
    removed,
    unchanged,
    conflicts,
    leftOut,
    errorRows,
    followUpErrors: followUpCount,
    errors,
    warnings,
    ...(preview.source === 'sheet' ? {} : { skipped: preview.skippedParts }),
    ...(preview.sheet === null ? {} : { sheet: preview.sheet, otherSheets: preview.otherSheets }),
    unknownColumns,
    mapped: headings.filter(({ by }) => by === 'chosen' || by === 'remembered'),
    ...(preview.foreign === null
      ? {}
      : { converted: { ...preview.foreign, unused: preview.foreign.unused.map(columnName) } }),
    ...(preview.dateOrder === null ? {} : { dates: preview.dateOrder }),
    formulaLines,
    signature,
  });
  if (conflicts > 0) {
    output.say(
      `${counted(conflicts, 'conflict')}: these rows also changed here since the export, and were not imported.`,
    );
  }
}

/** Prints which columns are imported under another name, and which are not imported. */
function tellColumns(output: Context['output'], headings: ImportPreview['headings']): void {
  for (const wanted of ['chosen', 'remembered'] as const) {
    const mapped = headings.filter(({ by }) => by === wanted);
    const pairs = mapped.map((each) => `${columnName(each)} = ${each.column ?? 'skip'}`);
    const [first] = mapped;
    if (first === undefined) continue;
    const forget = `Add --column "${columnName(first)}=auto" to forget one.`;
    output.say(`Columns as ${wanted}: ${pairs.join(', ')}.${wanted === 'chosen' ? '' : ` ${forget}`}`);
  }
  const unknown = unknownHeadings(headings);
  if (unknown.length === 0) return;
  output.say(
    `Unknown columns ignored: ${unknown.join(', ')}. Add --column "${unknown[0]}=NAME" to import one as another column.`,
  );
}

/** Prints the result of converting an export of another editor. */
function tellConverted(output: Context['output'], { foreign }: ImportPreview): void {
  if (foreign === null) return;
  const { program, columns, unused, skipped, split } = foreign;
  const became = columns.flatMap(({ from, to }) => (to === null ? [] : [`${from} = ${to}`]));
  const decided = columns.flatMap(({ from, to }) => (to === null ? [from] : []));
  output.say(`Converted from ${FOREIGN_PROGRAMS[program]}: ${became.join(', ')}.`);
  if (decided.length > 0) output.say(`Columns used only to understand rows: ${decided.join(', ')}.`);
  if (unused.length > 0) output.say(`Columns not used: ${unused.map(columnName).join(', ')}.`);
  if (split > 0) output.say(`${counted(split, 'more ad group')} became campaigns: a campaign has one ad group here.`);
  output.say(
    skipped.map(({ reason, count, lines }) => `${reason} (${counted(count, 'row')}: ${linesText(lines, count)})`),
  );
}

/** Prints which sheet of a workbook was read, where there was a choice. */
function tellSheet(output: Context['output'], { sheet, otherSheets }: ImportPreview): void {
  if (sheet === null || otherSheets.length === 0) return;
  const others = otherSheets.map(
    ({ name, hidden, rows }) => `"${name}" (${hidden ? 'hidden, ' : ''}${counted(rows, 'row')})`,
  );
  output.say(
    `Imported the sheet "${sheet}". Other sheets: ${others.join(', ')}. Add --sheet NAME to import another one.`,
  );
}

const problemText = ({ line, column, message }: ImportPreview['errors'][number]): string =>
  `${lineText(line)}${column === '' ? '' : `, ${column}`}: ${message}`;

/** Campaigns of this advertiser that the account does not have can be added by their ID; any row can be a new one. */
function tellMissing(output: Context['output'], preview: ImportPreview): void {
  const { missing, missingCount, unknownRows, otherAccount, source } = preview;
  if (missingCount + unknownRows > 0 && otherAccount !== null) {
    output.say(`This file is from the account "${otherAccount}".`);
  } else if (missingCount > 0) {
    const ids = [...new Set(missing.map(({ campaign }) => campaign))];
    const named = `${ids.slice(0, 10).join(' ')}${ids.length > 10 ? ' ...' : ''}`;
    output.say(
      `Not in this account: campaigns or ad groups of ${named}. Run "adslate campaign add ID...", then import again.`,
    );
  }
  if (unknownRows > 0 && source !== 'changes') {
    output.say(`IDs not in this account: ${counted(unknownRows, 'row')}. Add --as-new to import them as new rows.`);
  }
}

function signatureText(signature: ImportSignature): string {
  if (signature.is === 'unsigned') return 'Not signed: the author is unknown.';
  if (signature.is === 'altered') return 'Modified after signing: the author of the content is unknown.';
  const { name, at, fingerprint, signer, knownAs } = signature;
  const key = { own: "this computer's key", known: `known as ${knownAs}`, new: 'first file with this key' }[signer];
  return `Signed by ${name} at ${new Date(at).toISOString()} (${key}, fingerprint ${fingerprint}).`;
}

const namesText = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ');

const linesText = (lines: readonly number[], count: number): string =>
  count > 10 ? counted(count, 'line') : `line ${lines.map((line) => line.toLocaleString('en-US')).join(', ')}`;

/** Saves the skipped rows, to be corrected and imported; called before the preview is applied and discarded. */
async function saveFailed(context: Context, previewId: string, named: string): Promise<void> {
  const { exchange } = await context.core();
  const path = resolve(named);
  const format = path.endsWith('.xlsx') ? 'xlsx' : 'csv';
  const account = await context.account();
  await writeOutputFile(context, path, (target) => exchange.failed(account, previewId, target, format));
}

const DATES_NEXT = ' Or add --dates month-first (12/31/2026) or --dates day-first (31/12/2026).';
const NEXT: Readonly<Record<string, string>> = {
  'needs-decimals': ' If the file uses decimal commas, add --decimals comma.',
  'needs-dates': DATES_NEXT,
  'mixed-dates': `${DATES_NEXT} Dates in the other order become errors.`,
  altered: ' To import the file anyway, add --allow-modified.',
};

/** A file that can't be read at all gets the output of every import: nothing was imported, and why. */
function refuseFile({ output }: Context, path: string, { reason, params }: FileRefusal): ExitCode {
  const next = NEXT[reason] ?? '';
  const message = fileRefusalText(basename(path), reason, params) + next;
  const line = typeof params['line'] === 'number' ? params['line'] : 1;
  const column = typeof params['column'] === 'string' ? params['column'] : '';
  if (output.json) output.result({ added: 0, changed: 0, unchanged: 0, errors: [{ line, column, message }] });
  else output.problem('BAD_FILE', message);
  return EXIT_CODE.refused;
}

const FORMATS = ['csv', 'tsv', 'xlsx', 'adslate', 'adslate-changes'] as const;
const SHOW = ['all', 'changed', 'errors', 'warnings', 'conflicts', 'in-doubt', 'rejected', 'held'] as const;

const exportCommand: Command = {
  name: 'export',
  takes: '[FILE]',
  purpose: 'Exports the account, or the filtered rows of one type.',
  parameters: {
    FILE: 'File to write. Without it, a file in the current folder is written.',
    '--out FILE': 'The same as FILE.',
    '--format FORMAT': 'csv, tsv, xlsx, adslate (archive with media) or adslate-changes (share file).',
    '--type TYPE': 'Only rows of this type, such as keyword or "ad item".',
    '--filter TEXT': 'Only rows that match this filter. Needs --type.',
    '--show WHICH': `${SHOW.slice(0, -1).join(', ')} or ${SHOW.at(-1)} rows.`,
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate export keywords.csv --type keyword --filter "bid>2"',
  positionals: [0, 1],
  run: async (context) => {
    const named = context.positionals[0] ?? context.text('out');
    const format = formatOf(context, named);
    const { exchange } = await context.core();
    const account = await context.account();
    const day = dateInZone(context.nowMs(), account.profile.business.zone);
    const path = resolve(named ?? `adslate-${await context.workspaceId()}-${day}.${format}`);
    const view = viewFrom(context);
    if (format === 'adslate' || format === 'adslate-changes') {
      if (view === null) return saveArchive(context, path, format);
      throw usageError("--type can't be combined with an archive or a share file. Export a spreadsheet instead.");
    }
    const metrics = await metricsOfView(account, view);
    const written = await writeOutputFile(context, path, (target) =>
      exchange.export(account, { target, format, view, metrics }),
    );
    if (!written.ok) throw exportError(written.error, path);
    const { rows } = written.value;
    context.output.say(`Wrote ${counted(rows, 'row')} to ${path}.`);
    context.output.result({ file: path, rows });
  },
};

/** The format of `--format`, or of the name of the file; CSV for any other name. */
function formatOf(context: Context, named: string | null): (typeof FORMATS)[number] {
  const text = context.text('format');
  const format = oneOf(FORMATS, text ?? extname(named ?? '').slice(1));
  if (format === null && text !== null) throw usageError(`--format must be one of ${FORMATS.join(', ')}.`);
  return format ?? 'csv';
}

async function saveArchive(context: Context, path: string, format: 'adslate' | 'adslate-changes'): Promise<void> {
  const { exchange } = await context.core();
  const { client, workspaceId } = await context.atAccount();
  const accounts = await client.accounts.list();
  const { name = '', advertiserId = '' } = accounts.find((account) => account.workspaceId === workspaceId) ?? {};
  const account = await context.account();
  const source = format === 'adslate' ? 'archive' : 'changes';
  const nowMs = context.nowMs();
  const written = await writeOutputFile(context, path, (target) =>
    exchange.archive(account, { source, target, account: { name, advertiserId }, nowMs }),
  );
  if (!written.ok) {
    if (written.error.kind === 'archive-too-large') {
      const { kind, params } = written.error;
      throw refused('BAD_FILE', fileRefusalText(path, kind, params));
    }
    const { fileName } = written.error;
    throw refused('BAD_FILE', `${fileName} is no longer in the media library. Add it again, then export.`);
  }
  const { rows, media, isSigned } = written.value;
  if (!isSigned)
    context.output.say('Not signed: the credentials are locked. To sign the file, add --passphrase-file FILE.');
  context.output.say(`Wrote ${counted(rows, 'row')} and ${counted(media, 'file')} to ${path}.`);
  context.output.result({ file: path, rows, media, isSigned });
}

function viewFrom(context: Context): ViewSpec | null {
  const kind = typeNamed(context.text('type'));
  const alone = ['filter', 'show'].find((name) => kind === null && context.text(name) !== null);
  if (alone !== undefined) throw usageError(`--${alone} needs --type, such as --type keyword.`);
  if (kind === null) return null;
  const only = oneOf(SHOW, context.text('show') ?? 'all');
  if (only === null) throw usageError(`--show must be one of: ${SHOW.join(', ')}.`);
  return { kind, filter: context.text('filter') ?? '', sort: [], campaignId: null, only };
}

/** @returns null for an option that is not given */
function typeNamed(named: string | null): SheetKind | null {
  if (named === null) return null;
  const kind = sheetKind(named);
  if (kind === null) throw usageError(`Type "${named}" not found. Use a type such as campaign, keyword or "ad item".`);
  return kind;
}

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text) ?? null;

function exportError(problem: ExportProblem, path: string): CliError {
  if (problem.kind === 'cannot-write') return writeError(path, problem.code);
  if (problem.kind === 'bad-filter')
    return usageError(`The filter has an error at position ${problem.at}: ${problem.problem}`);
  const { rows, limit } = problem;
  return refused('TOO_MANY_ROWS', `${rows} rows are too many for XLSX: the maximum is ${limit}. Export CSV instead.`);
}

export const importExportCommands: readonly Command[] = [importCommand, exportCommand];
