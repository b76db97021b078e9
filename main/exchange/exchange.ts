import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { ImportPreview } from '../../shared/contract/files.ts';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { COLUMNS } from '../../shared/sheet/columns.ts';
import type { DecimalLocale } from '../../shared/sheet/decimal-locale.ts';
import { formatSheet } from '../../shared/sheet/format-sheet.ts';
import { linkSheet } from '../../shared/sheet/link-sheet.ts';
import { lookupInTrees } from '../../shared/sheet/lookup.ts';
import { parseSheet } from '../../shared/sheet/parse-sheet.ts';
import type { SheetChanges } from '../../shared/sheet/sheet-changes.ts';
import { type SheetProblem, type SheetRow, sheetProblemText } from '../../shared/sheet/sheet-row.ts';
import type { GrantedFile } from '../core-types.ts';
import { addMedia } from '../media/add-media.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { OpenAccount } from '../open-account.ts';
import type { CreateRow, NotWritable } from '../workspace/port.ts';
import { readSheet } from './read-sheet.ts';
import { attachFiles, type ResolvedFiles, resolveFiles, withoutLines } from './sheet-files.ts';
import { createMediaFinder, type FoundMedia, type MediaFinder } from './sheet-media.ts';
import { writeSheet } from './write-sheet.ts';

/**
 * Sheets in and out of an account.
 *
 *   file ──read──> rows of text ──parse──> typed rows ──link──> changes ──files──> preview ──apply──> one edit
 */
export interface SheetExchange {
  /** @param decimals how amounts are written, once the user has said so; never guessed */
  preview(
    account: OpenAccount,
    file: GrantedFile,
    decimals?: DecimalLocale,
  ): Promise<Result<SheetPreview, FileRefusal>>;
  /** Null when there is no such preview: it was applied already, or the program was started anew. */
  apply(account: OpenAccount, previewId: string): Promise<Result<Applied, NotWritable> | null>;
  export(account: OpenAccount): Promise<string>;
}

interface SheetPreview {
  readonly preview: ImportPreview;
  /** Headers that are none of ours; their cells were not read. */
  readonly unknownColumns: readonly string[];
  /** Lines with a cell that a spreadsheet program would run; it was read as plain text. */
  readonly formulaLines: readonly number[];
}

interface Applied {
  readonly revision: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

interface Linked {
  readonly changes: SheetChanges;
  readonly files: readonly ResolvedFiles[];
  readonly problems: ImportPreview['errors'];
  readonly revision: number;
}

interface Pending {
  readonly account: OpenAccount;
  readonly fileName: string;
  readonly rows: readonly SheetRow[];
  readonly finder: MediaFinder;
  readonly linked: Linked;
}

const MAX_PENDING = 20;
/** Imports of more changes than this are preceded by a backup: undo brings rows back, a backup everything. */
const BULK_ROWS = 500;

export function createSheetExchange(deps: { readonly grants: OwnFileGrants; readonly prober: Prober }): SheetExchange {
  const pending = new Map<string, Pending>();

  return {
    preview: async (account, file, decimals) => {
      const table = await readSheet(file.path);
      if (!table.ok) return table;
      const sheet = parseSheet(table.value, {
        factorMax: account.profile.multiplier.max,
        ...(decimals === undefined ? {} : { decimals }),
      });
      if (sheet.kind === 'needs-decimal-locale') {
        return err(fileRefusal('needs-decimals', placeOf(table.value, sheet.examples[0] ?? '')));
      }
      if (sheet.kind === 'bad-header') return ok(nothingIn(file.fileName, sheet.problems));
      const finder = createMediaFinder({
        ...deps,
        // Spooled bytes lie in a folder of ours, beside which nothing of the user's is to be found.
        sheetFolder: file.spooled ? null : dirname(file.path),
        library: await account.workspace.readMedia(),
      });
      const linked = await link(account, sheet.rows, finder);
      const previewId = randomUUID();
      const oldest = pending.size >= MAX_PENDING ? pending.keys().next().value : undefined;
      if (oldest !== undefined) pending.delete(oldest);
      pending.set(previewId, { account, fileName: file.fileName, rows: sheet.rows, finder, linked });
      const { added, changed, unchanged } = linked.changes;
      const errors = [...described(sheet.problems), ...linked.problems].toSorted((a, b) => a.line - b.line);
      const preview = { previewId, fileName: file.fileName, added, changed, unchanged, errors };
      return ok({ preview, unknownColumns: sheet.unknownColumns, formulaLines: sheet.formulaLines });
    },
    apply: async (account, previewId) => {
      const known = pending.get(previewId);
      if (known === undefined || known.account !== account) return null;
      const applied = await applyLinked(deps, known);
      if (applied.ok) pending.delete(previewId);
      return applied;
    },
    export: async ({ workspace }) =>
      writeSheet(withServiceIds(formatSheet(await workspace.readTrees('all'), await workspace.readMedia()))),
  };
}

async function link({ workspace }: OpenAccount, rows: readonly SheetRow[], finder: MediaFinder): Promise<Linked> {
  const { revision } = await workspace.summary();
  const lookup = lookupInTrees(await workspace.readTrees('all'), await workspace.readMedia());
  const changes = linkSheet(rows, lookup);
  const { resolved, problems } = await resolveFiles(changes.files, finder);
  const left = withoutLines(changes, new Set(problems.map(({ line }) => line)));
  return { changes: left, files: resolved, problems: [...described(changes.problems), ...problems], revision };
}

async function applyLinked(
  { prober }: { readonly prober: Prober },
  { account, fileName, rows, finder, linked }: Pending,
): Promise<Result<Applied, NotWritable>> {
  const { workspace, library } = account;
  // Somebody may have edited since the preview: then the rows are linked again to what is there now.
  const isFresh = (await workspace.summary()).revision === linked.revision;
  const { changes, files } = isFresh ? linked : await link(account, rows, finder);
  const { added, changed, unchanged } = changes;

  const arriving = newFiles(files);
  const idByHash = new Map<string, RowId>();
  if (arriving.length > 0) {
    const media = await addMedia(
      { workspace, library, prober },
      arriving.map(({ file }) => ok(file)),
    );
    if (!media.ok) return media;
    arriving.forEach(({ sha256 }, at) => {
      const outcome = media.value.files[at];
      if (outcome?.outcome === 'added') idByHash.set(sha256, outcome.mediaId);
    });
  }
  const missing = arriving.find(({ sha256 }) => !idByHash.has(sha256));
  if (missing !== undefined) {
    const detail = `${missing.file.fileName} could not be copied into the media library`;
    return err({ kind: 'not-writable', why: 'disk-full', detail });
  }
  const idOf = (media: FoundMedia): RowId => (media.is === 'known' ? media.id : hashed(idByHash, media.sha256));
  const known = new Map((await workspace.readMedia()).map((row) => [row.id, row] as const));
  const { creates, updates } = attachFiles(changes, files, idOf, known);
  if (creates.length + updates.length === 0) {
    return ok({ revision: (await workspace.summary()).revision, added, changed, unchanged });
  }
  if (creates.length + updates.length > BULK_ROWS) {
    const saved = await account.safety.backUp('before-import');
    if (!saved.ok) return saved;
  }
  const applied = await workspace.apply({
    label: `Import ${fileName}`,
    source: 'import',
    creates: creates.map(({ kind, parent, values }): CreateRow => ({ kind, parent, values })),
    updates: updates.map(({ kind, id, field, value }) => ({ kind, id, field, value })),
  });
  if (!applied.ok) {
    if (applied.error.kind === 'not-writable') return err(applied.error);
    throw new Error(`a linked sheet does not fit the workspace: ${JSON.stringify(applied.error)}`);
  }
  const lines: [Kind, number, number][] = updates.map(({ kind, id, line }) => [kind, id, line]);
  creates.forEach(({ kind, line }, at) => {
    const ref = applied.value.touched[at];
    if (ref !== undefined) lines.push([kind, ref.id, line]);
  });
  await account.lines.remember(lines);
  return ok({ revision: applied.value.revision, added, changed, unchanged });
}

/**
 * Multipliers have no id of the service; what stands in for it inside the workspace means nothing in a sheet, where
 * they are found by campaign and placement or platform.
 */
function* withServiceIds(rows: Iterable<readonly string[]>): Generator<readonly string[]> {
  const at = COLUMNS.indexOf('Row id');
  for (const row of rows) {
    const id = row[at] ?? '';
    yield id === 'Row id' || /^\d*$/.test(id) ? row : row.with(at, '');
  }
}

/** Where a text stands in the table, for a message that names line and column. */
function placeOf(table: readonly (readonly string[])[], text: string) {
  const row = table.findIndex((cells) => cells.some((cell) => cell.trim() === text));
  const at = table[row]?.findIndex((cell) => cell.trim() === text) ?? -1;
  return { text, line: row + 1, column: table[0]?.[at] ?? '' };
}

function newFiles(files: readonly ResolvedFiles[]) {
  const byHash = new Map<string, Extract<FoundMedia, { is: 'new' }>>();
  for (const { found } of files) {
    for (const media of Object.values(found)) if (media.is === 'new') byHash.set(media.sha256, media);
  }
  return [...byHash.values()];
}

function hashed(ids: ReadonlyMap<string, RowId>, sha256: string): RowId {
  const id = ids.get(sha256);
  if (id === undefined) throw new Error('a file of the sheet is not in the library');
  return id;
}

const described = (problems: readonly SheetProblem[]): ImportPreview['errors'] =>
  problems.map((problem) => ({ line: problem.line, column: problem.column, message: sheetProblemText(problem) }));

function nothingIn(fileName: string, problems: readonly SheetProblem[]): SheetPreview {
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const preview = { previewId: '', fileName, ...counts, errors: described(problems) };
  return { preview, unknownColumns: [], formulaLines: [] };
}
