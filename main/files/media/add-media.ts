import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { AddedFile, EditedCaptions } from '../../../shared/api/files.ts';
import {
  type Caption,
  clipCaptions,
  normalizedLines,
  parseCaptions,
  printCaptions,
} from '../../../shared/media/captions.ts';
import { type BadFile, type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { type MediaFacts, readMediaFacts } from '../../../shared/model/media.ts';
import type { Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { GrantedFile } from '../../app/host-ports.ts';
import type { LongTask } from '../../app/long-task.ts';
import type { CellUpdate, CreateRow, EditProblem, NotWritable } from '../../store/types.ts';
import type { Workspace } from '../../store/workspace.ts';
import { pictureHeader } from '../pictures/pictures.ts';
import { decodeText } from '../probe/probe-file.ts';
import type { Prober } from '../probe/prober.ts';
import type { Trimmed } from '../probe/trim-video.ts';
import type { MediaLibrary } from './library.ts';

/**
 * Adds granted files to a workspace: probe, copy by hash, one row for each new file. An invalid file does not stop the
 * others. A caption added with a video of the same base name is attached to it.
 */
export interface AddMediaDeps {
  readonly workspace: Workspace;
  readonly library: MediaLibrary;
  readonly prober: Prober;
  /** Reports the progress by file. Canceled, the library has none of the files. */
  readonly work?: LongTask;
}

export interface AddedMedia {
  /** In the order of the given files. */
  readonly files: readonly AddedFile[];
  readonly revision: number;
}

interface Arrival {
  readonly fileName: string;
  readonly outcome: Result<
    { readonly facts: MediaFacts; readonly sha256: string; readonly bytes: number },
    FileRefusal
  >;
}

export async function addMedia(
  deps: AddMediaDeps,
  files: readonly Result<GrantedFile, BadFile>[],
): Promise<Result<AddedMedia, NotWritable>> {
  const arrivals: Arrival[] = [];
  for (const file of files) {
    deps.work?.signal.throwIfAborted();
    arrivals.push(await arrive(deps, file));
    deps.work?.tellShare(arrivals.length / files.length);
  }
  return deps.library.inTurn(() => addRows(deps, arrivals));
}

async function addRows(deps: AddMediaDeps, arrivals: readonly Arrival[]): Promise<Result<AddedMedia, NotWritable>> {
  const known = new Map((await deps.workspace.readMedia()).map((row) => [row.values.sha256, row] as const));
  const creates = new Map<string, CreateRow>();
  for (const { fileName, outcome } of arrivals) {
    if (!outcome.ok || known.has(outcome.value.sha256) || creates.has(outcome.value.sha256)) continue;
    creates.set(outcome.value.sha256, mediaRow(fileName, outcome.value));
  }

  const idByHash = new Map<string, RowId>();
  for (const [sha256, row] of known) if (sha256 !== null) idByHash.set(sha256, row.id);
  let revision: number | null = null;
  if (creates.size > 0) {
    const label = creates.size === 1 ? 'Add a file' : `Add ${creates.size} files`;
    const applied = await deps.workspace.apply({ label, source: 'media', creates: [...creates.values()] });
    if (!applied.ok) return err(writeProblem(applied.error));
    [...creates.keys()].forEach((sha256, index) => {
      const ref = applied.value.touched[index];
      if (ref !== undefined) idByHash.set(sha256, asRowId(ref.id));
    });
    revision = applied.value.revision;
  }

  const updates = captionsToAttach(arrivals, idByHash, known);
  if (updates.length > 0) {
    const attached = await deps.workspace.apply({ label: 'Attach captions', source: 'media', updates });
    if (!attached.ok) return err(writeProblem(attached.error));
    revision = attached.value.revision;
  }
  return ok({
    files: arrivals.map((arrival) => described(arrival, idByHash, known)),
    revision: revision ?? (await deps.workspace.summary()).revision,
  });
}

async function arrive(deps: AddMediaDeps, file: Result<GrantedFile, BadFile>): Promise<Arrival> {
  if (!file.ok) return { fileName: file.error.data.fileName, outcome: err(file.error.data) };
  const { fileName, path } = file.value;
  const facts = await deps.prober.probe(path);
  if (!facts.ok) return { fileName, outcome: facts };
  const kept = await deps.library.keep(path);
  if (!kept.ok) return { fileName, outcome: kept };
  // The copied bytes will be sent, so a file that changed between probe and copy is refused.
  if (kept.value.bytes !== file.value.bytes) return { fileName, outcome: err(fileRefusal('changed')) };
  return { fileName, outcome: ok({ facts: facts.value, sha256: kept.value.sha256, bytes: kept.value.bytes }) };
}

function mediaRow(fileName: string, file: { facts: MediaFacts; sha256: string; bytes: number }): CreateRow {
  const values: AnyValues = {
    mediaType: file.facts.is,
    // The name the video gets on the service; the user may change it until the upload.
    mediaName: file.facts.is === 'video' ? parse(fileName).name : null,
    fileName,
    sha256: file.sha256,
    bytes: file.bytes,
    facts: JSON.stringify(file.facts),
    mediaState: 'local',
  };
  return { kind: 'media', parent: null, values };
}

type KnownMedia = ReadonlyMap<string | null, Row<'media'>>;

function captionsToAttach(
  arrivals: readonly Arrival[],
  idByHash: ReadonlyMap<string, RowId>,
  known: KnownMedia,
): readonly CellUpdate[] {
  const captions = new Map<string, RowId>();
  const usable = arrivals.flatMap(({ fileName, outcome }) => (outcome.ok ? [{ fileName, ...outcome.value }] : []));
  for (const { fileName, facts, sha256 } of usable) {
    const id = idByHash.get(sha256);
    if (facts.is === 'caption' && id !== undefined) captions.set(baseName(fileName), id);
  }
  return usable.flatMap(({ fileName, facts, sha256 }) => {
    const id = idByHash.get(sha256);
    const caption = captions.get(baseName(fileName));
    if (facts.is !== 'video' || id === undefined || caption === undefined) return [];
    // A caption selected by the user stays.
    if ((known.get(sha256)?.values.caption ?? null) !== null) return [];
    return [{ kind: 'media', id, field: 'caption', value: caption }];
  });
}

const baseName = (fileName: string): string => parse(fileName).name.normalize('NFC').toLowerCase();

function described(arrival: Arrival, idByHash: ReadonlyMap<string, RowId>, known: KnownMedia): AddedFile {
  const { fileName, outcome } = arrival;
  if (!outcome.ok) return { outcome: 'refused', fileName, reason: outcome.error.reason, params: outcome.error.params };
  const mediaId = idByHash.get(outcome.value.sha256);
  if (mediaId === undefined) throw new Error('a created media row has no ID');
  const { facts, sha256 } = outcome.value;
  return { outcome: 'added', fileName, mediaId, mediaType: facts.is, known: known.has(sha256) };
}

/** Adds a frame of a library video to the library as a picture. The video is not changed. */
export async function addPoster(
  { workspace, library }: Pick<AddMediaDeps, 'workspace' | 'library'>,
  video: Row<'media'>,
  jpeg: Buffer,
): Promise<Result<{ readonly mediaId: RowId }, FileRefusal | NotWritable>> {
  const header = pictureHeader(jpeg);
  const { sha256: of, fileName } = video.values;
  if (of === null || header?.contentType !== 'image/jpeg') return err(fileRefusal('damaged-image'));
  const folder = await library.makeRoom();
  try {
    const path = join(folder, 'poster');
    await writeFile(path, jpeg);
    const kept = await library.keep(path);
    if (!kept.ok) return kept;
    const { width, height } = header;
    const file = { ...kept.value, facts: { is: 'poster', of, width, height } as const };
    const creates = [mediaRow(`${parse(fileName ?? 'video').name} poster.jpg`, file)];
    const applied = await workspace.apply({ label: 'Use this frame', source: 'media', creates });
    if (!applied.ok) return err(writeProblem(applied.error));
    const [made] = applied.value.touched;
    if (made === undefined) throw new Error('a poster has no row');
    return ok({ mediaId: asRowId(made.id) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rows created here are valid, so only the disk can refuse them. */
function writeProblem(error: EditProblem | NotWritable): NotWritable {
  if (error.code === 'NOT_WRITABLE') return error;
  throw new Error(`media rows were refused: ${JSON.stringify(error)}`);
}

export interface VideoPart {
  readonly video: Row<'media'>;
  /** Milliseconds of the video, as for `TrimOptions`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Captions that were edited and are not in use yet; they replace those of the library. */
  readonly edited: EditedCaptions | null;
}

/**
 * Adds a part of a library video to the library as a new file with its captions. The original is not changed.
 *
 * @throws the reason of the signal when canceled; then the library has nothing of it
 */
export async function addTrimmed(
  deps: AddMediaDeps,
  { video, fromMs, toMs, edited }: VideoPart,
  work: LongTask,
): Promise<Result<Trimmed & { readonly file: AddedFile }, FileRefusal | NotWritable>> {
  const { sha256, fileName } = video.values;
  const facts = readMediaFacts(video.values.facts);
  if (sha256 === null || facts?.is !== 'video') return err(fileRefusal('no-picture-track'));
  const folder = await deps.library.makeRoom();
  try {
    const stem = `${parse(fileName ?? 'video').name} trimmed`;
    const target = join(folder, `video.${facts.container}`);
    const order = { path: await deps.library.find(sha256), target, container: facts.container, fromMs, toMs };
    const trimmed = await deps.prober.trim(order, work);
    if (!trimmed.ok) return trimmed;
    const made = [{ path: target, fileName: `${stem}.${facts.container}` }];
    const { captions, format, head } = edited ?? (await captionsOf(deps, video));
    const part = clipCaptions(captions, trimmed.value.fromMs, trimmed.value.lengthMs).filter(hasText);
    if (part.length > 0) {
      const path = join(folder, 'captions');
      await writeFile(path, printCaptions(part, format, head));
      made.push({ path, fileName: `${stem}.${format}` });
    }
    const files = await Promise.all(
      made.map(async (file) => {
        const { size } = await stat(file.path);
        return ok({ ...file, grant: '', bytes: size, spooled: false, held: null });
      }),
    );
    work.signal.throwIfAborted();
    const added = await addMedia(deps, files);
    if (!added.ok) return added;
    const [file] = added.value.files;
    if (file === undefined) throw new Error('an added file is missing from the list');
    return ok({ ...trimmed.value, file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const hasText = ({ text }: Pick<Caption, 'text'>): boolean => normalizedLines(text) !== '';

/** The captions of a video in the library; none if it has none that can be read. */
async function captionsOf({ workspace, library }: AddMediaDeps, video: Row<'media'>): Promise<EditedCaptions> {
  const row = (await workspace.readMedia()).find(({ id }) => id === video.values.caption);
  const facts = readMediaFacts(row?.values.facts ?? null);
  const sha256 = row?.values.sha256 ?? null;
  if (sha256 === null || facts?.is !== 'caption') return { captions: [], format: 'vtt', head: '' };
  const text = decodeText(await readFile(await library.find(sha256)));
  const { captions, head } = parseCaptions(text ?? '');
  return { captions: [...captions], format: facts.format, head };
}
