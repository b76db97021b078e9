import { type Box, type BoxesByType, boxAt, boxesIn } from './box-walker.ts';
import type { ByteSource } from './byte-source.ts';

/**
 * The length of a fragmented film (ISO/IEC 14496-12, 8.8), whose `moov` says nothing about it: the durations of the
 * picture's samples, added up over all fragments.
 *
 *   moov ─ mvex ─ trex              default duration of a sample of the track
 *   moof ─ traf ─┬─ tfhd            the same for this fragment, if it differs
 *                └─ trun ...        each sample's own, if they differ
 */
const MOOF_MAX_BYTES = 4 * 1024 * 1024;
const MAX_SAMPLES = 1_000_000;

const TFHD = { baseOffset: 0x1, description: 0x2, duration: 0x8 } as const;
const TRUN = {
  dataOffset: 0x1,
  firstFlags: 0x4,
  duration: 0x100,
  size: 0x200,
  flags: 0x400,
  timeOffset: 0x800,
} as const;

/** @returns null when the fragments are damaged or too many to be counted */
export function fragmentsDurationMs(
  source: ByteSource,
  boxes: readonly Box[],
  moov: BoxesByType,
  trackId: number,
  timescale: number,
): number | null {
  const fragments = boxes.filter(({ type }) => type === 'moof');
  if (fragments.length === 0 || timescale === 0) return null;
  const standard = defaultDuration(moov, trackId);
  let units = 0;
  for (const { start, end } of fragments) {
    if (end - start > MOOF_MAX_BYTES) return null;
    const moof = boxesIn(source.read(start, end - start));
    if (moof === null) return null;
    for (const traf of moof.get('traf') ?? []) {
      const parts = boxesIn(traf);
      const header = parts?.get('tfhd')?.[0] ?? null;
      if (parts === null || header === null || header.length < 8) return null;
      if (header.readUInt32BE(4) !== trackId) continue;
      const each = fragmentDuration(header) ?? standard;
      for (const run of parts.get('trun') ?? []) {
        const length = runDuration(run, each);
        if (length === null) return null;
        units += length;
      }
    }
  }
  return Math.floor((units * 1000) / timescale);
}

const flagsOf = (box: Buffer): number => box.readUInt32BE(0) & 0xffffff;

function defaultDuration(moov: BoxesByType, trackId: number): number {
  const extends_ = boxAt(moov, 'mvex');
  for (const trex of (extends_ === null ? null : boxesIn(extends_))?.get('trex') ?? []) {
    if (trex.length >= 16 && trex.readUInt32BE(4) === trackId) return trex.readUInt32BE(12);
  }
  return 0;
}

function fragmentDuration(tfhd: Buffer): number | null {
  const flags = flagsOf(tfhd);
  if ((flags & TFHD.duration) === 0) return null;
  const at = 8 + ((flags & TFHD.baseOffset) === 0 ? 0 : 8) + ((flags & TFHD.description) === 0 ? 0 : 4);
  return at + 4 <= tfhd.length ? tfhd.readUInt32BE(at) : null;
}

function runDuration(trun: Buffer, each: number): number | null {
  if (trun.length < 8) return null;
  const flags = flagsOf(trun);
  const samples = trun.readUInt32BE(4);
  if (samples > MAX_SAMPLES) return null;
  if ((flags & TRUN.duration) === 0) return samples * each;
  const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
  const first = 8 + has(TRUN.dataOffset) + has(TRUN.firstFlags);
  const stride = 4 + has(TRUN.size) + has(TRUN.flags) + has(TRUN.timeOffset);
  if (first + samples * stride > trun.length) return null;
  let units = 0;
  for (let count = 0; count < samples; count += 1) units += trun.readUInt32BE(first + count * stride);
  return units;
}
