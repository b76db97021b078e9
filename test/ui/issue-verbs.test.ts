import { expect, test } from 'vitest';
import { verbOf } from '../../renderer/features/issues/verbs.ts';
import { codePointLength } from '../../shared/model/text.ts';
import { RULES } from '../../shared/rules/registry.ts';
import { ruleAdvice, ruleShortName } from '../../shared/rules/rule-names.ts';
import { shortenings } from '../../shared/rules/suggested-values.ts';

test.each(RULES.map(({ id, severity }) => ({ rule: id, severity })))(
  '$rule has a name and a verb with its count',
  (rule) => {
    expect(ruleShortName(rule.rule)).toMatch(/^[A-Z].{3,44}$/);
    expect(ruleAdvice(rule.rule)).not.toMatch(/[{…]/);
    for (const fixable of [0, 7]) {
      const { name } = verbOf({ ...rule, found: 7, fixable });
      expect(name).toMatch(/^(Verify all|Add match type to|Shorten|Clean up|Fix all|Show all) 7$/);
    }
  },
);

test('names tell the kinds of issues of one list apart', () => {
  for (const kind of new Set(RULES.map((rule) => rule.kind))) {
    const names = RULES.filter((rule) => rule.kind === kind).map(({ id }) => ruleShortName(id));
    expect(new Set(names).size).toBe(names.length);
  }
});

test('a headline is shortened by words that it can do without, parts of it, or at the end of a word', () => {
  expect(shortenings('Gifts they will use every single day of the year', 45)).toEqual([
    'Gifts they will use every day of the year',
    'Gifts they will use every day',
  ]);
  expect(shortenings('Aprons', 3)).toEqual([]);
  for (const text of shortenings('Everything for the very best kitchen, and all of your garden', 40)) {
    expect(codePointLength(text)).toBeLessThanOrEqual(40);
  }
});
