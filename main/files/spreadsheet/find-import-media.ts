import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { memo } from '../../../shared/memo.ts';
import { serviceMediaId } from '../../../shared/model/media.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { GrantedFile } from '../../app/host-ports.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import { sha256OfFile } from '../media/library.ts';
import type { Prober } from '../probe/prober.ts';

/**
 * Finds the files that a spreadsheet names in its Logo, Video and Caption columns: beside or below the spreadsheet,
 * else in the media library by file name. Anyone may have written the spreadsheet, so it can't name files anywhere
 * else on the disk.
 */
export type MediaColumn = 'logo' | 'video' | 'caption';

export type MediaMatch =
  | { readonly is: 'known'; readonly id: RowId }
  /** Not in the library yet; `file` is a grant for it. */
  | { readonly is: 'new'; readonly file: GrantedFile; readonly sha256: string };

export type MediaFinder = ReturnType<typeof createMediaFinder>;

export interface MediaFinderDeps {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
  /** Folder of the spreadsheet; null if it came without a path. */
  readonly sheetFolder: string | null;
  readonly library: readonly Row<'media'>[];
}

export function createMediaFinder(deps: MediaFinderDeps) {
  const findIn = memo((wanted: MediaColumn) => memo((path: string) => findOnce(deps, path, wanted)));
  return {
    /** The library of the account the rows go to. */
    library: deps.library,
    /** The file of a cell, or a sentence why there is none. */
    find: (path: string, wanted: MediaColumn): Promise<Result<MediaMatch, string>> => findIn(wanted)(path),
  };
}

async function findOnce(deps: MediaFinderDeps, path: string, wanted: MediaColumn): Promise<Result<MediaMatch, string>> {
  const onService = serviceMediaId(path);
  if (onService !== null) return fromService(deps.library, onService, wanted);
  const beside = await besideSheet(deps, path);
  if (!beside.ok) return beside;
  if (beside.value === null) return inLibrary(deps, path, wanted);
  const file = beside.value;
  const facts = await deps.prober.probe(file.path);
  if (!facts.ok) return err(fileRefusalText(path, facts.error.reason, facts.error.params));
  if (facts.value.is !== wanted) {
    return err(`${path} is a ${facts.value.is}, but this column takes a ${wanted}. Name another file.`);
  }
  const sha256 = await sha256OfFile(file.path);
  const known = deps.library.find(({ values }) => values.sha256 === sha256);
  return ok(known === undefined ? { is: 'new', file, sha256 } : { is: 'known', id: known.id });
}

/** A video that was uploaded elsewhere, by its media ID. */
export function fromService(
  library: readonly Row<'media'>[],
  id: RemoteId,
  wanted: MediaColumn,
): Result<MediaMatch, string> {
  const row = library.find(({ remoteId, values }) => remoteId === id && values.mediaType === wanted);
  if (row !== undefined) return ok({ is: 'known', id: row.id });
  return err(
    wanted === 'video'
      ? `The library has no video with the media ID ${id}. Refresh the account to read the videos that are on the service, then import again.`
      : 'Only videos can be identified by a media ID. Enter a file name.',
  );
}

/** A grant for the file, null when there is none at this path, or the sentence that refuses the path. */
async function besideSheet(deps: MediaFinderDeps, path: string): Promise<Result<GrantedFile | null, string>> {
  if (deps.sheetFolder === null) return ok(null);
  const portable = path.replaceAll('\\', '/');
  const outside = `${path} lies outside of the sheet's folder. Copy it beside the sheet, or add it with "media add" and name the file alone.`;
  if (isAbsolute(portable) || /^[A-Za-z]:/.test(portable)) return err(outside);
  const place = resolve(deps.sheetFolder, portable);
  // Refused before the disk is read: a spreadsheet must not find out which files exist elsewhere.
  if (relative(deps.sheetFolder, place).split(sep)[0] === '..') return err(outside);
  const file = await deps.grants.grantPath(place);
  if (!file.ok) {
    const { reason, params } = file.error.data;
    return params['code'] === 'ENOENT' ? ok(null) : err(fileRefusalText(path, reason, params));
  }
  const away = relative(await realpath(deps.sheetFolder), file.value.path);
  return away.startsWith(`..${sep}`) || isAbsolute(away) ? err(outside) : ok(file.value);
}

function inLibrary(deps: MediaFinderDeps, path: string, wanted: MediaColumn): Result<MediaMatch, string> {
  const name = basename(path.replaceAll('\\', '/')).normalize('NFC').toLowerCase();
  const named = deps.library.filter(
    ({ values }) => values.mediaType === wanted && values.fileName?.normalize('NFC').toLowerCase() === name,
  );
  // Of several files with one name, the one added last.
  const newest = named.at(-1);
  if (newest !== undefined) return ok({ is: 'known', id: newest.id });
  return err(
    `${path} is neither beside the sheet nor in the media library. Put it there, or add it with "media add", then import again.`,
  );
}
