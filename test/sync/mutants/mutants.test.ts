import { expect, test } from 'vitest';
import { PROTOCOL_MUTANTS, planted } from './mutants.ts';

test.each(PROTOCOL_MUTANTS)('"$name" still fits the source it takes a promise away from', (mutant) => {
  expect(planted(mutant).size).toBeGreaterThan(0);
});
