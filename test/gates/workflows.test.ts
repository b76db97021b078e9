import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { supportProblem } from '../../scripts/check-electron-support.mjs';
import { root, workflowProblems } from './tool.ts';

/** What runs on machines of others, and what is looked at every week. */
const folder = join(root, '.github', 'workflows');
const names = readdirSync(folder);
const check = readFileSync(join(folder, 'check.yml'), 'utf8');

test.each(names)('%s only reads, and starts nothing that is not pinned by its content', (name) => {
  expect(workflowProblems(readFileSync(join(folder, name), 'utf8'))).toEqual([]);
});

test('the same commands run there as on anybody’s machine, on three systems', () => {
  expect(check).toContain('- run: .ci/run');
  expect(check).toContain('os: [ubuntu-latest, windows-latest, macos-latest]');
  expect(check.match(/npm test$/gm)).toHaveLength(2);
});

describe('planted, it is noticed', () => {
  test.each([
    ['a tag that can be moved', / # v5.0.0/, '', 'is not pinned by its content'],
    ['a branch', /@[a-f0-9]{40} # v5\.0\.0/, '@main # v5.0.0', 'is not pinned by its content'],
    ['a right to write', 'contents: read', 'contents: write', 'may write'],
    ['no word on rights', 'permissions:\n  contents: read\n', '', 'may do more than read'],
    ['one more right', 'contents: read', 'contents: read\n  issues: read', 'may do more than read'],
    ['code of strangers', 'pull_request', 'pull_request_target', 'runs the code of strangers'],
    ['a title in a command', 'npm ci', `npm ci # \${{ github.event.pull_request.title }}`, 'takes a text from outside'],
    ['a secret', 'npm ci', `npm ci --token \${{ secrets.TOKEN }}`, 'is handed secrets'],
    ['credentials left', 'persist-credentials: false', 'clean: true', 'leaves credentials in the clone'],
    ['a job without an end', /^ {4}timeout-minutes: 60\n/m, '', 'has a job without an end'],
  ] as const)('%s', (_what, from, to, problem) => {
    const planted = check.replace(from, to);
    expect(planted).not.toBe(check);
    expect(workflowProblems(planted).join('\n')).toContain(problem);
  });
});

describe('the age of Electron', () => {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const Support = z.strictObject({ major: z.int(), firstRelease: z.iso.date(), supportedUntil: z.iso.date() });
  const support = Support.parse(json('build/electron-support.json'));
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(json('package.json'));
  const version = devDependencies['electron'] ?? '';

  test('is written down for the major that is pinned', () => {
    expect(supportProblem(support, version, support.firstRelease)).toBeNull();
    expect(supportProblem(support, version, support.supportedUntil)).toBeNull();
  });

  test.each([
    ['the day after', support, version, '2027-04-08', 'take the newest major'],
    ['another major', support, '46.0.0', '2026-12-01', 'write down the first release of 46'],
    ['a day that is too late', { ...support, supportedUntil: '2028-01-01' }, version, '2026-12-01', 'is not 24 weeks'],
  ])('%s is told', (_what, written, pinned, today, problem) => {
    expect(supportProblem(written, pinned, today)).toContain(problem);
  });
});
