import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { METRICS_FAULTS } from './metrics.ts';
import { WINDOW_FAULTS } from './window.ts';

const root = join(import.meta.dirname, '..', '..');

test.each([...METRICS_FAULTS, ...WINDOW_FAULTS])(
  '"$name" still fits the source it takes a promise away from',
  ({ file, from }) => {
    expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
  },
);
