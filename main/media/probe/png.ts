import { crc32 } from 'node:zlib';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { LogoFacts } from '../../../shared/model/media-facts.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ByteSource } from './byte-source.ts';

/**
 * The chunks of a PNG, walked without decoding a pixel: a header of 33 bytes can claim 60,000 x 60,000.
 *
 *   signature:8  { length:32 type:4cc content crc:32 } ...  IEND
 */
const SIGNATURE_BYTES = 8;
const CHUNK_FRAME_BYTES = 12;
const MAX_CHUNKS = 20_000;
/** Checksums of content are checked up to this size; a logo has a few kilobytes. */
const CHECKED_CHUNK_BYTES = 4 * 1024 * 1024;

export function logoFacts(source: ByteSource): Result<LogoFacts, FileRefusal> {
  let at = SIGNATURE_BYTES;
  let size: LogoFacts | null = null;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = source.read(at, 8);
    if (head.length < 8) return err(fileRefusal('image-cut-short'));
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return err(fileRefusal('damaged-image', { what: 'a chunk without a name' }));
    if (at + CHUNK_FRAME_BYTES + length > source.size) return err(fileRefusal('image-cut-short'));
    if (count === 0 && (type !== 'IHDR' || length !== 13)) {
      return err(fileRefusal('damaged-image', { what: 'its header is missing' }));
    }
    if (length <= CHECKED_CHUNK_BYTES) {
      const chunk = source.read(at + 4, length + 8);
      if (crc32(chunk.subarray(0, length + 4)) !== chunk.readUInt32BE(length + 4)) {
        return err(fileRefusal('damaged-image', { what: `the checksum of ${type} is wrong` }));
      }
      if (type === 'IHDR') size = { is: 'logo', width: chunk.readUInt32BE(4), height: chunk.readUInt32BE(8) };
    }
    at += CHUNK_FRAME_BYTES + length;
    if (type === 'IEND') return finish(size, source.size - at);
  }
  return err(fileRefusal('damaged-image', { what: 'too many chunks' }));
}

function finish(size: LogoFacts | null, trailingBytes: number): Result<LogoFacts, FileRefusal> {
  if (trailingBytes > 0) return err(fileRefusal('image-trailing-data', { bytes: trailingBytes }));
  if (size === null || size.width === 0 || size.height === 0) {
    return err(fileRefusal('damaged-image', { what: 'it has no size' }));
  }
  return ok(size);
}
