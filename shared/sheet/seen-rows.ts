/**
 * Finds rows that stand in a sheet twice. It keeps 12 bytes a row instead of the row's key, so a million rows cost
 * little; two keys of the same hash are compared in full by the caller, so the answer is exact.
 */
export interface SeenRows {
  /**
   * The line of an earlier row with this key, or null; then the row is remembered.
   *
   * @param isSame compares in full with the row of a line, since two keys may share a hash
   */
  lineOf(key: string, line: number, isSame: (line: number) => boolean): number | null;
}

const FIRST_SIZE = 1024;
const FULL_AT = 0.6;

export function seenRows(): SeenRows {
  let hashes = new Float64Array(FIRST_SIZE);
  let lines = new Int32Array(FIRST_SIZE);
  let count = 0;

  const place = (hash: number): number => (hash % 4_294_967_291) & (hashes.length - 1);
  const put = (hash: number, line: number): void => {
    let at = place(hash);
    while (hashes[at] !== 0) at = (at + 1) & (hashes.length - 1);
    hashes[at] = hash;
    lines[at] = line;
    count++;
  };
  const grow = (): void => {
    const [oldHashes, oldLines] = [hashes, lines];
    hashes = new Float64Array(oldHashes.length * 2);
    lines = new Int32Array(oldLines.length * 2);
    count = 0;
    oldHashes.forEach((hash, at) => {
      if (hash !== 0) put(hash, oldLines[at] ?? 0);
    });
  };

  return {
    lineOf: (key, line, isSame) => {
      const hash = hashOf(key);
      for (let at = place(hash); hashes[at] !== 0; at = (at + 1) & (hashes.length - 1)) {
        const before = lines[at] ?? 0;
        if (hashes[at] === hash && isSame(before)) return before;
      }
      if (count > hashes.length * FULL_AT) grow();
      put(hash, line);
      return null;
    },
  };
}

/** 52 bits from two FNV-1a runs with different starts; never 0, which marks an empty place. */
function hashOf(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0) + 1;
}
