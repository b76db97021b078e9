import { join } from 'node:path';
import type { RefusedFile } from '../../../shared/api/files.ts';
import { fileError, fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { serviceMediaId } from '../../../shared/model/media.ts';
import type { Row } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { LongTask } from '../../app/long-task.ts';
import type { ActiveAccount } from '../../core/active-account.ts';
import type { NotWritable } from '../../store/types.ts';
import { addMedia } from '../media/add-media.ts';
import { type OwnFileGrants, shownName } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import { fromService, type MediaColumn, type MediaFinder, type MediaMatch } from '../spreadsheet/find-import-media.ts';
import type { Manifest } from './archive-format.ts';

/**
 * Finds files named `<sha256>/<name>`: by their hash in the library, else at `pathOf`; and videos that are only on the
 * service, by their media ID.
 */
export function createArchiveMedia(deps: {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  /** Path of the extracted file with that hash, if the archive has it. */
  readonly pathOf: (sha256: string) => string;
  readonly library: readonly Row<'media'>[];
}): MediaFinder {
  return { library: deps.library, find: (path, wanted) => findIn(deps, path, wanted) };
}

async function findIn(
  { grants, prober, pathOf, library }: Parameters<typeof createArchiveMedia>[0],
  path: string,
  wanted: MediaColumn,
): Promise<Result<MediaMatch, string>> {
  const onService = serviceMediaId(path);
  if (onService !== null) return fromService(library, onService, wanted);
  const [sha256 = '', ...rest] = path.split('/');
  const name = shownName(rest.join('/'));
  if (!/^[a-f0-9]{64}$/.test(sha256)) return err(`${name} is not named as files of an archive are.`);
  const known = library.find(({ values }) => values.sha256 === sha256);
  if (known !== undefined) return ok({ is: 'known', id: known.id });
  const file = await grants.grantPath(pathOf(sha256));
  if (!file.ok) {
    const { reason, params } = file.error.data;
    return err(fileRefusalText(name, reason, params));
  }
  const facts = await prober.probe(file.value.path);
  if (!facts.ok) return err(fileRefusalText(name, facts.error.reason, facts.error.params));
  if (facts.value.is !== wanted) return err(`${name} is a ${facts.value.is}, but a ${wanted} belongs here.`);
  return ok({ is: 'new', file: { ...file.value, fileName: name }, sha256 });
}

export type UnusedFile = NonNullable<Manifest['spare']>[number];

/** Files that the library does not have yet, each once. */
export function unknownFiles(spare: readonly UnusedFile[], library: readonly Row<'media'>[]): readonly UnusedFile[] {
  const known = new Set(library.map(({ values }) => values.sha256));
  return [...new Map(spare.map((file) => [file.sha256, file])).values()].filter(({ sha256 }) => !known.has(sha256));
}

/**
 * Adds files that no row uses to the library. A file that is no valid medium, or is missing in the archive, is skipped
 * and blocks nothing, because no row needs it.
 *
 * @param folder the folder of the extracted archive
 * @returns the skipped files, for a message to the user
 */
export async function addUnusedFiles(
  { workspace, library }: ActiveAccount,
  { grants, prober }: { readonly grants: OwnFileGrants; readonly prober: Prober },
  spare: readonly UnusedFile[],
  folder: string,
  work: LongTask,
): Promise<Result<readonly RefusedFile[], NotWritable>> {
  const files = await Promise.all(
    spare.map(async ({ sha256, fileName }) => {
      const granted = await grants.grantPath(join(folder, sha256));
      const name = shownName(fileName);
      return granted.ok ? ok({ ...granted.value, fileName: name }) : fileError(name, granted.error.data);
    }),
  );
  if (files.length === 0) return ok([]);
  const added = await addMedia({ workspace, library, prober, work }, files);
  return added.ok ? ok(added.value.files.filter((file) => file.outcome === 'refused')) : added;
}
