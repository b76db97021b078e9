import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RefusedFile } from '../../shared/contract/files.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { OpenAccount } from '../open-account.ts';
import type { NotWritable } from '../workspace/port.ts';
import { addFoundMedia } from './add-found-media.ts';
import { addSpareFiles, type SpareFile } from './archive/archive-media.ts';
import type { SignatureCheck } from './archive/signature.ts';
import type { ExchangeThread } from './exchange-thread.ts';
import { leaveFilesOut } from './import-files.ts';
import type { ResolvedFiles } from './sheet-files.ts';

/** Lines of the file: those the user leaves out, and those in conflict that the file decides. */
export interface ImportChoice {
  readonly leaveOut: readonly number[];
  readonly take: readonly number[];
  /** Keys of `ImportFile`. */
  readonly leaveOutFiles?: readonly string[];
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

/** A previewed file that waits for the user's word. */
export interface PendingImport {
  readonly account: OpenAccount;
  readonly fileName: string;
  readonly thread: ExchangeThread;
  readonly files: readonly ResolvedFiles[];
  readonly badLines: readonly number[];
  /** Files of an archive that no row names. */
  readonly spare: readonly SpareFile[];
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
  { account, fileName, thread, files, badLines, spare, folder: apart }: PendingImport,
  previewId: string,
  { leaveOut, take, leaveOutFiles = [] }: ImportChoice,
): Promise<Result<Applied, NotWritable> | null> {
  const { workspace } = account;
  if (account.safety.viewOnly !== null) return err(account.safety.viewOnly);
  const leftOut = [...leaveOut, ...badLines];
  const unwanted = new Set(leftOut);
  const taken = new Set(take);
  const filesOut = new Set(leaveOutFiles);
  const attached = await addFoundMedia(
    account,
    prober,
    leaveFilesOut(
      files.filter(({ row }) => !unwanted.has(row.line) && (row.inConflict !== true || taken.has(row.line))),
      filesOut,
    ),
  );
  if (!attached.ok) return attached;
  const spareIn = spare.filter(({ sha256 }) => !filesOut.has(sha256));
  const kept = await addSpareFiles(account, { grants, prober }, spareIn, apart);
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
      const counts = { added, changed, removed, unchanged, refusedFiles: kept.value };
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
