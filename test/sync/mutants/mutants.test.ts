import { expect, test } from 'vitest';
import { PROTOCOL_MUTANTS } from './mutants.ts';
import { planted } from './planted.ts';

test.each(PROTOCOL_MUTANTS)('"$name" still fits the source it takes a promise away from', (mutant) => {
  expect(planted(mutant).size).toBeGreaterThan(0);
});
