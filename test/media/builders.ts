import { crc32, deflateSync } from 'node:zlib';

/** Smallest files that are what they claim, made byte by byte. */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

export interface Film {
  readonly durationMs?: number;
  readonly timescale?: number;
  readonly turned?: boolean;
  readonly brand?: string;
  readonly picture?: boolean;
  readonly wideMdat?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly mdatBytes?: number;
}

export function aFilm(film: Film): Buffer {
  const timescale = film.timescale ?? 1000;
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(timescale, 12);
  mvhd.writeUInt32BE(film.durationMs ?? 10_000, 16);
  const tracks = [track('soun', 'mp4a', 0, 0, false)];
  if (film.picture !== false) {
    tracks.unshift(track('vide', 'avc1', film.width ?? 1280, film.height ?? 720, film.turned ?? false));
  }
  const pictures = Buffer.alloc(film.mdatBytes ?? 500, 7);
  const ftyp = box('ftyp', Buffer.from(`${film.brand ?? 'isom'}\0\0\x02\0isomiso2avc1mp41`, 'latin1'));
  return Buffer.concat([
    ftyp,
    box('moov', box('mvhd', mvhd), ...tracks),
    film.wideMdat === true ? wideBox('mdat', pictures) : box('mdat', pictures),
  ]);
}

function wideBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(content.length + 16), 8);
  return Buffer.concat([head, content]);
}

function track(handler: string, codec: string, width: number, height: number, turned: boolean): Buffer {
  const tkhd = Buffer.alloc(84);
  tkhd.writeInt32BE(turned ? 0 : 0x10000, 40);
  tkhd.writeInt32BE(turned ? 0 : 0x10000, 56);
  tkhd.writeUInt32BE(width * 65_536, 76);
  tkhd.writeUInt32BE(height * 65_536, 80);
  tkhd.writeUInt32BE(handler === 'vide' ? 1 : 2, 12);
  const mdhd = Buffer.alloc(24);
  mdhd.writeUInt32BE(1000, 12);
  const hdlr = Buffer.alloc(24);
  hdlr.write(handler, 8, 'latin1');
  const stsd = Buffer.alloc(32);
  stsd.writeUInt32BE(1, 4);
  stsd.writeUInt32BE(24, 8);
  stsd.write(codec, 12, 'latin1');
  return box(
    'trak',
    box('tkhd', tkhd),
    box('mdia', box('mdhd', mdhd), box('hdlr', hdlr), box('minf', box('stbl', box('stsd', stsd)))),
  );
}

/** A film in fragments of samples that last `sampleMs` each; its table of contents says nothing of its length. */
export function aFragmentedFilm(fragments: number, samples: number, sampleMs: number, own: boolean): Buffer {
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1000, 12);
  const trex = Buffer.alloc(24);
  trex.writeUInt32BE(1, 4);
  trex.writeUInt32BE(own ? 1 : sampleMs, 12);
  const tfhd = Buffer.alloc(8);
  tfhd.writeUInt32BE(1, 4);
  const trun = Buffer.alloc(8 + (own ? samples * 4 : 0));
  trun.writeUInt32BE(own ? 0x100 : 0, 0);
  trun.writeUInt32BE(samples, 4);
  for (let at = 0; own && at < samples; at += 1) trun.writeUInt32BE(sampleMs, 8 + at * 4);
  const fragment = [
    box('moof', box('mfhd', Buffer.alloc(8)), box('traf', box('tfhd', tfhd), box('trun', trun))),
    box('mdat', Buffer.alloc(50)),
  ];
  return Buffer.concat([
    box('ftyp', Buffer.from('iso5\0\0\x02\0iso5iso6mp41', 'latin1')),
    box('moov', box('mvhd', mvhd), track('vide', 'avc1', 1280, 720, false), box('mvex', box('trex', trex))),
    ...Array.from({ length: fragments }, () => fragment).flat(),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(content.length, 0);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named), 0);
  return Buffer.concat([frame, named, check]);
}

/** A grey PNG; `padding` bytes of a private chunk make it heavier. */
export function aPng(width: number, height: number, padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const drawn = width * height <= 1_000_000 ? Buffer.alloc((width + 1) * height, 128) : Buffer.alloc(10);
  for (let row = 0; drawn.length > 10 && row < height; row += 1) drawn.writeUInt8(0, row * (width + 1));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...(padding > 0 ? [pngChunk('paDd', Buffer.alloc(padding, 1))] : []),
    pngChunk('IDAT', deflateSync(drawn)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
