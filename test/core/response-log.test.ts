import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResponseRecord } from '../../main/api/response-record.ts';
import { createResponseLog, type ResponseLog } from '../../main/core/response-log.ts';
import { WorkspaceClosed } from '../../main/store/worker/pending-calls.ts';
import { aFolder } from '../store/a-workspace.ts';

/** Answers of the service are kept once, up to a bound, and nothing that happens to their file stops anybody. */
let folder: string;
let answers: ResponseLog;
const settings = new Map<string, string>();
const workspace = {
  getMeta: async (key: string) => settings.get(key) ?? null,
  setMeta: async (key: string, value: string) => void settings.set(key, value),
};
const file = (): string => join(folder, 'answers.db');
const open = (): ResponseLog => createResponseLog(file(), workspace);

beforeEach(() => {
  settings.clear();
  folder = aFolder();
  answers = open();
});
afterEach(() => answers.close());

const listed = () => answers.list(0, 500, '');
const hear = (answer: ResponseRecord): void => answers.hear(() => answer);
const aLine = (at: number, body: string | null): ResponseRecord => ({
  at,
  method: 'GET',
  path: '/api/v1/adItems?campaignId=7',
  status: 200,
  body,
  correlationId: `c-${at}`,
  campaignId: '7' as ResponseRecord['campaignId'],
});

test('a body that comes again is kept once, and beyond the bound the oldest are dropped', async () => {
  const noise = (at: number): string =>
    Array.from({ length: 400 }, (_, i) => String((at * 7919 + i * 104729) ** 2)).join();
  hear(aLine(1, noise(1)));
  const once = (await answers.figures()).bytes;
  for (let at = 2; at <= 20; at++) hear(aLine(at, noise(1)));
  expect((await answers.figures()).bytes).toBeLessThan(once + 19 * 250);
  for (let at = 21; at <= 60; at++) hear(aLine(at, noise(at)));
  const all = await answers.figures();
  expect(all).toMatchObject({ answers: 60, oldestAt: 1, lost: 0 });
  await answers.close();
  answers = open();
  expect(await answers.figures()).toEqual(all);
  expect((await answers.of('c-60'))[0]?.body).toBe(noise(60));
  // One packed body is kept by several lines: it goes with the last of them.
  const none = await answers.setBound(0);
  expect(none).toMatchObject({ answers: 0, bytes: 0, boundBytes: 0, oldestAt: null });
  hear(aLine(61, 'x'));
  expect(await listed()).toEqual({ total: 0, answers: [] });
});

test('an answer that comes once the account is closed, or its workspace has failed, stops nobody', async () => {
  await answers.close();
  hear(aLine(1, 'late'));
  answers = open();
  expect((await listed()).total).toBe(0);

  const failed = {
    setMeta: workspace.setMeta,
    getMeta: () => Promise.reject(new WorkspaceClosed('the reader has ended')),
  };
  const orphaned = createResponseLog(join(folder, 'orphaned.db'), failed);
  orphaned.hear(() => aLine(2, 'nobody knows how much is kept'));
  await orphaned.close();
});

test('while more is dropped than is added at once, what stays is the newest', async () => {
  await answers.setBound(40_000);
  for (let at = 1; at <= 900; at++) hear(aLine(at, `[${at}]`));
  const { answers: left, bytes } = await answers.figures();
  expect(bytes).toBeLessThanOrEqual(40_000);
  expect(left).toBeGreaterThan(0);
  const newest = await answers.list(0, 500, '');
  expect(newest.answers.map(({ at }) => at)).toEqual(newest.answers.map((_, i) => 900 - i));
});

test('an answer without a body is kept as a line, and a damaged file is moved aside', async () => {
  hear(aLine(1, null));
  expect(await answers.of('c-1')).toMatchObject([{ body: null, length: null, status: 200 }]);
  await answers.close();
  writeFileSync(file(), 'this is no database, and has not been one for a while'.repeat(100));
  answers = open();
  hear(aLine(2, '[]'));
  expect(await listed()).toMatchObject({ total: 1, answers: [{ at: 2 }] });
  expect(readFileSync(`${file()}.damaged`, 'utf8')).toContain('this is no database');
});

test('a whole correlation id is found among all, words in path and status as well', async () => {
  for (let at = 1; at <= 5; at++) hear({ ...aLine(at, '[]'), status: at === 3 ? 404 : 200 });
  expect((await answers.list(0, 10, 'c-4')).answers.map(({ at }) => at)).toEqual([4]);
  expect((await answers.list(0, 10, 'ADITEMS 404')).answers.map(({ at }) => at)).toEqual([3]);
  expect(await answers.list(1, 2, 'aditems')).toMatchObject({ total: 5, answers: [{ at: 4 }, { at: 3 }] });
  expect(await answers.list(0, 10, 'c-4 c-3')).toEqual({ total: 0, answers: [] });
});

test('a damaged file that cannot be moved aside loses answers, and stops nobody', async () => {
  await answers.close();
  writeFileSync(file(), 'this is no database'.repeat(100));
  mkdirSync(join(`${file()}.damaged`, 'in the way'), { recursive: true });
  answers = open();
  for (let at = 1; at <= 1000; at++) hear(aLine(at, '[]'));
  await answers.close();
  rmSync(`${file()}.damaged`, { recursive: true });
  answers = open();
  hear(aLine(1001, '[]'));
  expect(await listed()).toMatchObject({ total: 1, answers: [{ at: 1001 }] });
});
