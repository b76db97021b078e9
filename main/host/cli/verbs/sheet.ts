import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { ImportSignature } from '../../../../shared/contract/exchange.ts';
import type { ViewSpec } from '../../../../shared/contract/workspace.ts';
import { type FileRefusal, fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { sheetKind } from '../../../../shared/sheet/columns.ts';
import { systemClock } from '../../../clock.ts';
import type { ExportProblem } from '../../../exchange/worker/export-sheet.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, type ExitCode, Stop, usageStop } from '../stop.ts';
import { counted } from '../table.ts';

interface Refusal {
  readonly reason: string;
  readonly params: FileRefusal['params'];
}

/** Errors shown to people; `--json` gives all. */
const SHOWN_ERRORS = 50;

const importCommand: Command = {
  name: 'import',
  takes: 'FILE [--dry-run] [--decimals point|comma] [--failed FILE] [--even-altered]',
  summary:
    'Brings a CSV, TSV or XLSX sheet in, as one step that can be undone. Rows with errors stay out; the others come in. A signed file that was altered since is refused, unless --even-altered is said.',
  options: {
    'dry-run': { type: 'boolean' },
    decimals: { type: 'string' },
    failed: { type: 'string' },
    'even-altered': { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const [path = ''] = context.positionals;
    const decimals = context.text('decimals') ?? undefined;
    if (decimals !== undefined && decimals !== 'point' && decimals !== 'comma') {
      throw usageStop('--decimals is point (1.65) or comma (1,65).');
    }
    const { grants, exchange } = await context.core();
    const file = await grants.grantPath(path);
    if (!file.ok) {
      const reason = file.error.kind === 'unreadable' ? 'cannot-read' : file.error.kind;
      const params: Readonly<Record<string, string>> = 'code' in file.error ? { code: file.error.code } : {};
      return refuse(context, path, { reason, params });
    }
    const { client, workspaceId } = await context.atAccount();
    const previewed = await exchange.preview(
      await context.account(),
      file.value,
      decimals,
      context.flag('even-altered'),
    );
    if (!previewed.ok) return refuse(context, path, previewed.error);
    const preview = previewed.value;
    if (preview.signature !== null) context.output.say(signatureText(preview.signature));
    const { unknownColumns, formulaLines, formulaCount } = preview;
    const isDry = context.flag('dry-run');
    const brings = preview.added + preview.changed + preview.removed + preview.spareFiles > 0;
    const { added, changed, removed, unchanged, refusedFiles } =
      isDry || !brings
        ? { ...preview, refusedFiles: [] }
        : await client.exchange.apply({ workspaceId, previewId: preview.previewId });
    const failedTo = context.text('failed');
    if (failedTo !== null) await saveFailed(context, preview.previewId, failedTo);
    for (const { line, column, message } of preview.errors.slice(0, SHOWN_ERRORS)) {
      context.output.say(`line ${line}${column === '' ? '' : `, ${column}`}: ${message}`);
    }
    if (preview.errorCount > SHOWN_ERRORS) {
      context.output.say(`... and ${preview.errorCount - SHOWN_ERRORS} more; --failed FILE writes them all.`);
    }
    if (unknownColumns.length > 0) {
      context.output.say(`Not read, because they are no columns of the sheet: ${unknownColumns.join(', ')}.`);
    }
    if (formulaCount > 0) {
      context.output.say(
        `Read as plain text, although they look like formulas: ${linesText(formulaLines, formulaCount)}.`,
      );
    }
    context.output.say(
      `${isDry ? 'Would import' : 'Imported'} ${preview.fileName}: ${added} added, ${changed} changed, ${removed === 0 ? '' : `${removed} deleted, `}${unchanged} unchanged, ${counted(preview.errorCount, 'error')}.`,
    );
    for (const { fileName, reason, params } of refusedFiles) {
      context.output.say(`Left out, and used by no row: ${fileRefusalText(fileName, reason, params)}`);
    }
    const { errors, signature } = preview;
    context.output.result({ added, changed, removed, unchanged, errors, unknownColumns, formulaLines, signature });
    if (preview.conflicts > 0) {
      context.output.say(
        `${counted(preview.conflicts, 'row')} changed here as well since the export; they stay as they are here.`,
      );
    }
    return preview.errorCount > 0 ? EXIT.refused : EXIT.done;
  },
};

function signatureText(signature: ImportSignature): string {
  if (signature.is === 'unsigned') return 'Not signed: nothing proves who wrote it.';
  if (signature.is === 'altered') return 'Altered since it was signed: nothing proves who wrote what is here.';
  const { name, at, fingerprint, signer, knownAs } = signature;
  const key = { own: "this computer's key", known: `known as ${knownAs}`, new: 'a key that is new here' }[signer];
  return `Signed by ${name} at ${new Date(at).toISOString()} (${key}, fingerprint ${fingerprint}).`;
}

const linesText = (lines: readonly number[], count: number): string =>
  count > 10 ? counted(count, 'line') : `line ${lines.join(', ')}`;

/** The rows that cannot come in, to correct and import by themselves; written before the preview is applied and gone. */
async function saveFailed(context: Context, previewId: string, named: string): Promise<void> {
  const { exchange } = await context.core();
  const path = resolve(named);
  const format = path.endsWith('.xlsx') ? 'xlsx' : 'csv';
  const account = await context.account();
  await writeTo(context, path, (target) => exchange.failed(account, previewId, target, format));
}

const NEXT: Readonly<Record<string, string>> = {
  'needs-decimals': ' Or add --decimals comma, if that is how the sheet writes them.',
  altered: ' Or add --even-altered, to bring it in all the same.',
};

/** A file that cannot be read at all is answered in the shape of every import: nothing came in, and why. */
function refuse({ output }: Context, path: string, { reason, params }: Refusal): ExitCode {
  const next = NEXT[reason] ?? '';
  const message = fileRefusalText(basename(path), reason, params) + next;
  const line = typeof params['line'] === 'number' ? params['line'] : 1;
  const column = typeof params['column'] === 'string' ? params['column'] : '';
  if (output.json) output.result({ added: 0, changed: 0, unchanged: 0, errors: [{ line, column, message }] });
  else output.problem('BAD_FILE', message);
  return EXIT.refused;
}

const FORMATS = ['csv', 'tsv', 'xlsx', 'adslate', 'adslate-changes'] as const;
const ONLY = ['all', 'changed', 'errors', 'warnings', 'conflicts', 'in-doubt', 'rejected', 'held'] as const;

const exportCommand: Command = {
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
    const written = await writeTo(context, path, (target) =>
      exchange.export(account, { target, format, view: viewFrom(context) }),
    );
    if (!written.ok) throw exportStop(written.error, path);
    const { rows } = written.value;
    context.output.say(`Wrote ${counted(rows, 'row')} to ${path}.`);
    context.output.result({ file: path, rows });
    return EXIT.done;
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
  const written = await writeTo(context, path, (target) =>
    exchange.archive(account, { source, target, account: { name, advertiserId }, nowMs }),
  );
  if (!written.ok) {
    const { fileName } = written.error;
    throw new Stop(EXIT.refused, 'BAD_FILE', `${fileName} is no longer in the media library. Add it again first.`);
  }
  const { rows, media, isSigned } = written.value;
  if (!isSigned) context.output.say('Not signed: the keys are locked. --passphrase-file FILE opens them.');
  context.output.say(`Wrote ${counted(rows, 'row')} and ${counted(media, 'file')} to ${path}.`);
  context.output.result({ file: path, rows, media, isSigned });
  return EXIT.done;
}

function viewFrom(context: Context): ViewSpec | null {
  const named = context.text('kind');
  if (named === null) return null;
  const kind = sheetKind(named);
  if (kind === null) throw usageStop(`There is no kind "${named}". Write campaign, keyword, ad item and so on.`);
  const only = oneOf(ONLY, context.text('only') ?? 'all');
  if (only === null) throw usageStop(`--only is one of: ${ONLY.join(', ')}.`);
  return { kind, filter: context.text('filter') ?? '', sort: [], campaignId: null, only };
}

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text) ?? null;

const cannotWrite = (path: string, why: string): Stop =>
  new Stop(EXIT.refused, 'BAD_FILE', `${path} cannot be written (${why}). Choose another place.`);

function exportStop(problem: ExportProblem, path: string): Stop {
  if (problem.kind === 'cannot-write') return cannotWrite(path, problem.code);
  if (problem.kind === 'bad-filter') return usageStop(`--filter cannot be read at ${problem.at}: ${problem.problem}.`);
  const { rows, limit } = problem;
  return new Stop(EXIT.refused, 'TOO_MANY_ROWS', `${rows} rows; an XLSX sheet takes ${limit}. Write CSV instead.`);
}

/** Writes beside the place and moves the file there when it is whole. An existing file is only replaced when that was said. */
async function writeTo<T>(context: Context, path: string, write: (target: string) => Promise<T>): Promise<T> {
  if (!context.flag('force') && existsSync(path)) {
    throw usageStop(`${path} is there already. Choose another name, or add --force.`);
  }
  const target = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const done = await write(target);
    if (existsSync(target)) await rename(target, path);
    return done;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw cannotWrite(path, String(error.code));
  } finally {
    await rm(target, { force: true });
  }
}

export const sheetCommands: readonly Command[] = [importCommand, exportCommand];
