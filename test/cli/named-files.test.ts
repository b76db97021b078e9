import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { share } from '../share.ts';
import { cli, temporaryFolder } from './cli.ts';

/** Files that are named on the command line: what is read must be a file, and what is there is not written over. */
const folder = temporaryFolder('named-files');
const data = join(folder.path, 'data');
const pipe = join(folder.path, 'pipe');
const sheet = join(folder.path, 'items.csv');
afterAll(folder.remove);

beforeAll(async () => {
  execFileSync('mkfifo', [pipe]);
  writeFileSync(sheet, 'Type,Campaign,Item id,Bid\nad item,Towels,12345678,1.50\n');
  expect((await cli(data, 'account', 'add', '--name', 'Shop', '--practice')).code).toBe(0);
});

const READERS = [
  ['known', 'add', '--file'],
  ['sync', '--yes', '--plan'],
  ['restore', '--dry-run'],
  ['profile', '--set'],
  ['ids', 'scan'],
  ['ids', 'apply', '--map'],
  ['import'],
  ['status', '--passphrase-file'],
  ['secrets', 'choose', 'passphrase', '--new-passphrase-file'],
];

const pipes = share('pipes', READERS.slice(0, 7), 4);
test.each(pipes)('a named pipe that nobody writes to is no file: %s %s', async (...words) => {
  const { code, out, err } = await cli(data, ...words, pipe);
  expect([1, 2]).toContain(code);
  expect(out + err).toContain('not a file');
});

const readers = share('devices and folders', READERS, 4);
test.each(readers)('neither is a device without an end, nor a folder: %s %s', async (...words) => {
  const passphrase = words.some((word) => word.includes('passphrase-file'));
  for (const path of ['/dev/zero', folder.path]) {
    const { code, out, err } = await cli(data, ...words, path, '--json');
    // A passphrase is read when something is sealed with it, which is nothing yet.
    if (passphrase && words[0] === 'status') expect(code).toBe(0);
    else expect([1, 2]).toContain(code);
    expect(err).not.toContain('should not');
    if (!passphrase) expect(out).toMatch(/not a file|EISDIR/);
  }
});

test('a filter that cannot be read is said by its problem, with the exit code of a usage error', async () => {
  const { code, err } = await cli(data, 'plan', '--only', 'keyword:bid>');
  expect(code).toBe(2);
  expect(err).toContain('Type a value after the sign');
});

const WRITERS = [
  ['ledger', '--out'],
  ['answers', '--out'],
  ['report', '--out'],
  ['backup'],
  ['export'],
  ['ids', 'scan', '--report'],
  ['ids', 'scan', sheet, '--mend'],
  ['import', sheet, '--failed'],
];

const writers = share('files that are there', WRITERS, 4);
test.each(writers)('a file that is there is replaced with --force only: %s %s %s', async (...words) => {
  const target = join(folder.path, 'precious.csv');
  writeFileSync(target, 'precious');
  const kept = await cli(data, ...words, target);
  expect(kept.code).toBe(2);
  expect(kept.err).toContain('precious.csv is there already. Choose another name, or add --force.');
  expect(readFileSync(target, 'utf8')).toBe('precious');
  expect([0, 1]).toContain((await cli(data, ...words, target, '--force')).code);
  expect(readFileSync(target, 'utf8')).not.toBe('precious');
});

test.each(writers)('a place that cannot be written is named: %s %s %s', async (...words) => {
  const taken = join(folder.path, 'taken');
  mkdirSync(taken, { recursive: true });
  const { code, err } = await cli(data, ...words, taken, '--force');
  expect(code).toBe(1);
  expect(err).toMatch(/taken cannot be written \(E\w+\)\. Choose another place\./);
});
