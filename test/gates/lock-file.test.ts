import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LockFile, lockProblems } from './lock-file.ts';

const root = join(import.meta.dirname, '..', '..');
const lock = (): LockFile => LockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

test('every package is proven by its content, from the registry, without a script of its own, under a license we may use', () => {
  expect(Object.keys(lock().packages).length).toBeGreaterThan(300);
  expect(lockProblems(lock())).toEqual([]);
});

describe('planted, it is noticed', () => {
  const PROVEN = `sha512-${'A'.repeat(86)}==`;
  const sound = { version: '1.0.0', license: 'MIT', integrity: PROVEN };
  test.each([
    ['no proof', { ...sound, integrity: undefined }, 'is not proven by SHA-512'],
    ['a weak proof', { ...sound, integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }, 'is not proven by SHA-512'],
    ['another registry', { ...sound, resolved: 'https://registry.evil.test/a.tgz' }, 'is from elsewhere'],
    ['a repository', { ...sound, resolved: 'git+ssh://git@github.com/a/b.git#c' }, 'is from elsewhere'],
    ['a look-alike', { ...sound, resolved: 'https://registry.npmjs.org.evil.test/a.tgz' }, 'is from elsewhere'],
    ['an install script', { ...sound, hasInstallScript: true }, 'wants to run an install script'],
    ['a link', { ...sound, link: true }, 'is a link to a folder'],
    ['no license', { ...sound, license: undefined }, 'has the license none'],
    ['a license that binds', { ...sound, license: 'AGPL-3.0-only' }, 'has the license AGPL-3.0-only'],
    ['half a license', { ...sound, license: 'MIT AND GPL-3.0-only' }, 'has the license MIT AND GPL-3.0-only'],
  ] as const)('%s', (_what, entry, problem) => {
    const planted = LockFile.parse({ ...lock(), packages: { 'node_modules/planted': entry } });
    expect(lockProblems(planted)).toEqual([`node_modules/planted ${problem}.`]);
  });

  test('a choice of licenses is fine when one of them is', () => {
    const planted = LockFile.parse({
      ...lock(),
      packages: { 'node_modules/planted': { ...sound, license: '(GPL-2.0-only OR MIT)' } },
    });
    expect(lockProblems(planted)).toEqual([]);
  });
});
