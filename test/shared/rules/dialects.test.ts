import { expect, test } from 'vitest';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { checkCampaign } from '../../../shared/rules/check.ts';
import type { RuleEnv } from '../../../shared/rules/rule.ts';
import { aCampaign, aKeyword, anAdItem, anSbaProfile, aTree, aVideoTree, env, profile } from '../builders.ts';

const rulesOf = (tree: CampaignTree, within: RuleEnv = env): readonly string[] =>
  checkCampaign(tree, within).map((finding) => finding.rule);

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
