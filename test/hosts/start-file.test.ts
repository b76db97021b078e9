import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { createLoginFile } from '../../main/hosts/web/login-link.ts';
import { startHostProcess } from '../e2e/host-process.ts';

/** How a browser is handed the one-time code: by a file of the user's own, never by a word of a command line. */
const LINK = `http://127.0.0.1:4000/#code=${'a'.repeat(64)}`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adslate-start-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test('the file is for the user alone, also where one was that everybody could read, and goes when it is told to', () => {
  const path = join(folder, 'start.html');
  writeFileSync(path, 'of before', { mode: 0o644 });
  const file = createLoginFile(folder);
  expect(fileURLToPath(file.write(LINK))).toBe(path);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readFileSync(path, 'utf8')).toContain(`content="0; url=${LINK}"`);
  file.remove();
  expect(existsSync(path)).toBe(false);
});

test('a link that somebody put in its place is not written through', () => {
  const elsewhere = join(folder, 'elsewhere.html');
  writeFileSync(elsewhere, 'theirs');
  symlinkSync(elsewhere, join(folder, 'start.html'));
  createLoginFile(folder).write(LINK);
  expect(readFileSync(elsewhere, 'utf8')).toBe('theirs');
});

/** A program by the name of a browser, which writes down the words it was started with. */
function aBrowser(words: string): string {
  const path = join(folder, 'chromium');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${words}.part'\nmv '${words}.part' '${words}'\n`);
  chmodSync(path, 0o755);
  return folder;
}

test('a browser is started on the file: no word of its command line holds the code', async () => {
  const [words, dataDir] = [join(folder, 'words'), join(folder, 'data')];
  const environment = { PATH: `${aBrowser(words)}${delimiter}${process.env['PATH'] ?? ''}`, DISPLAY: ':0' };
  const host = await startHostProcess(ENTRY, ['--data', dataDir], NODE_FLAGS, { ...NODE_ENVIRONMENT, ...environment });
  try {
    await expect.poll(() => existsSync(words)).toBe(true);
    const started = readFileSync(words, 'utf8');
    expect(started).toMatch(/^--app=file:\/\/.*\/data\/start\.html\n$/);
    expect(started).not.toMatch(/[a-f0-9]{64}/);
    expect(readFileSync(join(dataDir, 'start.html'), 'utf8')).toMatch(/#code=[a-f0-9]{64}"/);
    expect(statSync(join(dataDir, 'start.html')).mode & 0o077).toBe(0);
    await host.stop('SIGTERM');
    expect(existsSync(join(dataDir, 'start.html'))).toBe(false);
  } finally {
    await host.stop('SIGKILL');
  }
});

const ENTRY = join(import.meta.dirname, '..', '..', 'out', 'main', 'web.js');
