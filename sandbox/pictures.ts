import { crc32, deflateSync } from 'node:zlib';
import { hash } from './seed.ts';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width and height of a PNG from its first chunk, without decoding it. Null when that chunk is not there. */
export function readPngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 33 || buffer.toString('latin1', 12, 16) !== 'IHDR') return null;
  const width = buffer.readUInt32BE(16);
  const height = buffer.readUInt32BE(20);
  return width === 0 || height === 0 ? null : { width, height };
}

/** Red, green and blue, from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/** A PNG whose pixels a function says, the same bytes for the same function. */
function drawPng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const start = y * (1 + width * 3) + 1;
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), start + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, true colour.
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

/** Pictures that the sandbox draws instead of keeping, as PNG: the same picture for the same thing. */
const WHITE: Colour = [255, 255, 255];
const THUMBNAIL = { width: 320, height: 180 } as const;
const ITEM = 200;

/**
 * No frame is decoded: the color tells one video from another, and the bar below shows how much of 45 seconds it lasts.
 */
export function drawThumbnail(mediaId: number, lengthMs: number): Buffer {
  const { width, height } = THUMBNAIL;
  const ground = colourOf((mediaId * 47) % 360, 0.4, 0.35);
  const edge = Math.min(1, lengthMs / 45_000) * width;
  return drawPng(width, height, (x, y) => {
    // The sign for playing: a triangle that points to the right.
    if (x >= 135 && x <= 195 && Math.abs(y - 90) <= (195 - x) / 2) return WHITE;
    return y >= height - 6 && x < edge ? WHITE : ground;
  });
}

/** An item of the catalogue: a parcel in a color of its own, with a label whose bars follow from its name. */
export function drawItem(name: string): Buffer {
  const number = hash(0, 'item', name);
  const hue = number % 360;
  const ground = colourOf(hue, 0.3, 0.92);
  const parcel = colourOf(hue, 0.45, 0.45);
  const tape = colourOf(hue, 0.45, 0.3);
  const isBar = (x: number): boolean => ((number >>> (Math.floor((x - 68) / 4) % 16)) & 1) === 1;
  return drawPng(ITEM, ITEM, (x, y) => {
    if (x < 40 || x >= 160 || y < 50 || y >= 160) return ground;
    if (y >= 78 && y < 82) return tape;
    const isLabel = x >= 64 && x < 136 && y >= 96 && y < 140;
    if (!isLabel) return parcel;
    return x >= 68 && x < 132 && y >= 102 && y < 134 && isBar(x) ? tape : WHITE;
  });
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

/** A logo by the content rules: a PNG of 100 x 100 px, a disc on a ground in colours that follow from the brand. */
const LOGO = 100;

export function drawLogo(brand: string): Buffer {
  const ground = brandColour(brand, 'ground', 150);
  const disc = brandColour(brand, 'disc', 30);
  return drawPng(LOGO, LOGO, (x, y) => ((x - 49.5) ** 2 + (y - 49.5) ** 2 < 34 ** 2 ? disc : ground));
}

function brandColour(brand: string, part: string, darkest: number): Colour {
  const channel = (name: string): number => darkest + (hash(0, brand, part, name) % 100);
  return [channel('red'), channel('green'), channel('blue')];
}
