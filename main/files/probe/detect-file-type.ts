/**
 * Detects the type of a file by its first bytes. Names and declared types can't be trusted: texts renamed to .mp4 and
 * JPEGs renamed to .png are common.
 */
export type DetectedType =
  | { readonly is: 'iso-media'; readonly container: 'mp4' | 'mov' }
  | { readonly is: 'png' }
  | { readonly is: 'text' }
  /** Any other type; `found` is its name for people. */
  | { readonly is: 'other'; readonly found: string };

export const SNIFF_BYTES = 4096;

const QUICKTIME_FIRST = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Signature {
  readonly at: number;
  readonly bytes: string;
  readonly found: string;
}
/** Bytes in Latin-1 spelling. Order matters only where one signature begins with another. */
const SIGNATURES: readonly Signature[] = [
  { at: 0, bytes: '\xff\xd8\xff', found: 'a JPEG image' },
  { at: 0, bytes: 'GIF8', found: 'a GIF image' },
  { at: 8, bytes: 'WEBP', found: 'a WebP image' },
  { at: 8, bytes: 'AVI ', found: 'an AVI video' },
  { at: 8, bytes: 'WAVE', found: 'a WAV sound' },
  { at: 0, bytes: 'BM', found: 'a BMP image' },
  { at: 0, bytes: '\x00\x00\x01\x00', found: 'an icon (ICO)' },
  { at: 0, bytes: 'II*\x00', found: 'a TIFF image' },
  { at: 0, bytes: 'MM\x00*', found: 'a TIFF image' },
  { at: 0, bytes: '8BPS', found: 'a Photoshop image' },
  { at: 0, bytes: '\x1aE\xdf\xa3', found: 'a WebM or Matroska video' },
  { at: 0, bytes: '0&\xb2u', found: 'a Windows Media video' },
  { at: 0, bytes: 'FLV', found: 'a Flash video' },
  { at: 0, bytes: 'ID3', found: 'an MP3 sound' },
  { at: 0, bytes: 'OggS', found: 'an Ogg file' },
  { at: 0, bytes: '%PDF', found: 'a PDF document' },
  { at: 0, bytes: 'PK\x03\x04', found: 'a ZIP archive or an Office document' },
  { at: 0, bytes: '\xd0\xcf\x11\xe0', found: 'an old or encrypted Office document' },
  { at: 0, bytes: '\x1f\x8b', found: 'a gzip archive' },
  { at: 0, bytes: 'MZ', found: 'a Windows program' },
  { at: 0, bytes: '\x7fELF', found: 'a program' },
  { at: 0, bytes: 'SQLite format 3\x00', found: 'a database' },
];
/** HEIC and AVIF share the container of MP4 but are still images. */
const STILL_BRANDS = new Set(['heic', 'heix', 'mif1', 'msf1', 'avif', 'avis']);

/** @param head the first bytes of the file, up to `SNIFF_BYTES` */
export function detectFileType(head: Buffer): DetectedType {
  if (head.subarray(0, 8).equals(PNG)) return { is: 'png' };
  const box = head.toString('latin1', 4, 8);
  if (box === 'ftyp') {
    const brand = head.toString('latin1', 8, 12);
    if (STILL_BRANDS.has(brand)) return { is: 'other', found: 'a HEIC or AVIF image' };
    return { is: 'iso-media', container: brand === 'qt  ' ? 'mov' : 'mp4' };
  }
  for (const { at, bytes, found } of SIGNATURES) {
    if (head.toString('latin1', at, at + bytes.length) === bytes) return { is: 'other', found };
  }
  if (QUICKTIME_FIRST.has(box)) return { is: 'iso-media', container: 'mov' };
  return sniffText(head);
}

/** By the byte order mark of a text; without one it counts as UTF-8. */
export function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function sniffText(head: Buffer): DetectedType {
  const utf16 = encodingOf(head) !== 'utf-8';
  if (!utf16 && head.includes(0)) return { is: 'other', found: 'an unknown kind of file' };
  const text = (utf16 ? head.toString('utf16le') : head.toString('utf8')).replace(/^\uFEFF/, '').trimStart();
  const start = text.slice(0, 200).toLowerCase();
  if (start.startsWith('<!doctype html') || start.startsWith('<html'))
    return { is: 'other', found: 'a web page (HTML)' };
  if (start.startsWith('<svg') || (start.startsWith('<?xml') && text.toLowerCase().includes('<svg'))) {
    return { is: 'other', found: 'an SVG drawing' };
  }
  if (/-----begin [a-z ]*private key-----/.test(start)) return { is: 'other', found: 'a private key' };
  const controls = Array.from(text.slice(0, 1000)).some(isControl);
  return controls && !utf16 ? { is: 'other', found: 'an unknown kind of file' } : { is: 'text' };
}

/** Controls that no text file has: everything below the blank but tab, line ends, form feed and escape. */
function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b;
}
