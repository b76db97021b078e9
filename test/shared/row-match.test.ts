import { expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { rowMatcher } from '../../shared/spreadsheet/row-match.ts';
import { aKeyword } from './builders.ts';
import { lookupOf } from './lookup-of.ts';

test('rows of many large parents are found however they are asked for, and few parents are kept at a time', () => {
  const parents = Array.from({ length: 80 }, (_, at) => asRowId(at + 1));
  const children = Array.from({ length: 1000 }, (_, at) => aKeyword({ text: `kettle ${at}`, matchType: 'exact' }));
  let asked = 0;
  const matcher = rowMatcher({
    ...lookupOf([]),
    children: () => {
      asked++;
      return children;
    },
  });
  const find = (parent: number) => matcher.find('keyword', asRowId(parent), { text: 'KETTLE 7', matchType: 'exact' });

  for (const parent of parents) expect(find(parent)).toBe(children[7]);
  expect(asked).toBe(80);
  for (const parent of [79, 80, 31 + 1]) expect(find(parent)).toBe(children[7]);
  expect(asked).toBe(80);
  // The first ones had to make room, so that an account of any size needs the memory of some parents.
  expect(find(1)).toBe(children[7]);
  expect(asked).toBe(81);
});
