import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateSync } from 'node:zlib';
import { parseCaptions } from '../../../shared/media/captions.ts';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { CaptionFacts, LogoFacts, MediaFacts, VideoFacts } from '../../../shared/model/media.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { codeOrThrow, errorCode } from '../../app/system.ts';
import { isTable } from '../spreadsheet/csv.ts';
import { detectFileType, encodingOf, SNIFF_BYTES } from './detect-file-type.ts';

/** Reads type and facts of a file from its bytes, or why it can't be used at all. */
export function probeFile(path: string): Result<MediaFacts, FileRefusal> {
  try {
    return withFile(path, probeSource);
  } catch (error) {
    return err(fileRefusal('cannot-read', { code: codeOrThrow(error) }));
  }
}

export function probeSource(source: ByteSource): Result<MediaFacts, FileRefusal> {
  if (source.size === 0) return err(fileRefusal('empty'));
  const head = source.read(0, SNIFF_BYTES);
  const sniffed = detectFileType(head);
  switch (sniffed.is) {
    case 'iso-media':
      return videoFacts(source, sniffed.container);
    case 'png':
      return logoFacts(source);
    case 'text':
      return probeText(source, head);
    case 'other':
      if (isWorkbook(head)) return err(fileRefusal('sheet-not-media'));
      return err(fileRefusal('not-media', { found: sniffed.found }));
  }
}

/** Part of the name of every sheet in a workbook; its first parts are small. */
const isWorkbook = (head: Buffer): boolean => head.toString('latin1', 0, 2) === 'PK' && head.includes('xl/');

function probeText(source: ByteSource, head: Buffer): Result<MediaFacts, FileRefusal> {
  const start = new TextDecoder(encodingOf(head)).decode(head);
  // Before the size, because a spreadsheet may be larger than captions.
  if (!start.includes('-->') && isTable(start)) return err(fileRefusal('sheet-not-media'));
  if (source.size > CAPTION_MAX_BYTES) {
    return err(fileRefusal('caption-too-large', { bytes: source.size, limit: CAPTION_MAX_BYTES }));
  }
  const facts = captionFacts(source.read(0, source.size));
  // A text without a single timed line was not meant as captions: a report, a script, a renamed file.
  if (!facts.ok && facts.error.reason === 'caption-no-cues') {
    return err(fileRefusal('not-media', { found: 'a text without caption times' }));
  }
  return facts;
}

/**
 * Reads the chunks of a PNG, and decompresses its pixel data once: chunks can be intact around a damaged picture.
 *
 *   signature:8  { length:32 type:4cc content crc:32 } ...  IEND
 *
 * Only a header with a size up to `PIXELS_MAX_BYTES` is trusted; 33 bytes can claim 60,000 x 60,000. A larger picture is
 * measured but not decompressed, and the rule about the size of a logo refuses it.
 */
const SIGNATURE_BYTES = 8;
const CHUNK_FRAME_BYTES = 12;
const MAX_CHUNKS = 20_000;
/** Checksums of content are checked up to this size; a logo has a few kilobytes. */
const CHECKED_CHUNK_BYTES = 4 * 1024 * 1024;
const PIXELS_MAX_BYTES = 64 * 1024 * 1024;

function logoFacts(source: ByteSource): Result<LogoFacts, FileRefusal> {
  const chunks = readChunks(source);
  if (!chunks.ok) return chunks;
  const { header, palette, pixels } = chunks.value;
  const { width, height } = header;
  if (width === 0 || height === 0) return err(damaged('it has no size'));
  const what = headerProblem(header) ?? paletteProblem(header, palette) ?? pixelProblem(source, header, pixels);
  return what === null ? ok({ is: 'logo', width, height }) : err(damaged(what));
}

const damaged = (what: string): FileRefusal => fileRefusal('damaged-image', { what });

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  /** Methods of compression, filtering and interlacing; the format has 1, 1 and 2 of them. */
  readonly methods: readonly number[];
}

/** Position of a chunk's content in the file. */
interface Place {
  readonly at: number;
  readonly length: number;
}

interface Chunks {
  readonly header: Header;
  readonly palette: Place | null;
  readonly pixels: readonly Place[];
}

function readChunks(source: ByteSource): Result<Chunks, FileRefusal> {
  let at = SIGNATURE_BYTES;
  let before = '';
  let header: Header | null = null;
  let palette: Place | null = null;
  const pixels: Place[] = [];
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = source.read(at, 8);
    if (head.length < 8) return err(fileRefusal('image-cut-short'));
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return err(damaged('a chunk without a name'));
    if (at + CHUNK_FRAME_BYTES + length > source.size) return err(fileRefusal('image-cut-short'));
    if (length <= CHECKED_CHUNK_BYTES) {
      const chunk = source.read(at + 4, length + 8);
      if (crc32(chunk.subarray(0, length + 4)) !== chunk.readUInt32BE(length + 4)) {
        return err(damaged(`the checksum of ${type} is wrong`));
      }
    }
    const place = { at: at + 8, length };
    if ((count === 0) !== (type === 'IHDR'))
      return err(damaged(`its header is ${count === 0 ? 'missing' : 'there twice'}`));
    if (type === 'IHDR') {
      if (length !== 13) return err(damaged('its header is missing'));
      header = readHeader(source.read(place.at, length));
    }
    // A palette after the pixels is invalid: they can't be drawn as they arrive.
    if (type === 'PLTE' && pixels.length === 0) palette = place;
    if (type === 'IDAT') {
      if (pixels.length > 0 && before !== 'IDAT') return err(damaged('its pixel data is interrupted by other data'));
      pixels.push(place);
    }
    before = type;
    at += CHUNK_FRAME_BYTES + length;
    if (type !== 'IEND') continue;
    if (source.size > at) return err(fileRefusal('image-trailing-data', { bytes: source.size - at }));
    return header === null ? err(damaged('its header is missing')) : ok({ header, palette, pixels });
  }
  return err(damaged('too many chunks'));
}

const readHeader = (bytes: Buffer): Header => ({
  width: bytes.readUInt32BE(0),
  height: bytes.readUInt32BE(4),
  depth: bytes.readUInt8(8),
  colour: bytes.readUInt8(9),
  methods: [...bytes.subarray(10, 13)],
});

const INDEXED = 3;
/** For each color type: number of values per pixel, and their possible bit depths. */
const COLOURS: Readonly<Record<number, { readonly values: number; readonly depths: readonly number[] }>> = {
  0: { values: 1, depths: [1, 2, 4, 8, 16] },
  2: { values: 3, depths: [8, 16] },
  [INDEXED]: { values: 1, depths: [1, 2, 4, 8] },
  4: { values: 2, depths: [8, 16] },
  6: { values: 4, depths: [8, 16] },
};

function headerProblem({ depth, colour, methods }: Header): string | null {
  if (COLOURS[colour]?.depths.includes(depth) !== true) return `no image has color type ${colour} with ${depth} bits`;
  const [packing = 0, filtering = 0, interlacing = 0] = methods;
  return packing !== 0 || filtering !== 0 || interlacing > 1 ? 'it is packed in an unknown way' : null;
}

function paletteProblem({ colour, depth }: Header, palette: Place | null): string | null {
  if (palette === null) return colour === INDEXED ? 'its palette is missing' : null;
  const colours = palette.length / 3;
  const most = colour === INDEXED ? 2 ** depth : 256;
  return !Number.isInteger(colours) || colours < 1 || colours > most ? 'its palette has a wrong length' : null;
}

/** An image, or one of the seven that an interlaced one is sent as. */
interface Pass {
  readonly rows: number;
  /** Includes the leading byte with the filter of the row; the highest filter is 4. */
  readonly rowBytes: number;
}
const HIGHEST_FILTER = 4;

/** Start and spacing of the pixels in each pass of an interlaced image (Adam7). */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
] as const;
const WHOLE = [{ x: 0, y: 0, dx: 1, dy: 1 }] as const;

function passesOf({ width, height, depth, colour, methods }: Header): readonly Pass[] {
  const bits = (COLOURS[colour]?.values ?? 0) * depth;
  return (methods[2] === 1 ? PASSES : WHOLE).flatMap(({ x, y, dx, dy }) => {
    const columns = Math.ceil((width - x) / dx);
    const rows = Math.ceil((height - y) / dy);
    return columns > 0 && rows > 0 ? [{ rows, rowBytes: 1 + Math.ceil((columns * bits) / 8) }] : [];
  });
}

/** Decompresses the pixel data and compares it with the header; null when every row is present. */
function pixelProblem(source: ByteSource, header: Header, places: readonly Place[]): string | null {
  if (places.length === 0) return 'its pixel data is missing';
  const passes = passesOf(header);
  const wanted = passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  if (wanted > PIXELS_MAX_BYTES) return null;
  // Compression may make data longer, but not by this much.
  if (places.reduce((sum, { length }) => sum + length, 0) > 2 * wanted + CHECKED_CHUNK_BYTES) {
    return 'its pixel data is longer than its size allows';
  }
  const packed = Buffer.concat(places.map(({ at, length }) => source.read(at, length)));
  const pixels = unpacked(packed, wanted);
  if (typeof pixels === 'string') return pixels;
  if (pixels.length < wanted) return 'rows of pixels are missing';
  let at = 0;
  for (const { rows, rowBytes } of passes) {
    for (let row = 0; row < rows; row += 1) {
      if ((pixels[at] ?? 0) > HIGHEST_FILTER) return `row ${row + 1} of its pixels is filtered in an unknown way`;
      at += rowBytes;
    }
  }
  return null;
}

/** The decompressed bytes, or the problem of the compressed ones. */
function unpacked(packed: Buffer, wanted: number): Buffer | string {
  try {
    return inflateSync(packed, { maxOutputLength: wanted });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'it has more rows of pixels than its size allows';
    if (code === 'Z_BUF_ERROR') return 'its pixel data ends too early';
    if (code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT') return 'its pixel data cannot be unpacked';
    throw error;
  }
}

/** The service has no limit; a larger text was not meant as captions of a short video. */
const CAPTION_MAX_BYTES = 1024 * 1024;
const MAX_CUES = 5000;
const MAX_PROBLEMS = 50;

export function captionFacts(bytes: Buffer): Result<CaptionFacts, FileRefusal> {
  const text = decodeText(bytes);
  if (text === null) return err(fileRefusal('caption-not-text', { at: firstBadByte(bytes) }));
  const { format, captions, count, problems } = parseCaptions(text);
  if (count === 0) return err(fileRefusal('caption-no-cues'));
  if (count > MAX_CUES) return err(fileRefusal('caption-too-many-cues', { limit: MAX_CUES }));
  return ok({
    is: 'caption',
    format,
    cues: count,
    lastEndMs: captions.reduce((last, { endMs }) => Math.max(last, endMs), 0),
    problems: problems.slice(0, MAX_PROBLEMS),
  });
}

/** UTF-8, or UTF-16 with a byte order mark; null when the bytes are no text. */
export function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function firstBadByte(bytes: Buffer): number {
  const zero = bytes.indexOf(0);
  const readable = Buffer.from(bytes.toString('utf8'));
  const differs = readable.findIndex((byte, index) => byte !== bytes[index]);
  return differs === -1 ? Math.max(zero, 0) : differs;
}

/**
 * Length, size and codecs of a video from its `moov` box:
 *
 *   moov ── mvhd            timescale and duration of the video
 *        ├─ mvex ─ mehd     the duration of a fragmented video, if present
 *        └─ trak ─┬─ tkhd   width and height as shown, with the rotation
 *                 └─ mdia ─┬─ hdlr                 vide | soun
 *                          └─ minf ─ stbl ─ stsd   four-character code of the codec
 */
const MOOV_MAX_BYTES = 32 * 1024 * 1024;
const MAX_TRACKS = 64;

const brokenVideo = (what: string) => err(fileRefusal('damaged-video', { what }));

function videoFacts(source: ByteSource, container: 'mp4' | 'mov'): Result<VideoFacts, FileRefusal> {
  const boxes = walkBoxes(source);
  if (!boxes.ok) return boxes;
  const moovBox = boxes.value.find((box) => box.type === 'moov');
  if (moovBox === undefined) return brokenVideo('its table of contents is missing');
  if (!boxes.value.some((box) => box.type === 'mdat')) return brokenVideo('its pictures are missing');
  if (moovBox.end - moovBox.start > MOOV_MAX_BYTES) return brokenVideo('its table of contents is too large');
  const moov = boxesIn(source.read(moovBox.start, moovBox.end - moovBox.start));
  const header = moov?.get('mvhd')?.[0] ?? null;
  if (moov === null || header === null) return brokenVideo('its table of contents is damaged');
  const tracks = (moov.get('trak') ?? []).slice(0, MAX_TRACKS).map(readTrack);
  const picture = tracks.find((track) => track?.handler === 'vide') ?? null;
  if (picture === null) return err(fileRefusal('no-picture-track'));
  const sound = tracks.find((track) => track?.handler === 'soun') ?? null;
  const stated = filmDurationMs(moov, header);
  const { id, timescale } = picture;
  const durationMs = stated ?? fragmentsDurationMs(source, boxes.value, moov, id, timescale);
  if (durationMs === 'unusable') return brokenVideo('it has no time scale');
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

/** Null when the header has no duration, as in fragmented files: then the fragments are added up. */
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

function readTrack(content: Buffer) {
  const trak = boxesIn(content);
  if (trak === null) return null;
  const hdlr = boxAt(trak, 'mdia', 'hdlr');
  if (hdlr === null || hdlr.length < 12) return null;
  const stsd = boxAt(trak, 'mdia', 'minf', 'stbl', 'stsd');
  const codec = stsd !== null && stsd.length >= 16 ? stsd.toString('latin1', 12, 16) : null;
  const tkhd = trak.get('tkhd')?.[0] ?? null;
  const size = shownSize(tkhd);
  return {
    id: numberAfterTimes(tkhd),
    /** Units per second of the track's own durations. */
    timescale: numberAfterTimes(boxAt(trak, 'mdia', 'mdhd')),
    handler: hdlr.toString('latin1', 8, 12),
    width: size?.width ?? null,
    height: size?.height ?? null,
    codec,
  };
}

/** The field after the times of creation and change: the ID in a `tkhd`, the time scale in a `mdhd`. */
function numberAfterTimes(box: Buffer | null): number {
  const at = box?.[0] === 1 ? 20 : 12;
  return box !== null && at + 4 <= box.length ? box.readUInt32BE(at) : 0;
}

/** Width and height as displayed: a phone's upright video is stored in landscape and rotated by the matrix. */
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
 * The length of a fragmented video (ISO/IEC 14496-12, 8.8), whose `moov` does not have it: the durations of the
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

/** @returns null when the fragments are damaged or too many to count */
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
 * The boxes of an MP4 or MOV file (ISO/IEC 14496-12). A walk reads 8 to 16 bytes per box and skips its content, so a
 * video of 4 GB costs a few kilobytes. Every size is checked against its container; the work is limited by counts, so no
 * file can keep the walker busy.
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

/** The adjacent boxes of a source; `truncated` when the last one extends past its end. */
function walkBoxes(source: ByteSource): Result<readonly Box[], FileRefusal> {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    if (boxes.length >= MAX_BOXES) return brokenVideo('too many boxes');
    const header = source.read(at, 16);
    if (header.length < 8) return err(fileRefusal('truncated', { missing: 8 - header.length }));
    const type = header.toString('latin1', 4, 8);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return brokenVideo('a box without a name');
    let size = header.readUInt32BE(0);
    let headerBytes = 8;
    if (size === 1) {
      if (header.length < 16) return err(fileRefusal('truncated', { missing: 16 - header.length }));
      const wide = header.readBigUInt64BE(8);
      if (wide > BigInt(Number.MAX_SAFE_INTEGER)) return brokenVideo('an impossible size');
      size = Number(wide);
      headerBytes = 16;
    } else if (size === 0) {
      size = source.size - at;
    }
    if (size < headerBytes) return brokenVideo('an impossible size');
    if (at + size > source.size) return err(fileRefusal('truncated', { missing: at + size - source.size }));
    boxes.push({ type, start: at + headerBytes, end: at + size });
    at += size;
  }
  return ok(boxes);
}

/** The boxes inside a content in memory, by type and in order; null when it is no list of boxes. */
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

/** A file read by position. Probes run in a separate worker thread, so reading may block there. */
export interface ByteSource {
  readonly size: number;
  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
}

/** Opens a file for one probe. Throws errors of the file system. */
function withFile<T>(path: string, use: (source: ByteSource) => T): T {
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

/** A source of bytes in memory, for files that are read completely anyway. */
export const bytesSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
});
