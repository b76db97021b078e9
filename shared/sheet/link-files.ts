import type { AnyRow } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { SheetLookup } from './lookup.ts';
import type { SheetFiles, Target } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

/**
 * The files a row names, without those it has already. A file counts as the same when its name is: the library
 * keeps names without folders, and an export writes just these, so importing an export changes nothing.
 */
export function linkFiles(row: SheetRow, target: Target, known: AnyRow | null, lookup: SheetLookup): SheetFiles | null {
  if (row.kind !== 'sbaProfile' && row.kind !== 'videoProfile') return null;
  const logoId = known?.kind === 'sbaProfile' ? known.values.logo : null;
  const videoId = known?.kind === 'videoProfile' ? known.values.video : null;
  const video = videoId === null ? null : lookup.media(videoId);
  const captionId = video?.values.caption ?? null;
  const hasNewVideo = isOther(row.video, fileName(videoId, lookup));
  const changes = {
    ...(isOther(row.logo, fileName(logoId, lookup)) ? { logo: row.logo ?? null } : {}),
    ...(hasNewVideo ? { video: row.video ?? null } : {}),
    ...(hasNewVideo ? given('caption', row.caption) : captionChange(row, captionId, lookup)),
    ...(hasNewVideo || (row.mediaName ?? null) !== (video?.values.mediaName ?? null)
      ? given('mediaName', row.mediaName)
      : {}),
  };
  if (Object.keys(changes).length === 0) return null;
  return { line: row.line, kind: row.kind, row: target, currentVideo: videoId, ...changes };
}

const captionChange = (row: SheetRow, captionId: RowId | null, lookup: SheetLookup) =>
  isOther(row.caption, fileName(captionId, lookup)) ? given('caption', row.caption) : {};

function given<const Key extends string>(key: Key, value: string | null | undefined): { [K in Key]?: string | null } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string | null });
}

const fileName = (id: RowId | null, lookup: SheetLookup): string | null =>
  id === null ? null : (lookup.media(id)?.values.fileName ?? null);

function isOther(path: string | null | undefined, current: string | null): boolean {
  if (path === undefined) return false;
  return path === null ? current !== null : baseName(path) !== current;
}

/** The last part of a path, whichever slash it was written with. */
const baseName = (path: string): string => path.replace(/^.*[/\\]/, '');
