import { dirname, join } from 'node:path';
import type { ImportPreview } from '../../shared/contract/exchange.ts';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { GrantedFile } from '../core-types.ts';
import type { LongTask } from '../long-work.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { ActiveAccount } from '../open-account.ts';
import { createArchiveMedia, type UnusedFile, unknownFiles } from './archive/archive-media.ts';
import { isArchive, openArchive } from './archive/open-archive.ts';
import type { SignatureCheck } from './archive/signature.ts';
import { createMediaFinder, type MediaFinder } from './sheet-media.ts';

/** A file ready to be read, and where the files that it names are found. */
export interface OpenedImport {
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
export async function openImport(
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
