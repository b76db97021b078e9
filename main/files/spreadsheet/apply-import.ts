import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportPreview, RefusedFile } from '../../../shared/api/files.ts';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ColumnSet } from '../../../shared/spreadsheet/columns.ts';
import type { ActiveAccount } from '../../app/active-account.ts';
import { type LongTask, subtaskOf } from '../../app/long-task.ts';
import type { NotWritable } from '../../store/types.ts';
import { addUnusedFiles, type UnusedFile } from '../archive/archive-media.ts';
import type { SignatureCheck } from '../archive/signature.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import { attachImportMedia } from './attach-import-media.ts';
import type { ExchangeThread } from './exchange-thread.ts';
import { leaveFilesOut } from './import-files.ts';
import type { LineProblem } from './line-problem.ts';
import { type ResolvedFiles, usableFiles } from './sheet-files.ts';
import type { RowSelection } from './worker/row-selection.ts';

/** What of a preview comes in. Columns are left out of the preview itself. */
export interface ImportChoice extends RowSelection {
  /** Keys of `ImportFile`. */
  readonly leaveOutFiles: readonly string[];
}

export interface Applied {
  readonly revision: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Of the files that no row names, those that could not be taken in. */
  readonly refusedFiles: readonly RefusedFile[];
}

/** Rows of the file were lost on the way into the workspace: none of them comes in. */
export interface RowsMissed {
  readonly kind: 'rows-missed';
  readonly fileName: string;
  readonly refusal: FileRefusal;
}

/** A previewed file that waits for the user's word. */
export interface PendingImport {
  readonly account: ActiveAccount;
  readonly fileName: string;
  readonly source: ImportPreview['source'];
  readonly thread: ExchangeThread;
  /** Files that rows name, and those of them that cannot be used. */
  readonly files: readonly ResolvedFiles[];
  readonly fileProblems: readonly LineProblem[];
  /** Files that an archive brings along. */
  readonly media: number;
  /** Columns that the user leaves out. */
  readonly out: ColumnSet;
  /** Files of an archive that no row names. */
  readonly spare: readonly UnusedFile[];
  /** Parts of an archive that are none of ours. */
  readonly skipped: readonly string[];
  /** Null for a sheet. */
  readonly signature: SignatureCheck | null;
  /** What an archive was taken apart into; not there for a sheet. */
  readonly folder: string;
}

/** Imports of more changes than this are preceded by a backup: undo brings rows back, a backup everything. */
const BULK_ROWS = 500;
/** Somebody edits all the time: after so many attempts the import waits for the user to try again. */
const ATTEMPTS = 5;

/**
 * Carries a previewed import out: the files that its rows name, then its rows as one edit of the writer.
 *
 * @returns null when the file has changed since it was previewed
 */
export async function applyImport(
  { grants, prober }: { readonly grants: OwnFileGrants; readonly prober: Prober },
  { account, fileName, thread, files, fileProblems, out, spare, folder: apart }: PendingImport,
  previewId: string,
  { leaveOutFiles, ...rows }: ImportChoice,
  work: LongTask,
): Promise<Result<Applied, NotWritable | RowsMissed> | null> {
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
      // Linked anew each time: somebody may have edited since the preview, or while this was worked out.
      const order = { database: account.database, stage, rows, attached: attached.value };
      const staged = await thread.during(subtaskOf(work, 0.4, 0.8), () => thread.calls.stage(order));
      if (!staged.ok) {
        const refusal = staged.error;
        return refusal.reason === 'rows-missed' ? err({ kind: 'rows-missed', fileName, refusal }) : null;
      }
      const { size, revision, added, changed, removed, unchanged } = staged.value;
      const counts = { added, changed, removed, unchanged, refusedFiles: kept.value };
      if (size === 0) return ok({ revision, ...counts });
      if (size > BULK_ROWS && !isSaved) {
        const saved = await account.safety.backUp('before-import');
        if (!saved.ok) return saved;
        isSaved = true;
      }
      // From here on it is carried out.
      work.signal.throwIfAborted();
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
    // A thread that was ended on the way leaves what SQLite keeps beside its file.
    for (const beside of ['', '-wal', '-shm', '-journal']) await rm(`${stage}${beside}`, { force: true });
  }
}
