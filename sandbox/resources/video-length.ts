import { type FileHandle, open } from 'node:fs/promises';

/**
 * The length of a video, read from the container's boxes (.mp4 and .mov are the same family): `moov` holds `mvhd`, and
 * `mvhd` holds duration and units per second. Only box headers are read, so a file of any size costs the same.
 *
 *   ftyp | ... | mdat (skipped) | moov [ mvhd ... ]
 */
export async function readVideoLengthMs(path: string): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const moov = await findBox(file, 'moov', 0, size);
    if (moov === null) return null;
    const mvhd = await findBox(file, 'mvhd', moov.start, moov.end);
    return mvhd === null ? null : await readDuration(file, mvhd);
  } finally {
    await file.close();
  }
}

interface Box {
  /** Where the content begins and ends, in bytes from the start of the file. */
  readonly start: number;
  readonly end: number;
}

/** Real files have a handful of boxes per level; a hostile one could have millions of empty ones. */
const BOXES_MAX = 10_000;

async function findBox(file: FileHandle, type: string, from: number, to: number): Promise<Box | null> {
  let offset = from;
  for (let seen = 0; seen < BOXES_MAX && offset + 8 <= to; seen += 1) {
    const header = await readBytes(file, offset, 16);
    if (header.length < 8) return null;
    const name = header.toString('latin1', 4, 8);
    let length = header.readUInt32BE(0);
    let headerLength = 8;
    if (length === 1) {
      if (header.length < 16) return null;
      length = Number(header.readBigUInt64BE(8));
      headerLength = 16;
    } else if (length === 0) {
      // The last box may leave its length open: it reaches to the end.
      length = to - offset;
    }
    if (length < headerLength || offset + length > to) return null;
    if (offset === 0 && !['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(name)) return null;
    if (name === type) return { start: offset + headerLength, end: offset + length };
    offset += length;
  }
  return null;
}

async function readDuration(file: FileHandle, box: Box): Promise<number | null> {
  const content = await readBytes(file, box.start, Math.min(32, box.end - box.start));
  if (content.length < 20) return null;
  const isLong = content[0] === 1;
  if (isLong && content.length < 32) return null;
  const unitsPerSecond = content.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(content.readBigUInt64BE(24)) : content.readUInt32BE(16);
  return unitsPerSecond === 0 ? null : Math.round((units / unitsPerSecond) * 1000);
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
