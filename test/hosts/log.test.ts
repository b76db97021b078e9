import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { createFileLog } from '../../main/app/log.ts';
import { testFolder } from '../folder.ts';

const folder = testFolder('log');
const file = join(folder, 'log', 'adslate.log');
beforeEach(() => rmSync(join(folder, 'log'), { recursive: true, force: true }));

test('an entry is one line of JSON that only the user may read', () => {
  createFileLog(folder, systemClock)('call refused', { operation: 'workspace.edit', code: 'BAD_REQUEST' });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'call refused',
    operation: 'workspace.edit',
    code: 'BAD_REQUEST',
  });
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('no text can forge a second line or fill the disk', () => {
  const forged = `x\n{"event":"forged"}\r\n\u2028\u2029\u0085\u202e${'a'.repeat(10_000)}`;
  createFileLog(folder, systemClock)('unexpected failure', { error: forged });
  const text = readFileSync(file, 'utf8');
  expect(text.trimEnd(), 'whatever a viewer takes for the end of a line, or for the other direction').not.toMatch(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
  );
  expect(text.length).toBeLessThan(500);
});

test('fields that nobody allowed stay out', () => {
  const more = { code: 'X', token: 'secret-canary', headers: { authorization: 'secret-canary' } };
  createFileLog(folder, systemClock)('x', more);
  expect(readFileSync(file, 'utf8')).not.toContain('canary');
});

test('a log that cannot be written ends nothing, and works again when it can', () => {
  const log = createFileLog(folder, systemClock);
  writeFileSync(join(folder, 'log'), 'a file in the place of the folder');
  expect(() => log('lost')).not.toThrow();
  rmSync(join(folder, 'log'));
  log('kept');
  expect(readFileSync(file, 'utf8')).toContain('"event":"kept"');
});

test('a full file is put aside, and only a few are kept', () => {
  const log = createFileLog(folder, systemClock);
  log('first');
  for (let round = 0; round < 8; round += 1) {
    writeFileSync(file, 'x'.repeat(21 * 1024 * 1024));
    log('full');
  }
  const kept = readdirSync(join(folder, 'log'));
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThanOrEqual(5);
  expect(statSync(file).size).toBeLessThan(1000);
});
