/**
 * What a picture is and how large it would be, from its first bytes alone: nothing is decoded here, so a header of 33
 * bytes that claims 60,000 x 60,000 pixels costs nothing. What is no PNG, JPEG, GIF or WebP is no picture.
 */
export interface PictureHeader {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export function pictureHeader(bytes: Buffer): PictureHeader | null {
  const starts = bytes.toString('latin1', 0, 16);
  if (starts.startsWith('\x89PNG\r\n\x1a\n')) {
    if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
    return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  }
  if (starts.startsWith('GIF87a') || starts.startsWith('GIF89a')) {
    return bytes.length < 13 ? null : sized('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  }
  if (starts.startsWith('RIFF') && starts.slice(8, 12) === 'WEBP') return webp(bytes);
  return starts.startsWith('\xff\xd8\xff') ? jpeg(bytes) : null;
}

const sized = (contentType: PictureHeader['contentType'], width: number, height: number): PictureHeader | null =>
  width > 0 && height > 0 ? { contentType, width, height } : null;

/** The size stands in the first frame header; the segments before it are walked by their lengths. */
function jpeg(bytes: Buffer): PictureHeader | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A fill byte, or a marker without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return null;
      at += 2 + length;
    }
  }
  return null;
}

/** The three forms of WebP: extended, lossless and lossy. */
function webp(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return sized('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return bytes[20] === 0x2f ? sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) : null;
    }
    case 'VP8 ':
      return sized('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    default:
      return null;
  }
}
