import type { ImportFile } from '../../../shared/api/files.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { SheetFiles } from '../../../shared/spreadsheet/sheet-changes.ts';
import type { UnusedFile } from '../archive/archive-media.ts';
import { shownName } from '../media/file-grants.ts';
import type { MediaColumn, MediaMatch } from './find-import-media.ts';
import type { ResolvedFiles } from './sheet-files.ts';

/**
 * The files of the library that an import would add, or change in caption or name, each once: the preview lists them,
 * and each can be left out by its key.
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
    for (const word of MEDIA_WORDS) {
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

const MEDIA_WORDS: readonly MediaColumn[] = ['logo', 'video', 'caption'];
const changeKey = (id: RowId): string => `change ${id}`;

/** The video of the library that the row's caption and name would go to; null when the video is new itself. */
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
 * The files without those that the user leaves out. Their rows come in all the same and keep what they have; what would go
 * along with a video that stays out, its caption and name, stays out as well.
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
  const drop = new Set<string>([
    ...MEDIA_WORDS.filter(isOut),
    ...(isChangeOut ? (['caption', 'mediaName'] as const) : []),
  ]);
  if (drop.size === 0) return { row, found };
  const without = <T extends object>(from: T): T =>
    // What is dropped is optional in both shapes.
    Object.fromEntries(Object.entries(from).filter(([name]) => !drop.has(name))) as T;
  return { row: without(row), found: without(found) };
}
