import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** Profile, rules of one's own and plans, by the command line alone. */
const folder = temporaryFolder('profile');
const data = join(folder.path, 'data');
beforeAll(async () => {
  await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
});
afterAll(folder.remove);

const aFile = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const sheet = aFile(
  'sheet.csv',
  [
    'Type,Campaign,Campaign type,Targeting,Start,Daily budget,Item id,Keyword,Match type,Bid',
    'campaign,Spring,sponsoredProducts,manual,2030-05-01,75,,,,',
    'ad item,Spring,,,,,0999999999,,,1.60',
    'keyword,Spring,,,,,,towel,exact,6.00',
  ].join('\n'),
);

const Findings = z.object({ findings: z.array(z.object({ rule: z.string(), message: z.string() })) });
const rulesFound = async (...more: readonly string[]): Promise<readonly string[]> =>
  (await cliJson(Findings, data, 'check', ...more)).json.findings.map(({ rule }) => rule);

test('a fresh practice account differs from the usual by its host alone', async () => {
  expect(await cli(data, 'profile')).toMatchObject({
    code: 0,
    out: 'retail.host is https://shop.example (usually empty)\n',
  });
});

test('limits of the profile are those of the check, and --all is what --set takes', async () => {
  await cli(data, 'import', sheet);
  expect(await rulesFound()).not.toContain('keyword.bid-high');
  const set = await cli(data, 'profile', '--set', aFile('profile.txt', 'bid.max=5.00\nadItems.max=12\n'));
  expect(set.out).toContain('adItems.max is 12 (usually 10)');
  expect(await rulesFound()).toContain('keyword.bid-high');
  const all = await cli(data, 'profile', '--all');
  expect(await cli(data, 'profile', '--set', aFile('all.txt', all.out))).toEqual(set);
  await cli(data, 'profile', '--reset');
  expect(await rulesFound()).not.toContain('keyword.bid-high');
});

test('a profile that cannot be read is refused line by line, and the old one stays', async () => {
  const refused = await cli(data, 'profile', '--set', aFile('bad.txt', 'bid.max=cheap\nno.such.key=1\n'));
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/Line 1: "bid.max" is "cheap".*\nLine 2: "no.such.key" is not a key/);
  expect((await cli(data, 'profile')).out).toBe('retail.host is https://shop.example (usually empty)\n');
  expect((await cli(data, 'profile', '--set', join(folder.path, 'nowhere.txt'))).code).toBe(2);
});

test('a rule of one own is saved, listed, followed by the check, and removed', async () => {
  const saved = await cli(data, 'rule', 'save', 'dear', 'bid>5', '--type', 'keyword', '--severity', 'error');
  expect(saved).toMatchObject({ code: 0 });
  expect((await cli(data, 'rule', 'list')).out).toMatch(/dear +error +keyword +bid>5/);
  const { json } = await cliJson(Findings, data, 'check');
  const own = json.findings.filter(({ rule }) => rule === 'user.dear');
  expect(own).toMatchObject([{ message: expect.stringContaining('"towel, exact" is found by your rule "dear"') }]);
  expect((await cli(data, 'rule', 'remove', 'dear')).out).toContain('no rules');
  expect(await rulesFound()).not.toContain('user.dear');
});

test('a plan reads the same twice, and says what would take it back', async () => {
  const first = await cli(data, 'plan', '--text');
  expect(first.out).toMatch(
    /^adslate-plan 1 .*\nplan: \d+ requests, \d+ elements, 0 uploads\n0 POST \/api\/v1\/campaigns campaign create/,
  );
  expect(first.out).toContain('"keywords":["towel"]');
  expect(await cli(data, 'plan', '--text')).toEqual(first);
  const back = await cli(data, 'plan', '--back');
  expect(back.out).toContain('back: keyword "towel, exact", state paused');
  expect(back.out).toContain('for good: campaign "Spring": the service has no call that removes it');
});

test('a search that cannot be read is no rule', async () => {
  const refused = await cli(data, 'rule', 'save', 'odd', 'price>5', '--type', 'keyword');
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/price/);
  expect((await cli(data, 'rule', 'save', 'odd', 'bid>5', '--type', 'shoe')).code).toBe(2);
});

test('check --look-up asks the catalogue about new items first', async () => {
  expect(await rulesFound()).toContain('item.id-unconfirmed');
  const found = await rulesFound('--look-up');
  expect(found).toContain('item.not-in-catalogue');
  expect(found).not.toContain('item.id-unconfirmed');
});
