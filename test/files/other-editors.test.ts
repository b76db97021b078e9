import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChosenColumn, columnName } from '../../shared/spreadsheet/column-mapping.ts';
import { columnOf } from '../../shared/spreadsheet/columns.ts';
import { convertForeign } from '../../shared/spreadsheet/foreign-sheet.ts';
import { aWorkbook } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';
import { anExchange } from './an-exchange.ts';

const folder = testFolder('other-editors');
const example = (name: string): string => join(import.meta.dirname, '..', '..', 'examples', 'other-editors', name);

test('a column that the conversion does not use can be mapped, and one that it uses keeps its place', async () => {
  const exchange = await anExchange(join(folder, 'mapped'));
  const previewed = async (name: string, text: string, as: ChosenColumn['as']) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const file = await exchange.grant(path);
    return done(await exchange.tryPreview(file, { mapping: [{ heading: 'Ceiling', as }] }));
  };
  try {
    const lines = [
      'Campaign,Ad group,Keyword,Criterion Type,Campaign status,Budget,Ceiling',
      'Hoses,,,,Enabled,25,90',
      'Hoses,Reels,,,Enabled,,0.50',
      'Hoses,Reels,hose reel,Exact,,,1.20',
    ];
    const mapped = await previewed('ceiling.csv', lines.join('\n'), 'Bid');
    expect(mapped).toMatchObject({ errorCount: 0, headings: [{ heading: 'Ceiling', column: 'Bid', by: 'chosen' }] });
    expect(mapped.foreign?.unused).toEqual([]);
    await exchange.apply(mapped.previewId);
    const [tree] = await exchange.account.workspace.readTrees('all');
    expect(tree?.keywords.map(({ values }) => [values.text, values.bid])).toEqual([['hose reel', 120]]);
    const clash = await previewed('clash.csv', lines.join('\n'), 'Daily budget');
    expect(clash.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('"Daily budget" and "Ceiling" are both imported as Daily budget'),
    ]);
    // What is remembered of a sheet says nothing of the columns that the conversion writes.
    await exchange.account.rememberedColumns.remember([{ heading: 'Keyword', as: 'skip' }]);
    const remembered = done(await exchange.tryPreview(await exchange.grant(join(folder, 'ceiling.csv'))));
    expect(remembered).toMatchObject({ unchanged: 2, headings: [{ heading: 'Ceiling', by: 'remembered' }] });
    // What another version has written stays as it is, whatever is remembered and forgotten here.
    const { workspace, rememberedColumns } = exchange.account;
    const unreadable = [{ heading: 'Ceiling', as: { field: 'bid', scale: 100 } }, { v: 2 }];
    await workspace.setMeta('import-columns', JSON.stringify([...unreadable, { heading: 'CPC', as: 'Bid' }]));
    expect(await rememberedColumns.list()).toEqual([{ heading: 'CPC', as: 'Bid' }]);
    await rememberedColumns.remember([{ heading: 'Floor', as: 'Bid' }]);
    await rememberedColumns.forget({ heading: 'CPC' });
    expect(JSON.parse((await workspace.getMeta('import-columns')) ?? '')).toEqual([
      ...unreadable,
      { heading: 'Floor', as: 'Bid' },
    ]);
    await workspace.setMeta('import-columns', '{"cut');
    await rememberedColumns.remember([{ heading: 'Floor', as: 'Bid' }]);
    expect(await rememberedColumns.list()).toEqual([{ heading: 'Floor', as: 'Bid' }]);
  } finally {
    await exchange.close();
  }
});

test('an unused column that is headed like one of ours, or like one that is used, can be mapped', () => {
  const lines = [
    ['Campaign', 'Ad group', 'Keyword', 'Criterion Type', 'Campaign status', 'Budget', 'Bid', 'Keyword'],
    ['Hoses', '', '', '', 'Enabled', '25', '', ''],
    ['Hoses', 'Reels', 'hose reel', 'Exact', '', '', '1.20', 'paused'],
  ];
  const plain = convertForeign('google-ads', lines);
  expect(plain.report.unused.map(columnName)).toEqual(['Bid', 'Keyword[2]']);
  const chosen: readonly ChosenColumn[] = [
    { heading: 'bid', as: 'Bid' },
    { heading: 'Keyword', nth: 2, as: 'Status' },
  ];
  const mapped = convertForeign('google-ads', lines, { chosen, remembered: [] });
  expect(mapped.report.unused).toEqual([]);
  expect(mapped.headings.filter(({ by }) => by === 'chosen').map(({ column }) => column)).toEqual(['Bid', 'Status']);
  // What is remembered gives way to a column that the conversion fills.
  const remembered = convertForeign('google-ads', lines, { chosen: [], remembered: chosen });
  expect(remembered.headings.filter(({ by }) => by === 'remembered').map(({ column }) => column)).toEqual(['Bid']);
  expect(remembered.report.unused.map(columnName)).toEqual(['Keyword[2]']);
});

test('exports of two other editors become drafts, and what has no place is told with its lines', async () => {
  const exchange = await anExchange(join(folder, 'data'));
  try {
    const google = await exchange.preview(await exchange.grant(example('google-ads-editor.csv')));
    expect(google).toMatchObject({ errorCount: 0, warningCount: 0, headings: [], added: 7 });
    expect(google.foreign).toMatchObject({
      program: 'google-ads',
      columns: expect.arrayContaining([
        { from: 'Budget', to: 'Daily budget' },
        { from: 'Max CPC', to: 'Bid' },
        { from: 'Criterion Type', to: 'Match type' },
        // These only say what their row is: they fill no column here.
        { from: 'Budget type', to: null },
        { from: 'Headline 1', to: null },
      ]),
      unused: [{ heading: 'Labels', nth: null }],
      skipped: [
        { reason: 'Negative keywords are not available here.', count: 1, lines: [6] },
        { reason: expect.stringContaining('Ads are not available'), count: 1, lines: [7] },
        { reason: 'Display campaigns are not available here.', count: 1, lines: [10] },
      ],
      split: 1,
    });
    await exchange.apply(google.previewId);
    // As the program writes it: UTF-16 with tabs.
    const wide = join(folder, 'wide.csv');
    const text = readFileSync(example('google-ads-editor.csv'), 'utf8').replaceAll('"""', '"').replaceAll(',', '\t');
    writeFileSync(wide, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]));
    expect(await exchange.preview(await exchange.grant(wide))).toMatchObject({ added: 0, changed: 0, unchanged: 7 });

    const amazon = await exchange.preview(await exchange.grant(example('amazon-bulksheet.csv')));
    expect(amazon).toMatchObject({ errorCount: 0, added: 4 });
    expect(amazon.foreign?.skipped.map(({ count, lines }) => [count, lines])).toEqual([
      [1, [3]],
      [1, [5]],
      [1, [8]],
      [1, [9]],
    ]);
    await exchange.apply(amazon.previewId);

    const trees = await exchange.account.workspace.readTrees('all');
    const shown = trees.map(({ campaign, adGroups, keywords }) => ({
      name: campaign.values.name,
      budget: campaign.values.dailyBudget,
      start: campaign.values.startDate,
      targeting: campaign.values.targetingType,
      groups: adGroups.map(({ values }) => values.name),
      keywords: keywords.map(({ values }) => [values.text, values.matchType, values.bid, values.state]),
    }));
    expect(shown).toEqual([
      {
        name: 'Garden hoses',
        budget: 2500,
        start: '2030-03-01',
        targeting: 'manual',
        groups: ['Hoses'],
        keywords: [
          ['garden hose', 'exact', 120, 'enabled'],
          ['hose reel', 'phrase', 95, 'paused'],
        ],
      },
      {
        name: 'Garden hoses / Sprinklers',
        budget: 2500,
        start: '2030-03-01',
        targeting: 'manual',
        groups: ['Sprinklers'],
        keywords: [['lawn sprinkler', 'broad', 80, 'enabled']],
      },
      {
        name: 'Kitchen roll',
        budget: 3000,
        start: '2030-03-01',
        targeting: 'manual',
        groups: ['Kitchen roll group'],
        keywords: [
          ['kitchen roll', 'exact', 110, 'enabled'],
          ['paper towels', 'broad', 75, 'paused'],
        ],
      },
    ]);
  } finally {
    await exchange.close();
  }
});

test('a row of another editor whose quotes or cells are broken is an error, as in any file', async () => {
  const exchange = await anExchange(join(folder, 'broken'));
  const previewed = async (name: string, bytes: string | Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return exchange.preview(await exchange.grant(join(folder, name)));
  };
  try {
    const open = await previewed(
      'open.csv',
      [
        'Campaign,Ad group,Keyword,Criterion Type,Campaign status,Budget,Max CPC',
        'Hoses,,,,Enabled,25,',
        'Hoses,Reels,"hose reel,Exact,,,1.20',
      ].join('\n'),
    );
    expect(open).toMatchObject({ added: 1, errorRows: 1, errors: [{ line: 3, column: 'Keyword' }] });
    const text = (at: string, words: string): string => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
    const rows = [
      ['Product', 'Entity', 'Operation', 'Campaign ID', 'Ad Group ID', 'State', 'Keyword Text', 'Match Type', 'SKU'],
      ['Sponsored Products', 'Campaign', '', '1', '', 'enabled', '', '', ''],
      ['Sponsored Products', 'Keyword', '', '1', '2', 'enabled', '#REF!', 'exact', '#REF!'],
      ['Sponsored Products', 'Keyword', '', '1', '2', 'enabled', 'red pot', 'exact', '#REF!'],
    ].map((cells, row) => {
      const written = cells.map((words, at) => {
        const place = `${'ABCDEFGHI'[at]}${row + 1}`;
        return words === '#REF!' ? `<c r="${place}" t="e"><v>#REF!</v></c>` : text(place, words);
      });
      return `<row r="${row + 1}">${written.join('')}</row>`;
    });
    const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
    const faulty = await previewed('faulty.xlsx', aWorkbook(sheet));
    const message = expect.stringContaining('G3 contains the error #REF!');
    expect(faulty).toMatchObject({ added: 2, errorRows: 1, errors: [{ line: 3, column: 'Keyword', message }] });
  } finally {
    await exchange.close();
  }
});

test('a heading of another tool means the column of that name or none: a shared word or a number links nothing', () => {
  const means = {
    'Campaign Name': 'Campaign',
    campaign_type: 'Campaign type',
    'Ad group name': 'Ad group',
    'Daily Budget': 'Daily budget',
    'Start date': 'Start',
    'End Date': 'End',
    Status: 'Status',
    State: 'Status',
    Bid: 'Bid',
    'Max. CPC': 'Bid',
    'Keyword text': 'Keyword',
    'Match Type': 'Match type',
    'Targeting type': 'Targeting',
    Headline: 'Headline',
    Entity: 'Type',
    'Budget type': null,
    'Headline 1': null,
    'Bid 2': null,
    'Ad type': null,
    'Bid strategy type': null,
    'Ad group type': null,
    'Status reasons': null,
    'Final URL': null,
    'Campaign start': null,
  };
  expect(Object.fromEntries(Object.keys(means).map((heading) => [heading, columnOf(heading)]))).toEqual(means);

  const { report } = convertForeign('google-ads', [
    ['Campaign', 'Campaign Status', 'Budget', 'Budget type', 'Start Date', 'Start Date 2', 'Headline 1', 'Device type'],
    ['Garden hoses', 'Enabled', '25', 'Campaign total', '2030-03-01', '2031-01-01', 'Best hoses', 'All'],
  ]);
  expect(report.columns).toEqual([
    { from: 'Campaign', to: 'Campaign' },
    { from: 'Budget', to: 'Total budget' },
    { from: 'Campaign Status', to: 'Status' },
    { from: 'Budget type', to: null },
    { from: 'Start Date', to: 'Start' },
  ]);
  expect(report.unused.map(({ heading }) => heading)).toEqual(['Start Date 2', 'Headline 1', 'Device type']);
});
