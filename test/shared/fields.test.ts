import { expect, test } from 'vitest';
import { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { FIELDS, fieldLabel, fieldNames, fieldSpecs } from '../../shared/model/fields.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { DELETED } from '../../shared/model/row.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import type { PlanInput } from '../../shared/plan/plan-types.ts';
import { renderBatch, unresolved } from '../../shared/plan/wire.ts';
import { searchedFields, searchField } from '../../shared/search/query.ts';
import {
  COLUMNS,
  columnOf,
  FIELD_OF,
  FILE_COLUMNS,
  IMPORT_COLUMNS,
  type SheetKind,
} from '../../shared/spreadsheet/columns.ts';
import { baseCell } from '../../shared/spreadsheet/format-sheet.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  aVideo,
  aVideoProfile,
  cents,
  day,
  hundredths,
  id,
  planInput,
} from './builders.ts';

/** Every call beyond the document is there. */
const capabilities: PlanInput['capabilities'] = {
  campaignRead: true,
  campaignUpdate: true,
  adGroupRead: true,
  adGroupUpdate: true,
  keywordRead: true,
  keywordUpdate: true,
  videoProfileUpdate: true,
};
const family = DeploymentSettings.parse({
  wire: { dialect: 'family' },
  sba: { clickUrlEncoding: 'as-typed' },
  multiplier: { platformMember: 'placementType' },
});
const seed = DeploymentSettings.parse({});

/** What goes out for campaigns: the call, its body, and the values that it carries. */
function requests(trees: PlanInput['trees'], profile = seed): readonly string[] {
  return planChanges(planInput(trees, { capabilities, profile })).batches.flatMap((batch) => [
    `${batch.method} ${batch.path} ${renderBatch(batch, unresolved)}`,
    ...batch.elements.map(({ sent, changed }) => `  ${JSON.stringify(sent)} ${changed.join()}`),
  ]);
}

const clickUrl = 'https://www.retailer.example/browse/a b?q=x:y';
const made = [
  aTree({
    campaign: aCampaign({ campaignType: 'sba', endDate: null }),
    adGroups: [anAdGroup()],
    adItems: [anAdItem(), anAdItem({ itemId: '0000000077', bid: null, status: null }, { id: 31 })],
    keywords: [aKeyword(), aKeyword({ text: 'roll', bid: null, state: 'paused' }, { id: 41 })],
    sbaProfiles: [
      anSbaProfile({ clickUrl, logo: id(11) }),
      anSbaProfile({ brand: null, status: 'disabled' }, { id: 51 }),
    ],
    media: [aLogo()],
  }),
  aTree({
    campaign: aCampaign(
      { campaignType: 'sponsoredProducts', targetingType: 'auto', totalBudget: null },
      { id: 100, campaignId: 100 },
    ),
    adGroups: [anAdGroup({ status: null }, { id: 101, campaignId: 100 })],
    placementMultipliers: [aPlacement({ multiplier: hundredths(12_345) }, { id: 102, campaignId: 100 })],
    platformMultipliers: [aPlatform({ multiplier: hundredths(50) }, { id: 103, campaignId: 100 })],
  }),
  aTree({
    campaign: aCampaign({}, { id: 200, campaignId: 200 }),
    adGroups: [anAdGroup({}, { id: 201, campaignId: 200 })],
    videoProfiles: [aVideoProfile({}, { id: 202, campaignId: 200, adGroupId: 201 })],
    media: [aVideo()],
  }),
];

const there = { adGroupId: 2, campaignId: 1 };
const changed = [
  aTree({
    campaign: aCampaign(
      { serviceStatus: 'enabled', endDate: null, status: 'paused' },
      {
        remote: '10',
        was: {
          name: 'Old',
          totalBudget: cents(1),
          dailyBudget: cents(2),
          startDate: day('2026-05-02'),
          endDate: day('2026-06-02'),
          status: 'enabled',
        },
      },
    ),
    adGroups: [anAdGroup({ status: 'disabled' }, { remote: '20', was: { name: 'Old', status: 'enabled' } })],
    adItems: [
      anAdItem({}, { ...there, remote: '30', was: { bid: cents(1), status: 'disabled' } }),
      anAdItem({ bid: cents(9) }, { ...there, id: 31, remote: '31', was: { bid: cents(8) }, marks: DELETED }),
    ],
    keywords: [
      aKeyword({}, { ...there, remote: '40', was: { bid: cents(1), state: 'paused' } }),
      aKeyword({ bid: cents(9) }, { ...there, id: 41, remote: '41', was: { bid: cents(8) }, marks: DELETED }),
    ],
    sbaProfiles: [
      anSbaProfile(
        { clickUrl, logo: id(11) },
        {
          ...there,
          remote: '50',
          was: { brand: 'Old', headline: 'Old', clickUrl: null, status: 'disabled', logo: null },
        },
      ),
      anSbaProfile(
        { headline: null, status: 'disabled' },
        { ...there, id: 51, remote: '51', was: { headline: 'Old' } },
      ),
    ],
    videoProfiles: [
      aVideoProfile({ status: null }, { ...there, remote: '60', was: { video: id(8), status: 'enabled' } }),
    ],
    placementMultipliers: [
      aPlacement({ multiplier: hundredths(1) }, { remote: '70', was: { multiplier: hundredths(2) } }),
    ],
    platformMultipliers: [
      aPlatform({ multiplier: hundredths(1) }, { remote: '80', was: { multiplier: hundredths(2) } }),
    ],
    media: [aLogo(), aVideo({ mediaState: 'available' }, { remote: '90' })],
  }),
  aTree({
    campaign: aCampaign(
      { serviceStatus: 'completed', status: 'enabled' },
      { id: 100, campaignId: 100, remote: '100', was: { status: 'completed' } },
    ),
    adGroups: [],
  }),
  aTree({
    campaign: aCampaign({ serviceStatus: 'live', campaignType: 'sba' }, { id: 300, campaignId: 300, remote: '300' }),
    adGroups: [anAdGroup({}, { id: 301, campaignId: 300, remote: '301' })],
    sbaProfiles: [
      anSbaProfile(
        {},
        { id: 302, campaignId: 300, adGroupId: 301, remote: '302', was: { status: 'disabled', headline: 'Old' } },
      ),
    ],
  }),
];

test.each([
  ['new rows become these requests', made, seed],
  ['new rows become these requests in the words of the other dialect', made, family],
  ['changed rows become these requests', changed, seed],
  ['changed rows become these requests in the words of the other dialect', changed, family],
])('%s', (_title, trees, settings) => {
  expect(requests(trees, settings)).toMatchSnapshot();
});

const SHEET_KINDS = Object.keys(FIELD_OF) as SheetKind[];

test('a spreadsheet has these headings, which fill these fields', () => {
  expect(COLUMNS.join(' | ')).toMatchSnapshot();
  expect(SHEET_KINDS.map((kind) => `${kind} ${JSON.stringify(FIELD_OF[kind])}`)).toMatchSnapshot();
  expect(SHEET_KINDS.map((kind) => `${kind} ${(FILE_COLUMNS[kind] ?? []).join(' | ')}`)).toMatchSnapshot();
  expect(SHEET_KINDS.map((kind) => baseCell(kind, {}))).toMatchSnapshot();
});

/** Words that anybody might write for a field: names, headings, words of the service, and some that mean nothing. */
const WORDS = [
  ...KINDS.flatMap((kind) => fieldNames(kind)),
  ...COLUMNS,
  ...['kind', 'Row type', 'entity', 'Campaign name', 'adGroupName', 'targeting_type', 'budget', 'total', 'daily'],
  ...['Start date', 'End date', 'item', 'CPC', 'max. cpc', 'keywords', 'keywordText', 'match', 'searchAmpName'],
  ...['headlineText', 'Brand name', 'Logo file', 'video file', 'captionfile', 'placementType', 'platform type'],
  ...['bid multiplier', 'id', 'adItemId', 'keywordId', 'sbaProfileId', 'adGroupMediaId', 'comments', 'note', 'url'],
  ...['review', 'reason', 'type', 'constructor', 'nothing'],
];

test('a set of columns has a bit for each, below the one that stands for a deletion', () => {
  expect(IMPORT_COLUMNS.length).toBeLessThanOrEqual(30);
});

test('an import takes these headings', () => {
  expect(WORDS.map((word) => `${word} > ${columnOf(word)}`)).toMatchSnapshot();
});

test('a search finds fields by these words, and words in these fields', () => {
  const found = KINDS.map((kind) => {
    const named = WORDS.map((word) => [word.toLowerCase(), searchField(kind, word)]).filter(
      ([, field]) => field !== null,
    );
    return `${kind}: ${[...new Set(named.map(([word, field]) => `${word} > ${field}`))].join(', ')}`;
  });
  expect(found).toMatchSnapshot();
  expect(KINDS.map((kind) => `${kind}: ${searchedFields(kind).join(', ')}`)).toMatchSnapshot();
});

test('fields of one name have one label except for switches, and a kind has one text to sort by', () => {
  for (const kind of KINDS) {
    const specs = Object.entries(fieldSpecs(kind));
    for (const [field, { label }] of specs) {
      expect(fieldLabel(field, kind), field).toBe(label);
      if (field !== 'status') expect(fieldLabel(field), field).toBe(label);
    }
    expect(specs.filter(([, { key }]) => key === true).length).toBeLessThanOrEqual(1);
  }
});

test('no two fields of a kind have the same bit', () => {
  for (const specs of Object.values(FIELDS)) {
    const bits = Object.values(specs).flatMap(({ bit }) => (bit === null ? [] : [bit]));
    expect(new Set(bits).size).toBe(bits.length);
  }
});
