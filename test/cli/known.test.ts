import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { AddCampaignOutcome, RemoteIdEntry } from '../../shared/api/campaigns.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** The ledger of known ids on the command line, against the practice service. */
const folder = temporaryFolder('known');
const data = join(folder.path, 'data');
const file = join(folder.path, 'ids.csv');

const Listed = z.object({ ids: z.array(RemoteIdEntry) });
const Added = z.object({
  outcomes: z.array(AddCampaignOutcome),
  withoutGroup: z.array(z.string()),
  stoppedBy: z.string().nullable(),
  leftOut: z.array(z.object({ line: z.int(), text: z.string(), problem: z.string() })),
});

const SHEET = [
  'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start',
  'campaign,Towels,,sponsoredProducts,auto,500,50,2030-03-04',
  'ad group,Towels,Towels group,,,,,',
].join('\r\n');

beforeAll(async () => {
  const added = await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
  expect(added.code).toBe(0);
  writeFileSync(file, SHEET);
  expect((await cli(data, 'import', file)).code).toBe(0);
  expect((await cli(data, 'sync', '--yes')).code).toBe(0);
});
afterAll(folder.remove);

test('the ids of what was sent from here are listed with that as their source, and found by a word', async () => {
  const { code, json } = await cliJson(Listed, data, 'known', 'list');
  expect(code).toBe(0);
  expect(json.ids.map(({ kind, source, name }) => [kind, source, name])).toEqual([
    ['campaign', 'made', 'Towels'],
    ['adGroup', 'made', 'Towels group'],
  ]);
  const id = json.ids[0]?.id ?? '';
  const found = await cliJson(Listed, data, 'known', 'list', id);
  expect(found.json.ids[0]?.id).toBe(id);
  expect((await cli(data, 'known', 'list')).out).toContain('sent from here');
});

test('a file of ids is taken line by line: what is known, what is not there and what is no id are told', async () => {
  const { json: known } = await cliJson(Listed, data, 'known', 'list');
  const id = known.ids.find(({ kind }) => kind === 'campaign')?.id ?? '';
  writeFileSync(file, `Campaign id,Name\r\n${id},Mine\r\n999999999,Nowhere\r\n1.23E+09,Spoiled\r\n`);
  const { code, json } = await cliJson(Added, data, 'known', 'add', '--file', file);
  expect(code).toBe(1);
  expect(Object.fromEntries(json.outcomes.map(({ id: of, outcome }) => [of, outcome]))).toEqual({
    [id]: 'known',
    '999999999': 'not-found',
  });
  expect(json.leftOut).toEqual([{ line: 4, text: '1.23E+09', problem: 'not-an-id' }]);
  expect((await cliJson(Listed, data, 'known', 'list', '999999999')).json.ids).toEqual([]);
});

test('without an id there is a usage message, and a name goes with one id only', async () => {
  expect((await cli(data, 'known', 'add')).code).toBe(2);
  expect((await cli(data, 'known', 'add', '1', '2', '--name', 'Both')).code).toBe(2);
});
