import { crc32, inflateSync } from 'node:zlib';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { CaptionFacts, CaptionProblem, LogoFacts, MediaFacts } from '../../../shared/model/media.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { codeOrThrow, errorCode } from '../../app/system.ts';
import { detectFileType, SNIFF_BYTES } from './detect-file-type.ts';
import { type ByteSource, videoFacts, withFile } from './video-facts.ts';

/** Tells from a file's bytes what it is and what it measures, or why it cannot be used at all. */
export function probeFile(path: string): Result<MediaFacts, FileRefusal> {
  try {
    return withFile(path, probeSource);
  } catch (error) {
    return err(fileRefusal('cannot-read', { code: codeOrThrow(error) }));
  }
}

export function probeSource(source: ByteSource): Result<MediaFacts, FileRefusal> {
  if (source.size === 0) return err(fileRefusal('empty'));
  const sniffed = detectFileType(source.read(0, SNIFF_BYTES));
  switch (sniffed.is) {
    case 'iso-media':
      return videoFacts(source, sniffed.container);
    case 'png':
      return logoFacts(source);
    case 'text':
      return probeText(source);
    case 'other':
      return err(fileRefusal('not-media', { found: sniffed.found }));
  }
}

function probeText(source: ByteSource): Result<MediaFacts, FileRefusal> {
  if (source.size > CAPTION_MAX_BYTES) {
    return err(fileRefusal('caption-too-large', { bytes: source.size, limit: CAPTION_MAX_BYTES }));
  }
  const facts = captionFacts(source.read(0, source.size));
  // A text without a single timed line was never meant as captions: a report, a script, a renamed file.
  if (!facts.ok && facts.error.reason === 'caption-no-cues') {
    return err(fileRefusal('not-media', { found: 'a text without caption times' }));
  }
  return facts;
}

/**
 * The chunks of a PNG, and its pixel data unpacked once: chunks can be whole around a picture that nobody can draw.
 *
 *   signature:8  { length:32 type:4cc content crc:32 } ...  IEND
 *
 * Only a header that promises up to `PIXELS_MAX_BYTES` is taken at its word; 33 bytes can claim 60,000 x 60,000. What is
 * larger is measured and not unpacked, and the rule about the size of a logo refuses it.
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
  /** Packing, filtering and interlacing, of which the format knows 1, 1 and 2. */
  readonly methods: readonly number[];
}

/** Where the content of a chunk lies in the file. */
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
    // A palette behind the pixels is none: they cannot be drawn as they arrive.
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
/** Of each colour type: values a pixel has, and the bits that each of them may have. */
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
  /** With the byte in front that says how the row is filtered; the highest filter is 4. */
  readonly rowBytes: number;
}
const HIGHEST_FILTER = 4;

/** Where each pass of an interlaced image begins, and how far apart its pixels lie (Adam7). */
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

/** Unpacks the pixel data and holds it against what the header says; null when every row is there. */
function pixelProblem(source: ByteSource, header: Header, places: readonly Place[]): string | null {
  if (places.length === 0) return 'its pixel data is missing';
  const passes = passesOf(header);
  const wanted = passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  if (wanted > PIXELS_MAX_BYTES) return null;
  // Packing may make data longer, but not by this much.
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

/** The unpacked bytes, or what is wrong with the packed ones. */
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

/**
 * SubRip and WebVTT as far as Adslate has to know them: how many cues, where the last one ends, and which lines
 * are wrong. Tolerated: byte order mark, CRLF, a comma or a point in times, missing hours, cue settings, and
 * the NOTE, STYLE and REGION blocks of WebVTT.
 */
const CAPTION_MAX_BYTES = 1024 * 1024;
const MAX_CUES = 5000;
const MAX_PROBLEMS = 50;

const TIMES = /^\s*(\S+)\s+-->\s+(\S+)/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})$/;
const NO_CUE = /^(NOTE|STYLE|REGION)\b/;

export function captionFacts(bytes: Buffer): Result<CaptionFacts, FileRefusal> {
  const text = decodeText(bytes);
  if (text === null) return err(fileRefusal('caption-not-text', { at: firstBadByte(bytes) }));
  const lines = text.split(/\r\n|\r|\n/);
  const isVtt = /^WEBVTT(\s|$)/.test(lines[0] ?? '');
  const cues = readCues(lines, isVtt);
  if (cues.count === 0) return err(fileRefusal('caption-no-cues'));
  if (cues.count > MAX_CUES) return err(fileRefusal('caption-too-many-cues', { limit: MAX_CUES }));
  return ok({
    is: 'caption',
    format: isVtt ? 'vtt' : 'srt',
    cues: cues.count,
    lastEndMs: cues.lastEndMs,
    problems: cues.problems.slice(0, MAX_PROBLEMS),
  });
}

/** UTF-8, or UTF-16 with a byte order mark; null when the bytes are no text. */
function decodeText(bytes: Buffer): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
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

function readCues(lines: readonly string[], isVtt: boolean) {
  const problems: CaptionProblem[] = [];
  let count = 0;
  let lastEndMs = 0;
  let lastStartMs = -1;
  let at = isVtt ? skipBlock(lines, 0) : 0;
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at += 1;
      continue;
    }
    const blockStart = at;
    const end = skipBlock(lines, at);
    at = end;
    if (isVtt && NO_CUE.test(lines[blockStart] ?? '')) continue;
    const timing = findTiming(lines, blockStart, end);
    if (timing === null) {
      problems.push({ line: blockStart + 1, code: 'no-timing' });
      continue;
    }
    count += 1;
    const { line, startMs, endMs } = timing;
    if (startMs === null || endMs === null) {
      problems.push({ line, code: 'bad-time' });
      continue;
    }
    if (endMs <= startMs) problems.push({ line, code: 'end-before-start' });
    if (startMs < lastStartMs) problems.push({ line, code: 'out-of-order' });
    if (lines.slice(line, end).every((words) => words.trim() === '')) problems.push({ line, code: 'empty' });
    lastStartMs = startMs;
    lastEndMs = Math.max(lastEndMs, endMs);
  }
  return { count, lastEndMs, problems };
}

/** Index of the first blank line after `from`, or the end. */
function skipBlock(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() !== '') at += 1;
  return at;
}

/** The timing stands in the first line of a cue, or in the second below its number or name. */
function findTiming(lines: readonly string[], from: number, end: number) {
  for (let at = from; at < Math.min(from + 2, end); at += 1) {
    const match = TIMES.exec(lines[at] ?? '');
    if (match !== null) return { line: at + 1, startMs: timeMs(match[1] ?? ''), endMs: timeMs(match[2] ?? '') };
  }
  return null;
}

function timeMs(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[1] ?? '0'), Number(match[2]), Number(match[3])];
  if (minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(match[4]);
}
