import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaignLines, campaignsOf } from '../../shared/item-ids/campaign-lines.ts';
import {
  damagedId,
  type IdEvidence,
  type IdForm,
  suggestItemIds,
  withItemDetails,
} from '../../shared/item-ids/damaged-ids.ts';
import { parseTsv } from '../../shared/spreadsheet/tsv.ts';
import { runs } from '../share.ts';

const MIGRATED: IdForm = { oldIsOver: true, newIsEarly: false };
const NOT_YET: IdForm = { oldIsOver: false, newIsEarly: true };
const UNKNOWN: IdForm = { oldIsOver: false, newIsEarly: false };
const NOTHING: IdEvidence = { renamed: new Map(), known: new Map(), searched: new Map() };
const anId = fc.integer({ min: 0, max: 9_999_999_999 }).map((n) => String(n).padStart(10, '0'));

/** What spreadsheet programs make of an id, with a name for each. */
const shown = (id: string, digits: number): string =>
  Number(id)
    .toExponential(digits - 1)
    .replace(/e\+(\d)$/, 'E+0$1')
    .replace('e', 'E');

describe('an id that can be sent as it stands', () => {
  test('is left alone in the form the account takes', () => {
    expect(damagedId('0012345678', MIGRATED)).toBeNull();
    expect(damagedId('prod4455', NOT_YET)).toBeNull();
    expect([damagedId('0012345678', UNKNOWN), damagedId('prod4455', UNKNOWN)]).toEqual([null, null]);
  });
  test('is damaged in the form that the account refuses', () => {
    expect(damagedId('prod4455', MIGRATED)).toMatchObject({ damage: 'legacy' });
    expect(damagedId('0012345678', NOT_YET)).toMatchObject({ damage: 'too-new', ask: [] });
  });
});

test.each([
  ['3.95287E+09', 'scientific', ['3952870000']],
  ['3,95287e+9', 'scientific', ['3952870000']],
  ['3.952870123E+09', 'scientific', ['3952870123']],
  ['9.5287E+07', 'scientific', ['0095287000']],
  ['395287012.0', 'decimal-ending', ['0395287012']],
  ['3952870123.00', 'decimal-ending', ['3952870123']],
  ['3,952,870,123', 'grouped', ['3952870123']],
  ['12.345.678', 'grouped', ['0012345678']],
  ["'0012345678", 'marked', ['0012345678']],
  ['="0012345678"', 'marked', ['0012345678']],
  [' 0012345678\u00A0', 'marked', ['0012345678']],
  ['#12345678', 'marked', ['0012345678']],
  ['Item 0012345678', 'marked', ['0012345678']],
  ['001-234-5678', 'marked', ['0012345678']],
  ['PROD4455', 'marked', ['prod4455']],
  ['prod 4455', 'marked', ['prod4455']],
  ['12345678', 'lost-zeros', ['0012345678']],
  ['00012345678', 'too-long', ['0012345678']],
  ['123456789012', 'too-long', []],
  ['paper towels', 'unreadable', []],
  ['12 of 34', 'unreadable', []],
])('%s is %s', (text, damage, ask) => {
  expect(damagedId(text, UNKNOWN)).toMatchObject({ text, damage, ask });
});

test('whatever a spreadsheet program does to an id, the id is asked for or recognised among known ones', () => {
  const ways: readonly ((id: string) => string)[] = [
    (id) => String(Number(id)),
    (id) => `${Number(id)}.0`,
    (id) => Number(id).toLocaleString('en-US'),
    (id) => Number(id).toLocaleString('de-DE'),
    (id) => `'${id}`,
    (id) => `="${id}"`,
    (id) => ` ${id} `,
    (id) => shown(id, 10),
    (id) => shown(id, 6),
    (id) => shown(id, 3),
  ];
  fc.assert(
    fc.property(anId, fc.constantFrom(...ways), (id, spoil) => {
      const damaged = damagedId(spoil(id), MIGRATED);
      // Some ids come through untouched; a number below 10,000 tells too little to be anything but padded.
      if (damaged === null) return spoil(id) === id;
      return damaged.ask.includes(id) || damaged.couldBe(id);
    }),
    { numRuns: runs(3000) },
  );
});

test('any text is judged, and nothing is asked for that is not an id', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(MIGRATED, NOT_YET, UNKNOWN), (text, form) => {
      const damaged = damagedId(text, form);
      return damaged === null
        ? /^(?:\d{10}|prod\d+)$/.test(text)
        : damaged.ask.every((id) => /^(?:\d{10}|prod\d+)$/.test(id));
    }),
  );
});

const damagedOf = (text: string) => {
  const damaged = damagedId(text, MIGRATED);
  if (damaged === null) throw new Error(`${text} is sound`);
  return damaged;
};

describe('what is proposed', () => {
  const facts = { suggestedBidCents: 85, pageUrl: 'https://shop.example/ip/1', imageUrl: null };
  const towels = { itemId: '0012345678', name: 'Paper towels', ...facts };
  test('is what the service has made of the old id, whatever else is found', () => {
    const renamed = new Map([['prod4455', '0012345678']]);
    const proposal = suggestItemIds(
      damagedOf('prod4455'),
      { ...NOTHING, renamed },
      [{ ...towels, itemId: '0099999999', name: 'X' }],
      'X',
    );
    expect(proposal).toMatchObject({ itemId: '0012345678', candidates: [{ source: 'service' }, { source: 'name' }] });
  });
  test('is what the search answers, and nothing without its answer', () => {
    const searched = new Map([['0012345678', towels]]);
    expect(suggestItemIds(damagedOf('12345678'), { ...NOTHING, searched }, [], null)).toEqual({
      itemId: '0012345678',
      candidates: [{ itemId: '0012345678', name: 'Paper towels', source: 'search', facts }],
    });
    expect(suggestItemIds(damagedOf('12345678'), NOTHING, [], null)).toEqual({ itemId: null, candidates: [] });
  });
  test('is nothing where two ids could be meant', () => {
    const known = new Map<string, string | null>([
      ['3952870123', 'Towels'],
      ['3952871999', null],
      ['1111111111', 'Other'],
    ]);
    const proposal = suggestItemIds(damagedOf('3.95287E+09'), { ...NOTHING, known }, [], null);
    expect(proposal.itemId).toBeNull();
    expect(proposal.candidates.map(({ itemId }) => itemId)).toEqual(['3952870123', '3952871999']);
  });
  test('comes with what tells items of one name apart, also where the search was asked later', () => {
    const two = [towels, { ...towels, itemId: '2', suggestedBidCents: 120 }];
    const { candidates } = suggestItemIds(damagedOf('prod1'), NOTHING, two, 'Paper towels');
    expect(candidates.map((one) => one.facts?.suggestedBidCents)).toEqual([85, 120]);
    const nameless = { itemId: '0012345678', name: null, source: 'account' } as const;
    expect(withItemDetails(nameless, towels)).toEqual({ ...nameless, name: 'Paper towels', facts });
    expect(withItemDetails(nameless, undefined)).toEqual(nameless);
  });
  test('is the one item of exactly that name, and never one of a similar name', () => {
    const named = [towels, { ...towels, itemId: '0012345679', name: 'Paper towels, large' }];
    expect(suggestItemIds(damagedOf('prod1'), NOTHING, named, ' paper  Towels').itemId).toBe('0012345678');
    expect(suggestItemIds(damagedOf('prod1'), NOTHING, named, 'Towels').itemId).toBeNull();
    expect(
      suggestItemIds(damagedOf('prod1'), NOTHING, [towels, { ...towels, itemId: '2' }], 'Paper towels').itemId,
    ).toBeNull();
  });
});

/** Columns of campaign ids as people paste them. */
const read = (text: string) => campaignLines(parseTsv(text));
const problems = (text: string) => read(text).map(({ line, problem }) => [line, problem]);

test('a bare column of ids is read line by line; empty lines count and are passed over', () => {
  expect(read('101\n\n 0102 \n').map(({ line, id }) => [line, id])).toEqual([
    [1, '101'],
    [3, '102'],
  ]);
});

test('several ids in a line are separated by spaces, commas or tabs, unless the line is one of a table', () => {
  const ids = (text: string) => read(text).map(({ line, id, problem }) => [line, problem ?? id]);
  expect(ids('101 102, 103;104\n105 101')).toEqual([
    [1, '101'],
    [1, '102'],
    [1, '103'],
    [1, '104'],
    [2, '105'],
    [2, 'repeated'],
  ]);
  expect(ids('101\t102\t103')).toEqual([
    [1, '101'],
    [1, '102'],
    [1, '103'],
  ]);
  // A name that is a number, an ad group without a name, and a number written with separators.
  expect(read('101\t2024\n102\tMugs')).toMatchObject([{ id: '101', name: '2024' }, { id: '102' }]);
  expect(read('101\t\t\t201')).toMatchObject([{ id: '101', adGroup: '201' }]);
  expect(ids('1,234,567')).toEqual([[1, 'not-an-id']]);
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
