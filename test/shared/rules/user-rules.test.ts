import { expect, test } from 'vitest';
import { DELETED } from '../../../shared/model/row.ts';
import {
  type CompiledUserRule,
  type CustomRule,
  checkCustomRules,
  parseUserRule,
} from '../../../shared/rules/custom-rules.ts';
import { findingText } from '../../../shared/rules/messages.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import { aKeyword, anAdItem, aVideoTree, cents } from '../builders.ts';

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
  const findings = checkCustomRules(tree, [compiled()]);
  expect(findings).toMatchObject([
    { rule: 'user.dear-broad', severity: 'warning', kind: 'keyword', id: 40, fix: null },
  ]);
  expect(findings.map(findingText)).toEqual([
    '"paper towel, broad" is found by your rule "Dear broad keywords" (bid>5 matchType:broad). Change the row, or the rule.',
  ]);
});

test('several rules over several kinds are checked in their order', () => {
  const rules = [
    compiled({ id: 'items', kind: 'adItem', severity: 'error', query: 'bid<2' }),
    compiled({ id: 'spring', kind: 'campaign', severity: 'advice', query: 'name:spring' }),
  ];
  expect(checkCustomRules(tree, rules).map((finding) => `${finding.rule} ${finding.id}`)).toEqual([
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
  expect(checkCustomRules(tree, [compiled({ query: 'bid>5 deleted:yes' })]).map((finding) => finding.id)).toEqual([43]);
});

test('a rule can ask what has changed', () => {
  const items = [anAdItem({}, { id: 30 }), anAdItem({}, { id: 31, remote: '3' })];
  const findings = checkCustomRules(aVideoTree({ adItems: items }), [
    compiled({ kind: 'adItem', query: 'changed:yes' }),
  ]);
  expect(findings.map((finding) => finding.id)).toEqual([30]);
});

test('no user rule can pass for a rule of the service', () => {
  expect(ruleById('user.dear-broad')).toBeUndefined();
  expect(parseUserRule(rule({ id: 'keyword.bid-floor-video' })).ok).toBe(false);
});

for (const [changes, field, at, problem] of [
  [{ id: 'Big' }, 'id', null, /"Big" cannot be used. Use 1 to 64 small letters/],
  [{ id: '' }, 'id', null, /cannot be used/],
  [{ name: '  ' }, 'name', null, /no name. Type what it looks for/],
  [{ query: '' }, 'query', null, /has no condition, so it would report every row/],
  [{ query: 'bid>5 (' }, 'query', 7, /^Rule "Dear broad keywords": /],
  [{ query: 'price>5' }, 'query', 0, /^Rule "Dear broad keywords": /],
  [{ query: 'bid>5 -is:error' }, 'query', 10, /asks for "error", which is known only after/],
  [{ query: 'bid>5 OR (conflict:yes new:yes)' }, 'query', 10, /asks for "conflict"/],
  [{ query: 'bid>5 -label:promo' }, 'query', 7, /asks for "label", which rules do not see/],
  [{ query: 'comment:late' }, 'query', 0, /asks for "comment"/],
] as const) {
  test(`a rule with ${JSON.stringify(changes)} is refused with field, position and next step`, () => {
    const read = parseUserRule(rule(changes));
    expect(read).toMatchObject({ ok: false, error: { field, at } });
    if (!read.ok) expect(read.error.problem).toMatch(problem);
  });
}
