import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WINDOW_MUTANTS } from './mutants/mutants.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(WINDOW_MUTANTS)('"$name" still fits the source it takes a promise away from', ({ file, from }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
});
