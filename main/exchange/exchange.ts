import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImportPreview, ImportRow, ImportRowFilter } from '../../shared/contract/exchange.ts';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { DecimalLocale } from '../../shared/sheet/decimal-locale.ts';
import type { GrantedFile } from '../core-types.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { OpenAccount } from '../open-account.ts';
import type { NotWritable } from '../workspace/port.ts';
import { addFoundMedia } from './add-found-media.ts';
import { addSpareFiles, createArchiveMedia, type SpareFile, unknownFiles } from './archive/archive-media.ts';
import { forgetArchive, isArchive, openArchive } from './archive/open-archive.ts';
import { type ArchiveOrder, type MissingMedia, type WrittenArchive, writeArchive } from './archive/write-archive.ts';
import { type ExchangeThread, isOutOfMemory, startExchangeThread } from './exchange-thread.ts';
import { type ResolvedFiles, resolveFiles } from './sheet-files.ts';
import { createMediaFinder, type MediaFinder } from './sheet-media.ts';
import type { ExportOrder, ExportProblem } from './worker/export-sheet.ts';
import type { LinkSummary } from './worker/import-session.ts';

/**
 * Sheets in and out of an account. Reading, linking and writing happen in a thread of their own, one for each file.
 *
 *   file ──read──> typed rows ──link──> figures ──files──> preview ──stage──> one edit of the writer
 */
export interface SheetExchange {
  /** @param decimals how amounts are written, once the user has said so; never guessed */
  preview(
    account: OpenAccount,
    file: GrantedFile,
    decimals?: DecimalLocale,
  ): Promise<Result<ImportPreview, FileRefusal>>;
  /** Null, here and below, when there is no such preview: it was applied already, or its file has changed since. */
  rows(
    account: OpenAccount,
    previewId: string,
    filter: ImportRowFilter,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly rows: ImportRow[] } | null>;
  apply(account: OpenAccount, previewId: string, choice?: ImportChoice): Promise<Result<Applied, NotWritable> | null>;
  /** Writes the rows that cannot come in to `target`. @returns how many */
  failed(account: OpenAccount, previewId: string, target: string, format: 'csv' | 'xlsx'): Promise<number | null>;
  dismiss(previewId: string): Promise<void>;
  /** Writes a sheet to `order.target`, which must not be there yet. */
  export(
    account: OpenAccount,
    order: Omit<ExportOrder, 'database'>,
  ): Promise<Result<{ readonly rows: number }, ExportProblem>>;
  /** Writes everything with its media, or what differs from the service, to a file that must not be there yet. */
  archive(account: OpenAccount, order: ArchiveOrder): Promise<Result<WrittenArchive, MissingMedia>>;
  close(): Promise<void>;
}

/** Lines of the file: those the user leaves out, and those in conflict that the file decides. */
export interface ImportChoice {
  readonly leaveOut: readonly number[];
  readonly take: readonly number[];
}

export interface Applied {
  readonly revision: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

interface Pending {
  readonly account: OpenAccount;
  readonly fileName: string;
  readonly thread: ExchangeThread;
  readonly files: readonly ResolvedFiles[];
  readonly badLines: readonly number[];
  /** Files of an archive that no row names. */
  readonly spare: readonly SpareFile[];
  /** What an archive was taken apart into; not there for a sheet. */
  readonly folder: string;
}

/** Each waiting preview keeps its rows in memory. */
const MAX_PENDING = 4;
/** Imports of more changes than this are preceded by a backup: undo brings rows back, a backup everything. */
const BULK_ROWS = 500;
/** Somebody edits all the time: after so many attempts the import waits for the user to try again. */
const ATTEMPTS = 5;

export function createSheetExchange(deps: {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  /** What the thread of one import may keep, in MiB; as much as a million rows need, when it is not said. */
  readonly threadMb?: number;
}): SheetExchange {
  const pending = new Map<string, Pending>();
  const forget = async (previewId: string): Promise<void> => {
    const known = pending.get(previewId);
    pending.delete(previewId);
    await known?.thread.end();
    if (known !== undefined) await forgetArchive(known.folder);
  };
  const known = (account: OpenAccount, previewId: string): Pending | null => {
    const found = pending.get(previewId);
    return found === undefined || found.account !== account ? null : found;
  };

  return {
    preview: async (account, file, decimals) => {
      const previewId = randomUUID();
      const folder = join(account.folder, 'imports', previewId);
      const thread = startExchangeThread(deps.threadMb);
      try {
        const opened = await openFile(deps, account, file, folder);
        if (!opened.ok) return opened;
        const { source, path, finder, media, spare } = opened.value;
        const { database, profile } = account;
        const read = await thread.calls.read({
          path,
          source,
          database,
          factorMax: profile.multiplier.max,
          decimals: decimals ?? null,
        });
        if (!read.ok) return read;
        const { resolved, problems } = await resolveFiles(read.value.files, finder);
        const summary = problems.length === 0 ? read.value : await thread.calls.noteFileProblems(problems);
        const oldest = pending.size >= MAX_PENDING ? pending.keys().next().value : undefined;
        if (oldest !== undefined) await forget(oldest);
        const badLines = problems.map(({ line }) => line);
        const { fileName } = file;
        pending.set(previewId, { account, fileName, thread, files: resolved, badLines, spare, folder });
        return ok({ ...previewOf(previewId, fileName, summary), source, media, spareFiles: spare.length });
      } catch (error) {
        if (isOutOfMemory(error)) return err(fileRefusal('cannot-read', { code: 'not enough memory' }));
        throw error;
      } finally {
        if (!pending.has(previewId)) {
          await thread.end();
          await forgetArchive(folder);
        }
      }
    },
    rows: async (account, previewId, filter, from, count) =>
      (await known(account, previewId)?.thread.calls.window(filter, from, count)) ?? null,
    apply: async (account, previewId, choice = { leaveOut: [], take: [] }) => {
      const found = known(account, previewId);
      if (found === null) return null;
      const applied = await applyPending(deps, found, previewId, choice);
      if (applied === null || applied.ok) await forget(previewId);
      return applied;
    },
    failed: async (account, previewId, target, format) =>
      (await known(account, previewId)?.thread.calls.writeFailed(target, format)) ?? null,
    dismiss: forget,
    export: async (account, order) => {
      const thread = startExchangeThread();
      try {
        return await thread.calls.exportSheet({ ...order, database: account.database });
      } finally {
        await thread.end();
      }
    },
    archive: (account, order) => writeArchive(account.workspace, account.library.pathOf, order),
    close: async () => {
      await Promise.all([...pending.keys()].map(forget));
    },
  };
}

interface OpenedFile {
  readonly source: ImportPreview['source'];
  readonly path: string;
  readonly finder: MediaFinder;
  readonly media: number;
  readonly spare: readonly SpareFile[];
}

/** A sheet as it is, or an archive taken apart into `folder`. */
async function openFile(
  deps: { readonly grants: OwnFileGrants; readonly prober: Prober },
  account: OpenAccount,
  file: GrantedFile,
  folder: string,
): Promise<Result<OpenedFile, FileRefusal>> {
  const library = await account.workspace.readMedia();
  if (!(await isArchive(file.path))) {
    // Spooled bytes lie in a folder of ours, beside which nothing of the user's is to be found.
    const sheetFolder = file.spooled ? null : dirname(file.path);
    return ok({
      source: 'sheet',
      path: file.path,
      finder: createMediaFinder({ ...deps, sheetFolder, library }),
      media: 0,
      spare: [],
    });
  }
  const archive = await openArchive(file.path, folder);
  if (!archive.ok) return archive;
  const { source, rowsFile, media, manifest } = archive.value;
  return ok({
    source,
    path: rowsFile,
    finder: createArchiveMedia({ ...deps, pathOf: (sha256) => join(folder, sha256), library }),
    media,
    spare: unknownFiles(manifest.spare ?? [], library),
  });
}

async function applyPending(
  { grants, prober }: { readonly grants: OwnFileGrants; readonly prober: Prober },
  { account, fileName, thread, files, badLines, spare, folder: apart }: Pending,
  previewId: string,
  { leaveOut, take }: ImportChoice,
): Promise<Result<Applied, NotWritable> | null> {
  const { workspace } = account;
  if (account.safety.viewOnly !== null) return err(account.safety.viewOnly);
  const leftOut = [...leaveOut, ...badLines];
  const unwanted = new Set(leftOut);
  const taken = new Set(take);
  const attached = await addFoundMedia(
    account,
    prober,
    files.filter(({ row }) => !unwanted.has(row.line) && (row.inConflict !== true || taken.has(row.line))),
  );
  if (!attached.ok) return attached;
  const kept = await addSpareFiles(account, { grants, prober }, spare, apart);
  if (!kept.ok) return kept;
  const folder = join(account.folder, 'imports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stage = join(folder, `${previewId}.db`);
  let isSaved = false;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Linked anew each time: somebody may have edited since the preview, or while this was worked out.
      const order = { database: account.database, stage, leftOut, taken: take, attached: attached.value };
      const staged = await thread.calls.stage(order);
      if (!staged.ok) return null;
      const { size, revision, added, changed, removed, unchanged } = staged.value;
      const counts = { added, changed, removed, unchanged };
      if (size === 0) return ok({ revision, ...counts });
      if (size > BULK_ROWS && !isSaved) {
        const saved = await account.safety.backUp('before-import');
        if (!saved.ok) return saved;
        isSaved = true;
      }
      const edit = { file: stage, label: `Import ${fileName}`, source: 'import' as const, revision };
      const applied = await workspace.applyStaged(edit);
      if (applied.ok) {
        await thread.calls.rememberLines({ stage, lines: account.lines.path, firstId: applied.value.firstId });
        return ok({ revision: applied.value.revision, ...counts });
      }
      if (applied.error.kind === 'not-writable') return err(applied.error);
    }
    return err({ kind: 'not-writable', why: 'busy-elsewhere', detail: 'the workspace is being edited all the time' });
  } finally {
    await rm(stage, { force: true });
  }
}

function previewOf(
  previewId: string,
  fileName: string,
  summary: LinkSummary,
): Omit<ImportPreview, 'source' | 'media' | 'spareFiles'> {
  const { files: _files, errors, unknownColumns, formulaLines, ...figures } = summary;
  return {
    previewId,
    fileName,
    ...figures,
    errors: [...errors],
    unknownColumns: [...unknownColumns],
    formulaLines: [...formulaLines],
  };
}
