import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { VideoFacts } from '../../../shared/model/media.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/**
 * Length, size and codecs of a video from its `moov` box:
 *
 *   moov ── mvhd            timescale and duration of the whole film
 *        ├─ mvex ─ mehd     the duration of a fragmented film, when it says so
 *        └─ trak ─┬─ tkhd   width and height as shown, with the rotation
 *                 └─ mdia ─┬─ hdlr                 vide | soun
 *                          └─ minf ─ stbl ─ stsd   four-character code of the codec
 */
const MOOV_MAX_BYTES = 32 * 1024 * 1024;
const MAX_TRACKS = 64;

export function videoFacts(source: ByteSource, container: 'mp4' | 'mov'): Result<VideoFacts, FileRefusal> {
  const boxes = walkBoxes(source);
  if (!boxes.ok) return boxes;
  const moovBox = boxes.value.find((box) => box.type === 'moov');
  if (moovBox === undefined) return err(fileRefusal('damaged-video', { what: 'its table of contents is missing' }));
  if (!boxes.value.some((box) => box.type === 'mdat')) {
    return err(fileRefusal('damaged-video', { what: 'its pictures are missing' }));
  }
  if (moovBox.end - moovBox.start > MOOV_MAX_BYTES) {
    return err(fileRefusal('damaged-video', { what: 'its table of contents is too large' }));
  }
  const moov = boxesIn(source.read(moovBox.start, moovBox.end - moovBox.start));
  const header = moov?.get('mvhd')?.[0] ?? null;
  if (moov === null || header === null) {
    return err(fileRefusal('damaged-video', { what: 'its table of contents is damaged' }));
  }
  const tracks = (moov.get('trak') ?? []).slice(0, MAX_TRACKS).map(readTrack);
  const picture = tracks.find((track) => track?.handler === 'vide') ?? null;
  if (picture === null) return err(fileRefusal('no-picture-track'));
  const sound = tracks.find((track) => track?.handler === 'soun') ?? null;
  const stated = filmDurationMs(moov, header);
  const { id, timescale } = picture;
  const durationMs = stated ?? fragmentsDurationMs(source, boxes.value, moov, id, timescale);
  if (durationMs === 'unusable') return err(fileRefusal('damaged-video', { what: 'it has no time scale' }));
  return ok({
    is: 'video',
    container,
    durationMs,
    width: picture.width,
    height: picture.height,
    videoCodec: picture.codec,
    audioCodec: sound?.codec ?? null,
  });
}

/** Null when the film does not say how long it is, as fragmented ones do: then the fragments are added up. */
function filmDurationMs(moov: BoxesByType, mvhd: Buffer): number | null | 'unusable' {
  const wide = mvhd[0] === 1;
  if (mvhd.length < (wide ? 32 : 20)) return 'unusable';
  const timescale = mvhd.readUInt32BE(wide ? 20 : 12);
  if (timescale === 0) return 'unusable';
  const units = wide ? mvhd.readBigUInt64BE(24) : BigInt(mvhd.readUInt32BE(16));
  const unknown = wide ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  if (units !== 0n && units !== unknown) return toMs(units, timescale);
  const mehd = boxAt(moov, 'mvex', 'mehd');
  if (mehd === null || mehd.length < (mehd[0] === 1 ? 12 : 8)) return null;
  return toMs(mehd[0] === 1 ? mehd.readBigUInt64BE(4) : BigInt(mehd.readUInt32BE(4)), timescale);
}

const toMs = (units: bigint, timescale: number): number => Number((units * 1000n) / BigInt(timescale));

interface Track {
  readonly id: number;
  /** Units of the track's own durations in a second. */
  readonly timescale: number;
  readonly handler: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly codec: string | null;
}

function readTrack(content: Buffer): Track | null {
  const trak = boxesIn(content);
  if (trak === null) return null;
  const hdlr = boxAt(trak, 'mdia', 'hdlr');
  if (hdlr === null || hdlr.length < 12) return null;
  const stsd = boxAt(trak, 'mdia', 'minf', 'stbl', 'stsd');
  const codec = stsd !== null && stsd.length >= 16 ? stsd.toString('latin1', 12, 16) : null;
  const size = shownSize(trak.get('tkhd')?.[0] ?? null);
  const tkhd = trak.get('tkhd')?.[0] ?? null;
  const mdhd = boxAt(trak, 'mdia', 'mdhd');
  return {
    id: idOf(tkhd),
    timescale: mdhd === null ? 0 : timescaleOf(mdhd),
    handler: hdlr.toString('latin1', 8, 12),
    width: size?.width ?? null,
    height: size?.height ?? null,
    codec,
  };
}

function idOf(tkhd: Buffer | null): number {
  const at = tkhd?.[0] === 1 ? 20 : 12;
  return tkhd !== null && at + 4 <= tkhd.length ? tkhd.readUInt32BE(at) : 0;
}

function timescaleOf(mdhd: Buffer): number {
  const at = mdhd[0] === 1 ? 20 : 12;
  return at + 4 <= mdhd.length ? mdhd.readUInt32BE(at) : 0;
}

/** Width and height as shown: a phone's upright film is stored lying and turned by the matrix. */
function shownSize(tkhd: Buffer | null): { width: number; height: number } | null {
  if (tkhd === null) return null;
  const matrixAt = tkhd[0] === 1 ? 52 : 40;
  if (tkhd.length < matrixAt + 44) return null;
  const turned = tkhd.readInt32BE(matrixAt) === 0 && tkhd.readInt32BE(matrixAt + 16) === 0;
  const width = tkhd.readUInt32BE(matrixAt + 36) >>> 16;
  const height = tkhd.readUInt32BE(matrixAt + 40) >>> 16;
  if (width === 0 || height === 0) return null;
  return turned ? { width: height, height: width } : { width, height };
}

/**
 * The length of a fragmented film (ISO/IEC 14496-12, 8.8), whose `moov` says nothing about it: the durations of the
 * picture's samples, added up over all fragments.
 *
 *   moov ─ mvex ─ trex              default duration of a sample of the track
 *   moof ─ traf ─┬─ tfhd            the same for this fragment, if it differs
 *                └─ trun ...        each sample's own, if they differ
 */
const MOOF_MAX_BYTES = 4 * 1024 * 1024;
const MAX_SAMPLES = 1_000_000;

const TFHD = { baseOffset: 0x1, description: 0x2, duration: 0x8 } as const;
const TRUN = {
  dataOffset: 0x1,
  firstFlags: 0x4,
  duration: 0x100,
  size: 0x200,
  flags: 0x400,
  timeOffset: 0x800,
} as const;

/** @returns null when the fragments are damaged or too many to be counted */
function fragmentsDurationMs(
  source: ByteSource,
  boxes: readonly Box[],
  moov: BoxesByType,
  trackId: number,
  timescale: number,
): number | null {
  const fragments = boxes.filter(({ type }) => type === 'moof');
  if (fragments.length === 0 || timescale === 0) return null;
  const standard = defaultDuration(moov, trackId);
  let units = 0;
  for (const { start, end } of fragments) {
    if (end - start > MOOF_MAX_BYTES) return null;
    const moof = boxesIn(source.read(start, end - start));
    if (moof === null) return null;
    for (const traf of moof.get('traf') ?? []) {
      const parts = boxesIn(traf);
      const header = parts?.get('tfhd')?.[0] ?? null;
      if (parts === null || header === null || header.length < 8) return null;
      if (header.readUInt32BE(4) !== trackId) continue;
      const each = fragmentDuration(header) ?? standard;
      for (const run of parts.get('trun') ?? []) {
        const length = runDuration(run, each);
        if (length === null) return null;
        units += length;
      }
    }
  }
  return Math.floor((units * 1000) / timescale);
}

const flagsOf = (box: Buffer): number => box.readUInt32BE(0) & 0xffffff;

function defaultDuration(moov: BoxesByType, trackId: number): number {
  const extends_ = boxAt(moov, 'mvex');
  for (const trex of (extends_ === null ? null : boxesIn(extends_))?.get('trex') ?? []) {
    if (trex.length >= 16 && trex.readUInt32BE(4) === trackId) return trex.readUInt32BE(12);
  }
  return 0;
}

function fragmentDuration(tfhd: Buffer): number | null {
  const flags = flagsOf(tfhd);
  if ((flags & TFHD.duration) === 0) return null;
  const at = 8 + ((flags & TFHD.baseOffset) === 0 ? 0 : 8) + ((flags & TFHD.description) === 0 ? 0 : 4);
  return at + 4 <= tfhd.length ? tfhd.readUInt32BE(at) : null;
}

function runDuration(trun: Buffer, each: number): number | null {
  if (trun.length < 8) return null;
  const flags = flagsOf(trun);
  const samples = trun.readUInt32BE(4);
  if (samples > MAX_SAMPLES) return null;
  if ((flags & TRUN.duration) === 0) return samples * each;
  const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
  const first = 8 + has(TRUN.dataOffset) + has(TRUN.firstFlags);
  const stride = 4 + has(TRUN.size) + has(TRUN.flags) + has(TRUN.timeOffset);
  if (first + samples * stride > trun.length) return null;
  let units = 0;
  for (let count = 0; count < samples; count += 1) units += trun.readUInt32BE(first + count * stride);
  return units;
}

/**
 * The boxes of an MP4 or MOV file (ISO/IEC 14496-12). A walk reads 8 to 16 bytes a box and jumps by its size,
 * so a 4 GB film costs a few kilobytes. Every size is checked against what holds the box; the work is bounded
 * by counts, so no file can keep the walker busy.
 *
 *   size:32 type:4cc  [size:64 when size = 1]  content ...        size = 0: up to the end
 */
interface Box {
  readonly type: string;
  /** Position of the content in the source that was walked. */
  readonly start: number;
  readonly end: number;
}

const MAX_BOXES = 10_000;

/** The boxes that lie side by side in a source; `truncated` when the last one reaches past its end. */
function walkBoxes(source: ByteSource): Result<readonly Box[], FileRefusal> {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    if (boxes.length >= MAX_BOXES) return err(fileRefusal('damaged-video', { what: 'too many boxes' }));
    const header = source.read(at, 16);
    if (header.length < 8) return err(fileRefusal('truncated', { missing: 8 - header.length }));
    const type = header.toString('latin1', 4, 8);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return err(fileRefusal('damaged-video', { what: 'a box without a name' }));
    let size = header.readUInt32BE(0);
    let headerBytes = 8;
    if (size === 1) {
      if (header.length < 16) return err(fileRefusal('truncated', { missing: 16 - header.length }));
      const wide = header.readBigUInt64BE(8);
      if (wide > BigInt(Number.MAX_SAFE_INTEGER))
        return err(fileRefusal('damaged-video', { what: 'an impossible size' }));
      size = Number(wide);
      headerBytes = 16;
    } else if (size === 0) {
      size = source.size - at;
    }
    if (size < headerBytes) return err(fileRefusal('damaged-video', { what: 'an impossible size' }));
    if (at + size > source.size) return err(fileRefusal('truncated', { missing: at + size - source.size }));
    boxes.push({ type, start: at + headerBytes, end: at + size });
    at += size;
  }
  return ok(boxes);
}

/** The boxes inside a content held in memory, by type and in order; null when it is no list of boxes. */
type BoxesByType = ReadonlyMap<string, readonly Buffer[]>;

function boxesIn(content: Buffer): BoxesByType | null {
  const walked = walkBoxes(bytesSource(content));
  if (!walked.ok) return null;
  const byType = new Map<string, Buffer[]>();
  for (const { type, start, end } of walked.value) {
    const found = byType.get(type) ?? [];
    found.push(content.subarray(start, end));
    byType.set(type, found);
  }
  return byType;
}

/** Follows a path of first boxes from a list of boxes; null when a step is missing or damaged. */
function boxAt(boxes: BoxesByType, ...path: readonly string[]): Buffer | null {
  let inside: BoxesByType | null = boxes;
  let content: Buffer | null = null;
  for (const type of path) {
    content = inside?.get(type)?.[0] ?? null;
    if (content === null) return null;
    inside = boxesIn(content);
  }
  return content;
}

/** A file read by position. Probes run in a worker thread of their own, so reading may block there. */
export interface ByteSource {
  readonly size: number;
  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
}

/** Opens a file for the time of one probe. Throws what the file system says. */
export function withFile<T>(path: string, use: (source: ByteSource) => T): T {
  const handle = openSync(path, 'r');
  try {
    const size = fstatSync(handle).size;
    return use({
      size,
      read: (offset, length) => {
        const wanted = Math.max(0, Math.min(length, size - offset));
        const bytes = Buffer.allocUnsafe(wanted);
        let filled = 0;
        while (filled < wanted) {
          const got = readSync(handle, bytes, filled, wanted - filled, offset + filled);
          if (got === 0) break;
          filled += got;
        }
        return bytes.subarray(0, filled);
      },
    });
  } finally {
    closeSync(handle);
  }
}

/** The same over bytes in memory, for files that are read whole anyway. */
export const bytesSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
});
