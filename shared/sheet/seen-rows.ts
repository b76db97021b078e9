/**
 * Finds rows that stand in a sheet twice. It keeps 16 bytes a row instead of the row's key, so a million rows cost
 * little. Two different keys are taken for one with a chance of less than 1 in 10^13 for a sheet of a million rows.
 */
export interface SeenRows {
  /**
   * The line of an earlier row with this key, or null; then the row is remembered. The key is what follows on `scope`, which
   * many rows have in common: a scope that is the one of the row before costs nothing.
   *
   * @param line from 1
   */
  lineOf(scope: string, key: string, line: number): number | null;
}

const FIRST_PLACES = 1024;
const FULL_AT = 0.6;

/**
 * A place holds the three runs of a hash and the line, or 0 in an empty one. They lie side by side, because each look at a
 * table of this size waits for memory, and four tables would wait four times.
 */
const PLACE_SIZE = 4;
const LINE = 3;

export function seenRows(): SeenRows {
  let places = new Int32Array(FIRST_PLACES * PLACE_SIZE);
  let count = 0;
  const hash = keyHash();

  const startOf = (check: number): number => ((check ^ (check >>> 16)) * PLACE_SIZE) & (places.length - 1);
  const next = (at: number): number => (at + PLACE_SIZE) & (places.length - 1);
  const put = (low: number, high: number, check: number, line: number): void => {
    let at = startOf(check);
    while (places[at + LINE] !== 0) at = next(at);
    places[at] = low;
    places[at + 1] = high;
    places[at + 2] = check;
    places[at + LINE] = line;
  };
  const grow = (): void => {
    const old = places;
    places = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += PLACE_SIZE) {
      const line = old[at + LINE] ?? 0;
      if (line !== 0) put(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, line);
    }
  };

  return {
    lineOf: (scope, key, line) => {
      const { low, high, check } = hash(scope, key);
      for (let at = startOf(check); places[at + LINE] !== 0; at = next(at)) {
        if (places[at] === low && places[at + 1] === high && places[at + 2] === check) return places[at + LINE] ?? null;
      }
      if (++count * PLACE_SIZE > places.length * FULL_AT) grow();
      put(low, high, check, line);
      return null;
    },
  };
}

interface KeyHash {
  low: number;
  high: number;
  check: number;
}

const SEED: Readonly<KeyHash> = { low: 0x811c9dc5 | 0, high: 0x01000193, check: 0x9e3779b1 | 0 };

/** 96 bits from three multiplicative runs over scope and key. The answer is the same object each time, and to be read at once. */
function keyHash(): (scope: string, key: string) => Readonly<KeyHash> {
  let lastScope = '';
  const afterScope: KeyHash = { ...SEED };
  const run: KeyHash = { ...SEED };
  return (scope, key) => {
    if (scope !== lastScope) {
      lastScope = scope;
      Object.assign(afterScope, SEED);
      take(afterScope, scope);
    }
    run.low = afterScope.low;
    run.high = afterScope.high;
    run.check = afterScope.check;
    take(run, key);
    return run;
  };
}

function take(run: KeyHash, text: string): void {
  let { low, high, check } = run;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    check = Math.imul(check + unit, 0xc2b2ae35) ^ (check >>> 15);
  }
  run.low = low;
  run.high = high;
  run.check = check;
}
