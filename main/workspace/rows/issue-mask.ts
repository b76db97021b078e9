/**
 * Arithmetic on `issues`, a mask of up to 50 bits: too wide for JavaScript's bit operators, narrow enough for an
 * exact number. A bit is passed as its value, 2 ** n.
 */
const HALF = 2 ** 25;

const hasBit = (mask: number, value: number): boolean => Math.floor(mask / value) % 2 === 1;

export const withBit = (mask: number, value: number): number => (hasBit(mask, value) ? mask : mask + value);

export function commonBits(a: number, b: number): number {
  const high = Math.floor(a / HALF) & Math.floor(b / HALF);
  const low = (a % HALF) & (b % HALF);
  return high * HALF + low;
}

export const withoutBits = (mask: number, bits: number): number => mask - commonBits(mask, bits);
