import type { AnyRow, Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { serviceMediaId } from '../model/service-media.ts';
import { type ColumnSet, fieldBit, leftOutOf, NO_COLUMNS } from './column-choice.ts';
import type { SheetLookup } from './lookup.ts';
import type { SheetFiles } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

/** What a row would change of the files it has. */
export type FileChanges = Omit<SheetFiles, 'line' | 'row' | 'inConflict'>;

/**
 * The files a row names, without those it has already. A file counts as the same when its name is: the library
 * keeps names without folders, and an export writes just these, so importing an export changes nothing. An archive
 * names its files by what is in them (`<sha256>/<name>`), and then only that counts.
 */
export function fileChanges(row: SheetRow, known: AnyRow | null, lookup: SheetLookup): FileChanges | null {
  if (row.kind !== 'sbaProfile' && row.kind !== 'videoProfile') return null;
  const logoId = known?.kind === 'sbaProfile' ? known.values.logo : null;
  const videoId = known?.kind === 'videoProfile' ? known.values.video : null;
  const video = videoId === null ? null : lookup.media(videoId);
  const captionId = video?.values.caption ?? null;
  const hasNewVideo = isOther(row.video, fileOf(videoId, lookup));
  const changes = {
    ...(isOther(row.logo, fileOf(logoId, lookup)) ? { logo: row.logo ?? null } : {}),
    ...(hasNewVideo ? { video: row.video ?? null } : {}),
    ...(hasNewVideo ? given('caption', row.caption) : captionChange(row, captionId, lookup)),
    ...(hasNewVideo || (row.mediaName ?? null) !== (video?.values.mediaName ?? null)
      ? given('mediaName', row.mediaName)
      : {}),
  };
  if (Object.keys(changes).length === 0) return null;
  return { kind: row.kind, currentVideo: videoId, ...changes };
}

const FILE_WORDS = ['logo', 'video', 'caption', 'mediaName'] as const;

/** The columns of the files that change. */
export function filledByFiles(changes: FileChanges | null): ColumnSet {
  if (changes === null) return NO_COLUMNS;
  const said = FILE_WORDS.filter((word) => changes[word] !== undefined);
  return said.reduce((set, word) => set | fieldBit(changes.kind, word), NO_COLUMNS);
}

/** Files of a row without those of columns that are left out; null when nothing is left of them. */
export function filesWithout<T extends FileChanges>(files: T, out: ColumnSet): T | null {
  const filled = filledByFiles(files);
  const left = leftOutOf(filled, out);
  if ((filled & left) === 0) return files;
  if ((filled & ~left) === 0) return null;
  const stays = ([word]: readonly [string, unknown]): boolean => (fieldBit(files.kind, word) & left) === 0;
  // What is dropped is optional.
  return Object.fromEntries(Object.entries(files).filter(stays)) as unknown as T;
}

/** The columns of files that were changed here as well since the file that names them was written. */
export function filesApart(row: SheetRow, known: AnyRow, lookup: SheetLookup): ColumnSet {
  if (row.base === undefined || (known.kind !== 'sbaProfile' && known.kind !== 'videoProfile')) return NO_COLUMNS;
  const apart = (word: 'logo' | 'video' | 'caption', id: RowId | null): ColumnSet => {
    const base = row.base?.[word];
    if (base === undefined || row[word] === undefined) return NO_COLUMNS;
    const here = fileOf(id, lookup);
    const isApart = isOther(base === null ? null : String(base), here) && isOther(row[word], here);
    return isApart ? fieldBit(row.kind, word) : NO_COLUMNS;
  };
  if (known.kind === 'sbaProfile') return apart('logo', known.values.logo);
  const video = fileOf(known.values.video, lookup);
  const name = video?.values.mediaName ?? null;
  const isNameApart =
    row.base['mediaName'] !== undefined && row.base['mediaName'] !== name && (row.mediaName ?? null) !== name;
  const nameApart = isNameApart ? fieldBit(row.kind, 'mediaName') : NO_COLUMNS;
  return nameApart | apart('video', known.values.video) | apart('caption', video?.values.caption ?? null);
}

const captionChange = (row: SheetRow, captionId: RowId | null, lookup: SheetLookup) =>
  isOther(row.caption, fileOf(captionId, lookup)) ? given('caption', row.caption) : {};

function given<const Key extends string>(key: Key, value: string | null | undefined): { [K in Key]?: string | null } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string | null });
}

const fileOf = (id: RowId | null, lookup: SheetLookup): Row<'media'> | null => (id === null ? null : lookup.media(id));

function isOther(path: string | null | undefined, current: Row<'media'> | null): boolean {
  if (path === undefined) return false;
  if (path === null || current === null) return path !== null || current !== null;
  const onService = serviceMediaId(path);
  if (onService !== null) return onService !== current.remoteId;
  const sha256 = /^([a-f0-9]{64})\//.exec(path)?.[1];
  return sha256 === undefined ? baseName(path) !== current.values.fileName : sha256 !== current.values.sha256;
}

/** The last part of a path, whichever slash it was written with. */
const baseName = (path: string): string => path.replace(/^.*[/\\]/, '');
