/**
 * Generated data that depends only on the seed: a hash of the seed and of the subject, without a state that depends on
 * the order of calls (FNV-1a, then a finishing mix).
 */
export function hash(seed: number, ...about: readonly (string | number)[]): number {
  let value = 0x811c9dc5 ^ seed;
  for (const character of about.join('/')) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A number from 0 (included) to 1 (excluded). */
export function chance(seed: number, ...about: readonly (string | number)[]): number {
  return hash(seed, ...about) / 2 ** 32;
}

export function pick<T>(choices: readonly [T, ...T[]], seed: number, ...about: readonly (string | number)[]): T {
  return choices[hash(seed, ...about) % choices.length] ?? choices[0];
}
