import { safe } from '@orpc/server';
import { expect, test } from 'vitest';
import type { UserRule } from '../../shared/api/rules.ts';
import { aCoreWithPractice } from './a-core.ts';

type Shop = Awaited<ReturnType<typeof aCoreWithPractice>>;

const rule = (changes: Partial<UserRule> = {}): UserRule => ({
  id: 'dear',
  name: 'Dear keywords',
  kind: 'keyword',
  severity: 'error',
  query: 'bid>5',
  enabled: true,
  ...changes,
});

/** A video campaign with two keywords, of which the first is dear. */
async function aShop(): Promise<Shop & { readonly keyword: number }> {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  const { touched } = await shop.client().workspace.create({
    workspaceId,
    label: 'Create',
    rows: [
      { kind: 'campaign', parent: null, values: { name: 'Spring', campaignType: 'video', targetingType: 'manual' } },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group' } },
      { kind: 'keyword', parent: { at: 1 }, values: { text: 'towel', matchType: 'exact', bid: 600 } },
      { kind: 'keyword', parent: { at: 1 }, values: { text: 'roll', matchType: 'exact', bid: 200 } },
    ],
  });
  return { ...shop, keyword: touched[2]?.id ?? 0 };
}

async function own(shop: Shop): Promise<readonly string[]> {
  const page = { workspaceId: shop.workspaceId, from: 0, count: 500 };
  const { findings } = await shop.client().workspace.findings(page);
  return findings.filter((found) => found.rule.startsWith('user.')).map((found) => `${found.rule} ${found.label}`);
}

const FOUND = 'user.dear towel, exact';

test('a rule that is saved finds its rows, and stops when it is changed, switched off or removed', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const { rules } = shop.client();
  expect(await rules.save({ workspaceId, rule: rule() })).toEqual([{ ...rule(), problem: null }]);
  expect(await own(shop)).toEqual([FOUND]);
  await rules.save({ workspaceId, rule: rule({ query: 'bid>7' }) });
  expect(await own(shop)).toEqual([]);
  await rules.save({ workspaceId, rule: rule({ enabled: false }) });
  expect(await own(shop)).toEqual([]);
  await rules.save({ workspaceId, rule: rule() });
  expect(await own(shop)).toEqual([FOUND]);
  expect(await rules.remove({ workspaceId, id: 'dear' })).toEqual([]);
  expect(await own(shop)).toEqual([]);
});

test('an edit is checked by the rules of the user with it', async () => {
  const shop = await aShop();
  const { workspaceId, keyword } = shop;
  await shop.client().rules.save({ workspaceId, rule: rule() });
  expect(await own(shop)).toEqual([FOUND]);
  const change = { kind: 'keyword', id: keyword, field: 'bid', value: 500 } as const;
  await shop.client().workspace.edit({ workspaceId, label: 'Lower', changes: [change] });
  expect(await own(shop)).toEqual([]);
});

test('the severity decides where a found row is listed, and an error keeps it from being sent', async () => {
  const shop = await aShop();
  const { workspaceId } = shop;
  const client = shop.client();
  const length = async (only: 'errors' | 'warnings') => {
    await own(shop);
    return (await client.workspace.openView({ workspaceId, view: { kind: 'keyword', only } })).length;
  };
  const leftOut = async () =>
    (await client.sync.plan({ workspaceId })).leftOut
      .flatMap(({ first }) => first)
      .filter(({ kind }) => kind === 'keyword')
      .map((row) => row.label);
  const clean = { warnings: await length('warnings'), errors: await length('errors') };
  await client.rules.save({ workspaceId, rule: rule({ severity: 'warning' }) });
  expect(await length('warnings')).toBe(clean.warnings + 1);
  expect(await length('errors')).toBe(clean.errors);
  await client.rules.save({ workspaceId, rule: rule({ severity: 'error' }) });
  expect(await length('errors')).toBe(clean.errors + 1);
  expect(await leftOut()).toContain('towel, exact');
});

test('a rule that cannot be read is refused with field, position and reason, and nothing is kept', async () => {
  const { workspaceId, client } = await aShop();
  const { error } = await safe(client().rules.save({ workspaceId, rule: rule({ query: 'price>5' }) }));
  expect(error).toMatchObject({ code: 'BAD_RULE', data: { field: 'query', at: 0 } });
  expect(await client().rules.list({ workspaceId })).toEqual([]);
});

test('rules and what they found survive a restart', async () => {
  const shop = await aShop();
  await shop.client().rules.save({ workspaceId: shop.workspaceId, rule: rule() });
  await shop.reopen();
  expect(await shop.client().rules.list({ workspaceId: shop.workspaceId })).toEqual([{ ...rule(), problem: null }]);
  expect(await own(shop)).toEqual([FOUND]);
});

test('two changes at once are both kept', async () => {
  const { workspaceId, client } = await aShop();
  const saved = ['a', 'b', 'c'].map((id) => client().rules.save({ workspaceId, rule: rule({ id }) }));
  await Promise.all(saved);
  expect((await client().rules.list({ workspaceId })).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
