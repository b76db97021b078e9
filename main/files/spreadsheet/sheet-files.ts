import { isServiceMedia, serviceMediaText } from '../../../shared/model/media.ts';
import { isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { filesWithout, filledByFiles } from '../../../shared/spreadsheet/change-collector.ts';
import { type ColumnSet, columnBit, NO_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import type { SheetFiles } from '../../../shared/spreadsheet/sheet-changes.ts';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import type { MediaColumn, MediaFinder, MediaMatch } from './find-import-media.ts';
import type { LineProblem } from './line-problem.ts';

/** The files that a row of a linked sheet names, as far as they were found. */
export interface ResolvedFiles {
  readonly row: SheetFiles;
  readonly found: Readonly<Partial<Record<MediaColumn, MediaMatch>>>;
}

const WORDS: readonly { readonly word: MediaColumn; readonly column: string }[] = [
  { word: 'logo', column: 'Logo' },
  { word: 'video', column: 'Video' },
  { word: 'caption', column: 'Caption' },
];

/** Finds every file that can be used; of the others it says why not. */
export async function resolveFiles(
  files: readonly SheetFiles[],
  finder: MediaFinder,
  { tellShare, signal }: LongTask = NO_OBSERVER,
): Promise<{ readonly resolved: readonly ResolvedFiles[]; readonly problems: readonly LineProblem[] }> {
  const resolved: ResolvedFiles[] = [];
  const problems: LineProblem[] = [];
  for (const [at, asked] of files.entries()) {
    signal.throwIfAborted();
    const named = videoByName(asked, finder.library);
    if (!named.ok) problems.push({ line: asked.line, column: 'Media name', message: named.error });
    const row = named.ok ? named.value : asked;
    const found: Partial<Record<MediaColumn, MediaMatch>> = {};
    for (const { word, column } of WORDS) {
      const path = row[word];
      if (path === undefined || path === null) continue;
      const media = await finder.find(path, word);
      if (media.ok) found[word] = media.value;
      else problems.push({ line: row.line, column, message: media.error });
    }
    resolved.push({ row: withoutServiceFields(row, found, finder.library), found });
    tellShare((at + 1) / files.length);
  }
  return { resolved, problems };
}

/**
 * A media name without a file chooses a video of the library, also one that was uploaded elsewhere, when it is the name
 * of one alone.
 */
function videoByName(row: SheetFiles, library: readonly Row<'media'>[]): Result<SheetFiles, string> {
  const { mediaName } = row;
  const namesNoFile = row.video === null || (row.video === undefined && row.currentVideo === null);
  if (row.kind !== 'videoProfile' || typeof mediaName !== 'string' || !namesNoFile) return ok(row);
  const videos = library.filter(
    ({ dirty, values }) => values.mediaType === 'video' && values.mediaName === mediaName && !isDeleted({ dirty }),
  );
  const ids = videos.flatMap(({ remoteId }) => (remoteId === null ? [] : [serviceMediaText(remoteId)]));
  if (videos.length > 1) {
    const way = ids.length === 0 ? 'the name of the file' : `the name of the file, or ${ids.join(' or ')}`;
    return err(
      `${videos.length} videos have the media name ${mediaName}. Write the one you mean into the column Video: ${way}.`,
    );
  }
  const [video] = videos;
  if (video === undefined) return ok(row);
  const text =
    video.remoteId !== null && isServiceMedia(video) ? serviceMediaText(video.remoteId) : video.values.fileName;
  const { mediaName: _, ...rest } = row;
  return ok(text === null ? row : { ...rest, video: text });
}

/** Name and caption of a video that was uploaded elsewhere are the service's: no call changes them. */
function withoutServiceFields(
  row: SheetFiles,
  { video }: ResolvedFiles['found'],
  library: readonly Row<'media'>[],
): SheetFiles {
  const id =
    video === undefined ? (row.video === undefined ? row.currentVideo : null) : video.is === 'known' ? video.id : null;
  const media = id === null ? undefined : library.find((one) => one.id === id);
  if (media === undefined || !isServiceMedia(media)) return row;
  const { mediaName: _name, caption: _caption, ...rest } = row;
  return rest;
}

/**
 * The files without those of columns that are left out, and without rows of which some other file cannot be used: these do
 * not come in.
 */
export function usableFiles(
  files: readonly ResolvedFiles[],
  problems: readonly LineProblem[],
  out: ColumnSet,
): readonly ResolvedFiles[] {
  const badColumns = new Map<number, ColumnSet>();
  for (const { line, column } of problems) {
    badColumns.set(line, (badColumns.get(line) ?? NO_COLUMNS) | columnBit(column));
  }
  return files.flatMap(({ row, found }) => {
    const left = filesWithout(row, out);
    const bad = badColumns.get(row.line) ?? NO_COLUMNS;
    return left === null || (filledByFiles(left) & bad) !== NO_COLUMNS
      ? []
      : [{ row: left, found: foundFor(left, found) }];
  });
}

const foundFor = (row: SheetFiles, found: ResolvedFiles['found']): ResolvedFiles['found'] =>
  Object.fromEntries(Object.entries(found).filter(([word]) => row[word as MediaColumn] !== undefined));

/** A cell that attaches a file of the library: to the row of a line, or within the library itself. */
export interface FileCell {
  readonly line: number;
  readonly kind: 'sbaProfile' | 'videoProfile' | 'media';
  /** The row of the library; null for the row that the line means, which may be a new one. */
  readonly id: RowId | null;
  readonly field: 'logo' | 'video' | 'caption' | 'mediaName';
  readonly value: RowId | string | null;
}

/**
 * The cells that attach files once every file has its row in the library.
 *
 * @param idOf the library row of a found file
 */
export function attachFiles(
  resolved: readonly ResolvedFiles[],
  idOf: (media: MediaMatch) => RowId,
  library: ReadonlyMap<RowId, Row<'media'>>,
): readonly FileCell[] {
  return resolved.flatMap(({ row, found }) => {
    const own = (['logo', 'video'] as const).flatMap((field): FileCell[] => {
      if (row[field] === undefined) return [];
      const media = found[field];
      return [{ line: row.line, kind: row.kind, id: null, field, value: media === undefined ? null : idOf(media) }];
    });
    return [...own, ...videoCells(row, found, idOf, library)];
  });
}

/** Caption and name belong to the video itself, since they travel with it. */
function videoCells(
  row: SheetFiles,
  found: Readonly<Partial<Record<MediaColumn, MediaMatch>>>,
  idOf: (media: MediaMatch) => RowId,
  library: ReadonlyMap<RowId, Row<'media'>>,
): readonly FileCell[] {
  const id = found.video === undefined ? row.currentVideo : idOf(found.video);
  if (id === null) return [];
  const cells: FileCell[] = [];
  const before = library.get(id)?.values;
  if (row.caption !== undefined) {
    const value = found.caption === undefined ? null : idOf(found.caption);
    if (value !== (before?.caption ?? null)) cells.push({ line: row.line, kind: 'media', id, field: 'caption', value });
  }
  if (row.mediaName !== undefined && row.mediaName !== (before?.mediaName ?? null)) {
    cells.push({ line: row.line, kind: 'media', id, field: 'mediaName', value: row.mediaName });
  }
  return cells;
}
