import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { layoutOfKind } from '../../renderer/app/store/layout-slice.ts';
import type { SavedView } from '../../shared/api/views.ts';
import { compareViews, printViews, readViews } from '../../shared/api/views-file.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { type AnyRow, HELD } from '../../shared/model/row.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { runs } from '../share.ts';
import {
  aCampaign,
  aCaption,
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
  id,
  planInput,
} from './builders.ts';

const aView = (changes: Partial<SavedView> = {}, view: Partial<SavedView['view']> = {}): SavedView => ({
  id: 1,
  name: 'Dear keywords',
  view: { kind: 'keyword', filter: 'bid>1.70', sort: [], campaignId: null, only: 'all', ...view },
  layout: { 'shown.keyword.bid': false, 'order.keyword': 'text,bid' },
  ...changes,
});
const read = (text: string) => {
  const views = readViews(text);
  if (!views.ok) throw new Error(views.error);
  return views.value;
};
const compared = (file: readonly SavedView[], here: readonly SavedView[]) =>
  compareViews(read(printViews(file)), here).map(({ is }) => is);

test('a view is new, here already, or has a name that another one has', () => {
  expect(compared([aView()], [])).toEqual(['new']);
  expect(compared([aView()], [aView({ id: 9 })])).toEqual(['same']);
  expect(compared([aView()], [aView({ name: 'dear KEYWORDS' }, { filter: 'bid>2' })])).toEqual(['taken']);
  expect(compared([aView()], [aView({}, { kind: 'adItem' })])).toEqual(['new']);
  expect(compared([aView(), aView({}, { filter: 'bid>3' })], [])).toEqual(['new']);
});

test('a filter that cannot be read here is named, and the other views come in', () => {
  expect(compared([aView({ name: 'Odd' }, { filter: '"open' }), aView()], [])).toEqual(['bad-filter', 'new']);
});

test('what belongs to one account does not travel', () => {
  const [view] = read(printViews([aView({}, { campaignId: 7 as never, report: 'r1' })]));
  expect(view?.view).toEqual({ kind: 'keyword', filter: 'bid>1.70', sort: [], only: 'all' });
});

test('a view opens with its columns, groups and days in the account that imports it', () => {
  const store = createAppStore();
  const { orderColumns, freezeColumns, resizeColumns, showColumn, setGroupBy, choosePeriod, adjustPeriod } =
    store.getState();
  orderColumns('keyword', ['text', 'bid']);
  freezeColumns('keyword', 2);
  resizeColumns({ 'keyword.bid': 90 });
  showColumn('keyword.reviewStatus', false);
  setGroupBy('keyword', 'match');
  setGroupBy('adItem', null);
  choosePeriod('2026-05-01..2026-05-31');
  adjustPeriod({ comparison: 'year', attribution: 30, settledOnly: true });
  const layout = layoutOfKind(store.getState(), 'keyword');
  const [imported] = read(printViews([aView({ layout })]));
  expect(imported?.layout).toEqual(layout);
  const other = createAppStore();
  other.getState().restoreKind('keyword', imported?.layout ?? {});
  expect(other.getState()).toMatchObject({
    columnOrder: { keyword: ['text', 'bid'] },
    frozen: { keyword: 2 },
    columnWidths: { 'keyword.bid': 90 },
    columnShown: { 'keyword.reviewStatus': false },
    groupBy: { keyword: 'match' },
    ...{ period: '2026-05-01..2026-05-31', comparison: 'year', attribution: 30, settledOnly: true },
  });
  expect(other.getState().groupBy).not.toHaveProperty('adItem');
});

test('columns of another kind, and settings that are none of columns, are passed over', () => {
  const layout = { 'shown.keyword.bid': true, 'shown.adItem.bid': true, 'keys.sync.plan': 'Ctrl+Q', 'size.drawer': 9 };
  expect(read(printViews([aView({ layout })]))[0]?.layout).toEqual({ 'shown.keyword.bid': true });
});

test('a file of a newer version, and anything that is no such file, is refused by its reason', () => {
  const newer = JSON.stringify({ format: 'adslate-views', version: 2, shelves: [] });
  expect(readViews(newer)).toEqual({ ok: false, error: 'newer' });
  const wrong = [
    '',
    'null',
    '[]',
    '{"format":"adslate-rules","version":1,"views":[]}',
    '{"format":"adslate-views","version":1}',
  ];
  for (const text of wrong) expect(readViews(text), text).toEqual({ ok: false, error: 'not-views' });
  const odd = printViews([aView()]).replace('"keyword"', '"banner"');
  expect(readViews(odd)).toEqual({ ok: false, error: 'not-views' });
});

test('views that are saved and taken in again are the same, whatever they are, and no text breaks the reader', () => {
  const views = fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 40 }).filter((name) => name.trim() === name && name !== ''),
      kind: fc.constantFrom('campaign', 'keyword', 'adItem'),
      only: fc.constantFrom('all', 'changed', 'commented'),
      descending: fc.boolean(),
      width: fc.nat(900),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(views, (some) => {
      const saved = some.map(
        ({ name, kind, only, descending, width }, id): SavedView => ({
          id,
          name: `${id} ${name}`,
          view: { kind, only, filter: '', sort: [{ column: 'name', descending }], campaignId: null },
          layout: { [`width.${kind}.bid`]: width },
        }),
      );
      expect(compared(saved, saved)).toEqual(saved.map(() => 'same'));
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readViews(text).ok).toBe(false);
    }),
  );
});

/**
 * The law of holding, over three campaigns in which everything has changed and any of it may be held: what is held is in
 * no request and no upload, and nothing that is sent needs it. Asking for a review says nothing of the group itself.
 */
const TREES: readonly CampaignTree[] = [
  aTree({
    campaign: aCampaign({ campaignType: 'sba' }, { id: 1, remote: '501', was: { name: 'Before' } }),
    adGroups: [anAdGroup({}, { id: 2, remote: '502', was: { name: 'Before' } })],
    adItems: [anAdItem({}, { id: 10 }), anAdItem({}, { id: 11, remote: '511', was: { status: 'disabled' } })],
    keywords: [aKeyword({ text: 'soft' }, { id: 12 }), aKeyword({ text: 'roll' }, { id: 13 })],
    sbaProfiles: [anSbaProfile({ logo: id(15) }, { id: 14 })],
    media: [aLogo({}, { id: 15 })],
  }),
  aTree({
    campaign: aCampaign({ campaignType: 'video', name: 'Video' }, { id: 21 }),
    adGroups: [anAdGroup({}, { id: 22, campaignId: 21 })],
    adItems: [anAdItem({}, { id: 23, campaignId: 21, adGroupId: 22 })],
    keywords: [aKeyword({ text: 'film' }, { id: 24, campaignId: 21, adGroupId: 22 })],
    videoProfiles: [aVideoProfile({ video: id(26) }, { id: 25, campaignId: 21, adGroupId: 22 })],
    media: [aVideo({ caption: id(27) }, { id: 26 }), aCaption({}, { id: 27 })],
  }),
  aTree({
    campaign: aCampaign({ campaignType: 'sponsoredProducts', name: 'Auto' }, { id: 31 }),
    adGroups: [anAdGroup({}, { id: 32, campaignId: 31 })],
    adItems: [anAdItem({}, { id: 33, campaignId: 31, adGroupId: 32 })],
    placementMultipliers: [aPlacement({}, { id: 34, campaignId: 31 })],
    platformMultipliers: [aPlatform({}, { id: 35, campaignId: 31 })],
  }),
];

const rowsOf = ({ campaign, ...lists }: CampaignTree): readonly AnyRow[] => [
  campaign,
  ...(Object.values(lists).flat() as readonly AnyRow[]),
];
const keyOf = ({ kind, id: rowId }: Pick<AnyRow, 'kind' | 'id'>): string => `${kind}/${rowId}`;
const ALL = TREES.flatMap(rowsOf).map(keyOf);

/** The trees with these rows held. */
function holding(held: ReadonlySet<string>): readonly CampaignTree[] {
  const mark = <R extends AnyRow>(row: R): R => (held.has(keyOf(row)) ? { ...row, dirty: row.dirty | HELD } : row);
  return TREES.map((tree) => ({
    campaign: mark(tree.campaign),
    adGroups: tree.adGroups.map(mark),
    adItems: tree.adItems.map(mark),
    keywords: tree.keywords.map(mark),
    sbaProfiles: tree.sbaProfiles.map(mark),
    videoProfiles: tree.videoProfiles.map(mark),
    placementMultipliers: tree.placementMultipliers.map(mark),
    platformMultipliers: tree.platformMultipliers.map(mark),
    media: tree.media.map(mark),
  }));
}

const planOf = (trees: readonly CampaignTree[]) => planChanges(planInput(trees, { capabilities: WITH_EXTENSIONS }));

/** Every row that some request carries, uploads, or names as not yet created. */
function carried(trees: readonly CampaignTree[]): ReadonlySet<string> {
  const { batches, uploads } = planOf(trees);
  const found = new Set<string>();
  for (const { verb, elements } of batches) {
    for (const element of elements) {
      if (verb === 'logo') found.add(`media/${element.sent['logo']}`);
      else if (verb !== 'submit') found.add(keyOf(element));
      for (const [, kind, rowId] of JSON.stringify(element.body).matchAll(/"ref":"(\w+)","id":(\d+)/g))
        if (
          TREES.some((tree) => rowsOf(tree).some((row) => keyOf(row) === `${kind}/${rowId}` && row.remoteId === null))
        )
          found.add(`${kind}/${rowId}`);
    }
  }
  for (const { mediaId, captionId } of uploads) {
    found.add(`media/${mediaId}`);
    if (captionId !== null) found.add(`media/${captionId}`);
  }
  return found;
}

test('without anything held, everything goes', () => {
  expect([...carried(TREES)].toSorted()).toEqual(ALL.toSorted());
});

test('what is held is sent by nothing, whatever else is held', () => {
  fc.assert(
    fc.property(fc.subarray(ALL), (held) => {
      const sent = carried(holding(new Set(held)));
      expect(held.filter((key) => sent.has(key))).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});

test('what is asked for later begins when what came before has ended, however it ended', async () => {
  const inTurn = createSerialQueue();
  const seen: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn(async () => {
    await held;
    seen.push('first');
    throw new Error('refused');
  });
  const second = inTurn(async () => {
    seen.push('second');
    return 2;
  });
  await Promise.resolve();
  expect(seen).toEqual([]);
  release();
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe(2);
  expect(seen).toEqual(['first', 'second']);
});
