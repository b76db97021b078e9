import { createHash, hash, type KeyObject } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type CampaignTree, rowsIn } from '../../../shared/model/campaign-tree.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { serviceMediaText } from '../../../shared/model/media.ts';
import { type AnyRow, cellOf, FIELD_BITS, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { FIELD_OF, KEY_COLUMNS, SHEET_KINDS, type SheetKind } from '../../../shared/spreadsheet/columns.ts';
import type { NotedComment, NotedLabel, RowNotes } from '../../../shared/spreadsheet/sheet-row.ts';
import { nullIfNotFound } from '../../app/atomic-write.ts';
import { type LongTask, subtaskOf } from '../../app/long-task.ts';
import { systemUser } from '../../app/system.ts';
import type { Workspace } from '../../store/workspace.ts';
import {
  ARCHIVE_LIMITS,
  type ArchiveRow,
  type ArchiveSource,
  CHECKSUMS,
  FORMAT_VERSION,
  MANIFEST,
  type Manifest,
  MEDIA_FOLDER,
  ROWS,
} from './archive-format.ts';
import { signArchive } from './signature.ts';

export interface ArchiveOrder {
  readonly source: ArchiveSource;
  readonly target: string;
  readonly account: Manifest['account'];
  readonly nowMs: number;
}

/** Name and key of the author. */
export interface ArchiveSigner {
  readonly key: KeyObject;
  readonly name: string;
}

export interface WrittenArchive {
  readonly rows: number;
  readonly media: number;
  readonly isSigned: boolean;
}

/** The library has a row of the file, but the file is missing on the disk. */
export interface MissingMedia {
  readonly kind: 'missing-media';
  readonly fileName: string;
}

/** No reader would open it. */
export interface ArchiveTooLarge {
  readonly kind: 'archive-too-large';
  readonly params: { readonly count: number; readonly unit: string; readonly limit: number };
}

const CAMPAIGNS_A_READ = 25;

/**
 * Writes an archive: first the rows into a file beside the target, to compute their checksum and the media they use,
 * then everything into the archive, the manifest first and the checksums last.
 */
export async function writeArchive(
  workspace: Workspace,
  mediaPath: (sha256: string) => string,
  { source, target, account, nowMs }: ArchiveOrder,
  signer: ArchiveSigner | null,
  work: LongTask,
  limits = ARCHIVE_LIMITS,
): Promise<Result<WrittenArchive, MissingMedia | ArchiveTooLarge>> {
  const rowsFile = `${target}.rows`;
  const used = new Set<string>();
  let isWhole = false;
  try {
    const written = await writeRows(workspace, source, rowsFile, used, subtaskOf(work, 0, 0.5));
    const spare = source === 'archive' ? spareFiles(await workspace.readMedia(), used) : [];
    for (const { sha256 } of spare) used.add(sha256);
    let [mediaBytes, largest] = [0, 0];
    for (const sha256 of used) {
      const there = await stat(mediaPath(sha256)).catch(nullIfNotFound);
      mediaBytes += there?.size ?? 0;
      largest = Math.max(largest, there?.size ?? 0);
      if (there === null) {
        const row = (await workspace.readMedia()).find(({ values }) => values.sha256 === sha256);
        return err({ kind: 'missing-media', fileName: row?.values.fileName ?? sha256 });
      }
    }
    const at = new Date(nowMs).toISOString();
    const description: Manifest = {
      format: source === 'archive' ? 'adslate-archive' : 'adslate-changes',
      version: FORMAT_VERSION,
      writtenAt: at,
      account,
      rows: written.rows,
      media: used.size,
      ...(spare.length === 0 ? {} : { spare }),
    };
    const parts = new Map([[ROWS, written.sha256]]);
    for (const sha256 of used) parts.set(MEDIA_FOLDER + sha256, sha256);
    const signed =
      signer === null ? {} : { signature: signArchive(signer.key, { name: signer.name, at, description, parts }) };
    const text = `${JSON.stringify({ ...description, ...signed }, null, 2)}\n`;
    const checksums = { [MANIFEST]: hash('sha256', text), ...Object.fromEntries(parts) };
    const sums = `${JSON.stringify(checksums, null, 2)}\n`;
    const texts = [text, sums].map((part) => Buffer.byteLength(part));
    const measured = [
      { unit: 'parts', count: used.size + 3, limit: limits.parts },
      { unit: 'bytes of rows', count: written.bytes, limit: limits.rows },
      { unit: 'bytes of file names', count: Math.max(...texts), limit: limits.text },
      { unit: 'bytes in one file', count: largest, limit: limits.file },
      {
        unit: 'bytes',
        count: texts.reduce((sum, size) => sum + size, written.bytes + mediaBytes),
        limit: limits.total,
      },
    ];
    const tooLarge = measured.find(({ count, limit }) => count > limit);
    if (tooLarge !== undefined) return err({ kind: 'archive-too-large', params: tooLarge });
    const all: readonly Part[] = [
      { name: MANIFEST, text },
      { name: ROWS, path: rowsFile },
      ...[...used].map((sha256) => ({ name: MEDIA_FOLDER + sha256, path: mediaPath(sha256), isPacked: true })),
      { name: CHECKSUMS, text: sums },
    ];
    await zip(target, all, mediaBytes, subtaskOf(work, 0.5, 1));
    isWhole = true;
    return ok({ rows: written.rows, media: used.size, isSigned: signer !== null });
  } finally {
    await rm(rowsFile, { force: true });
    if (!isWhole) await rm(target, { force: true });
  }
}

/** Library files that no row uses yet. They are part of an account like any other. */
function spareFiles(library: readonly Row<'media'>[], used: ReadonlySet<string>): NonNullable<Manifest['spare']> {
  const names = new Map<string, string>();
  for (const row of library) {
    const { sha256, fileName } = row.values;
    // Rows from the service have no file here. A poster belongs to a video of this account.
    if (row.values.mediaType === 'poster') continue;
    if (sha256 !== null && !used.has(sha256) && !isDeleted(row)) names.set(sha256, fileName ?? 'file');
  }
  return [...names].map(([sha256, fileName]) => ({ sha256, fileName }));
}

async function writeRows(
  workspace: Workspace,
  source: ArchiveSource,
  path: string,
  used: Set<string>,
  { tellShare, signal }: LongTask,
) {
  const library = new Map((await workspace.readMedia()).map((row) => [row.id, row]));
  const notesOf = await readNotes(workspace);
  const ids = await workspace.campaignIds(source === 'archive' ? 'all' : 'changed-or-commented');
  const sum = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let [rows, bytes] = [0, 0];
  try {
    for (let from = 0; from < ids.length; from += CAMPAIGNS_A_READ) {
      signal.throwIfAborted();
      tellShare(from / ids.length);
      const trees = await workspace.readTrees(ids.slice(from, from + CAMPAIGNS_A_READ) as readonly RowId[]);
      let text = '';
      for (const row of archiveRows(trees, library, source, notesOf, used)) {
        text += `${JSON.stringify(row)}\n`;
        rows++;
      }
      sum.update(text);
      bytes += Buffer.byteLength(text);
      await file.appendFile(text);
    }
  } finally {
    await file.close();
  }
  return { rows, bytes, sha256: sum.digest('hex') };
}

async function readNotes(workspace: Workspace): Promise<(row: AnyRow) => RowNotes> {
  const commentsByRow = new Map<string, NotedComment[]>();
  // Comments without an author were written by the user of this computer; the archive must name them.
  const who = systemUser();
  for (const { ref, id: _, ...comment } of await workspace.comments(null, null)) {
    listOf(commentsByRow, keyOf(ref)).push({ ...comment, author: comment.author === '' ? who : comment.author });
  }
  const labelsByRow = new Map<string, NotedLabel[]>();
  for (const { name, color, rows } of await workspace.labelled()) {
    for (const { kind, ids } of rows)
      for (const id of ids) listOf(labelsByRow, keyOf({ kind, id })).push({ name, color });
  }
  return (row) => ({
    comments: commentsByRow.get(keyOf(row)) ?? [],
    labels: labelsByRow.get(keyOf(row)) ?? [],
  });
}

const keyOf = (row: { readonly kind: string; readonly id: number }): string => `${row.kind} ${row.id}`;

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

type Part =
  | { readonly name: string; readonly text: string }
  /** Videos are compressed already; compressing them again costs time and saves nothing. */
  | { readonly name: string; readonly path: string; readonly isPacked?: boolean };

/** @param expectedBytes estimated size: media keep their size, and the rest is small */
async function zip(
  target: string,
  parts: readonly Part[],
  expectedBytes: number,
  { tellShare, signal }: LongTask,
): Promise<void> {
  const file = new ZipFile();
  // A fixed time, so that the same content gives the same bytes.
  const mtime = new Date(Date.UTC(1980, 0, 1));
  for (const part of parts) {
    if ('text' in part) file.addBuffer(Buffer.from(part.text), part.name, { mtime, mode: 0o100600 });
    else {
      file.addReadStreamLazy(part.name, { mtime, mode: 0o100600, compress: part.isPacked !== true }, (give) =>
        give(null, createReadStream(part.path)),
      );
    }
  }
  file.end();
  let written = 0;
  const counted = async function* (chunks: AsyncIterable<string | Buffer>) {
    for await (const chunk of chunks) {
      written += chunk.length;
      tellShare(Math.min(1, written / Math.max(written, expectedBytes)));
      yield chunk;
    }
  };
  await pipeline(file.outputStream, counted, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
}

/**
 * The rows of campaigns for an archive, parents first. `archive` has everything that is not deleted; `changes` has the
 * differences from the service: new rows completely, edited ones with their edits and earlier values, deleted ones as
 * such, and rows with comments.
 *
 * @param used collects the hashes of the media used by the rows
 */
function* archiveRows(
  trees: Iterable<CampaignTree>,
  library: ReadonlyMap<RowId, Row<'media'>>,
  source: ArchiveSource,
  notesOf: (row: AnyRow) => RowNotes,
  used: Set<string>,
): Generator<ArchiveRow> {
  for (const tree of trees) {
    const groups = new Map(tree.adGroups.map((row) => [row.id, row]));
    for (const row of SHEET_KINDS.flatMap((kind) => rowsIn(tree, kind))) {
      if (isDeleted(row) && (source === 'archive' || isNew(row))) continue;
      const kind = row.kind as SheetKind;
      const group = row.kind === 'adGroup' ? groups.get(row.id) : groups.get(row.adGroupId ?? asRowId(0));
      const links = { kind, campaign: linkOf(tree.campaign), adGroup: linkOf(group), rowId: idOf(row) };
      if (isDeleted(row)) {
        yield { ...links, cells: keyCells(row, kind), deleted: true };
        continue;
      }
      const notes = notesOf(row);
      const content = source === 'archive' || isNew(row) ? wholeRow(row, kind) : editedRow(row, kind);
      const files = filesOf(row, library, source, used);
      const isTold = source === 'archive' || isNew(row) || (row.dirty & FIELD_BITS) !== 0 || files.isChanged;
      if (!isTold && notes.comments.length === 0) continue;
      const base = { ...content.base, ...files.base };
      const isBased = Object.keys(base).length > 0;
      yield { ...links, cells: content.cells, ...(isBased ? { base } : {}), ...files.cells, ...notedCells(notes) };
    }
  }
}

const notedCells = ({ comments, labels }: RowNotes): Partial<ArchiveRow> => ({
  ...(comments.length === 0 ? {} : { comments: [...comments] }),
  ...(labels.length === 0 ? {} : { labels: [...labels] }),
});

/** By ID where the service has one: the name may have changed in the other account. */
function linkOf(row: Row<'campaign'> | Row<'adGroup'> | undefined): ArchiveRow['campaign'] {
  if (row === undefined) return { name: null, remoteId: null };
  return { name: row.remoteId === null ? row.values.name : null, remoteId: row.remoteId };
}

const idOf = (row: AnyRow): ArchiveRow['rowId'] =>
  row.kind === 'campaign' || row.kind === 'adGroup' || !/^\d+$/.test(row.remoteId ?? '') ? null : row.remoteId;

type Content = Pick<ArchiveRow, 'cells' | 'base'>;

function wholeRow(row: AnyRow, kind: SheetKind): Content {
  const cells: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) {
    const value = cellOf(row.values, field);
    if (value !== null) cells[field] = value;
  }
  return { cells };
}

/** The fields that differ from the service, with their earlier values. */
function editedRow(row: AnyRow, kind: SheetKind): Content {
  const cells: Record<string, Cell> = keyCells(row, kind);
  const base: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) {
    if (!isEdited(row, field)) continue;
    cells[field] = cellOf(row.values, field);
    base[field] = cellOf(row.base ?? row.values, field);
  }
  return { cells, base };
}

/** The identifying cells of a row without a service ID: multipliers. */
function keyCells(row: AnyRow, kind: SheetKind): Record<string, Cell> {
  if (kind === 'campaign' || kind === 'adGroup' || idOf(row) !== null) return {};
  const fields = KEY_COLUMNS[kind].map((column) => FIELD_OF[kind][column] ?? '');
  return Object.fromEntries(fields.map((field) => [field, cellOf(row.base ?? row.values, field)]));
}

/** The logo of a row of an archive, or its video with caption and name. */
interface FileCells {
  readonly cells: Partial<ArchiveRow>;
  /** The service's values, for those that were edited since. */
  readonly base: Record<string, Cell>;
  /** True when the caption or the name of the video differs from the service. */
  readonly isChanged: boolean;
}
const NO_FILES: FileCells = { cells: {}, base: {}, isChanged: false };

type Library = ReadonlyMap<RowId, Row<'media'>>;

/** @param used collects the hashes of the included files */
function filesOf(row: AnyRow, library: Library, source: ArchiveSource, used: Set<string>): FileCells {
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
type FileNames = ReturnType<typeof fileNames>;

function fileNames(library: Library, used: Set<string>) {
  const fileOf = (id: RowId | null): Row<'media'> | null => (id === null ? null : (library.get(id) ?? null));
  const of = (id: RowId | null): string | null => {
    const file = fileOf(id);
    if (file === null) return null;
    const { sha256, fileName } = file.values;
    if (sha256 !== null) return `${sha256}/${fileName ?? 'file'}`;
    return file.remoteId === null ? null : serviceMediaText(file.remoteId);
  };
  return {
    /** The name of a file that is only mentioned. */
    of,
    /** The name of a file that is included. */
    take: (id: RowId | null): string | null => {
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

/** Whether a field differs from the service's last value. */
const isEdited = (row: AnyRow, field: string): boolean =>
  row.base !== null && cellOf(row.base, field) !== cellOf(row.values, field);
