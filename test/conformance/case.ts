import { test } from 'vitest';

/**
 * A case of the conformance suite: the section of the partner API document it rests on, the sentence it proves, and
 * the messages, limits and transitions it accounts for. `coverage.test.ts` reads these from the source.
 */
export function conform(
  section: string,
  sentence: string,
  _proves: readonly string[],
  work: () => Promise<void>,
): void {
  test(`${section}: ${sentence}`, work);
}
