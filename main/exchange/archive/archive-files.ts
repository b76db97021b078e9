import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyRow, isNew, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { serviceMediaText } from '../../../shared/model/service-media.ts';
import type { ArchiveRow, ArchiveSource } from './archive-format.ts';
import { isEdited } from './row-cells.ts';

/** What a row of an archive says of its logo, or of its video with caption and name. */
export interface FileCells {
  readonly cells: Partial<ArchiveRow>;
  /** What the service said of them, for those that were edited since. */
  readonly base: Record<string, Cell>;
  /** True when the caption or the name of the video differs from what the service said. */
  readonly isChanged: boolean;
}
const NO_FILES: FileCells = { cells: {}, base: {}, isChanged: false };

type Library = ReadonlyMap<RowId, Row<'media'>>;

/** @param used collects the hashes of the files that come along */
export function filesOf(row: AnyRow, library: Library, source: ArchiveSource, used: Set<string>): FileCells {
  const names = fileNames(library, used);
  const isWhole = source === 'archive' || isNew(row);
  switch (row.kind) {
    case 'sbaProfile':
      return logoCells(row, isWhole, names);
    case 'videoProfile':
      return videoCells(row, isWhole, library, names);
    default:
      return NO_FILES;
  }
}

/** Files as an archive names them, `<sha256>/<file name>`, or `service:<media ID>` where there is no file; null for none. */
interface FileNames {
  /** Of a file that is only spoken of. */
  of(id: RowId | null): string | null;
  /** Of a file that comes along. */
  take(id: RowId | null): string | null;
}

function fileNames(library: Library, used: Set<string>): FileNames {
  const fileOf = (id: RowId | null): Row<'media'> | null => (id === null ? null : (library.get(id) ?? null));
  const of: FileNames['of'] = (id) => {
    const file = fileOf(id);
    if (file === null) return null;
    const { sha256, fileName } = file.values;
    if (sha256 !== null) return `${sha256}/${fileName ?? 'file'}`;
    return file.remoteId === null ? null : serviceMediaText(file.remoteId);
  };
  return {
    of,
    take: (id) => {
      const sha256 = fileOf(id)?.values.sha256 ?? null;
      if (sha256 !== null) used.add(sha256);
      return of(id);
    },
  };
}

function logoCells(row: Row<'sbaProfile'>, isWhole: boolean, names: FileNames): FileCells {
  const { logo } = row.values;
  if (isWhole ? logo === null : !isEdited(row, 'logo')) return NO_FILES;
  const base = isWhole ? {} : { logo: names.of(row.base?.logo ?? null) };
  return { cells: { logo: names.take(logo) }, base, isChanged: false };
}

function videoCells(row: Row<'videoProfile'>, isWhole: boolean, library: Library, names: FileNames): FileCells {
  const { video: id } = row.values;
  const video = id === null ? undefined : library.get(id);
  if (!isWhole && !isEdited(row, 'video')) return video === undefined ? NO_FILES : editedVideo(video, names);
  const base = isWhole ? {} : { video: names.of(row.base?.video ?? null) };
  if (video === undefined) return isWhole ? NO_FILES : { cells: { video: null }, base, isChanged: false };
  const { caption, mediaName } = video.values;
  const cells = {
    video: names.take(id),
    ...(caption === null ? {} : { caption: names.take(caption) }),
    ...(mediaName === null ? {} : { mediaName }),
  };
  return { cells, base, isChanged: true };
}

/** Caption and name belong to the video's own row, and may differ while the profile does not. */
function editedVideo(video: Row<'media'>, names: FileNames): FileCells {
  const { caption, mediaName } = video.values;
  const hasOtherCaption = isEdited(video, 'caption');
  const hasOtherName = isEdited(video, 'mediaName');
  return {
    cells: { ...(hasOtherCaption ? { caption: names.take(caption) } : {}), ...(hasOtherName ? { mediaName } : {}) },
    base: {
      ...(hasOtherCaption ? { caption: names.of(video.base?.caption ?? null) } : {}),
      ...(hasOtherName ? { mediaName: video.base?.mediaName ?? null } : {}),
    },
    isChanged: hasOtherCaption || hasOtherName,
  };
}
