import { crc32, deflateSync } from 'node:zlib';
import { hash } from './seed.ts';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width and height of a PNG from its first chunk, without decoding it. Null if that chunk is missing. */
export function readPngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 33 || buffer.toString('latin1', 12, 16) !== 'IHDR') return null;
  const width = buffer.readUInt32BE(16);
  const height = buffer.readUInt32BE(20);
  return width === 0 || height === 0 ? null : { width, height };
}

/** Red, green and blue, from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/** A PNG whose pixels are given by a function; the same function gives the same bytes. */
function drawPng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const start = y * (1 + width * 3) + 1;
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), start + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, true color.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** PNG pictures that the sandbox draws instead of storing: the same subject gives the same picture. */
const WHITE: Colour = [255, 255, 255];
const THUMBNAIL = { width: 320, height: 180 } as const;
const ITEM = 200;

/** No frame is decoded: the color identifies the video, and the bar at the bottom shows its share of 45 seconds. */
export function drawThumbnail(mediaId: number, lengthMs: number): Buffer {
  const { width, height } = THUMBNAIL;
  const ground = colourOf((mediaId * 47) % 360, 0.4, 0.35);
  const edge = Math.min(1, lengthMs / 45_000) * width;
  return drawPng(width, height, (x, y) => {
    // The play symbol: a triangle that points to the right.
    if (x >= 135 && x <= 195 && Math.abs(y - 90) <= (195 - x) / 2) return WHITE;
    return y >= height - 6 && x < edge ? WHITE : ground;
  });
}

/** An item of the catalog, with the shape and the color that its name contains, or a color derived from it. */
export function drawItem(name: string): Buffer {
  const palette = paletteOf(name);
  const shapes = kinds.find(([word]) => name.toLowerCase().includes(word))?.[1] ?? parcel;
  const toneAt = (x: number, y: number): Tone => shapeAt(shapes, (x * 100) / ITEM, (y * 100) / ITEM);
  const corners = Array.from({ length: (ITEM + 1) ** 2 }, (_, at) =>
    toneAt(at % (ITEM + 1), Math.floor(at / (ITEM + 1))),
  );
  return drawPng(ITEM, ITEM, (x, y) => {
    const at = y * (ITEM + 1) + x;
    const tone = corners[at] ?? 'ground';
    if ([at + 1, at + ITEM + 1, at + ITEM + 2].every((other) => corners[other] === tone)) return palette[tone];
    // Four samples per pixel on edges, to smooth them.
    const samples = HALVES.flatMap((dy) => HALVES.map((dx) => palette[toneAt(x + dx, y + dy)]));
    const mean = (channel: 0 | 1 | 2): number =>
      samples.reduce((sum, colour) => sum + colour[channel], 0) / samples.length;
    return [mean(0), mean(1), mean(2)];
  });
}

const HALVES = [0.25, 0.75] as const;

type Tone = 'ground' | 'body' | 'dark' | 'light' | 'white' | 'gray';

/** A box with round corners or an ellipse, on a square of 100; with `hole` only a rim of that width. */
interface Shape {
  readonly is: 'box' | 'disc';
  readonly at: readonly [x: number, y: number, width: number, height: number];
  readonly tone: Tone;
  readonly corner: number;
  readonly rim: number | null;
}

const box = (x: number, y: number, width: number, height: number, tone: Tone, corner = 3): Shape => ({
  is: 'box',
  at: [x, y, width, height],
  tone,
  corner,
  rim: null,
});
const disc = (x: number, y: number, across: number, high: number, tone: Tone, rim: number | null = null): Shape => ({
  is: 'disc',
  at: [x - across / 2, y - high / 2, across, high],
  tone,
  corner: 0,
  rim,
});

/** The topmost tone at a point; later shapes cover earlier ones. */
const shapeAt = (shapes: readonly Shape[], x: number, y: number): Tone =>
  shapes.findLast((shape) => isInside(shape, x, y))?.tone ?? 'ground';

function isInside({ is, at: [left, top, width, height], corner, rim }: Shape, x: number, y: number): boolean {
  const dx = Math.abs(x - left - width / 2);
  const dy = Math.abs(y - top - height / 2);
  if (is === 'box') {
    if (dx > width / 2 || dy > height / 2) return false;
    const past = Math.hypot(Math.max(0, dx - width / 2 + corner), Math.max(0, dy - height / 2 + corner));
    return past <= corner;
  }
  const inEllipse = (w: number, h: number): boolean => (dx / w) ** 2 + (dy / h) ** 2 <= 1;
  return inEllipse(width / 2, height / 2) && !(rim !== null && inEllipse(width / 2 - rim, height / 2 - rim));
}

const roll = (x: number, width: number): readonly Shape[] => [
  box(x, 26, width, 56, 'white', 4),
  disc(x + width / 2, 27, width, 9, 'light'),
  disc(x + width / 2, 27, width / 3, 3.4, 'gray'),
];

const parcel: readonly Shape[] = [
  box(20, 26, 60, 56, 'body', 4),
  box(45, 26, 10, 56, 'dark', 0),
  box(32, 54, 36, 18, 'white'),
];

/** By a word of the name, the more specific ones first. */
const kinds: readonly (readonly [word: string, shapes: readonly Shape[]])[] = [
  [
    'bottle',
    [
      box(43, 12, 14, 11, 'dark'),
      box(45, 20, 10, 9, 'gray', 1),
      box(35, 27, 30, 61, 'body', 9),
      box(40, 34, 5, 46, 'light', 2.5),
      box(35, 62, 30, 9, 'dark', 0),
    ],
  ],
  [
    'towels',
    [...roll(13, 23), ...roll(39, 23), ...roll(65, 23), box(11, 46, 78, 20, 'body'), box(32, 51, 36, 10, 'white')],
  ],
  [
    'kitchen roll',
    [
      ...roll(31, 38),
      ...[44, 58, 72].flatMap((y) => [
        disc(41, y, 5, 5, 'body'),
        disc(50, y + 5, 5, 5, 'body'),
        disc(59, y, 5, 5, 'body'),
      ]),
    ],
  ],
  [
    'nozzle',
    [
      box(30, 28, 42, 18, 'body', 7),
      box(53, 36, 16, 46, 'body', 7),
      box(43, 46, 7, 20, 'gray'),
      disc(29, 37, 18, 27, 'dark'),
      disc(26, 37, 8, 18, 'gray'),
    ],
  ],
  [
    'hose',
    [
      disc(48, 50, 72, 72, 'body', 9),
      disc(48, 50, 50, 50, 'dark', 8),
      disc(48, 50, 30, 30, 'body', 8),
      box(70, 68, 20, 9, 'body'),
      box(84, 66, 9, 13, 'gray', 2),
    ],
  ],
  [
    'napkins',
    [
      box(20, 30, 60, 52, 'white'),
      box(24, 26, 60, 52, 'light'),
      box(28, 22, 56, 52, 'body'),
      box(34, 28, 44, 40, 'light', 1),
    ],
  ],
  ['box', [box(18, 40, 64, 44, 'body'), box(14, 28, 72, 15, 'dark'), box(40, 56, 20, 8, 'light')]],
  [
    'lamp',
    [
      box(47.5, 38, 5, 46, 'gray', 1),
      disc(50, 84, 42, 11, 'dark'),
      disc(50, 43, 16, 10, 'light'),
      box(29, 18, 42, 25, 'body', 11),
    ],
  ],
  [
    'sheets',
    [
      box(18, 62, 64, 18, 'body', 7),
      box(20, 44, 60, 18, 'light', 7),
      box(22, 26, 56, 18, 'body', 7),
      box(46, 25, 8, 56, 'dark', 0),
    ],
  ],
  [
    'coffee',
    [
      disc(75, 58, 18, 18, 'gray', 3),
      box(26, 16, 48, 17, 'dark'),
      box(26, 16, 14, 70, 'dark'),
      box(26, 77, 50, 10, 'dark'),
      box(45, 40, 28, 34, 'light', 8),
      box(45, 55, 28, 19, 'body', 8),
    ],
  ],
  [
    'frame',
    [
      box(18, 18, 64, 64, 'dark', 2),
      box(26, 26, 48, 48, 'white', 0),
      box(26, 56, 48, 18, 'body', 0),
      disc(42, 42, 13, 13, 'light'),
    ],
  ],
  [
    'basket',
    [
      box(24, 34, 52, 50, 'body', 8),
      box(19, 26, 62, 12, 'dark'),
      ...[32, 42, 53, 63].map((x) => box(x, 48, 5, 24, 'dark', 2.5)),
    ],
  ],
  [
    'mat',
    [
      box(14, 32, 72, 40, 'body', 6),
      box(20, 38, 60, 28, 'light', 4),
      box(20, 46, 60, 4, 'body', 0),
      box(20, 54, 60, 4, 'body', 0),
    ],
  ],
  [
    'board',
    [
      box(43, 12, 14, 20, 'body', 6),
      box(26, 26, 48, 60, 'body', 7),
      disc(50, 20, 6, 6, 'ground'),
      box(32, 40, 36, 3, 'dark', 1),
      box(32, 68, 36, 3, 'dark', 1),
    ],
  ],
];

/** Hue in degrees, saturation and lightness of the body; other names get a hue derived from the name. */
const colours: Readonly<Record<string, readonly [hue: number, saturation: number, lightness: number]>> = {
  white: [215, 0.12, 0.78],
  sand: [38, 0.4, 0.66],
  navy: [220, 0.55, 0.32],
  forest: [145, 0.5, 0.32],
  slate: [212, 0.16, 0.46],
  coral: [12, 0.7, 0.62],
  teal: [178, 0.6, 0.36],
  steel: [214, 0.12, 0.64],
  yellow: [44, 0.85, 0.56],
  green: [142, 0.5, 0.4],
  blue: [210, 0.65, 0.46],
  recycled: [32, 0.35, 0.55],
};

function paletteOf(name: string): Readonly<Record<Tone, Colour>> {
  const words = name.toLowerCase().split(/[^a-z]+/u);
  const named = words
    .map((word) => (Object.hasOwn(colours, word) ? colours[word] : undefined))
    .find((color) => color !== undefined);
  const [hue, saturation, lightness] = named ?? [hash(0, 'item', name) % 360, 0.45, 0.45];
  return {
    ground: colourOf(hue, Math.min(saturation, 0.4), 0.92),
    body: colourOf(hue, saturation, lightness),
    dark: colourOf(hue, saturation, lightness * 0.62),
    light: colourOf(hue, saturation * 0.7, Math.min(0.88, lightness + 0.26)),
    white: WHITE,
    gray: [150, 158, 170],
  };
}

/** A color by hue in degrees, saturation and lightness from 0 to 1. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/**
 * A logo that follows the content rules: a PNG of 100 x 100 px, a disc on a background, in colors derived from the
 * brand.
 */
const LOGO = 100;

/** Logos by brand, drawn once per process for all services. */
const logos = new Map<string, Buffer>();

export function drawLogo(brand: string): Buffer {
  const known = logos.get(brand);
  if (known !== undefined) return known;
  const ground = brandColour(brand, 'ground', 150);
  const disc = brandColour(brand, 'disc', 30);
  const logo = drawPng(LOGO, LOGO, (x, y) => ((x - 49.5) ** 2 + (y - 49.5) ** 2 < 34 ** 2 ? disc : ground));
  logos.set(brand, logo);
  return logo;
}

function brandColour(brand: string, part: string, darkest: number): Colour {
  const channel = (name: string): number => darkest + (hash(0, brand, part, name) % 100);
  return [channel('red'), channel('green'), channel('blue')];
}
