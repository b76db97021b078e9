import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Values } from '../../../shared/model/fields.ts';
import { ITEM_CHECK_STATUSES, type ItemCheckStatus } from '../../../shared/model/item-check.ts';
import { DELETED } from '../../../shared/model/row.ts';
import { itemCatalogRules } from '../../../shared/rules/ad-item.ts';
import { checkCampaign } from '../../../shared/rules/check.ts';
import { RULES } from '../../../shared/rules/registry.ts';
import type { RuleEnv } from '../../../shared/rules/rule.ts';
import { runs, SEED } from '../../share.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideoTree,
  cents,
  env,
  profile,
  unknown,
} from '../builders.ts';

const reported = (text: string): readonly string[] =>
  checkCampaign(aVideoTree({ keywords: [aKeyword({ text }, { id: 40 })] }), env)
    .filter(({ id, rule }) => id === 40 && /keyword\.(?:text-|many-words)/u.test(rule))
    .map(({ rule }) => rule)
    .sort();

/** The same rules as patterns: slow, and told in another way than the passes over the characters. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'keyword.many-words': /(?: [^ ]*){10}/u,
  'keyword.text-blanks': /^ | $| {2}/u,
  'keyword.text-characters': /[\p{Cc}\p{Cs}]/u,
  'keyword.text-length': /^.{81}/su,
  'keyword.text-required': /^[\s\u200b]*$/u,
  'keyword.text-signs': /[!"*;<=>?@[\\\]^_`{|}~]/u,
  'keyword.text-unseen': /\u200b.*[^\s\u200b]|[^\s\u200b].*\u200b/su,
};

test('a text is reported for what the patterns of the rules find in it, plain or not', () => {
  console.log(`seed ${SEED}`);
  let plain = 0;
  let odd = 0;
  const common = fc.constantFrom(...'abz09 -:/&#', ' ', ' ', 'word', 'paper towel ');
  const rare = fc.constantFrom(
    ...'AZ!"*;?@`{~',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u009f',
    '\u00a0',
    'ä',
    '日',
    '\u200b',
    '\ud83d',
    '🧻',
    '  ',
  );
  const texts = fc.array(fc.oneof({ weight: 12, arbitrary: common }, { weight: 1, arbitrary: rare }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      const rules = Object.keys(PATTERNS).filter((rule) => PATTERNS[rule]?.test(text));
      expect(reported(text)).toEqual(rules);
      if (rules.length === 0) plain++;
      else odd++;
    }),
    { numRuns: runs(2000, 300), seed: SEED },
  );
  expect(plain).toBeGreaterThan(runs(100, 20));
  expect(odd).toBeGreaterThan(runs(100, 20));
});

describe('keyword ids', () => {
  type Made = ReturnType<typeof aKeyword>;

  /** A keyword whose id on the service cannot be looked at. */
  const withoutRemoteId = (row: Made): Made =>
    Object.defineProperty({ ...row }, 'remoteId', {
      get: () => {
        throw new Error('a rule has looked at the id that the service gave a keyword');
      },
    });

  const known = { remote: '77' } as const;
  const KEYWORDS: readonly Made[] = [
    aKeyword({ text: null }),
    aKeyword({ text: 'a\u0001' }),
    aKeyword({ text: 'x'.repeat(81) }),
    aKeyword({ text: 'paper  towel!' }),
    aKeyword({ text: 'te\u200da' }),
    aKeyword({ text: 'a b c d e f g h i j k' }),
    aKeyword({ matchType: null }),
    aKeyword({ text: 'near', matchType: unknown('near') }),
    aKeyword({ bid: null }),
    aKeyword({ text: 'zero', bid: cents(0) }),
    aKeyword({ text: 'low', bid: cents(149) }),
    aKeyword({ text: 'over', bid: cents(9_000) }),
    aKeyword({ text: 'high', bid: cents(10_001) }),
    aKeyword({ text: 'twice' }),
    aKeyword({ text: 'twice' }),
    aKeyword({ text: 'twice', matchType: 'broad', bid: cents(500) }),
    aKeyword({ text: 'off', state: 'paused' }),
    aKeyword({ text: 'rejected', reviewStatus: 'rejected' }, known),
    aKeyword({ text: 'again' }, { ...known, was: { state: 'paused' } }),
    aKeyword({ text: 'gone' }, { ...known, was: { state: 'archived' } }),
    aKeyword({ text: 'leaving' }, { ...known, marks: DELETED }),
  ].map((row, at) => withoutRemoteId({ ...row, id: aKeyword({}, { id: 40 + at }).id }));

  test('no rule of ours looks at the id that the service gave a keyword, which checks of large accounts leave unread', () => {
    const seedWords = { ...env.profile, wire: { ...env.profile.wire, dialect: 'seed' } } as const;
    const few = { ...seedWords, keywords: { ...env.profile.keywords, maxDistinctEnabled: 3, maxMatchTypes: 1 } };
    const found = new Set<string>();
    for (const targetingType of ['auto', 'manual'] as const) {
      for (const reviewStatus of ['pending', null] as const) {
        const campaign = aCampaign({ campaignType: 'video', targetingType, dailyBudget: cents(8_000) });
        const adGroups = [anAdGroup({ reviewStatus })];
        const tree = aVideoTree({ campaign, adGroups, keywords: KEYWORDS });
        for (const { rule } of checkCampaign(tree, { ...env, profile: few })) found.add(rule);
      }
    }
    const ofKeywords = RULES.filter(({ kind }) => kind === 'keyword').map(({ id }) => id);
    expect([...found].filter((id) => id.startsWith('keyword.')).sort()).toEqual(ofKeywords.toSorted());
  });
});

describe('keyword order', () => {
  type Made = ReturnType<typeof aKeyword>;
  const found = (keywords: readonly Made[]) =>
    checkCampaign(aVideoTree({ keywords }), env)
      .filter((issue) => issue.rule === 'keyword.broad-above-exact')
      .map((issue) => issue.id);

  const exact = (at: number, values: Parameters<typeof aKeyword>[0] = {}, marks = 0) =>
    aKeyword({ bid: cents(200), ...values }, { id: at, marks });
  const broad = (at: number, values: Parameters<typeof aKeyword>[0] = {}, marks = 0) =>
    aKeyword({ matchType: 'broad', bid: cents(201), ...values }, { id: at, marks });

  test('a broad bid above the exact bid is found in either order, at the broad keyword', () => {
    expect(found([exact(40), broad(41)])).toEqual([41]);
    expect(found([broad(41), exact(40)])).toEqual([41]);
    expect(found([broad(41), aKeyword({ matchType: 'phrase' }, { id: 42 }), exact(40)])).toEqual([41]);
    expect(found([broad(41, { text: 'Paper  TOWEL' }), exact(40)])).toEqual([41]);
  });

  test('equal bids, other words and keywords without a bid are no reason', () => {
    for (const pair of [
      [exact(40), broad(41, { bid: cents(200) })],
      [exact(40), broad(41, { text: 'roll' })],
      [exact(40, { bid: null }), broad(41)],
      [exact(40), broad(41, { bid: null })],
    ]) {
      expect(found(pair)).toEqual([]);
      expect(found(pair.toReversed())).toEqual([]);
    }
  });

  test('of two equal broad keywords only the first is named, and deleted ones never', () => {
    expect(found([broad(41), broad(43), exact(40)])).toEqual([41]);
    expect(found([broad(39, {}, DELETED), broad(41), exact(40)])).toEqual([41]);
    expect(found([broad(39, { state: 'archived' }), broad(41), exact(40)])).toEqual([41]);
    expect(found([broad(41), exact(40, {}, DELETED)])).toEqual([]);
  });

  test('the same words in another ad group are another matter', () => {
    const elsewhere = aKeyword({ bid: cents(200) }, { id: 40, adGroupId: 20 });
    expect(found([broad(41), elsewhere])).toEqual([]);
    expect(found([elsewhere, broad(41)])).toEqual([]);
  });

  test('a paused exact keyword counts too, since it may be switched on again', () => {
    expect(found([exact(40, { state: 'paused' }), broad(41)])).toEqual([41]);
    expect(found([broad(41), exact(40, { state: 'paused' })])).toEqual([41]);
  });
});

const rulesOf = (tree: CampaignTree, within: RuleEnv = env): readonly string[] =>
  checkCampaign(tree, within).map((issue) => issue.rule);

test('switching on again costs a review only where there are reviews', () => {
  const adItems = [anAdItem({}, { remote: '1', was: { status: 'disabled' } })];
  const keywords = [aKeyword({}, { remote: '2', was: { state: 'paused' } })];
  const costs = ['item.enable-costs-review', 'keyword.enable-costs-review'];
  const products = aCampaign({ campaignType: 'sponsoredProducts' });
  expect(rulesOf(aVideoTree({ adItems, keywords }))).toEqual(expect.arrayContaining(costs));
  const found = rulesOf(aVideoTree({ campaign: products, adItems, keywords }));
  for (const rule of costs) expect(found).not.toContain(rule);
});

test('a new keyword is created enabled in seed words, and as wished in family words', () => {
  const tree = aVideoTree({ keywords: [aKeyword({ state: 'paused' })] });
  const family = { ...env, profile: { ...profile, wire: { dialect: 'family' as const } } };
  expect(rulesOf(tree)).toContain('keyword.born-enabled');
  expect(rulesOf(tree, family)).not.toContain('keyword.born-enabled');
});

test('two profiles whose addresses differ in spelling only are equal', () => {
  const site = 'https://www.retailer.example';
  const profiles = [`${site}/s?q=a:b`, `${site}/s?q=a%3Ab`].map((clickUrl, at) =>
    anSbaProfile({ clickUrl }, { id: 50 + at }),
  );
  const tree = aTree({ campaign: aCampaign({ campaignType: 'sba' }), sbaProfiles: profiles });
  expect(rulesOf(tree)).toContain('sba.same-content');
});

const OWN: ReadonlySet<string> = new Set(Object.values(itemCatalogRules).map((rule) => rule.id));

/** What is said of one item when the search's last words on it are these. */
function said(verdict: ItemCheckStatus | null, values: Partial<Values<'adItem'>>, remote?: string): readonly string[] {
  const item = anAdItem(values, remote === undefined ? {} : { remote });
  const catalog = { verdict: (id: string) => (id === item.values.itemId ? verdict : null) };
  const issues = checkCampaign(aVideoTree({ adItems: [item] }), { ...env, catalog });
  return issues.map((issue) => issue.rule).filter((rule) => OWN.has(rule));
}

test('an id that nobody looked up is warned about, whoever wrote it', () => {
  for (const itemIdSource of [null, 'import', 'typed'] as const) {
    expect(said(null, { itemIdSource })).toEqual(['item.id-unconfirmed']);
  }
});

test('an id from the search or from the service needs no further proof', () => {
  for (const itemIdSource of ['search', 'service'] as const) expect(said(null, { itemIdSource })).toEqual([]);
});

test('what the search says counts more than where the id came from', () => {
  for (const itemIdSource of [null, 'search', 'import'] as const) {
    expect(said('found', { itemIdSource })).toEqual([]);
    expect(said('unpublished', { itemIdSource })).toEqual(['item.unpublished']);
  }
});

test('every verdict but "found" is told, each by a rule of its own', () => {
  const bad = ITEM_CHECK_STATUSES.filter((verdict) => verdict !== 'found');
  const rules = bad.flatMap((verdict) => said(verdict, {}));
  expect(new Set(rules).size).toBe(bad.length);
});

test('an item that the service has already is left alone', () => {
  expect(said('unpublished', { itemIdSource: 'import' }, '7')).toEqual([]);
});

test('of an id in no known format only the format is told', () => {
  for (const itemId of ['B00ABC', '123', '12345678901', '1E+9', 'prod', 'xprod1']) {
    expect(said(null, { itemId, itemIdSource: 'typed' }), itemId).toEqual([]);
  }
  expect(said(null, { itemId: 'prod4455', itemIdSource: 'typed' })).toEqual(['item.id-unconfirmed']);
});
