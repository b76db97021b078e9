import { expect, test } from 'vitest';
import { campaignLines, campaignsOf } from '../../shared/item-ids/campaign-lines.ts';
import { parseTsv } from '../../shared/spreadsheet/tsv.ts';

/** Columns of campaign ids as people paste them. */
const read = (text: string) => campaignLines(parseTsv(text));
const problems = (text: string) => read(text).map(({ line, problem }) => [line, problem]);

test('a bare column of ids is read line by line; empty lines count and are passed over', () => {
  expect(read('101\n\n 0102 \n').map(({ line, id }) => [line, id])).toEqual([
    [1, '101'],
    [3, '102'],
  ]);
});

test('a table without names has id, name, type and ad group in that order, and types are spelled loosely', () => {
  expect(campaignsOf(read('101\tMugs\tSponsored Products\t201\n102\t\tSBA'))).toEqual([
    { id: '101', name: 'Mugs', campaignType: 'sponsoredProducts', targetingType: null, adGroups: ['201'] },
    { id: '102', name: null, campaignType: 'sba', targetingType: null, adGroups: [] },
  ]);
});

test('a line of names says which column is which, and columns that nobody asked for are passed over', () => {
  const [line] = read('Name\tBudget\tCampaign ID\tAd group id\nMugs\t50\t101\t201');
  expect(line).toMatchObject({ line: 2, id: '101', name: 'Mugs', adGroup: '201', problem: null });
});

test('what a spreadsheet has spoiled, and what is no id at all, is named and never asked about', () => {
  const text = '1.23E+09\nMugs\n0\n101\t\tbanner\n101\t\t\tnone\n12345678901234567890\n103';
  expect(problems(text)).toEqual([
    [1, 'not-an-id'],
    [2, 'not-an-id'],
    [3, 'not-an-id'],
    [4, 'not-a-type'],
    [5, 'not-a-group'],
    [6, 'not-an-id'],
    [7, null],
  ]);
  expect(campaignsOf(read(text)).map(({ id }) => id)).toEqual(['103']);
});

test('the same line twice counts once; one campaign with two ad groups is two lines', () => {
  expect(problems('101\t\t\t201\n0101\t\t\t201\n101\t\t\t202')).toEqual([
    [1, null],
    [2, 'repeated'],
    [3, null],
  ]);
});
