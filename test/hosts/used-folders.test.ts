import { mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type AllowedFolders, createAllowedFolders } from '../../main/hosts/electron/window-files.ts';
import { aFolder } from '../store/a-workspace.ts';

/** Files that a window takes: each folder is asked about once, by main. */
let home: string;
let dataDir: string;
let asked: string[];
let answer: boolean;
let nowMs: number;
beforeEach(() => {
  home = realpathSync(aFolder());
  dataDir = join(home, 'data');
  for (const folder of ['data', 'plans', 'plans/.keys']) mkdirSync(join(home, folder));
  for (const file of ['plans/a.csv', 'plans/b.csv', 'plans/.keys/id']) writeFileSync(join(home, file), 'x');
  [asked, answer, nowMs] = [[], true, 0];
});

const folders = (): AllowedFolders =>
  createAllowedFolders({
    dataDir,
    log: () => {},
    nowMs: () => nowMs,
    ask: async (path) => {
      asked.push(path);
      return answer;
    },
  });
const at = (file: string): string => join(home, file);

test('a folder is asked about once, also when many of its files come together and at the next start', async () => {
  const used = folders();
  expect(await Promise.all(['plans/a.csv', 'plans/b.csv'].map((file) => used.mayTake(at(file))))).toEqual([true, true]);
  expect(await used.mayTake(at('plans/b.csv'))).toBe(true);
  expect(await folders().mayTake(at('plans/b.csv'))).toBe(true);
  // Of two that come at once either may be the one that is named in the question.
  expect([[at('plans/a.csv')], [at('plans/b.csv')]]).toContainEqual(asked);
  if (process.platform !== 'win32') expect(statSync(join(dataDir, 'folders.json')).mode & 0o077).toBe(0);
});

test('what lies below a folder is another one, and a link leads to the folder it points into', async () => {
  const used = folders();
  await used.mayTake(at('plans/a.csv'));
  answer = false;
  symlinkSync(at('plans/.keys/id'), at('plans/harmless.csv'));
  expect(await used.mayTake(at('plans/harmless.csv'))).toBe(false);
  expect(asked).toEqual([at('plans/a.csv'), at('plans/.keys/id')]);
});

test('after a no nothing is asked for a minute, and nothing is remembered', async () => {
  answer = false;
  const used = folders();
  for (const file of ['plans/a.csv', 'plans/b.csv', 'plans/a.csv']) expect(await used.mayTake(at(file))).toBe(false);
  expect(asked).toHaveLength(1);
  nowMs = 60_000;
  answer = true;
  expect(await used.mayTake(at('plans/a.csv'))).toBe(true);
  expect(asked).toHaveLength(2);
  expect(JSON.parse(readFileSync(join(dataDir, 'folders.json'), 'utf8'))).toEqual([at('plans')]);
});

test('a file that is not there is asked about by nobody', async () => {
  expect(await folders().mayTake(at('plans/none.csv'))).toBe(true);
  expect(asked).toEqual([]);
});
