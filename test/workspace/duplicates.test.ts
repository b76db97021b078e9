import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicates } from '../../main/store/reader/duplicates.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { DuplicateGroup } from '../../shared/api/views.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { normalizedText } from '../../shared/model/text.ts';
import { runs } from '../share.ts';
import { aStore, createAll } from './a-store.ts';
import { create } from './a-workspace.ts';

interface Written {
  readonly campaign: 0 | 1;
  readonly text: string;
  readonly matchType: 'exact' | 'broad';
}

const profile = defaultDeploymentSettings('shop.example');
const group = (name: string, at: number) => [
  create('campaign', null, { name, campaignType: 'sponsoredProducts', targetingType: 'manual' }),
  create('adGroup', { at }, { name: `${name} group` }),
];

/** Two campaigns with these keywords. */
function storeWith(keywords: readonly Written[]): OwnStore {
  const store = aStore();
  createAll(store, [
    ...group('Pots', 0),
    ...group('Pans', 2),
    ...keywords.map(({ campaign, text, matchType }) =>
      create('keyword', { at: campaign * 2 + 1 }, { text, matchType, bid: 100, state: 'enabled' }),
    ),
  ]);
  return store;
}

const texts = ({ rows }: DuplicateGroup): readonly string[] => rows.map(({ text }) => text);

test.each([
  ['Red-Pot', 'red pot'],
  ['red,  pot!', 'red pot'],
  ["pot's lid", 'pots lid'],
  ['Grüne ÄPFEL', 'grüne äpfel'],
  ['redpot', 'redpot'],
  ['!!!', '!!!'],
])('"%s" is the same as "%s" for a shopper', (text, key) => expect(normalizedText(text)).toBe(key));

test('within an ad group case, blanks and signs do not tell keywords apart, match types and groups do', async () => {
  const store = storeWith([
    { campaign: 0, text: 'Red-Pot', matchType: 'exact' },
    { campaign: 0, text: 'red pot', matchType: 'exact' },
    { campaign: 0, text: 'red pot', matchType: 'broad' },
    { campaign: 1, text: 'red pot', matchType: 'exact' },
  ]);
  const own = await findDuplicates(store.db, profile, { kind: 'keyword', within: 'adGroup', campaignId: null });
  expect(own.groups.map(texts)).toEqual([['Red-Pot', 'red pot']]);
  expect(own).toMatchObject({ total: 1, rows: 2, distinctMax: 200, groups: [{ matchType: 'exact', count: 2 }] });
  expect(
    own.fullness.map(({ distinct }) => distinct),
    'the service tells signs apart',
  ).toEqual([2]);
  const all = await findDuplicates(store.db, profile, { kind: 'keyword', within: 'account', campaignId: null });
  expect(all.groups.map(texts)).toEqual([['Red-Pot', 'red pot', 'red pot']]);
  expect(all.groups[0]?.rows.map(({ campaignName }) => campaignName)).toEqual(['Pots', 'Pots', 'Pans']);
  store.db.close();
});

test('what is found is what comparing every row with every other finds', async () => {
  const written = fc.record({
    campaign: fc.constantFrom(0 as const, 1 as const),
    text: fc.constantFrom('pot', 'Pot', 'pot!', 'pan', 'pan lid', 'pan-lid', 'wok', ' '),
    matchType: fc.constantFrom('exact' as const, 'broad' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 30 }), fc.boolean(), async (keywords, everywhere) => {
      const store = storeWith(keywords);
      const within = everywhere ? 'account' : 'adGroup';
      const found = await findDuplicates(store.db, profile, { kind: 'keyword', within, campaignId: null });
      const same = (a: Written, b: Written): boolean =>
        a !== b &&
        normalizedText(a.text) !== '' &&
        normalizedText(a.text) === normalizedText(b.text) &&
        a.matchType === b.matchType &&
        (everywhere || a.campaign === b.campaign);
      const expected = keywords.filter((one) => keywords.some((other) => same(one, other))).map(({ text }) => text);
      expect(found.groups.flatMap(texts).toSorted()).toEqual(expected.toSorted());
      expect(found.rows).toBe(expected.length);
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
});

test('the same item twice is found by its id', async () => {
  const store = aStore();
  const item = (at: number, itemId: string) => create('adItem', { at }, { itemId, bid: 40 });
  createAll(store, [...group('Pots', 0), ...group('Pans', 2), item(1, '77'), item(3, '77'), item(3, '78')]);
  const found = await findDuplicates(store.db, profile, { kind: 'adItem', within: 'account', campaignId: null });
  expect(found.groups.map(texts)).toEqual([['77', '77']]);
  expect(found.fullness).toEqual([]);
  store.db.close();
});
