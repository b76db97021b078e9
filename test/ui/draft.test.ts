import { expect, test } from 'vitest';
import { draftRows, EMPTY_DRAFT } from '../../renderer/features/campaign-form/draft.ts';
import { readLines } from '../../renderer/features/campaign-form/lines.ts';

const named = { ...EMPTY_DRAFT, name: 'Kettles' };

test('a video campaign is one unit of campaign, ad group, profile, items and keywords', () => {
  const rows = draftRows('video', { ...named, items: '5012345001 1.60\n5012345002', keywords: 'kettle\nwhite kettle' });
  expect(rows.ok && rows.value.map((row) => row.kind)).toEqual([
    'campaign',
    'adGroup',
    'videoProfile',
    'adItem',
    'adItem',
    'keyword',
    'keyword',
  ]);
  expect(rows.ok && rows.value[0]?.values).toMatchObject({ campaignType: 'video', targetingType: 'manual' });
  expect(rows.ok && rows.value[3]?.values).toMatchObject({ itemId: '5012345001', bid: 160 });
  expect(rows.ok && rows.value[4]?.values).toMatchObject({ bid: 150 });
});

test('an automatic campaign takes no keywords', () => {
  const rows = draftRows('auto', { ...named, keywords: 'kettle' });
  expect(rows.ok && rows.value.map((row) => row.kind)).toEqual(['campaign', 'adGroup']);
});

test('a campaign without a name is asked for one', () => {
  expect(draftRows('sba', EMPTY_DRAFT)).toMatchObject({ ok: false, error: { field: 'name' } });
});

test('an amount that could be read in two ways is not guessed', () => {
  expect(draftRows('auto', { ...named, dailyBudget: '1,500' })).toMatchObject({
    ok: false,
    error: { field: 'dailyBudget' },
  });
});

test('pasted keywords may bring match type and bid; a line that cannot be read is named by its number', () => {
  const defaults = { matchType: 'broad', bid: 150 };
  const rows = readLines('keyword', 'kettle\tExact\t1.75\n\nwhite kettle\n', defaults);
  expect(rows).toEqual({
    ok: true,
    value: [
      { text: 'kettle', matchType: 'exact', bid: 175 },
      { text: 'white kettle', matchType: 'broad', bid: 150 },
    ],
  });
  expect(readLines('keyword', 'kettle\nteapot\tnone', defaults)).toMatchObject({ ok: false, error: { line: 2 } });
});
