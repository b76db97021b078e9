import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type AnyRow, isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { NotedComment, NotedLabel, RowNotes } from '../../../shared/sheet/row-notes.ts';
import { type LongTask, subtaskOf } from '../../long-work.ts';
import { nullIfNotFound } from '../../null-if-missing.ts';
import { systemUser } from '../../system-user.ts';
import type { Workspace } from '../../workspace/store.ts';
import {
  type ArchiveSource,
  CHECKSUMS,
  FORMAT_VERSION,
  MANIFEST,
  type Manifest,
  MEDIA_FOLDER,
  ROWS,
} from './archive-format.ts';
import { archiveRows } from './archive-rows.ts';
import { signArchive } from './signature.ts';

export interface ArchiveOrder {
  readonly source: ArchiveSource;
  readonly target: string;
  readonly account: Manifest['account'];
  readonly nowMs: number;
}

/** Whose name and key stand under the archive. */
export interface ArchiveSigner {
  readonly key: KeyObject;
  readonly name: string;
}

export interface WrittenArchive {
  readonly rows: number;
  readonly media: number;
  readonly isSigned: boolean;
}

/** The library says that the file is there, and the disk does not have it. */
export interface MissingMedia {
  readonly kind: 'missing-media';
  readonly fileName: string;
}

const CAMPAIGNS_A_READ = 25;

/**
 * Writes an archive: the rows first into a file beside the target, to know their checksum and which media they name,
 * then everything into the archive, the manifest first and the checksums last.
 */
export async function writeArchive(
  workspace: Workspace,
  mediaPath: (sha256: string) => string,
  { source, target, account, nowMs }: ArchiveOrder,
  signer: ArchiveSigner | null,
  work: LongTask,
): Promise<Result<WrittenArchive, MissingMedia>> {
  const rowsFile = `${target}.rows`;
  const used = new Set<string>();
  let isWhole = false;
  try {
    const written = await writeRows(workspace, source, rowsFile, used, subtaskOf(work, 0, 0.5));
    const spare = source === 'archive' ? spareFiles(await workspace.readMedia(), used) : [];
    for (const { sha256 } of spare) used.add(sha256);
    let mediaBytes = 0;
    for (const sha256 of used) {
      const there = await stat(mediaPath(sha256)).catch(nullIfNotFound);
      mediaBytes += there?.size ?? 0;
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
    const checksums = { [MANIFEST]: sha256Of(text), ...Object.fromEntries(parts) };
    const all: readonly Part[] = [
      { name: MANIFEST, text },
      { name: ROWS, path: rowsFile },
      ...[...used].map((sha256) => ({ name: MEDIA_FOLDER + sha256, path: mediaPath(sha256), isPacked: true })),
      { name: CHECKSUMS, text: `${JSON.stringify(checksums, null, 2)}\n` },
    ];
    await zip(target, all, mediaBytes, subtaskOf(work, 0.5, 1));
    isWhole = true;
    return ok({ rows: written.rows, media: used.size, isSigned: signer !== null });
  } finally {
    await rm(rowsFile, { force: true });
    if (!isWhole) await rm(target, { force: true });
  }
}

/** Files that wait in the library for a row to use them. They are part of an account like any other. */
function spareFiles(library: readonly Row<'media'>[], used: ReadonlySet<string>): NonNullable<Manifest['spare']> {
  const names = new Map<string, string>();
  for (const row of library) {
    const { sha256, fileName } = row.values;
    // Rows that came from the service have no file here.
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
  const ids = await workspace.campaignIds(source === 'archive' ? 'all' : 'told');
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let rows = 0;
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
      hash.update(text);
      await file.write(text);
    }
  } finally {
    await file.close();
  }
  return { rows, sha256: hash.digest('hex') };
}

async function readNotes(workspace: Workspace): Promise<(row: AnyRow) => RowNotes> {
  const commentsByRow = new Map<string, NotedComment[]>();
  // Written here by whoever sits here; elsewhere that would mean somebody else.
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
  /** Videos are packed already; packing them again costs time and saves nothing. */
  | { readonly name: string; readonly path: string; readonly isPacked?: boolean };

/** @param expectedBytes about how many come out: media are as long as they were, and the rest is small beside them */
async function zip(
  target: string,
  parts: readonly Part[],
  expectedBytes: number,
  { tellShare, signal }: LongTask,
): Promise<void> {
  const file = new ZipFile();
  // A fixed time, so that the same content makes the same bytes.
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

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
