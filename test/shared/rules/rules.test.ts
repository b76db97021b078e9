import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { DELETED } from '../../../shared/model/row.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import { checkAccount, checkCampaign, checkMedia } from '../../../shared/rules/check.ts';
import {
  type CompiledUserRule,
  type CustomRule,
  checkCustomRules,
  parseUserRule,
  ruleFilter,
  USER_RULE_BIT,
} from '../../../shared/rules/custom-rules.ts';
import { issueText } from '../../../shared/rules/messages.ts';
import { RULES, ruleById } from '../../../shared/rules/registry.ts';
import { stageOf } from '../../../shared/rules/rule.ts';
import { rulesDocument } from '../../../shared/rules/rules-document.ts';
import { shortenings } from '../../../shared/rules/suggested-values.ts';
import { usesMetrics } from '../../../shared/search/parse-search.ts';
import {
  aCampaign,
  aCaption,
  aKeyword,
  aLogo,
  anAdItem,
  anSbaProfile,
  aRow,
  aTree,
  aVideo,
  aVideoTree,
  cents,
  day,
  env,
  errorLookup,
  id,
  videoFacts,
} from '../builders.ts';
import { adGroupCases, adItemCases, campaignCases, keywordCases } from './cases-campaign.ts';
import { allMultiplierCases, mediaCases, sbaCases, videoProfileCases } from './cases-media.ts';

const cases = {
  ...campaignCases,
  ...adGroupCases,
  ...adItemCases,
  ...keywordCases,
  ...sbaCases,
  ...mediaCases,
  ...videoProfileCases,
  ...allMultiplierCases,
};

test('every rule has a draft that breaks it', () => {
  expect(RULES.map((rule) => rule.id).toSorted()).toEqual(Object.keys(cases).toSorted());
  expect(RULES.length).toBeGreaterThanOrEqual(190);
});

for (const [ruleId, run] of Object.entries(cases)) {
  test(`${ruleId} is found, names a field and reads as a sentence with a next step`, () => {
    const found = run().filter((issue) => issue.rule === ruleId);
    expect(found.length).toBeGreaterThan(0);
    for (const issue of found) {
      const rule = ruleById(issue.rule);
      expect(rule?.kind).toBe(issue.kind);
      expect(rule?.severity).toBe(issue.severity);
      if (issue.field !== null) expect(fieldSpec(issue.kind, issue.field)).toBeDefined();
      const text = issueText(issue);
      expect(text).not.toMatch(/[{}]|undefined|null|NaN/);
      expect(text).toMatch(/^[A-Z]/);
      expect(text.match(/[.]( |$)/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
    }
  });
}

test('a fix is a value its field can hold and ends the issue', () => {
  for (const [ruleId, run] of Object.entries(cases)) {
    for (const { fix, kind } of run().filter((issue) => issue.rule === ruleId)) {
      if (fix === null) continue;
      const spec = fieldSpec(kind, fix.field);
      expect(spec !== undefined && isCellOf(spec, fix.value), ruleId).toBe(true);
    }
  }
});

test('a video campaign that lacks nothing has no error and no warning', () => {
  const issues = [
    ...checkCampaign(aVideoTree(), env),
    ...checkAccount(
      [{ id: id(1), name: 'A', deleted: false }],
      [aVideo({ caption: id(10) }), aCaption(), aLogo()],
      env,
    ),
    ...[aVideo(), aCaption(), aLogo()].flatMap((row) => checkMedia(row, env)),
  ];
  expect(issues).toEqual([]);
});

test('a brand campaign that lacks nothing has no error and no warning', () => {
  const tree = aVideoTree({
    campaign: aCampaign({ campaignType: 'sba' }),
    videoProfiles: [],
    sbaProfiles: [anSbaProfile({ logo: id(11) })],
    media: [aLogo()],
  });
  expect(checkCampaign(tree, env)).toEqual([]);
});

test('limits are inclusive: the highest and lowest allowed values pass', () => {
  const errors = (issues: readonly { readonly severity: string; readonly rule: string }[]) =>
    issues.filter((issue) => issue.severity === 'error').map((issue) => issue.rule);
  expect(errors(checkCampaign(aVideoTree({ keywords: [aKeyword({ bid: cents(150) })] }), env))).toEqual([]);
  expect(errors(checkCampaign(aVideoTree({ campaign: aCampaign({ dailyBudget: cents(150_000) }) }), env))).toEqual([]);
  expect(errors(checkCampaign(aVideoTree({ campaign: aCampaign({ startDate: day('2026-05-01') }) }), env))).toEqual([]);
  const headline = '🧻'.repeat(45);
  expect(codePointLength(headline)).toBe(45);
  const sba = aTree({
    campaign: aCampaign({ campaignType: 'sba' }),
    sbaProfiles: [anSbaProfile({ headline, brand: 'b'.repeat(35) })],
  });
  expect(errors(checkCampaign(sba, env))).toEqual([]);
  const keywords = Array.from({ length: 200 }, (_, at) => aKeyword({ text: `k${at}` }, { id: 100 + at }));
  expect(errors(checkCampaign(aVideoTree({ keywords }), env))).toEqual([]);
  for (const durationMs of [5_000, 45_000]) {
    expect(errors(checkMedia(aVideo({}, {}, videoFacts({ durationMs })), env))).toEqual([]);
  }
  expect(errors(checkMedia(aLogo({ bytes: 200 * 1024 }), env))).toEqual([]);
});

test('what lies beyond a limit is marked at its row, so that the rest can go', () => {
  const keywords = Array.from({ length: 201 }, (_, at) => aKeyword({ text: `k${at}` }, { id: 100 + at }));
  const issues = checkCampaign(aVideoTree({ keywords }), env);
  const hasErrors = errorLookup(issues);
  expect(keywords.filter((row) => hasErrors('keyword', row.id)).map((row) => row.values.text)).toEqual(['k200']);
});

test('a row of the service that was not read in full lacks nothing, until an edit empties a field', () => {
  const unread = aTree({
    campaign: aRow('campaign', {}, { remote: '1' }),
    adGroups: [aRow('adGroup', {}, { id: 2, remote: '2' })],
    adItems: [aRow('adItem', {}, { id: 3, remote: '3' })],
    keywords: [aRow('keyword', {}, { id: 4, remote: '4' })],
    sbaProfiles: [aRow('sbaProfile', {}, { id: 5, remote: '5' })],
    videoProfiles: [aRow('videoProfile', {}, { id: 6, remote: '6' })],
    placementMultipliers: [aRow('placementMultiplier', {}, { id: 7, remote: '7' })],
    media: [aRow('media', {}, { id: 9, remote: '9' })],
  });
  const issues = [...checkCampaign(unread, env), ...unread.media.flatMap((row) => checkMedia(row, env))];
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  const emptied = aVideoTree({ keywords: [aKeyword({ bid: null }, { remote: '4', was: { bid: cents(150) } })] });
  expect(checkCampaign(emptied, env)).toMatchObject([{ rule: 'keyword.bid-required' }]);
});

test('a name of blanks alone is no name', () => {
  expect(checkCampaign(aVideoTree({ campaign: aCampaign({ name: '   ' }) }), env)).toMatchObject([
    { rule: 'campaign.name-required' },
  ]);
});

test('a campaign that is live is not asked for what could not be read of it', () => {
  const campaign = aCampaign({ serviceStatus: 'live' }, { remote: '1' });
  expect(checkCampaign(aTree({ campaign }), env)).toEqual([]);
});

test('deleted rows are not judged by what they contain', () => {
  const tree = aVideoTree({
    adItems: [...aVideoTree().adItems, anAdItem({ bid: null, status: 'deleted' }, { id: 99 })],
  });
  expect(checkCampaign(tree, env)).toEqual([]);
});

test('bits are unique within a kind and stay below those of the rules of users', () => {
  for (const kind of KINDS) {
    const bits = RULES.filter((rule) => rule.kind === kind).map((rule) => rule.bit);
    expect(new Set(bits).size).toBe(bits.length);
    expect(Math.max(...bits)).toBeLessThan(Math.min(...Object.values(USER_RULE_BIT)));
  }
});

test('an issue of a rule that this version does not know still shows its facts', () => {
  expect(issueText({ rule: 'future.rule', params: { label: 'x' } })).toBe('future.rule: {"label":"x"}');
});

test('checking a hundred thousand keywords finds the one that is wrong', () => {
  const keywords = Array.from({ length: 100_000 }, (_, at) => {
    return aKeyword(
      { text: `k${at}`, bid: cents(at === 77_777 ? 149 : 150 + (at % 9)) },
      { id: at + 1, adGroupId: 2 + Math.floor(at / 100) },
    );
  });
  const issues = checkCampaign(aVideoTree({ keywords }), env);
  expect(issues.filter((issue) => issue.kind === 'keyword')).toMatchObject([
    { rule: 'keyword.bid-floor-video', id: 77_778 },
  ]);
});

test('fault L7: two campaigns that look the same and are written otherwise are warned about, and others are not', () => {
  const rulesOf = (...names: readonly string[]): readonly string[] =>
    checkAccount(
      names.map((name, at) => ({ id: id(at + 1), name, deleted: false })),
      [],
      env,
    ).map(({ rule, severity }) => `${rule} ${severity}`);
  const twin = ['account.campaign-name-twin warning'];
  expect(rulesOf('caf\u00e9', 'cafe\u0301')).toEqual(twin);
  expect(rulesOf('Summer', 'Sum\u200Bmer')).toEqual(twin);
  expect(rulesOf('caf\u00e9', 'caf\u00e9')).toEqual(['account.campaign-name-unique error']);
  expect(rulesOf('caf\u00e9', 'CAFE\u0301')).toEqual(['account.campaign-name-alike advice']);
  expect(rulesOf('cafe', 'caf\u00e9')).toEqual([]);
});

test('the page of rules is the one the registry gives; scripts/rules-doc.ts writes it anew', () => {
  const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
  expect(page).toBe(rulesDocument(RULES));
});

test('every rule has its line in the page', () => {
  const page = rulesDocument(RULES);
  for (const rule of RULES) expect(page).toContain(`| \`${rule.id}\` | ${rule.severity} |`);
});

const rule = (changes: Partial<CustomRule> = {}): CustomRule => ({
  id: 'dear-broad',
  name: 'Dear broad keywords',
  kind: 'keyword',
  severity: 'warning',
  query: 'bid>5 matchType:broad',
  enabled: true,
  ...changes,
});

function compiled(changes: Partial<CustomRule> = {}): CompiledUserRule {
  const read = parseUserRule(rule(changes));
  if (!read.ok) throw new Error(read.error.problem);
  return read.value;
}

const tree = aVideoTree({
  keywords: [
    aKeyword({ matchType: 'broad', bid: cents(501) }, { id: 40 }),
    aKeyword({ matchType: 'broad', bid: cents(500) }, { id: 41 }),
    aKeyword({ matchType: 'exact', bid: cents(900) }, { id: 42 }),
    aKeyword({ matchType: 'broad', bid: cents(900) }, { id: 43, remote: '9', marks: DELETED }),
  ],
});

test('rows that the search finds are reported with the severity and the words of the user', () => {
  const issues = checkCustomRules(tree, [compiled()]);
  expect(issues).toMatchObject([{ rule: 'user.dear-broad', severity: 'warning', kind: 'keyword', id: 40, fix: null }]);
  expect(issues.map(issueText)).toEqual([
    '"paper towel, broad" matches your custom rule "Dear broad keywords" (bid>5 matchType:broad). Change the row or the rule.',
  ]);
});

test('several rules over several kinds are checked in their order', () => {
  const rules = [
    compiled({ id: 'items', kind: 'adItem', severity: 'error', query: 'bid<2' }),
    compiled({ id: 'spring', kind: 'campaign', severity: 'advice', query: 'name:spring' }),
  ];
  expect(checkCustomRules(tree, rules).map((issue) => `${issue.rule} ${issue.id}`)).toEqual([
    'user.items 30',
    'user.items 31',
    'user.items 32',
    'user.spring 1',
  ]);
});

test('a rule that is switched off says nothing', () => {
  expect(checkCustomRules(tree, [compiled({ enabled: false })])).toEqual([]);
});

test('a deleted row is reported only by a rule that asks for deleted rows', () => {
  expect(checkCustomRules(tree, [compiled({ query: 'bid>5 deleted:yes' })]).map((issue) => issue.id)).toEqual([43]);
});

test('a rule can ask what has changed', () => {
  const items = [anAdItem({}, { id: 30 }), anAdItem({}, { id: 31, remote: '3' })];
  const issues = checkCustomRules(aVideoTree({ adItems: items }), [compiled({ kind: 'adItem', query: 'changed:yes' })]);
  expect(issues.map((issue) => issue.id)).toEqual([30]);
});

test.each([
  ['roas<2 spend>20', '(roas<2 spend>20 period:28d) deleted:no'],
  ['roas<2 OR orders!=1', '((roas<2 OR orders!=1) period:28d) deleted:no'],
  ['roas<2 period:7d', '(roas<2 period:7d) deleted:no'],
  ['orders=none deleted:yes', 'orders=none deleted:yes period:28d'],
  ['bid>5', '(bid>5) deleted:no'],
])(
  'the rows of the suggestion %s are those of the filter %s, and drafts are not checked for metrics',
  (query, filter) => {
    const suggestion = compiled({ query, severity: 'advice' });
    expect(ruleFilter(suggestion)).toBe(filter);
    expect(checkCustomRules(tree, [suggestion]).length > 0).toBe(!usesMetrics(suggestion));
  },
);

test('no user rule can pass for a rule of the service', () => {
  expect(ruleById('user.dear-broad')).toBeUndefined();
  expect(parseUserRule(rule({ id: 'keyword.bid-floor-video' })).ok).toBe(false);
});

for (const [changes, field, at, problem] of [
  [{ id: 'Big' }, 'id', null, /"Big" can't be used. Use 1 to 64 lowercase letters/],
  [{ id: '' }, 'id', null, /can't be used/],
  [{ name: '  ' }, 'name', null, /no name. Enter what it finds/],
  [{ query: '' }, 'query', null, /has no condition, so it would match every row/],
  [{ query: 'bid>5 (' }, 'query', 7, /^Rule "Dear broad keywords": /],
  [{ query: 'price>5' }, 'query', 0, /^Rule "Dear broad keywords": /],
  [{ query: 'bid>5 -is:error' }, 'query', 10, /uses "error", which is known only after/],
  [{ query: 'bid>5 OR (conflict:yes new:yes)' }, 'query', 10, /uses "conflict"/],
  [{ query: 'bid>5 -label:promo' }, 'query', 7, /uses "label", which rules can't use/],
  [{ query: 'comment:late' }, 'query', 0, /uses "comment"/],
  [{ query: 'bid>5 (roas<2 OR trend:down)' }, 'query', null, /uses metrics.* Set its severity to Suggestion/],
  [{ query: 'orders=0', severity: 'error' }, 'query', null, /uses metrics/],
  [{ query: 'period:7d', severity: 'advice' }, 'query', null, /has no condition/],
] as const) {
  test(`a rule with ${JSON.stringify(changes)} is refused with field, position and next step`, () => {
    const read = parseUserRule(rule(changes));
    expect(read).toMatchObject({ ok: false, error: { field, at } });
    if (!read.ok) expect(read.error.problem).toMatch(problem);
  });
}

test('a text is shortened by words that it can do without, parts of it, or at the end of a word', () => {
  expect(shortenings('Gifts they will use every single day of the year', 45)).toEqual([
    'Gifts they will use every day of the year',
    'Gifts they will use every day',
  ]);
  expect(shortenings('Aprons', 3)).toEqual([]);
  for (const text of shortenings('Everything for the very best kitchen, and all of your garden', 40)) {
    expect(codePointLength(text)).toBeLessThanOrEqual(40);
  }
});

test('a shorter text may be exactly as long as its limit, and ends with a whole word that announces no other', () => {
  expect(shortenings('Towels for the kitchen', 6)).toEqual(['Towels']);
  expect(shortenings('Paper towels for kitchens of hotels', 25)).toEqual(['Paper towels for kitchens']);
  expect(shortenings('Really soft towels', 11)).toEqual(['Soft towels']);
  expect(shortenings('really soft towels', 11)).toEqual(['soft towels']);
  expect(shortenings('Only iPhone cases', 12)).toEqual(['iPhone cases']);
  expect(shortenings('Kitchen paper towels', 13)).toEqual(['Kitchen paper']);
  expect(shortenings('Towels and more towels', 11)).toEqual(['Towels']);
});

test('a rule belongs to the stage of the latest thing that it needs', () => {
  for (const needs of ['service state', 'catalog', 'migration status'] as const)
    expect(stageOf({ needs, scope: 'row' })).toBe('service');
  expect(stageOf({ needs: 'draft', scope: 'row' })).toBe('row');
  expect(stageOf({ needs: 'draft', scope: 'campaign' })).toBe('across');
});
