import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CustomRule, USER_RULES_MAX } from '../../../shared/rules/custom-rules.ts';
import { packOfRejections, parsePack, printPack, testSamples } from '../../../shared/rules/rule-pack.ts';

const PACK = `adslate-rules 1
name: House rules
# Bids
rule: high-bid
type: keyword
severity: error
message: Bids above $5
find: bid>5 -campaign:test
finds: text="garden hose" bid=6.00
passes: bid=5.00
passes: bid=6.00 campaign="A test"

rule: new-media
type: ad item
find: is:new
on: no
finds: new itemId=123
passes: itemId=123

rule: weak
type: keyword
severity: advice
find: roas<2 spend>20 trend:down period:7d
finds: roas=1.99 spend=$20.01 trend=down bid=1.00
passes: roas=2 spend=30 trend=down
passes: trend=down
`;

test('a pack is read, its samples hold, and a condition that was changed is noticed', () => {
  const pack = parsePack(PACK);
  if (!pack.ok) throw new Error(JSON.stringify(pack.error));
  expect(pack.value).toMatchObject({
    name: 'House rules',
    rules: [
      { id: 'high-bid', kind: 'keyword', severity: 'error', name: 'Bids above $5', enabled: true },
      { id: 'new-media', kind: 'adItem', severity: 'warning', enabled: false },
      { id: 'weak', kind: 'keyword', severity: 'advice', enabled: true },
    ],
  });
  const outcomes = testSamples(pack.value.rules);
  expect(outcomes).toHaveLength(8);
  expect(outcomes.filter(({ expected, found }) => expected !== found)).toEqual([]);
  const changed = parsePack(PACK.replace('bid>5 ', 'bid>=5 '));
  expect(changed.ok && testSamples(changed.value.rules).filter(({ expected, found }) => expected !== found)).toEqual([
    { rule: 'high-bid', row: 'bid=5.00', expected: false, found: true },
  ]);
});

test('every problem of a pack is told with its line', () => {
  const bad =
    'adslate-rules 1\nfind: x\nrule: a\ntype: brick\nrule: b\ntype: keyword\nfind: bid>(\nwhat: 1\nrule: b\ntype: keyword\nfind: bid>1\nfinds: size=3\n';
  const pack = parsePack(bad);
  expect(pack.ok ? [] : pack.error.map(({ line, problem }) => [line, problem.slice(0, 34)])).toEqual([
    [2, '"find" belongs to a rule. Start one'.slice(0, 34)],
    [3, expect.stringContaining('"a" needs a type')],
    [5, expect.stringContaining('Rule "b"')],
    [8, expect.stringContaining('is unknown')],
    [9, expect.stringContaining('The sample "size=3"')],
    [9, expect.stringContaining('The ID "b" is used twice')],
  ]);
  expect(parsePack('[]')).toMatchObject({ error: [{ line: 1, problem: expect.stringContaining('not a rule pack') }] });
});

test('a pack holds as many rules as an account may have, and one more is a problem of the pack', () => {
  const packOf = (count: number) =>
    parsePack(
      `adslate-rules 1\n${Array.from({ length: count }, (_, at) => `rule: r${at}\ntype: keyword\nmessage: m\nfind: bid>1\n`).join('')}`,
    );
  const full = packOf(USER_RULES_MAX);
  expect(full.ok && full.value.rules.length).toBe(USER_RULES_MAX);
  expect(packOf(USER_RULES_MAX + 1)).toMatchObject({ ok: false, error: [{ line: 1 }] });
});

test('a pack that is printed and read again is the same pack', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const rule: fc.Arbitrary<CustomRule> = fc.record({
    id: word,
    name: word,
    kind: fc.constantFrom('keyword', 'adItem'),
    severity: fc.constantFrom('error', 'warning', 'advice'),
    query: fc.integer({ min: 1, max: 99 }).map((bid) => `bid>${bid}`),
    enabled: fc.boolean(),
    samples: fc.array(
      fc.record({ finds: fc.boolean(), row: fc.integer({ min: 0, max: 200 }).map((bid) => `bid=${bid}.50`) }),
      {
        minLength: 1,
      },
    ),
  });
  fc.assert(
    fc.property(word, fc.uniqueArray(rule, { minLength: 1, selector: ({ id }) => id }), (name, rules) => {
      expect(parsePack(printPack({ name, rules }))).toEqual({ ok: true, value: { name, rules } });
    }),
  );
});

test('rejected wording becomes rules that find it again, whatever it holds', () => {
  const rejection = (number: number, headline: string, reason: string | null) =>
    ({ number, kind: 'sbaProfile', day: '2030-05-04', reason, creative: { headline, brand: 'N' } }) as const;
  const { rules } = packOfRejections(
    [
      rejection(1, 'Best "ever" \\ 100%', 'Unproven'),
      rejection(2, 'Best "ever" \\ 100%', 'Unproven claim'),
      rejection(3, 'Free!', null),
    ],
    'Rejected',
  );
  expect(rules.map(({ id, severity, name }) => [id, severity, name])).toEqual([
    ['rejected-3', 'warning', 'Rejected on 2030-05-04: no reason given'],
    ['rejected-2', 'warning', 'Rejected on 2030-05-04: Unproven claim'],
  ]);
  const again = parsePack(printPack({ name: 'Rejected', rules }));
  expect(again).toEqual({ ok: true, value: { name: 'Rejected', rules } });
  expect(testSamples(rules).every(({ expected, found }) => expected === found)).toBe(true);
});
