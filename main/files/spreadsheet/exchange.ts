import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  ImportPreview,
  ImportRow,
  ImportRowFilter,
  PreviewOptions,
  RefusedFile,
} from '../../../shared/api/files.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { shown } from '../../../shared/model/cell-text.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueues } from '../../../shared/serial-queue.ts';
import type { ChosenColumn } from '../../../shared/spreadsheet/column-mapping.ts';
import type { ColumnSet } from '../../../shared/spreadsheet/columns.ts';
import { columnSet, type ImportColumn, NO_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import type { GrantedFile } from '../../app/host-ports.ts';
import { createPlaces, type LongTask, NO_OBSERVER, subtaskOf } from '../../app/long-task.ts';
import type { ActiveAccount } from '../../core/active-account.ts';
import { notWritable } from '../../store/not-writable.ts';
import type { NotWritable } from '../../store/types.ts';
import { WorkspaceClosed } from '../../store/worker/pending-calls.ts';
import { addUnusedFiles, createArchiveMedia, type UnusedFile, unknownFiles } from '../archive/archive-media.ts';
import { deleteExtractedArchive, isArchive, openArchive } from '../archive/open-archive.ts';
import { type FileSigning, rememberSigner, type SignatureCheck, signatureInfo } from '../archive/signature.ts';
import {
  type ArchiveOrder,
  type ArchiveTooLarge,
  type MissingMedia,
  type WrittenArchive,
  writeArchive,
} from '../archive/write-archive.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import type { LineProblem } from './csv.ts';
import { type ExchangeThread, isOutOfMemory, type startExchangeThread } from './exchange-thread.ts';
import { createMediaFinder, type MediaFinder } from './find-import-media.ts';
import {
  attachImportMedia,
  filesOfImport,
  leaveFilesOut,
  type ResolvedFiles,
  resolveFiles,
  usableFiles,
} from './sheet-files.ts';
import type { ExportOrder, ExportProblem } from './worker/export-sheet.ts';
import type { LinkSummary } from './worker/import-session.ts';
import { AS_PREVIEWED, type RowSelection, type SelectableOutcome } from './worker/line-outcomes.ts';
import type { Staged } from './worker/stage-import.ts';

/**
 * Imports and exports spreadsheets of an account. Reading, linking and writing run in a separate thread for each file.
 *
 *   file ──read──> typed rows ──link──> counts ──files──> preview ──stage──> one edit of the writer
 *
 * `work` reports the progress and can cancel. An import that is canceled has changed no row, and its preview is
 * discarded; an export leaves no file.
 */
export type SheetExchange = ReturnType<typeof createSheetExchange>;

/** Each open preview keeps its rows in memory. */
const MAX_PENDING = 4;
/** Files that a preview lists. */
const SHOWN_FILES = 1000;
/** Number of files read or written at once; each has a separate thread. */
const AT_ONCE = 4;
const EVERYTHING: ImportChoice = { ...AS_PREVIEWED, leaveOutFiles: [] };

export function createSheetExchange(deps: {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  readonly signing: FileSigning;
  /** Memory limit of the thread of an import, in MiB; the default is enough for a million rows. */
  readonly threadMb?: number;
  readonly start: typeof startExchangeThread;
}) {
  const { start } = deps;
  const pending = new Map<string, PendingImport>();
  /** Previews being applied or waiting for that: these are never discarded for another one. */
  const applying = new Set<string>();
  const inPlace = createPlaces(AT_ONCE);
  /** Imports of one account are applied one at a time: each is computed from the result of the one before. */
  const inTurnOf = createSerialQueues();
  /** Previews are discarded when their account closes. */
  const watched = new WeakSet<ActiveAccount>();
  const watch = (account: ActiveAccount): void => {
    if (watched.has(account)) return;
    watched.add(account);
    account.onClose(() =>
      Promise.all([...pending].filter(([, waiting]) => waiting.account === account).map(([id]) => forget(id))),
    );
  };
  const closing = new AbortController();
  const untilClosed = (work: LongTask): LongTask => ({
    ...work,
    signal: AbortSignal.any([work.signal, closing.signal]),
  });
  const forget = async (previewId: string): Promise<void> => {
    const known = pending.get(previewId);
    pending.delete(previewId);
    await known?.thread.end();
    if (known !== undefined) await deleteExtractedArchive(known.folder);
  };
  const known = (account: ActiveAccount, previewId: string): PendingImport | null => {
    const found = pending.get(previewId);
    return found === undefined || found.account !== account ? null : found;
  };

  /**
   * The preview of a file. A spreadsheet without files needs no library, so its preview stays valid if the account is
   * closed in the meantime.
   */
  const previewOf = async (previewId: string, waiting: PendingImport, summary: LinkSummary): Promise<ImportPreview> => {
    const { account, fileName, source, otherAccount, media, spare, skipped, signature, files, fileProblems, out } =
      waiting;
    const library = files.length === 0 ? [] : await account.workspace.readMedia();
    const listed = filesOfImport(usableFiles(files, fileProblems, out), spare, library);
    return {
      ...summary,
      previewId,
      fileName,
      source,
      otherAccount,
      media,
      files: listed.slice(0, SHOWN_FILES),
      fileCount: listed.length,
      spareFiles: spare.length,
      skippedParts: skipped.slice(0, SHOWN_FILES).map(shown),
      signature: signature === null ? null : await signatureInfo(signature, deps.signing),
    };
  };

  return {
    preview: (
      account: ActiveAccount,
      file: GrantedFile,
      {
        decimals,
        dates,
        evenAltered = false,
        sheet,
        linesAsRows = false,
        mapping = [],
        rowType,
        asNew = false,
      }: PreviewOptions = {},
      asked: LongTask = NO_OBSERVER,
    ): Promise<Result<ImportPreview, FileRefusal>> => {
      const work = untilClosed(asked);
      const previewId = randomUUID();
      const folder = join(account.folder, 'imports', previewId);
      const read = async (): Promise<Result<ImportPreview, FileRefusal>> => {
        const thread = start(deps.threadMb);
        try {
          const opened = await openImport(deps, account, file, folder, evenAltered, subtaskOf(work, 0, 0.5));
          if (!opened.ok) return opened;
          const { path, finder, ...about } = opened.value;
          const { source } = about;
          const { database, profile } = account;
          const order = {
            path,
            source,
            database,
            profile,
            decimals: decimals ?? null,
            dates: dates ?? null,
            sheet: sheet ?? null,
            linesAsRows,
            asNew,
            mapping: { chosen: mapping, remembered: await account.rememberedColumns.list(), rowType },
          };
          // An archive was extracted first.
          const reading = subtaskOf(work, source === 'sheet' ? 0 : 0.5, 0.9);
          const read = await thread.during(reading, () => thread.calls.read(order));
          if (!read.ok) return read;
          const { resolved: files, problems: fileProblems } = await resolveFiles(
            read.value.files,
            finder,
            subtaskOf(work, 0.9, 1),
          );
          const summary = fileProblems.length === 0 ? read.value : await thread.calls.noteFileProblems(fileProblems);
          const idle = [...pending.keys()].filter((each) => !applying.has(each));
          const oldest = idle.length >= MAX_PENDING ? idle[0] : undefined;
          if (oldest !== undefined) await forget(oldest);
          const { fileName } = file;
          const waiting = {
            ...about,
            account,
            fileName,
            thread,
            files,
            fileProblems,
            out: NO_COLUMNS,
            mapping,
            folder,
          };
          pending.set(previewId, waiting);
          return ok(await previewOf(previewId, waiting, summary));
        } catch (error) {
          if (isOutOfMemory(error)) return err(fileRefusal('cannot-read', { code: 'not enough memory' }));
          throw error;
        } finally {
          if (!pending.has(previewId)) {
            await thread.end();
            await deleteExtractedArchive(folder);
          }
        }
      };
      watch(account);
      return inPlace(work.signal, () => account.whileOpen(read));
    },
    /**
     * Sets the skipped columns of a preview, instead of those before. Null, here and below, if there is no such preview:
     * it was applied already, or its file has changed since.
     *
     * @returns the preview with the new outcome of each of `lines`
     */
    leaveColumnsOut: async (
      account: ActiveAccount,
      previewId: string,
      columns: readonly ImportColumn[],
      lines: readonly number[],
    ): Promise<Result<
      { readonly preview: ImportPreview; readonly becoming: readonly (SelectableOutcome | null)[] },
      FileRefusal
    > | null> => {
      const found = known(account, previewId);
      if (found === null) return null;
      const out = columnSet(columns);
      const summary = await found.thread.calls.leaveOut(out);
      if (!summary.ok) return summary;
      const waiting = { ...found, out };
      pending.set(previewId, waiting);
      const preview = await previewOf(previewId, waiting, summary.value);
      return ok({ preview, becoming: await found.thread.calls.becoming(lines) });
    },
    rows: async (
      account: ActiveAccount,
      previewId: string,
      filter: ImportRowFilter,
      from: number,
      count: number,
    ): Promise<{ readonly total: number; readonly rows: ImportRow[] } | null> =>
      (await known(account, previewId)?.thread.calls.window(filter, from, count)) ?? null,
    apply: async (
      account: ActiveAccount,
      previewId: string,
      choice?: Partial<ImportChoice>,
      asked: LongTask = NO_OBSERVER,
    ): Promise<Result<Applied, NotApplied> | null> => {
      const work = untilClosed(asked);
      const carryOut = async (): Promise<Result<Applied, NotApplied> | null> => {
        work.signal.throwIfAborted();
        // Read now: a second call for the same preview has waited for the first.
        const found = known(account, previewId);
        if (found === null) return null;
        let applied: Result<Applied, NotApplied> | null;
        try {
          applied = await applyImport(deps, found, previewId, { ...EVERYTHING, ...choice }, work);
        } catch (error) {
          // Its thread has ended with it.
          if (work.signal.aborted) await forget(previewId);
          throw error;
        }
        if (applied?.ok === true && found.signature !== null) await rememberSigner(found.signature, deps.signing);
        if (applied?.ok === true && found.mapping.length > 0) await account.rememberedColumns.remember(found.mapping);
        if (applied === null || applied.ok) await forget(previewId);
        return applied;
      };
      if (known(account, previewId) === null) return null;
      applying.add(previewId);
      try {
        return await account.whileOpen(() => inTurnOf(account)(carryOut));
      } finally {
        applying.delete(previewId);
      }
    },
    /** Writes the rows that can't be imported to `target`. @returns their number */
    failed: async (
      account: ActiveAccount,
      previewId: string,
      target: string,
      format: 'csv' | 'xlsx',
    ): Promise<number | null> => (await known(account, previewId)?.thread.calls.writeFailed(target, format)) ?? null,
    dismiss: forget,
    /** Writes a spreadsheet to `order.target`, which must not exist yet. */
    export: async (
      account: ActiveAccount,
      order: Omit<ExportOrder, 'database'>,
      asked: LongTask = NO_OBSERVER,
    ): Promise<Result<{ readonly rows: number }, ExportProblem>> => {
      const work = untilClosed(asked);
      const write = async () => {
        const thread = start();
        try {
          const { database } = account;
          return await thread.during(work, () => thread.calls.exportSheet({ ...order, database }));
        } finally {
          await thread.end();
          if (work.signal.aborted) await rm(order.target, { force: true });
        }
      };
      return inPlace(work.signal, () => account.whileOpen(write));
    },
    /** Writes everything with its media, or the differences from the service, signed, to a file that must not exist yet. */
    archive: async (
      account: ActiveAccount,
      order: ArchiveOrder,
      asked: LongTask = NO_OBSERVER,
    ): Promise<Result<WrittenArchive, MissingMedia | ArchiveTooLarge>> => {
      const work = untilClosed(asked);
      const key = await deps.signing.key();
      const signer = key === null ? null : { key, name: deps.signing.who() };
      const write = () => writeArchive(account.workspace, account.library.pathOf, order, signer, work);
      return inPlace(work.signal, () => account.whileOpen(write));
    },
    close: async () => {
      closing.abort(new WorkspaceClosed('the program is about to end'));
      await Promise.all([...pending.keys()].map(forget));
    },
  };
}

/** A file ready to be read, with the lookup of the files that it names. */
interface OpenedImport {
  readonly source: ImportPreview['source'];
  /** Name of the archive's account, if it is of another advertiser. */
  readonly otherAccount: string | null;
  readonly path: string;
  readonly finder: MediaFinder;
  /** Number of files in an archive, and those that no row uses. */
  readonly media: number;
  readonly spare: readonly UnusedFile[];
  /** Foreign parts of an archive. */
  readonly skipped: readonly string[];
  /** Null for a sheet. */
  readonly signature: SignatureCheck | null;
}

/**
 * Opens a spreadsheet, or extracts an archive into `folder`.
 *
 * @param evenAltered opens an archive that was changed after it was signed
 */
async function openImport(
  deps: { readonly grants: OwnFileGrants; readonly prober: Prober },
  account: ActiveAccount,
  file: GrantedFile,
  folder: string,
  evenAltered: boolean,
  work: LongTask,
): Promise<Result<OpenedImport, FileRefusal>> {
  const library = await account.workspace.readMedia();
  if (!(await isArchive(file.path))) {
    // Spooled bytes are in a folder of ours, which has no other files of the user.
    const sheetFolder = file.spooled ? null : dirname(file.path);
    return ok({
      source: 'sheet',
      otherAccount: null,
      path: file.path,
      finder: createMediaFinder({ ...deps, sheetFolder, library }),
      media: 0,
      spare: [],
      skipped: [],
      signature: null,
    });
  }
  const archive = await openArchive(file.path, folder, work);
  if (!archive.ok) return archive;
  const { source, rowsFile, media, manifest, skipped, signature } = archive.value;
  if (signature.is === 'altered' && !evenAltered) return err(fileRefusal('altered'));
  return ok({
    source,
    otherAccount: manifest.account.advertiserId === account.advertiserId ? null : manifest.account.name,
    path: rowsFile,
    finder: createArchiveMedia({ ...deps, pathOf: (sha256) => join(folder, sha256), library }),
    media,
    spare: unknownFiles(manifest.spare ?? [], library),
    skipped,
    signature,
  });
}

/** The rows of a preview to import. Skipped columns are set on the preview itself. */
export interface ImportChoice extends RowSelection {
  /** Keys of `ImportFile`. */
  readonly leaveOutFiles: readonly string[];
}

export interface Applied extends Omit<Staged, 'size'> {
  /** Files not used by any row that could not be added. */
  readonly refusedFiles: readonly RefusedFile[];
}

/** `BAD_FILE`: rows of the file were lost before they reached the workspace, and nothing is imported. */
type NotApplied = NotWritable | Failure<'BAD_FILE'>;

/** A previewed file that waits for the user's word. */
interface PendingImport extends Omit<OpenedImport, 'path' | 'finder'> {
  readonly account: ActiveAccount;
  readonly fileName: string;
  readonly thread: ExchangeThread;
  /** Files that rows name, and those of them that cannot be used. */
  readonly files: readonly ResolvedFiles[];
  readonly fileProblems: readonly LineProblem[];
  /** Skipped columns. */
  readonly out: ColumnSet;
  /** The user's mapping of columns. */
  readonly mapping: readonly ChosenColumn[];
  /** Folder of the extracted archive; not used for a spreadsheet. */
  readonly folder: string;
}

/** Imports with more changes than this are preceded by a backup: undo restores rows, a backup everything. */
const BULK_ROWS = 500;
/** If others edit all the time, the import stops after this many attempts and the user can try again. */
const ATTEMPTS = 5;

/**
 * Applies a previewed import: first the files that its rows name, then its rows as one edit of the writer.
 *
 * @returns null when the file has changed since it was previewed
 */
async function applyImport(
  { grants, prober }: { readonly grants: OwnFileGrants; readonly prober: Prober },
  { account, fileName, thread, files, fileProblems, out, spare, folder: apart }: PendingImport,
  previewId: string,
  { leaveOutFiles, ...rows }: ImportChoice,
  work: LongTask,
): Promise<Result<Applied, NotApplied> | null> {
  const { workspace } = account;
  if (account.safety.viewOnly !== null) return err(account.safety.viewOnly);
  const filesOut = new Set(leaveOutFiles);
  const usable = usableFiles(files, fileProblems, out);
  const lines = usable.map(({ row }) => row.line);
  const comingIn = new Set(await thread.calls.comingIn(rows, lines));
  const wanted = usable.filter(({ row }) => comingIn.has(row.line));
  const attached = await attachImportMedia(account, prober, leaveFilesOut(wanted, filesOut), subtaskOf(work, 0, 0.2));
  if (!attached.ok) return attached;
  const spareIn = spare.filter(({ sha256 }) => !filesOut.has(sha256));
  const kept = await addUnusedFiles(account, { grants, prober }, spareIn, apart, subtaskOf(work, 0.2, 0.4));
  if (!kept.ok) return kept;
  const folder = join(account.folder, 'imports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stage = join(folder, `${previewId}.db`);
  let isSaved = false;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Linked again each time: rows may have been edited since the preview, or during this.
      const order = { database: account.database, stage, rows, attached: attached.value };
      const staged = await thread.during(subtaskOf(work, 0.4, 0.7), () => thread.calls.stage(order));
      if (!staged.ok) {
        const refusal = staged.error;
        return refusal.reason === 'rows-missed' ? fail('BAD_FILE', { fileName, ...refusal }) : null;
      }
      const { size, revision, added, changed, removed, unchanged } = staged.value;
      const counts = { added, changed, removed, unchanged, refusedFiles: kept.value };
      if (size === 0) return ok({ revision, ...counts });
      if (size > BULK_ROWS && !isSaved) {
        const saved = await account.safety.backUp('before-import');
        if (!saved.ok) return saved;
        isSaved = true;
      }
      work.tellShare(0.8);
      // From here on it can't be canceled.
      work.signal.throwIfAborted();
      const { tellShare } = subtaskOf(work, 0.8, 1);
      const edit = { file: stage, label: `Import ${fileName}`, source: 'import' as const, revision };
      const applied = await workspace.applyStaged(edit, {
        taskId: previewId,
        onProgress: (done, total) => tellShare(done / total),
      });
      if (applied.ok) {
        await thread.calls.rememberLines({ stage, lines: account.lines.path, firstId: applied.value.firstId });
        return ok({ revision: applied.value.revision, ...counts });
      }
      if ('code' in applied.error) return err(applied.error);
    }
    return err(notWritable('busy-elsewhere', 'the workspace is being edited all the time'));
  } finally {
    // A thread that was terminated leaves SQLite's files beside its own.
    for (const beside of ['', '-wal', '-shm', '-journal']) await rm(`${stage}${beside}`, { force: true });
  }
}
