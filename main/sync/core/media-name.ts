const MARK_LENGTH = 6;
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * The user's name with six letters of its own behind it. Names need not be unique on the service, but a finished
 * upload whose answer was lost can only be found by its name.
 *
 * @param nameMax longest name in code points, the mark included
 */
export function uniqueMediaName(name: string, nameMax: number, random: () => number): string {
  const mark = Array.from({ length: MARK_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'a');
  const room = Math.max(1, nameMax - MARK_LENGTH - 2);
  return `${[...name.trim()].slice(0, room).join('').trim()} ·${mark.join('')}`;
}
