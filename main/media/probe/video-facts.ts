import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { VideoFacts } from '../../../shared/model/media-facts.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type BoxesByType, boxAt, boxesIn, walkBoxes } from './box-walker.ts';
import type { ByteSource } from './byte-source.ts';
import { fragmentsDurationMs } from './fragments.ts';

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
