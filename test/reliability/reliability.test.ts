import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, renderReliability } from './render.ts';

test('RELIABILITY.md says what the runs said', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(renderReliability());
});
