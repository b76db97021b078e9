import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Db } from '../../main/store/db/db.ts';
import { createIssuesReader } from '../../main/store/reader/issues.ts';
import { readWindowRows } from '../../main/store/rows/window-rows.ts';
import { tableOf } from '../../main/store/schema/tables.ts';
import type { EditOutcome } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import { PATCH_MAX } from '../../shared/api/limits.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import { runs } from '../share.ts';
import { acceptAll, aSmallCampaign, aStore, create, createAll, done, pick } from './a-workspace.ts';
import { actOf, EDITS, perform, rowsOf } from './random-acts.ts';

/** What a window knows of a row. */
interface Shown {
  readonly row: WindowRow;
  readonly issues: readonly Issue[];
}
type Window = Map<Kind, Map<number, Shown>>;

const NOW = Date.UTC(2026, 4, 4, 12);

/** All rows of a kind with their issues, as both are read afresh. */
async function readKind(db: Db, kind: Kind): Promise<Map<number, Shown>> {
  const ids = db.all(`SELECT id FROM ${tableOf(kind).name} ORDER BY id`).map(([id]) => id as RowRef['id']);
  const said = await createIssuesReader(db, defaultDeploymentSettings('shop.example'), true).ofRows(NOW, kind, ids);
  const byId = Map.groupBy(said, ({ id }) => id);
  return new Map(
    readWindowRows(db, tableOf(kind), ids).map((row) => [row.id, { row, issues: byId.get(row.id) ?? [] }]),
  );
}

async function readAll(db: Db): Promise<Window> {
  const window: Window = new Map();
  for (const kind of KINDS) window.set(kind, await readKind(db, kind));
  return window;
}

/** Does what a window has to do with an answer. */
async function apply(db: Db, window: Window, { rows, reread }: EditOutcome): Promise<Window> {
  if (rows === null) return readAll(db);
  for (const { kind, row, issues } of rows) {
    const known = window.get(kind);
    // Where a check waits the issues are asked for.
    const own = issues ?? (await readKind(db, kind)).get(row.id)?.issues ?? [];
    if (known?.has(row.id) === true) known.set(row.id, { row: row as WindowRow, issues: own });
  }
  for (const kind of reread) window.set(kind, await readKind(db, kind));
  return window;
}

const act = actOf(...EDITS, 'undo', 'redo', 'sent', 'checked');

const withAnImage = [
  create('media', null, { mediaType: 'logo', fileName: 'logo.png', sha256: 'a'.repeat(64), bytes: 10 }),
  create('campaign', null, { name: 'Brand', campaignType: 'sba', targetingType: 'manual', dailyBudget: 5000 }),
  create('adGroup', { at: 1 }, { name: 'G' }),
  create('sbaProfile', { at: 2 }, { brand: 'B', headline: 'H', clickUrl: 'https://shop.example/b' }),
  create('adItem', { at: 2 }, { itemId: '123456', bid: 100 }),
  create('keyword', { at: 2 }, { text: 'Brand', matchType: 'exact', bid: 100 }),
];

/** A store with three campaigns, two of them of the same name and one with a picture. */
function aStoreWithCampaigns(): OwnStore & { readonly db: Db } {
  const store = aStore();
  const [logo, profile] = pick(createAll(store, withAnImage), 0, 3);
  done(store.apply({ label: 'Logo', source: 'user', updates: [{ ...profile, field: 'logo', value: logo.id }] }));
  acceptAll(store, createAll(store, aSmallCampaign()));
  createAll(store, aSmallCampaign());
  return store;
}

test('a window that applies the patches of edits shows what a fresh read of rows and issues shows', async () => {
  let withIssuesOfOthers = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 20 }), async (acts) => {
      const store = aStoreWithCampaigns();
      let window = await readAll(store.db);
      for (const what of acts) {
        const answer = perform(store, what);
        if (answer === null) window = await readAll(store.db);
        if (answer?.ok !== true) continue;
        const { touched, rows } = answer.value;
        const own = new Set(touched.map(({ id }) => id));
        if (rows?.some(({ row, issues }) => !own.has(row.id) && issues !== null && issues.length > 0)) {
          withIssuesOfOthers += 1;
        }
        window = await apply(store.db, window, answer.value);
        expect(window).toEqual(await readAll(store.db));
      }
      store.db.close();
    }),
    { numRuns: runs(150, 15) },
  );
  expect(withIssuesOfOthers).toBeGreaterThan(0);
});

test('an edit of the item whose picture stands for a campaign has the rows read again that show it, and no other edit has', () => {
  const store = aStoreWithCampaigns();
  const item = pick(
    rowsOf(store).filter(({ kind }) => kind === 'adItem'),
    0,
  )[0];
  const pictured = ['campaign', 'sbaProfile', 'videoProfile'];
  const edit = (batch: object) => done(store.apply({ label: 'Item', source: 'user', ...batch })).reread;
  expect(edit({ updates: [{ ...item, field: 'bid', value: 120 }] })).toEqual([]);
  expect(edit({ updates: [{ ...item, field: 'itemId', value: '654321' }] })).toEqual(pictured);
  expect(edit({ deletes: [item] })).toEqual(['adItem', ...pictured]);
});

test('an edit that is checked at once knows the issues of every row it answers with', () => {
  const store = aStoreWithCampaigns();
  const rows = rowsOf(store).filter(({ kind }) => kind === 'keyword');
  const updates = rows.map((ref) => ({ ...ref, field: 'bid', value: 9_000_000 }));
  const answer = done(store.apply({ label: 'Bids', source: 'user', updates }));
  expect(answer.rows?.some(({ issues }) => issues === null)).toBe(false);
  expect(answer.rows?.some(({ issues }) => issues?.length !== 0)).toBe(true);
  expect(answer.reread).toEqual([]);
});

test('an issue that tells of the campaign is told anew when that changes, whether or not it is remembered', () => {
  const store = aStore();
  const [campaign, keyword] = pick(createAll(store, aSmallCampaign()), 0, 3);
  const set = (ref: RowRef, field: string, value: number) =>
    done(store.apply({ label: 'Set', source: 'user', updates: [{ ...ref, field, value }] }));
  set(keyword, 'bid', 8000);
  const dailyOf = ({ rows }: EditOutcome) =>
    rows?.find(({ row }) => row.id === keyword.id)?.issues?.find(({ rule }) => rule === 'keyword.bid-over-daily')
      ?.params['daily'];
  expect(dailyOf(set(campaign, 'dailyBudget', 6000))).toBe(6000);
  const forget = () => {
    store.db.run('INSERT OR IGNORE INTO check_pending SELECT id FROM campaign');
    while (store.checkSlice());
  };
  forget();
  expect(dailyOf(set(campaign, 'dailyBudget', 7000))).toBe(7000);
  const isIn = ({ rows }: EditOutcome) => rows?.some(({ row }) => row.id === keyword.id);
  expect(isIn(set(campaign, 'dailyBudget', 9000))).toBe(true);
  expect(isIn(set(campaign, 'dailyBudget', 9001))).toBe(false);
  set(campaign, 'dailyBudget', 7000);
  forget();
  expect(isIn(set(campaign, 'dailyBudget', 9000))).toBe(true);
});

test('an edit of a large campaign answers with its rows at once, and their issues stay to be asked for', async () => {
  const store = aStore();
  const keywords = Array.from({ length: 4100 }, (_, n) =>
    create('keyword', { at: 1 }, { text: `towel ${n}`, matchType: 'exact', bid: 100 }),
  );
  const refs = createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]);
  while (store.checkSlice());
  const last = refs.at(-1);
  if (last === undefined) throw new Error('no keyword');
  const answer = done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...last, field: 'bid', value: 7 }] }));
  expect(answer.rows).toMatchObject([{ kind: 'keyword', row: { id: last.id }, issues: null }]);
});

test('an edit of more rows than a patch holds says that they are to be read, and one at the limit does not', () => {
  const store = aStore();
  const keywords = Array.from({ length: PATCH_MAX + 1 }, (_, n) =>
    create('keyword', { at: 1 }, { text: `towel ${n}`, matchType: 'exact', bid: 100 }),
  );
  const refs = createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]).filter(
    ({ kind }) => kind === 'keyword',
  );
  const set = (rows: readonly RowRef[], value: number) =>
    done(store.apply({ label: 'Bids', source: 'user', updates: rows.map((ref) => ({ ...ref, field: 'bid', value })) }));
  const known = set(refs.slice(0, 1), 120);
  expect(known.rows).not.toBeNull();
  expect(set(refs.slice(1), 130).rows).toHaveLength(PATCH_MAX);
  expect(set(refs, 140).rows).toBeNull();
  expect(done(store.step('undo')).rows).toBeNull();
  expect(done(store.step('undo')).rows).toHaveLength(PATCH_MAX);
});

test('the name of a campaign has the rows of other kinds read again, and another field of it does not', () => {
  const store = aStoreWithCampaigns();
  const campaign = rowsOf(store).find(({ kind }) => kind === 'campaign');
  if (campaign === undefined) throw new Error('no campaign');
  const set = (field: string, value: Cell) =>
    done(store.apply({ label: 'Campaign', source: 'user', updates: [{ ...campaign, field, value }] }));
  const others = KINDS.filter((kind) => kind !== 'campaign' && kind !== 'media');
  expect(set('dailyBudget', 6000).reread).toEqual([]);
  expect(set('name', 'Renamed').reread).toEqual(others);
  expect(done(store.step('undo')).reread).toEqual(others);
  expect(done(store.revert([campaign], null)).reread).toEqual([]);
});
