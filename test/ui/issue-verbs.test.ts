import { expect, test } from 'vitest';
import { otherMatchTypes, verbOf } from '../../renderer/features/issues/verbs.ts';
import { DELETED } from '../../shared/model/row.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { ruleNextStep, ruleShortName } from '../../shared/rules/messages.ts';
import { RULES } from '../../shared/rules/registry.ts';
import { aWindowRow } from './a-window-row.ts';

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

test('keywords marked for deletion are not added with another match type', () => {
  const adGroupId = asRowId(7);
  const keyword = (id: number, text: string, dirty: number) => ({
    ...aWindowRow('keyword', id, { text, matchType: 'exact', bid: 150 }, dirty),
    adGroupId,
  });
  const rows = [keyword(1, 'red pot', 0), keyword(2, 'old pot', DELETED)];
  expect(otherMatchTypes(rows, new Set([adGroupId]))).toEqual([
    { kind: 'keyword', parent: { id: adGroupId }, values: { text: 'red pot', matchType: 'phrase', bid: 150 } },
  ]);
});
