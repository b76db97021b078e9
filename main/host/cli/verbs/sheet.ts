import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type FileRefusal, fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { writeWhole } from '../../../write-whole.ts';
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
  takes: 'FILE [--dry-run]',
  summary:
    'Brings a CSV or TSV sheet in, as one step that can be undone. Rows with errors stay out; the others come in.',
  options: { 'dry-run': { type: 'boolean' }, decimals: { type: 'string' } },
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
    const client = await context.client();
    const workspaceId = await context.workspaceId();
    const previewed = await exchange.preview(await context.account(), file.value, decimals);
    if (!previewed.ok) return refuse(context, path, previewed.error);
    const { preview, unknownColumns, formulaLines } = previewed.value;
    const isDry = context.flag('dry-run');
    const hasRows = preview.added + preview.changed > 0;
    const { added, changed, unchanged } =
      isDry || !hasRows ? preview : await client.exchange.apply({ workspaceId, previewId: preview.previewId });
    for (const { line, column, message } of preview.errors.slice(0, SHOWN_ERRORS)) {
      context.output.say(`line ${line}${column === '' ? '' : `, ${column}`}: ${message}`);
    }
    if (preview.errors.length > SHOWN_ERRORS) {
      context.output.say(`... and ${preview.errors.length - SHOWN_ERRORS} more; --json shows them.`);
    }
    if (unknownColumns.length > 0) {
      context.output.say(`Not read, because they are no columns of the sheet: ${unknownColumns.join(', ')}.`);
    }
    if (formulaLines.length > 0) {
      context.output.say(`Read as plain text, although they look like formulas: ${linesText(formulaLines)}.`);
    }
    context.output.say(
      `${isDry ? 'Would import' : 'Imported'} ${preview.fileName}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${counted(preview.errors.length, 'error')}.`,
    );
    context.output.result({ added, changed, unchanged, errors: preview.errors, unknownColumns, formulaLines });
    return preview.errors.length > 0 ? EXIT.refused : EXIT.done;
  },
};

const linesText = (lines: readonly number[]): string =>
  lines.length > 10 ? counted(lines.length, 'line') : `line ${lines.join(', ')}`;

/** A file that cannot be read at all is answered in the shape of every import: nothing came in, and why. */
function refuse({ output }: Context, path: string, { reason, params }: Refusal): ExitCode {
  const next = reason === 'needs-decimals' ? ' Or add --decimals comma, if that is how the sheet writes them.' : '';
  const message = fileRefusalText(basename(path), reason, params) + next;
  const line = typeof params['line'] === 'number' ? params['line'] : 1;
  const column = typeof params['column'] === 'string' ? params['column'] : '';
  if (output.json) output.result({ added: 0, changed: 0, unchanged: 0, errors: [{ line, column, message }] });
  else output.problem('BAD_FILE', message);
  return EXIT.refused;
}

const exportCommand: Command = {
  name: 'export',
  takes: '[FILE] [--force]',
  summary: 'Writes the whole account as a CSV sheet; without FILE, into the current folder.',
  options: { force: { type: 'boolean' }, out: { type: 'string' } },
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const client = await context.client();
    const { fileName, csv } = await client.exchange.export({ workspaceId: await context.workspaceId() });
    const path = resolve(context.positionals[0] ?? context.text('out') ?? fileName);
    await save(context, path, csv);
    const rows = csv.split('\r\n').length - 2;
    context.output.say(`Wrote ${counted(rows, 'row')} to ${path}.`);
    context.output.result({ file: path, rows });
    return EXIT.done;
  },
};

/** An existing file is only replaced when that was said. */
async function save(context: Context, path: string, text: string): Promise<void> {
  try {
    if (context.flag('force')) await writeWhole(path, text);
    else await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EEXIST') throw usageStop(`${path} is there already. Choose another name, or add --force.`);
    throw new Stop(
      EXIT.refused,
      'BAD_FILE',
      `${path} cannot be written (${String(error.code)}). Choose another place.`,
    );
  }
}

export const sheetCommands: readonly Command[] = [importCommand, exportCommand];
