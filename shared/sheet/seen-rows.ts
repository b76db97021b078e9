/**
 * Finds rows that stand in a sheet twice. It keeps 16 bytes a row instead of the row's key, so a million rows cost
 * little. Two different keys are taken for one with a chance of 1 in 10^13 for a sheet of a million rows.
 */
export interface SeenRows {
  /** The line of an earlier row with this key, or null; then the row is remembered. */
  lineOf(key: string, line: number): number | null;
}

const FIRST_SIZE = 1024;
const FULL_AT = 0.6;

export function seenRows(): SeenRows {
  let hashes = new Float64Array(FIRST_SIZE);
  let checks = new Int32Array(FIRST_SIZE);
  let lines = new Int32Array(FIRST_SIZE);
  let count = 0;

  const place = (check: number): number => (check ^ (check >>> 16)) & (hashes.length - 1);
  const put = (hash: number, check: number, line: number): void => {
    let at = place(check);
    while (hashes[at] !== 0) at = (at + 1) & (hashes.length - 1);
    hashes[at] = hash;
    checks[at] = check;
    lines[at] = line;
    count++;
  };
  const grow = (): void => {
    const old = { hashes, checks, lines };
    hashes = new Float64Array(old.hashes.length * 2);
    checks = new Int32Array(old.hashes.length * 2);
    lines = new Int32Array(old.hashes.length * 2);
    count = 0;
    old.hashes.forEach((hash, at) => {
      if (hash !== 0) put(hash, old.checks[at] ?? 0, old.lines[at] ?? 0);
    });
  };

  return {
    lineOf: (key, line) => {
      const { hash, check } = hashOf(key);
      for (let at = place(check); hashes[at] !== 0; at = (at + 1) & (hashes.length - 1)) {
        if (hashes[at] === hash && checks[at] === check) return lines[at] ?? null;
      }
      if (count > hashes.length * FULL_AT) grow();
      put(hash, check, line);
      return null;
    },
  };
}

/** 84 bits from three multiplicative runs over the key; `hash` is never 0, which marks an empty place. */
function hashOf(key: string): { readonly hash: number; readonly check: number } {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  let check = 0x9e3779b1;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    check = Math.imul(check + unit, 0xc2b2ae35) ^ (check >>> 15);
  }
  return { hash: (high >>> 12) * 0x1_0000_0000 + (low >>> 0) + 1, check };
}
