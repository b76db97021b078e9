import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JournalLine, openJournal, readJournal } from '../../main/sync/journal.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adslate-journal-'));
  file = join(folder, 'sync.journal');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const line = (n: number): JournalLine => ({
  t: 'intent',
  c: `c-${n}`,
  at: n,
  kind: 'campaign',
  verb: 'create',
  rows: [],
});

test('lines that are asked for at once are all there in the order in which they were asked for', async () => {
  const journal = await openJournal(file);
  const lines = Array.from({ length: 40 }, (_, n) => line(n));
  await Promise.all(lines.map((one) => journal.append(one)));
  expect(await readJournal(file)).toEqual(lines);
  await journal.close();
});

test('lines come back in order, whole, and after the journal was opened again', async () => {
  const first = await openJournal(file);
  await Promise.all([first.append(line(1)), first.append(line(2))]);
  await first.close();
  const second = await openJournal(file);
  await second.append(line(3));
  await second.close();
  expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-1', 'c-2', 'c-3']);
});

test('a line that a crash cut, and one whose bytes were damaged, are left out', async () => {
  const journal = await openJournal(file);
  await journal.append(line(1));
  await journal.close();
  const [good] = (await readFile(file, 'utf8')).split('\n');
  await appendFile(file, `${good?.replace('c-1', 'c-9')}\n${good?.slice(0, 20)}`);
  expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-1']);
});

test('it is rotated before it grows too large, and the older file is still read', async () => {
  const journal = await openJournal(file, 300);
  for (let n = 1; n <= 4; n++) await journal.append(line(n));
  await journal.close();
  expect((await stat(`${file}.1`)).size).toBeLessThanOrEqual(300);
  const read = (await readJournal(file)).map(({ c }) => c);
  expect(read.at(-1)).toBe('c-4');
  expect(read.length).toBeGreaterThan(2);
});

test('a missing journal is an empty one', async () => {
  expect(await readJournal(file)).toEqual([]);
});
