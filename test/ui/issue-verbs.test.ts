import { expect, test } from 'vitest';
import { verbOf } from '../../renderer/features/issues/verbs.ts';
import { ruleNextStep, ruleShortName } from '../../shared/rules/messages.ts';
import { RULES } from '../../shared/rules/registry.ts';

test.each(RULES.map(({ id, severity }) => ({ rule: id, severity })))(
  '$rule has a name and a verb with its count',
  (rule) => {
    expect(ruleShortName(rule.rule)).toMatch(/^[A-Z].{3,44}$/);
    expect(ruleNextStep(rule.rule)).not.toMatch(/[{…]/);
    for (const fixable of [0, 7]) {
      const { name } = verbOf({ ...rule, found: 7, fixable });
      expect(name).toMatch(
        /^(Verify all|Add match type to|Shorten|Clean up|Fix all|Show all) 7$|^Spread into a new campaign$/,
      );
    }
  },
);

test('names tell the kinds of issues of one list apart', () => {
  for (const kind of new Set(RULES.map((rule) => rule.kind))) {
    const names = RULES.filter((rule) => rule.kind === kind).map(({ id }) => ruleShortName(id));
    expect(new Set(names).size).toBe(names.length);
  }
});
