import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ActiveAccount } from '../../app/active-account.ts';
import type { LongTask } from '../../app/long-task.ts';
import type { NotWritable } from '../../store/types.ts';
import { addMedia } from '../media/add-media.ts';
import type { Prober } from '../probe/prober.ts';
import type { MediaMatch } from './find-import-media.ts';
import { attachFiles, type FileCell, type ResolvedFiles } from './sheet-files.ts';

/** Copies the files that a sheet brings along into the library, and answers with the cells that attach them. */
export async function attachImportMedia(
  { workspace, library }: ActiveAccount,
  prober: Prober,
  files: readonly ResolvedFiles[],
  work: LongTask,
): Promise<Result<readonly FileCell[], NotWritable>> {
  const arriving = filesToCopy(files);
  const idByHash = new Map<string, RowId>();
  if (arriving.length > 0) {
    const media = await addMedia(
      { workspace, library, prober, work },
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
  const idOf = (media: MediaMatch): RowId => (media.is === 'known' ? media.id : hashed(idByHash, media.sha256));
  const known = new Map((await workspace.readMedia()).map((row) => [row.id, row] as const));
  return ok(attachFiles(files, idOf, known));
}

/** The files that the library does not have yet, each once. */
export function filesToCopy(files: readonly ResolvedFiles[]): readonly Extract<MediaMatch, { is: 'new' }>[] {
  const byHash = new Map<string, Extract<MediaMatch, { is: 'new' }>>();
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
