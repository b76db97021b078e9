/**
 * `npm test` runs a share of what is a large table of like cases, and `npm run test:long` all of it. Which share it is
 * follows from the seed, so that eight seeds in a row run everything; each suite that shrinks prints its share.
 */
/** Of everything that is drawn at random in these tests. */
export const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

/** Whether everything is tried, as in `npm run test:long`. */
export const isFull = process.env['TEST_FULL'] === '1';

/** Every eighth of the cases, or every one in another number of parts. */
export function share<T>(suite: string, cases: readonly T[], parts = 8): readonly T[] {
  if (isFull) return cases;
  const chosen = cases.filter((_, at) => at % parts === SEED % parts);
  console.log(
    `${suite}: ${chosen.length} of ${cases.length} cases, share ${SEED % parts} of ${parts}; TEST_SEED=${SEED} runs them again, TEST_FULL=1 all`,
  );
  return chosen;
}

/** How often something random is tried: in full, or as often as is enough for every day. */
export const runs = (full: number, everyDay = 100): number => (isFull ? full : Math.min(full, everyDay));
