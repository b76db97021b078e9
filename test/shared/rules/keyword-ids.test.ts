import { expect, test } from 'vitest';
import { DELETED } from '../../../shared/model/row.ts';
import { checkCampaign } from '../../../shared/rules/check.ts';
import { RULES } from '../../../shared/rules/registry.ts';
import { aCampaign, aKeyword, anAdGroup, aVideoTree, cents, env, unknown } from '../builders.ts';

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
