import { expect, test } from 'vitest';
import { TEAM_MUTANTS } from '../../team/mutants/mutants.ts';
import { SENDER_MUTANTS } from '../../team/senders/mutants.ts';
import { PROTOCOL_MUTANTS, planted } from './mutants.ts';

test.each([...PROTOCOL_MUTANTS, ...TEAM_MUTANTS, ...SENDER_MUTANTS])(
  '"$name" still fits the source it takes a promise away from',
  (mutant) => {
    expect(planted(mutant).size).toBeGreaterThan(0);
  },
);
