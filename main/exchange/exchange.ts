import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportPreview, ImportRow, ImportRowFilter } from '../../shared/contract/exchange.ts';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { columnSet, type ImportColumn, NO_COLUMNS } from '../../shared/sheet/column-choice.ts';
import type { DecimalLocale } from '../../shared/sheet/decimal-locale.ts';
import type { GrantedFile } from '../core-types.ts';
import { type LongWork, partOf, UNWATCHED } from '../long-work.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { OpenAccount } from '../open-account.ts';
import type { NotWritable } from '../workspace/port.ts';
import { type Applied, applyImport, type ImportChoice, type PendingImport } from './apply-import.ts';
import { type FileSigning, rememberSigner } from './archive/file-signing.ts';
import { forgetArchive } from './archive/open-archive.ts';
import { type ArchiveOrder, type MissingMedia, type WrittenArchive, writeArchive } from './archive/write-archive.ts';
import { isOutOfMemory, startExchangeThread } from './exchange-thread.ts';
import { importPreview } from './import-preview.ts';
import { openImport } from './open-import.ts';
import { resolveFiles } from './sheet-files.ts';
import type { ExportOrder, ExportProblem } from './worker/export-sheet.ts';
import type { LinkSummary } from './worker/import-session.ts';
import { AS_PREVIEWED, type Choosable } from './worker/row-choice.ts';

export interface PreviewOptions {
  /** How amounts are written, once the user has said so; never guessed. */
  readonly decimals?: DecimalLocale | undefined;
  /** Looks at an archive that is not what its signer signed; else it is refused as `altered`. */
  readonly evenAltered?: boolean;
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
    account: OpenAccount,
    file: GrantedFile,
    options?: PreviewOptions,
    work?: LongWork,
  ): Promise<Result<ImportPreview, FileRefusal>>;
  /**
   * Leaves columns out of a preview, instead of those that were before. Null, here and below, when there is no such
   * preview: it was applied already, or its file has changed since.
   *
   * @returns with what becomes of each of `lines` now
   */
  leaveColumnsOut(
    account: OpenAccount,
    previewId: string,
    columns: readonly ImportColumn[],
    lines: readonly number[],
  ): Promise<Result<
    { readonly preview: ImportPreview; readonly becoming: readonly (Choosable | null)[] },
    FileRefusal
  > | null>;
  rows(
    account: OpenAccount,
    previewId: string,
    filter: ImportRowFilter,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly rows: ImportRow[] } | null>;
  apply(
    account: OpenAccount,
    previewId: string,
    choice?: Partial<ImportChoice>,
    work?: LongWork,
  ): Promise<Result<Applied, NotWritable> | null>;
  /** Writes the rows that cannot come in to `target`. @returns how many */
  failed(account: OpenAccount, previewId: string, target: string, format: 'csv' | 'xlsx'): Promise<number | null>;
  dismiss(previewId: string): Promise<void>;
  /** Writes a sheet to `order.target`, which must not be there yet. */
  export(
    account: OpenAccount,
    order: Omit<ExportOrder, 'database'>,
    work?: LongWork,
  ): Promise<Result<{ readonly rows: number }, ExportProblem>>;
  /** Writes everything with its media, or what differs from the service, signed, to a file that must not be there yet. */
  archive(account: OpenAccount, order: ArchiveOrder, work?: LongWork): Promise<Result<WrittenArchive, MissingMedia>>;
  close(): Promise<void>;
}

/** Each waiting preview keeps its rows in memory. */
const MAX_PENDING = 4;
const EVERYTHING: ImportChoice = { ...AS_PREVIEWED, leaveOutFiles: [] };

export function createSheetExchange(deps: {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  readonly signing: FileSigning;
  /** What the thread of one import may keep, in MiB; as much as a million rows need, when it is not said. */
  readonly threadMb?: number;
}): SheetExchange {
  const pending = new Map<string, PendingImport>();
  const forget = async (previewId: string): Promise<void> => {
    const known = pending.get(previewId);
    pending.delete(previewId);
    await known?.thread.end();
    if (known !== undefined) await forgetArchive(known.folder);
  };
  const known = (account: OpenAccount, previewId: string): PendingImport | null => {
    const found = pending.get(previewId);
    return found === undefined || found.account !== account ? null : found;
  };

  const shown = async (previewId: string, waiting: PendingImport, summary: LinkSummary): Promise<ImportPreview> => {
    // A sheet without files needs no library: its preview outlives an account that is closed meanwhile.
    const library = waiting.files.length === 0 ? [] : await waiting.account.workspace.readMedia();
    return importPreview(previewId, waiting, summary, library, deps.signing);
  };

  return {
    preview: async (account, file, { decimals, evenAltered = false } = {}, work = UNWATCHED) => {
      const previewId = randomUUID();
      const folder = join(account.folder, 'imports', previewId);
      const thread = startExchangeThread(deps.threadMb);
      try {
        const opened = await openImport(deps, account, file, folder, evenAltered, partOf(work, 0, 0.5));
        if (!opened.ok) return opened;
        const { source, path, finder, media, spare, signature } = opened.value;
        const { database, profile } = account;
        const factorMax = profile.multiplier.max;
        const order = { path, source, database, factorMax, decimals: decimals ?? null };
        // An archive was taken apart first.
        const reading = partOf(work, source === 'sheet' ? 0 : 0.5, 0.9);
        const read = await thread.during(reading, () => thread.calls.read(order));
        if (!read.ok) return read;
        const { resolved: files, problems: fileProblems } = await resolveFiles(
          read.value.files,
          finder,
          partOf(work, 0.9, 1),
        );
        const summary = fileProblems.length === 0 ? read.value : await thread.calls.noteFileProblems(fileProblems);
        const oldest = pending.size >= MAX_PENDING ? pending.keys().next().value : undefined;
        if (oldest !== undefined) await forget(oldest);
        const { fileName } = file;
        const found = { account, fileName, source, thread, files, fileProblems, media, spare, signature, folder };
        const waiting: PendingImport = { ...found, out: NO_COLUMNS };
        pending.set(previewId, waiting);
        return ok(await shown(previewId, waiting, summary));
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
    apply: async (account, previewId, choice, work = UNWATCHED) => {
      const found = known(account, previewId);
      if (found === null) return null;
      let applied: Result<Applied, NotWritable> | null;
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
    },
    failed: async (account, previewId, target, format) =>
      (await known(account, previewId)?.thread.calls.writeFailed(target, format)) ?? null,
    dismiss: forget,
    export: async (account, order, work = UNWATCHED) => {
      const thread = startExchangeThread();
      try {
        const { database } = account;
        return await thread.during(work, () => thread.calls.exportSheet({ ...order, database }));
      } finally {
        await thread.end();
        if (work.signal.aborted) await rm(order.target, { force: true });
      }
    },
    archive: async (account, order, work = UNWATCHED) => {
      const key = await deps.signing.key();
      const signer = key === null ? null : { key, name: deps.signing.who() };
      return writeArchive(account.workspace, account.library.pathOf, order, signer, work);
    },
    close: async () => {
      await Promise.all([...pending.keys()].map(forget));
    },
  };
}
