import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ResponseLogInfo, ResponseSummary } from '../../shared/api/requests.ts';
import { OutdatedSummary } from '../../shared/api/sync.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** What may be out of date, and what the service answered, on the command line against the practice service. */
const folder = temporaryFolder('answers');
const data = join(folder.path, 'data');
const out = join(folder.path, 'out.jsonl');
const Refreshed = z.looseObject({ outdated: OutdatedSummary.optional() });
const Answers = ResponseLogInfo.extend({ total: z.int(), listed: z.array(ResponseSummary) });
const Line = z.looseObject({ correlationId: z.string(), answers: z.array(z.looseObject({ body: z.string() })) });

beforeAll(async () => {
  const sheet = join(folder.path, 'sheet.csv');
  writeFileSync(
    sheet,
    'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start\r\ncampaign,Towels,sponsoredProducts,auto,500,50,2030-03-04',
  );
  expect((await cli(data, 'account', 'add', '--name', 'Practice', '--practice')).code).toBe(0);
  expect((await cli(data, 'import', sheet)).code).toBe(0);
  expect((await cli(data, 'sync', '--yes')).code).toBe(0);
});
afterAll(folder.remove);

test('a refresh of what may be out of date says first how many it reads, and then has nothing to read', async () => {
  const first = await cliJson(Refreshed, data, 'refresh', '--outdated', '1');
  expect(first).toMatchObject({ code: 0, json: { outdated: { campaigns: 1, all: 1, why: { old: 1 } } } });
  const again = await cli(data, 'refresh', '--outdated', '1');
  expect(again.out).toContain('0 of 1 campaign may be out of date.');
  expect((await cli(data, 'refresh', '--outdated', 'soon')).code).toBe(2);
  expect((await cli(data, 'refresh', '--outdated', '1', '--campaign', 'Towels')).code).toBe(2);
  expect((await cli(data, 'refresh', '--campaign', 'Towels')).code).toBe(0);
});

test('what was answered is found by words, written whole, and stands beside what was sent', async () => {
  const { json } = await cliJson(Answers, data, 'answers', 'v1/campaigns', '200');
  expect(json.listed.map(({ method }) => method)).toContain('POST');
  expect(json).toMatchObject({ boundMb: 64, lost: 0 });
  expect((await cli(data, 'answers', '--out', out)).code).toBe(0);
  const written = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ResponseSummary);
  expect(written).toHaveLength(json.answers);
  expect((await cli(data, 'ledger', '--out', out)).code).toBe(2);
  expect((await cli(data, 'ledger', '--out', out, '--force')).code).toBe(0);
  const sent = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)));
  expect(sent.map(({ answers }) => answers.length)).toEqual(sent.map(() => 1));
  expect(sent[0]?.answers[0]?.body).toContain('"code":"success"');
});

test('with a bound of nothing all of it is dropped', async () => {
  const { json } = await cliJson(Answers, data, 'answers', '--keep', '0');
  expect(json).toMatchObject({ answers: 0, bytes: 0, boundMb: 0, total: 0 });
  expect((await cli(data, 'answers', '--keep', 'all')).code).toBe(2);
});
