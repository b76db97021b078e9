import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type ByteSource, bytesSource } from './byte-source.ts';

/**
 * The boxes of an MP4 or MOV file (ISO/IEC 14496-12). A walk reads 8 to 16 bytes a box and jumps by its size,
 * so a 4 GB film costs a few kilobytes. Every size is checked against what holds the box; the work is bounded
 * by counts, so no file can keep the walker busy.
 *
 *   size:32 type:4cc  [size:64 when size = 1]  content ...        size = 0: up to the end
 */
export interface Box {
  readonly type: string;
  /** Position of the content in the source that was walked. */
  readonly start: number;
  readonly end: number;
}

const MAX_BOXES = 10_000;

/** The boxes that lie side by side in a source; `truncated` when the last one reaches past its end. */
export function walkBoxes(source: ByteSource): Result<readonly Box[], FileRefusal> {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    if (boxes.length >= MAX_BOXES) return err(fileRefusal('damaged-video', { what: 'too many boxes' }));
    const header = source.read(at, 16);
    if (header.length < 8) return err(fileRefusal('truncated', { missing: 8 - header.length }));
    const type = header.toString('latin1', 4, 8);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return err(fileRefusal('damaged-video', { what: 'a box without a name' }));
    let size = header.readUInt32BE(0);
    let headerBytes = 8;
    if (size === 1) {
      if (header.length < 16) return err(fileRefusal('truncated', { missing: 16 - header.length }));
      const wide = header.readBigUInt64BE(8);
      if (wide > BigInt(Number.MAX_SAFE_INTEGER))
        return err(fileRefusal('damaged-video', { what: 'an impossible size' }));
      size = Number(wide);
      headerBytes = 16;
    } else if (size === 0) {
      size = source.size - at;
    }
    if (size < headerBytes) return err(fileRefusal('damaged-video', { what: 'an impossible size' }));
    if (at + size > source.size) return err(fileRefusal('truncated', { missing: at + size - source.size }));
    boxes.push({ type, start: at + headerBytes, end: at + size });
    at += size;
  }
  return ok(boxes);
}

/** The boxes inside a content held in memory, by type and in order; null when it is no list of boxes. */
export type BoxesByType = ReadonlyMap<string, readonly Buffer[]>;

export function boxesIn(content: Buffer): BoxesByType | null {
  const walked = walkBoxes(bytesSource(content));
  if (!walked.ok) return null;
  const byType = new Map<string, Buffer[]>();
  for (const { type, start, end } of walked.value) {
    const found = byType.get(type) ?? [];
    found.push(content.subarray(start, end));
    byType.set(type, found);
  }
  return byType;
}

/** Follows a path of first boxes from a list of boxes; null when a step is missing or damaged. */
export function boxAt(boxes: BoxesByType, ...path: readonly string[]): Buffer | null {
  let inside: BoxesByType | null = boxes;
  let content: Buffer | null = null;
  for (const type of path) {
    content = inside?.get(type)?.[0] ?? null;
    if (content === null) return null;
    inside = boxesIn(content);
  }
  return content;
}
