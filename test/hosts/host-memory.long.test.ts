import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MB = 1024 ** 2;
const youngSpace = (...words: readonly string[]): number =>
  Number(
    execFileSync(process.execPath, [join(import.meta.dirname, 'young-space-child.ts'), ...words], { encoding: 'utf8' }),
  );

test('a host that bounds itself from inside has threads with little space for new objects, which others have not', () => {
  // Two half spaces of 8 MB each, and now and then a page of 256 KB for what a collection could not move elsewhere.
  expect(youngSpace('bound')).toBeLessThanOrEqual(18 * MB);
  expect(youngSpace()).toBeGreaterThan(24 * MB);
});
