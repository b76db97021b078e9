import type { ImportFile } from '../../../shared/api/files.ts';
import { isServiceMedia, serviceMediaText } from '../../../shared/model/media.ts';
import { isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { filesWithout, filledByFiles } from '../../../shared/spreadsheet/change-collector.ts';
import { type ColumnSet, columnBit, FILE_WORDS, NO_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import type { SheetFiles } from '../../../shared/spreadsheet/sheet-changes.ts';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import type { ActiveAccount } from '../../core/active-account.ts';
import { notWritable } from '../../store/not-writable.ts';
import type { NotWritable } from '../../store/types.ts';
import type { UnusedFile } from '../archive/archive-media.ts';
import { addMedia } from '../media/add-media.ts';
import { shownName } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import type { LineProblem } from './csv.ts';
import type { MediaColumn, MediaFinder, MediaMatch } from './find-import-media.ts';
import type { FileCell } from './worker/stage-import.ts';

/** The files named by a row of a linked spreadsheet, as far as found. */
export interface ResolvedFiles {
  readonly row: SheetFiles;
  readonly found: Readonly<Partial<Record<MediaColumn, MediaMatch>>>;
}

const WORDS: readonly MediaColumn[] = ['logo', 'video', 'caption'];

/** Finds the usable files; for the others it returns the reason. */
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
    for (const word of WORDS) {
      const path = row[word];
      if (path === undefined || path === null) continue;
      const media = await finder.find(path, word);
      if (media.ok) found[word] = media.value;
      else problems.push({ line: row.line, column: FILE_WORDS[word], message: media.error });
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

/** Name and caption of a video that was uploaded elsewhere can't be changed by any call. */
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
 * The files without those in skipped columns, and without those of rows with another unusable file: these rows are not
 * imported.
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

/**
 * The cells that attach files once every file has its row in the library.
 *
 * @param idOf the library row of a found file
 */
function attachFiles(
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

/** Caption and name belong to the video itself, since they are uploaded with it. */
function videoCells(
  row: SheetFiles,
  found: ResolvedFiles['found'],
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

/**
 * The library files that an import would add, or change in caption or name, each once: the preview lists them, and
 * each can be skipped by its key.
 */
export function filesOfImport(
  files: readonly ResolvedFiles[],
  spare: readonly UnusedFile[],
  library: readonly Row<'media'>[],
): readonly ImportFile[] {
  const byId = new Map(library.map((row) => [row.id, row]));
  const listed = new Map<string, ImportFile>();
  const list = (file: ImportFile): void => {
    const before = listed.get(file.key);
    listed.set(file.key, before === undefined ? file : { ...before, rows: before.rows + file.rows });
  };
  for (const { row, found } of files) {
    for (const word of WORDS) {
      const media = found[word];
      if (media?.is !== 'new') continue;
      const { fileName, bytes } = media.file;
      list({ key: media.sha256, what: 'added', fileName, mediaType: word, bytes, rows: 1, changes: [] });
    }
    const video = knownVideo(row, found);
    const kept = video === null ? undefined : byId.get(video);
    if (kept === undefined) continue;
    const changes = changesOf(row, found.caption, kept);
    const { fileName, bytes } = kept.values;
    if (changes.length === 0) continue;
    list({
      key: changeKey(kept.id),
      what: 'changed',
      fileName: fileName ?? '',
      mediaType: 'video',
      bytes,
      rows: 1,
      changes,
    });
  }
  for (const { sha256, fileName } of spare)
    list({
      key: sha256,
      what: 'added',
      fileName: shownName(fileName),
      mediaType: null,
      bytes: null,
      rows: 0,
      changes: [],
    });
  return [...listed.values()];
}

const changeKey = (id: RowId): string => `change ${id}`;

/** The library video of the row's caption and name; null when the video is new itself. */
function knownVideo(row: SheetFiles, { video }: ResolvedFiles['found']): RowId | null {
  if (video === undefined) return row.currentVideo;
  return video.is === 'known' ? video.id : null;
}

function changesOf(
  { caption, mediaName }: SheetFiles,
  found: MediaMatch | undefined,
  { values }: Row<'media'>,
): ImportFile['changes'] {
  const wanted = found === undefined ? null : found.is === 'known' ? found.id : 'new';
  return [
    ...(caption !== undefined && wanted !== values.caption ? (['caption'] as const) : []),
    ...(mediaName !== undefined && mediaName !== values.mediaName ? (['mediaName'] as const) : []),
  ];
}

/**
 * The files without those that the user skips. Their rows are still imported and keep their present files; caption and
 * name of a skipped video are skipped as well.
 */
export const leaveFilesOut = (files: readonly ResolvedFiles[], keys: ReadonlySet<string>): readonly ResolvedFiles[] =>
  keys.size === 0 ? files : files.map((each) => leaveOutOf(each, keys));

function leaveOutOf({ row, found }: ResolvedFiles, keys: ReadonlySet<string>): ResolvedFiles {
  const isOut = (word: MediaColumn): boolean => {
    const media = found[word];
    return media?.is === 'new' && keys.has(media.sha256);
  };
  const video = knownVideo(row, found);
  const isChangeOut = isOut('video') || (video !== null && keys.has(changeKey(video)));
  const drop = new Set<string>([...WORDS.filter(isOut), ...(isChangeOut ? ['caption', 'mediaName'] : [])]);
  if (drop.size === 0) return { row, found };
  const without = <T extends object>(from: T): T =>
    // The removed members are optional in both shapes.
    Object.fromEntries(Object.entries(from).filter(([name]) => !drop.has(name))) as T;
  return { row: without(row), found: without(found) };
}

/** Copies the files of a spreadsheet into the library, and returns the cells that attach them. */
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
    return err(notWritable('disk-full', detail));
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
