import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImportPreview, ImportRow, ImportRowFilter } from '../../../shared/api/files.ts';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { shown } from '../../../shared/model/cell-text.ts';
import type { Row } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueue, type SerialQueue } from '../../../shared/serial-queue.ts';
import type { DecimalLocale } from '../../../shared/spreadsheet/cell-guard.ts';
import { columnSet, type ImportColumn, NO_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import type { ActiveAccount } from '../../app/active-account.ts';
import type { GrantedFile } from '../../app/core-types.ts';
import { type LongTask, NO_OBSERVER, subtaskOf } from '../../app/long-task.ts';
import type { NotWritable } from '../../store/types.ts';
import { WorkspaceClosed } from '../../store/worker/pending-calls.ts';
import { createArchiveMedia, type UnusedFile, unknownFiles } from '../archive/archive-media.ts';
import { deleteExtractedArchive, isArchive, openArchive } from '../archive/open-archive.ts';
import type { SignatureCheck } from '../archive/signature.ts';
import { type FileSigning, rememberSigner, signatureInfo } from '../archive/signature.ts';
import { type ArchiveOrder, type MissingMedia, type WrittenArchive, writeArchive } from '../archive/write-archive.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import { type Applied, applyImport, type ImportChoice, type PendingImport, type RowsMissed } from './apply-import.ts';
import { createPlaces, isOutOfMemory, startExchangeThread } from './exchange-thread.ts';
import { createMediaFinder, type MediaFinder } from './find-import-media.ts';
import { filesOfImport } from './import-files.ts';
import { resolveFiles, usableFiles } from './sheet-files.ts';
import type { ExportOrder, ExportProblem } from './worker/export-sheet.ts';
import type { LinkSummary } from './worker/import-session.ts';
import { AS_PREVIEWED, type SelectableOutcome } from './worker/row-selection.ts';

export interface PreviewOptions {
  /** How amounts are written, once the user has said so; never guessed. */
  readonly decimals?: DecimalLocale | undefined;
  /** Looks at an archive that is not what its signer signed; else it is refused as `altered`. */
  readonly evenAltered?: boolean;
  /** Which sheet of a workbook is meant, by its name. */
  readonly sheet?: string | undefined;
  /** Takes every line of a text for a row of its own, whatever quotes it stands in. */
  readonly linesAsRows?: boolean;
}

/**
 * Sheets in and out of an account. Reading, linking and writing happen in a thread of their own, one for each file.
 *
 *   file ──read──> typed rows ──link──> figures ──files──> preview ──stage──> one edit of the writer
 *
 * Whoever gives `work` along hears how far it is and may end it. An import that is ended has changed no row, and its preview is
 * gone; an export leaves no file.
 */
export interface SheetExchange {
  preview(
    account: ActiveAccount,
    file: GrantedFile,
    options?: PreviewOptions,
    work?: LongTask,
  ): Promise<Result<ImportPreview, FileRefusal>>;
  /**
   * Leaves columns out of a preview, instead of those that were before. Null, here and below, when there is no such
   * preview: it was applied already, or its file has changed since.
   *
   * @returns with what becomes of each of `lines` now
   */
  leaveColumnsOut(
    account: ActiveAccount,
    previewId: string,
    columns: readonly ImportColumn[],
    lines: readonly number[],
  ): Promise<Result<
    { readonly preview: ImportPreview; readonly becoming: readonly (SelectableOutcome | null)[] },
    FileRefusal
  > | null>;
  rows(
    account: ActiveAccount,
    previewId: string,
    filter: ImportRowFilter,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly rows: ImportRow[] } | null>;
  apply(
    account: ActiveAccount,
    previewId: string,
    choice?: Partial<ImportChoice>,
    work?: LongTask,
  ): Promise<Result<Applied, NotWritable | RowsMissed> | null>;
  /** Writes the rows that cannot come in to `target`. @returns how many */
  failed(account: ActiveAccount, previewId: string, target: string, format: 'csv' | 'xlsx'): Promise<number | null>;
  dismiss(previewId: string): Promise<void>;
  /** Writes a sheet to `order.target`, which must not be there yet. */
  export(
    account: ActiveAccount,
    order: Omit<ExportOrder, 'database'>,
    work?: LongTask,
  ): Promise<Result<{ readonly rows: number }, ExportProblem>>;
  /** Writes everything with its media, or what differs from the service, signed, to a file that must not be there yet. */
  archive(account: ActiveAccount, order: ArchiveOrder, work?: LongTask): Promise<Result<WrittenArchive, MissingMedia>>;
  close(): Promise<void>;
}

/** Each waiting preview keeps its rows in memory. */
const MAX_PENDING = 4;
/** Files that are read or written at once; each has a thread of its own. */
const AT_ONCE = 4;
const EVERYTHING: ImportChoice = { ...AS_PREVIEWED, leaveOutFiles: [] };

export function createSheetExchange(deps: {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  readonly signing: FileSigning;
  /** What the thread of one import may keep, in MiB; as much as a million rows need, when it is not said. */
  readonly threadMb?: number;
}): SheetExchange {
  const pending = new Map<string, PendingImport>();
  /** Previews that are being carried out, or wait for that: none of them makes room for another. */
  const applying = new Set<string>();
  const inPlace = createPlaces(AT_ONCE);
  /** Imports of one account are carried out one after the other: each is worked out on what the one before has left. */
  const turns = new WeakMap<ActiveAccount, SerialQueue>();
  const inTurnOf = (account: ActiveAccount): SerialQueue => {
    const known = turns.get(account) ?? createSerialQueue();
    turns.set(account, known);
    return known;
  };
  /** What was read against a workspace goes with it. */
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

  const shown = async (previewId: string, waiting: PendingImport, summary: LinkSummary): Promise<ImportPreview> => {
    // A sheet without files needs no library: its preview outlives an account that is closed meanwhile.
    const library = waiting.files.length === 0 ? [] : await waiting.account.workspace.readMedia();
    return importPreview(previewId, waiting, summary, library, deps.signing);
  };

  return {
    preview: (
      account,
      file,
      { decimals, evenAltered = false, sheet, linesAsRows = false } = {},
      asked = NO_OBSERVER,
    ) => {
      const work = untilClosed(asked);
      const previewId = randomUUID();
      const folder = join(account.folder, 'imports', previewId);
      const read = async (): Promise<Result<ImportPreview, FileRefusal>> => {
        const thread = startExchangeThread(deps.threadMb);
        try {
          const opened = await openImport(deps, account, file, folder, evenAltered, subtaskOf(work, 0, 0.5));
          if (!opened.ok) return opened;
          const { source, path, finder, media, spare, skipped, signature } = opened.value;
          const { database, profile } = account;
          const order = {
            path,
            source,
            database,
            profile,
            decimals: decimals ?? null,
            sheet: sheet ?? null,
            linesAsRows,
          };
          // An archive was taken apart first.
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
          const found = {
            account,
            fileName,
            source,
            thread,
            files,
            fileProblems,
            media,
            spare,
            skipped,
            signature,
            folder,
          };
          const waiting: PendingImport = { ...found, out: NO_COLUMNS };
          pending.set(previewId, waiting);
          return ok(await shown(previewId, waiting, summary));
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
    leaveColumnsOut: async (account, previewId, columns, lines) => {
      const found = known(account, previewId);
      if (found === null) return null;
      const out = columnSet(columns);
      const summary = await found.thread.calls.leaveOut(out);
      if (!summary.ok) return summary;
      const waiting = { ...found, out };
      pending.set(previewId, waiting);
      const preview = await shown(previewId, waiting, summary.value);
      return ok({ preview, becoming: await found.thread.calls.becoming(lines) });
    },
    rows: async (account, previewId, filter, from, count) =>
      (await known(account, previewId)?.thread.calls.window(filter, from, count)) ?? null,
    apply: async (account, previewId, choice, asked = NO_OBSERVER) => {
      const work = untilClosed(asked);
      const carryOut = async (): Promise<Result<Applied, NotWritable | RowsMissed> | null> => {
        work.signal.throwIfAborted();
        // Asked now: a second word for the same preview has waited for the first.
        const found = known(account, previewId);
        if (found === null) return null;
        let applied: Result<Applied, NotWritable | RowsMissed> | null;
        try {
          applied = await applyImport(deps, found, previewId, { ...EVERYTHING, ...choice }, work);
        } catch (error) {
          // Its thread has ended with it.
          if (work.signal.aborted) await forget(previewId);
          throw error;
        }
        if (applied?.ok === true && found.signature !== null) await rememberSigner(found.signature, deps.signing);
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
    failed: async (account, previewId, target, format) =>
      (await known(account, previewId)?.thread.calls.writeFailed(target, format)) ?? null,
    dismiss: forget,
    export: async (account, order, asked = NO_OBSERVER) => {
      const work = untilClosed(asked);
      const write = async () => {
        const thread = startExchangeThread();
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
    archive: async (account, order, asked = NO_OBSERVER) => {
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

/** Files that a preview lists. */
const SHOWN_FILES = 1000;

/** What a previewed file would do, in the words of the contract. */
async function importPreview(
  previewId: string,
  pending: PendingImport,
  summary: LinkSummary,
  library: readonly Row<'media'>[],
  signing: FileSigning,
): Promise<ImportPreview> {
  const { fileName, source, media, spare, skipped, signature, files, fileProblems, out } = pending;
  const { files: _, ...figures } = summary;
  const listed = filesOfImport(usableFiles(files, fileProblems, out), spare, library);
  return {
    ...figures,
    previewId,
    fileName,
    source,
    media,
    errors: [...summary.errors],
    warnings: [...summary.warnings],
    otherSheets: [...summary.otherSheets],
    columns: [...summary.columns],
    unknownColumns: [...summary.unknownColumns],
    formulaLines: [...summary.formulaLines],
    missing: [...summary.missing],
    files: listed.slice(0, SHOWN_FILES),
    fileCount: listed.length,
    spareFiles: spare.length,
    skippedParts: skipped.slice(0, SHOWN_FILES).map(shown),
    signature: signature === null ? null : await signatureInfo(signature, signing),
  };
}

/** A file ready to be read, and where the files that it names are found. */
interface OpenedImport {
  readonly source: ImportPreview['source'];
  readonly path: string;
  readonly finder: MediaFinder;
  readonly media: number;
  readonly spare: readonly UnusedFile[];
  /** Parts of an archive that are none of ours. */
  readonly skipped: readonly string[];
  /** Null for a sheet. */
  readonly signature: SignatureCheck | null;
}

/**
 * A sheet as it is, or an archive taken apart into `folder`.
 *
 * @param evenAltered opens an archive that is not what its signer signed
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
    // Spooled bytes lie in a folder of ours, beside which nothing of the user's is to be found.
    const sheetFolder = file.spooled ? null : dirname(file.path);
    return ok({
      source: 'sheet',
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
    path: rowsFile,
    finder: createArchiveMedia({ ...deps, pathOf: (sha256) => join(folder, sha256), library }),
    media,
    spare: unknownFiles(manifest.spare ?? [], library),
    skipped,
    signature,
  });
}
