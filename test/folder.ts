import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';

/** An empty folder for the tests of this file or group, removed after them, when what they opened in it is closed. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `adslate-${name}-`));
  beforeAll(() => () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
