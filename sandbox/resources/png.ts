/** Width and height of a PNG from its first chunk, without decoding it. Null when that chunk is not there. */
export function readPngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 33 || buffer.toString('latin1', 12, 16) !== 'IHDR') return null;
  const width = buffer.readUInt32BE(16);
  const height = buffer.readUInt32BE(20);
  return width === 0 || height === 0 ? null : { width, height };
}
