import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { METRICS_MUTANTS } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(METRICS_MUTANTS)('"$law" still fits the source it takes a promise away from', ({ file, from }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
});
