import { crc32, deflateSync } from 'node:zlib';
import { hash } from '../seed.ts';

/** A logo by the content rules: a PNG of 100 x 100 px, a disc on a ground in colours that follow from the brand. */
const SIZE = 100;

export function drawLogo(brand: string): Buffer {
  const ground = colourOf(brand, 'ground', 150);
  const disc = colourOf(brand, 'disc', 30);
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = Buffer.alloc(1 + SIZE * 3);
    for (let x = 0; x < SIZE; x += 1) {
      const isInside = (x - 49.5) ** 2 + (y - 49.5) ** 2 < 34 ** 2;
      row.set(isInside ? disc : ground, 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // 8 bits per channel, true colour.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourOf(brand: string, part: string, darkest: number): readonly number[] {
  return ['red', 'green', 'blue'].map((channel) => darkest + (hash(0, brand, part, channel) % 100));
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
