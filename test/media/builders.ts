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

/** What all begin with: the signature, and a header of 5 x 3 pixels up to their depth. */
const BEGINNING = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAD';

const PICTURES: readonly (readonly [colour: number, depth: number, interlaced: boolean, base64: string])[] = [
  [0, 1, true, 'AQAAAAEESsjDAAAAC0lEQVQI12NgQAYAAA4AATHp3RUAAAAASUVORK5CYII='],
  [0, 1, false, 'AQAAAABzTfhVAAAAC0lEQVQI12NgAAEAAAYAAWb0yWwAAAAASUVORK5CYII='],
  [0, 2, true, 'AgAAAAFD6rITAAAAEklEQVQI12NgAIM/QPyBIdQBAAyZAoKm1eqnAAAAAElFTkSuQmCC'],
  [0, 2, false, 'AgAAAAA07YKFAAAAEUlEQVQI12NgYGAIdWD4fwAABXACVY2whNYAAAAASUVORK5CYII='],
  [0, 4, true, 'BAAAAAHMqkezAAAAE0lEQVQI12NgAIP/H0AEQ3l5AQAaNQRNtSlAWwAAAABJRU5ErkJggg=='],
  [0, 4, false, 'BAAAAAC7rXclAAAAE0lEQVQI12NgAILy8gKG//8/AAAOMgRN2FNAOAAAAABJRU5ErkJggg=='],
  [0, 8, true, 'CAAAAAEJWqqyAAAAF0lEQVQI12NgYGBgYGD8D6MYGxgYGBgAGZ4CgmYw40EAAAAASUVORK5CYII='],
  [0, 8, false, 'CAAAAAB+XZokAAAAFklEQVQI1wXBAQEAAAABoDz3nAJSyOAKnwGC3WajswAAAABJRU5ErkJggg=='],
  [0, 16, true, 'EAAAAAFZynbxAAAAFUlEQVQI12NggALG//8ZUNiMDXA+AFcKBIBHkX9RAAAAAElFTkSuQmCC'],
  [0, 16, false, 'EAAAAAAuzUZnAAAAE0lEQVQI12NggAPGBgTz/38YEwAdrwKBX7pgaAAAAABJRU5ErkJggg=='],
  [2, 8, true, 'CAIAAAGjU2I5AAAAH0lEQVQI12P4z8DAAMWMEBYDAwMjhIYKMDYwNDAgAQDwvgb/esOMIQAAAABJRU5ErkJggg=='],
  [2, 8, false, 'CAIAAADUVFKvAAAAF0lEQVQI12P8z4ACWBoZGpD5jAwMKCoAWtMDBqJlOSsAAAAASUVORK5CYII='],
  [2, 16, true, 'EAIAAAHzw756AAAAJElEQVQI12P4/5+BgYGBAYViRBKBAkZkLoo8YwMDA0MDAy4AAHYCDPms+7ciAAAAAElFTkSuQmCC'],
  [2, 16, false, 'EAIAAACExI7sAAAAHElEQVQI12P8/58BD2BsYGBgaMAtzcDAwIDbBAAlPAUAcZJSeQAAAABJRU5ErkJggg=='],
  [3, 1, true, 'AQMAAAEW/2ctAAAAA1BMVEWAAICr96V6AAAAC0lEQVQI12NgQAYAAA4AATHp3RUAAAAASUVORK5CYII='],
  [3, 1, false, 'AQMAAABh+Fe7AAAAA1BMVEWAAICr96V6AAAAC0lEQVQI12NgAAEAAAYAAWb0yWwAAAAASUVORK5CYII='],
  [3, 2, true, 'AgMAAAFRXx39AAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAEklEQVQI12NgAIMVQLyAIdQBAAi5Ad4jzVV2AAAAAElFTkSuQmCC'],
  [3, 2, false, 'AgMAAAAmWC1rAAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAEUlEQVQI12NgYGAIdWBY1QAABIYBwGabs3UAAAAASUVORK5CYII='],
  [3, 4, true, 'BAMAAAHeH+hdAAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAE0lEQVQI12NgAAMlBRDBICgoAAADlACX4L9otgAAAABJRU5ErkJggg=='],
  [3, 4, false, 'BAMAAACpGNjLAAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAEklEQVQI12NgAAJBQQEGJSUFAAIDAJeiOEBNAAAAAElFTkSuQmCC'],
  [3, 8, true, 'CAMAAAEb7wVcAAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAE0lEQVQI12NgAAMmJiYIxcAIAgAAlwAQt2HMlwAAAABJRU5ErkJggg=='],
  [3, 8, false, 'CAMAAABs6DXKAAAACVBMVEX/AACAAIAAAP8Ux6jlAAAAEUlEQVQI12NgAANGEGBgAgEAAF0AEOYyIrsAAAAASUVORK5CYII='],
  [4, 8, true, 'CAQAAAGGOD3lAAAAHklEQVQI1y3BwQ0AMAgAIUw6+G2unwIRzQYj3mLKd3p3BYaI7UfOAAAAAElFTkSuQmCC'],
  [4, 8, false, 'CAQAAADxPw1zAAAAFUlEQVQI12NkaGCAAhY4i4GlHs4EAB+8AYm6tFxkAAAAAElFTkSuQmCC'],
  [4, 16, true, 'EAQAAAHWqOGmAAAAJElEQVQI12NgYGhgYIATjP//NzDAACNUmIHl/3+oSAMDQhoGADScB4SGRJhdAAAAAElFTkSuQmCC'],
  [4, 16, false, 'EAQAAAChr9EwAAAAGElEQVQI12NkYGhgQAcsmEIMDCz1/zEFAVDTAogiB7DMAAAAAElFTkSuQmCC'],
  [6, 8, true, 'CAYAAAEsMfVuAAAAJ0lEQVQI1z3JuREAMBCDwL0ZF67O5cAPAQEo8TU0LlMCa/SUyN+PDcUuCgO3GJLxAAAAAElFTkSuQmCC'],
  [6, 8, false, 'CAYAAABbNsX4AAAAG0lEQVQI12P8z8DQwIAGWBoxxRgYGRj+Y4gCAJ8UBAZtwsmPAAAAAElFTkSuQmCC'],
  [
    6,
    16,
    true,
    'EAYAAAF8oSktAAAALUlEQVQI12XLIQ4AMAjAwCPZw/k5M2wCqipaVZAsCahKk/hpcyLe1kUi7XVyAaCHD/5mRJ4NAAAAAElFTkSuQmCC',
  ],
  [6, 16, false, 'EAYAAAALphm7AAAAIklEQVQI143KsQ0AIAwDMEfi8HJ5OKF4dloYm3Pz0wi0e33V3QYFWUoGpgAAAABJRU5ErkJggg=='],
];

/** Pictures of 5 x 3 pixels as ImageMagick writes them: every colour type, depth and order of rows that a PNG can have. */
export const REAL_PNGS = PICTURES.map(
  ([colour, depth, isInterlaced, rest]) => [colour, depth, isInterlaced, `${BEGINNING}${rest}`] as const,
);
