/**
 * `node scripts/icons.mjs`: draws build/icon.svg in the sizes of the three systems and packs them into their formats.
 * Run it by hand after a change of the drawing; the results are committed, since packaging has no browser.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import { root } from './repository-root.mjs';

const folder = join(root, 'build');
/** Pixels a side, each with its type in an ICNS file. */
const ICNS = { 16: 'icp4', 32: 'icp5', 64: 'icp6', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };
const ICO = [16, 24, 32, 48, 64, 128, 256];

async function draw(sizes) {
  const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] });
  const pictures = new Map();
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
    pictures.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return pictures;
}

/** Windows: a directory of pictures, then the pictures, here as PNG (Vista and newer). */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * ICO.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(ICO.length, 4);
  let offset = head.length;
  ICO.forEach((size, at) => {
    const entry = 6 + 16 * at;
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(pictures.get(size).length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += pictures.get(size).length;
  });
  return Buffer.concat([head, ...ICO.map((size) => pictures.get(size))]);
}

/** macOS: chunks of a type, a length and a PNG. */
function icns(pictures) {
  const chunks = Object.entries(ICNS).map(([size, type]) => chunk(type, pictures.get(Number(size))));
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(type, body) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(8 + body.length, 4);
  return Buffer.concat([head, body]);
}

const pictures = await draw([...new Set([...Object.keys(ICNS).map(Number), ...ICO])]);
writeFileSync(join(folder, 'icon.png'), pictures.get(1024));
writeFileSync(join(folder, 'icon.ico'), ico(pictures));
writeFileSync(join(folder, 'icon.icns'), icns(pictures));
