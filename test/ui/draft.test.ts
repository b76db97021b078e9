import { expect, test } from 'vitest';
import { draftOf, draftRows, EMPTY_DRAFT, fieldProblem } from '../../renderer/features/campaign-form/draft.ts';
import {
  isItemList,
  itemLines,
  itemText,
  readLines,
  splitItemLines,
} from '../../renderer/features/campaign-form/lines.ts';
import { aWindowRow } from './a-window-row.ts';

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

test('what is typed in one field is judged alone', () => {
  const typed = { ...named, dailyBudget: '$25', totalBudget: 'lots', startDate: '12/10/2026', bid: '' };
  expect(fieldProblem('dailyBudget', typed)).toBeUndefined();
  expect(fieldProblem('totalBudget', typed)).toContain('is not a number');
  expect(fieldProblem('startDate', typed)).toContain('2026-10-12 or 2026-12-10');
  expect(fieldProblem('keywords', typed)).toBeUndefined();
  expect(fieldProblem('bid', typed)).toBeUndefined();
});

test('a list of items is told from words to search for, and holds each id once', () => {
  for (const list of ['5012345001', '5012345001 1.60', '5012345001\t1,60\n\nprod123456', '0012345678;']) {
    expect([list, isItemList(list)]).toEqual([list, true]);
  }
  for (const words of ['', 'bottle', 'bottle 32 oz', '32', '5012345001 bottle']) {
    expect([words, isItemList(words)]).toEqual([words, false]);
  }
  expect(splitItemLines('Item ID\n5012345001 1.60\n\n123\nprod123456\nabc')).toEqual({
    items: '5012345001 1.60\nprod123456',
    others: ['Item ID', '123', 'abc'],
  });
  const lines = itemLines('5012345001 1.60\n5012345002\n5012345001 1.80');
  expect(itemText(lines)).toBe('5012345001\t1.80\n5012345002');
});

test('a chosen file is the logo of an SBA campaign and the video of a video campaign', () => {
  const profile = (shape: 'sba' | 'video') => {
    const rows = draftRows(shape, { ...named, file: '7' });
    return rows.ok ? rows.value[2]?.values : null;
  };
  expect(profile('sba')).toMatchObject({ logo: 7 });
  expect(profile('video')).toMatchObject({ video: 7 });
});

test('an automatic campaign takes no keywords', () => {
  const rows = draftRows('auto', { ...named, keywords: 'kettle' });
  expect(rows.ok && rows.value.map((row) => row.kind)).toEqual(['campaign', 'adGroup']);
});

test('a campaign without a name is asked for one', () => {
  expect(draftRows('sba', EMPTY_DRAFT)).toMatchObject({ ok: false, error: { field: 'name' } });
});

test('an end date before the start date is named at once', () => {
  const dates = { ...named, startDate: '2026-12-24', endDate: '2026-11-01' };
  expect(fieldProblem('endDate', dates)).toBe('Choose a day after the start date.');
  expect(fieldProblem('endDate', { ...dates, endDate: '2026-12-24' })).toBeDefined();
  expect(fieldProblem('startDate', dates)).toBeUndefined();
  expect(fieldProblem('endDate', { ...dates, endDate: '2026-12-25' })).toBeUndefined();
});

test('more distinct keywords than an ad group can have are named at once', () => {
  const words = Array.from({ length: 200 }, (_, at) => `pot ${at}\texact\npot ${at}\tbroad\n`).join('');
  expect(fieldProblem('keywords', { ...named, keywords: `${words}POT 7` })).toBeUndefined();
  expect(fieldProblem('keywords', { ...named, keywords: `${words}pan` })).toContain('201 distinct keywords');
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
  const unread = readLines('keyword', 'kettle\nteapot\tnone\npot\texact\t1,25', defaults);
  expect(unread).toMatchObject({ ok: false, error: [{ line: 2 }, { line: 3 }] });
});

test('a table with one mistake in each line names the first five lines and counts the others', () => {
  const keywords = Array.from({ length: 500 }, (_, at) => `kettle ${at}\tfuzzy`).join('\n');
  const made = draftRows('manual', { ...named, keywords });
  const lines = made.ok ? [] : made.error.text.split('\n');
  expect(lines.slice(0, 5).map((line) => line.split(':')[0])).toEqual([
    'Line 1',
    'Line 2',
    'Line 3',
    'Line 4',
    'Line 5',
  ]);
  expect(lines.slice(5)).toEqual(['495 more lines with errors.']);
});

test('a campaign is made again from its rows that are on: a paused one would be enabled', () => {
  const keywords = ['enabled', 'paused', 'archived'].map((state, id) =>
    aWindowRow('keyword', id, { text: state, matchType: 'exact', state }),
  );
  const items = ['enabled', 'disabled', 'deleted'].map((status, id) =>
    aWindowRow('adItem', id, { itemId: status, status }),
  );
  const draft = draftOf({ campaign: aWindowRow('campaign', 1), items, keywords, profiles: [] });
  expect(draft.keywords.split('\n').map((line) => line.split('\t')[0])).toEqual(['enabled']);
  expect(draft.items.split('\n').map((line) => line.split('\t')[0])).toEqual(['enabled']);
});
