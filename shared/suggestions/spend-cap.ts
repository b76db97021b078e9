import type { Suggestion } from './suggestion.ts';

/** What is accepted in a week may move spend by at most this share. */
const CAP = 0.2;

/**
 * Leaves out suggestions until what is accepted moves the week's spend by a fifth at most: those with the least evidence that move
 * it further go first.
 *
 * @param moved by how many cents a week what was accepted lately moves spend
 */
export function withinCap(
  all: readonly Suggestion[],
  weekSpend: number,
  moved: number,
): { readonly kept: readonly Suggestion[]; readonly left: readonly Suggestion[] } {
  const limit = CAP * weekSpend;
  let sum = all.reduce((total, { move }) => total + move, moved);
  if (Math.abs(sum) <= limit) return { kept: all, left: [] };
  const direction = Math.sign(sum);
  const left = new Set<Suggestion>();
  const order = all
    .filter(({ move }) => Math.sign(move) === direction)
    .toSorted((a, b) => a.weight - b.weight || (a.id ?? 0) - (b.id ?? 0));
  for (const suggestion of order) {
    if (Math.abs(sum) <= limit || Math.sign(sum) !== direction) break;
    left.add(suggestion);
    sum -= suggestion.move;
  }
  return { kept: all.filter((one) => !left.has(one)), left: all.filter((one) => left.has(one)) };
}
