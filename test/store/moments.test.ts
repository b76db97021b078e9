import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { readLog } from '../../main/store/history/read-log.ts';
import { rowsAtMoment } from '../../main/store/history/rows-at-moment.ts';
import { recoverData } from '../../main/store/safety/recover-data.ts';
import { createStore, type OwnStore } from '../../main/store/writer/create-store.ts';
import { pruneHistory } from '../../main/store/writer/steps.ts';
import { runs } from '../share.ts';
import {
  acceptAll,
  aFolder,
  aSmallCampaign,
  aStore,
  at,
  aWorkspace,
  contents,
  create,
  createAll,
  done,
  edit,
  logOf,
  pick,
} from './a-workspace.ts';
import { call } from './call.ts';
import { type Act, actOf, EDITS, perform } from './random-acts.ts';

const act = actOf(...EDITS, 'duplicate');

const newestStep = (store: OwnStore): number => Number(store.db.get('SELECT coalesce(max(id), 0) FROM step')?.[0]);

/** A store of rows old and new, and what it held after each of its steps. */
function lived(acts: readonly Act[]): { store: OwnStore; moments: Map<number, unknown> } {
  const store = aStore();
  acceptAll(store, createAll(store, aSmallCampaign('Sent')));
  createAll(store, aSmallCampaign('New'));
  const moments = new Map<number, unknown>([[newestStep(store), contents(store)]]);
  for (const what of acts) {
    perform(store, what);
    moments.set(newestStep(store), contents(store));
  }
  return { store, moments };
}

test('restoring a moment brings back exactly what was there, and can itself be undone', () => {
  const restored = { some: 0 };
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 12 }), fc.nat(12), (acts, which) => {
      const { store, moments } = lived(acts);
      const steps = [...moments.keys()];
      const to = steps[which % steps.length] ?? 0;
      const before = contents(store);
      const outcome = done(store.restore(to, { all: true }, 'Back'));
      expect(contents(store)).toEqual(moments.get(to));
      expect(checkIntegrity(store.db)).toEqual([]);
      if (outcome.cells + outcome.created + outcome.removed > 0) {
        restored.some++;
        expect(store.step('undo').ok).toBe(true);
        expect(contents(store)).toEqual(before);
        expect(store.step('redo').ok).toBe(true);
        expect(contents(store)).toEqual(moments.get(to));
      }
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
  expect(restored.some).toBeGreaterThan(runs(5, 2));
});

test('rows at a moment are read with as many statements for many removed rows as for one', () => {
  const statements = (count: number) => {
    const store = aStore();
    const keywords = Array.from({ length: count }, (_, i) =>
      create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', bid: i }),
    );
    const refs = createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]).slice(2);
    const moment = newestStep(store);
    // Removed, brought back and removed again: the first removal since the moment counts.
    store.apply({ label: 'Delete', source: 'user', deletes: refs });
    done(store.restore(moment, { all: true }, 'Back'));
    store.apply({ label: 'Bid', source: 'user', updates: refs.map((ref) => ({ ...ref, field: 'bid', value: 7777 })) });
    store.apply({ label: 'Delete', source: 'user', deletes: refs });
    let asked = 0;
    const counting =
      <Args extends readonly unknown[], T>(read: (...args: Args) => T) =>
      (...args: Args): T => {
        asked++;
        return read(...args);
      };
    const rows = rowsAtMoment(
      { ...store.db, get: counting(store.db.get), all: counting(store.db.all) },
      'keyword',
      moment,
      null,
    );
    expect(rows.map(({ values }) => Reflect.get(values, 'bid'))).toEqual(keywords.map((_, i) => i));
    return asked;
  };
  expect(statements(20)).toBe(statements(1));
});

test('the log says what was changed in which step, from what to what, by row, campaign and step', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign('Towels') });
  const [campaign, item, keyword] = pick(touched, 0, 2, 3);
  const updates = [
    { ...keyword, field: 'bid', value: 150 },
    { ...keyword, field: 'state', value: 'paused' },
  ];
  done(await workspace.apply({ label: 'Raise', source: 'import', updates }));
  done(await call(workspace, 'workspace', 'hold', { rows: [keyword], held: true }));
  const { total, entries } = await logOf(workspace, { from: 0, count: 3 });
  expect(total).toBe(8);
  expect(entries).toMatchObject([
    { step: 'Put on hold', source: 'user', what: 'held', before: 0, after: 1, label: 'Paper Towel, exact' },
    { step: 'Raise', source: 'import', what: 'field', field: 'bid', before: 100, after: 150, campaignName: 'Towels' },
    { step: 'Raise', field: 'state', before: 'enabled', after: 'paused', undone: false },
  ]);
  const ofRow = await logOf(workspace, { from: 0, count: 10, ref: keyword });
  expect(ofRow.entries.map(({ what }) => what)).toEqual(['held', 'field', 'field', 'made']);
  expect((await logOf(workspace, { from: 0, count: 10, campaignId: campaign.id })).total).toBe(8);
  expect((await logOf(workspace, { from: 7, count: 10 })).entries).toHaveLength(1);
  done(await workspace.apply({ label: 'Delete', source: 'user', deletes: [item] }));
  const removal = await logOf(workspace, { from: 0, count: 1 });
  expect(removal.entries).toMatchObject([{ what: 'removed', label: '1234567', campaignName: 'Towels' }]);
  done(await call(workspace, 'workspace', 'undo'));
  expect((await logOf(workspace, { from: 0, count: 1 })).entries).toMatchObject([{ what: 'removed', undone: true }]);
});

test('one field and one campaign are brought back without the rest', async () => {
  const workspace = await aWorkspace();
  const first = (await edit(workspace, { creates: aSmallCampaign('A') })).touched;
  const second = (await edit(workspace, { creates: aSmallCampaign('B') })).touched;
  const [[campaignA, keywordA], keywordB] = [pick(first, 0, 3), at(second, 3)];
  const to = (await workspace.history(0, 1)).steps[0]?.id ?? 0;
  const both = [keywordA, keywordB];
  await edit(workspace, { updates: both.map((ref) => ({ ...ref, field: 'bid', value: 1 })) });
  await edit(workspace, { updates: both.map((ref) => ({ ...ref, field: 'state', value: 'paused' })) });
  await edit(workspace, { deletes: [keywordA] });
  const restored = done(
    await call(workspace, 'history', 'restore', {
      to,
      scope: { campaignId: campaignA.id },
      label: 'Campaign A as it was',
    }),
  );
  expect(restored).toMatchObject({ created: 1, cells: 2, removed: 0 });
  expect(await workspace.readRow(keywordA)).toMatchObject({ values: { bid: 100, state: 'enabled' } });
  expect(await workspace.readRow(keywordB)).toMatchObject({ values: { bid: 1, state: 'paused' } });
  done(
    await call(workspace, 'history', 'restore', { to, scope: { ref: keywordB, field: 'bid' }, label: 'Bid as it was' }),
  );
  expect(await workspace.readRow(keywordB)).toMatchObject({ values: { bid: 100, state: 'paused' } });
  expect(await call(workspace, 'history', 'restore', { to: 999, scope: { all: true }, label: 'x' })).toEqual({
    ok: false,
    error: { code: 'NO_MOMENT', data: { step: 999 } },
  });
});

test('undone steps are pruned from the last one that redo would reach, so that redo stays in order', () => {
  const store = aStore();
  const [keyword] = createAll(store, aSmallCampaign()).slice(3);
  if (keyword === undefined) throw new Error('no keyword');
  for (let bid = 1; bid <= 9; bid++) {
    store.apply({ label: `Bid ${bid}`, source: 'user', updates: [{ ...keyword, field: 'bid', value: bid }] });
  }
  while (store.step('undo').ok);
  const ofTwo = Number(store.db.get('SELECT total(bytes) FROM step WHERE id <= 2')?.[0]);
  while (pruneHistory(store.db, ofTwo));
  expect(store.step('redo')).toMatchObject({ ok: true, value: { label: 'Create' } });
  expect(store.step('redo')).toMatchObject({ ok: true, value: { label: 'Bid 1' } });
  expect(store.readRow(keyword)).toMatchObject({ values: { bid: 1 } });
});

test('the history is pruned from its oldest step once it is too large, and what is left can be undone', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  for (let bid = 1; bid <= 40; bid++) {
    store.apply({
      label: 'Bid',
      source: 'user',
      updates: refs.slice(3).map((ref) => ({ ...ref, field: 'bid', value: bid })),
    });
  }
  const bytesOf = () => Number(store.db.get('SELECT total(bytes) FROM step')?.[0]);
  const counted = () => Number(store.db.get(`SELECT value FROM counter WHERE name = 'history-bytes'`)?.[0]);
  expect(counted()).toBe(bytesOf());
  while (pruneHistory(store.db, 500));
  expect(bytesOf()).toBeLessThanOrEqual(500);
  expect(counted()).toBe(bytesOf());
  const left = Number(store.db.get('SELECT count(*) FROM step')?.[0]);
  expect(left).toBeGreaterThan(5);
  for (let i = 0; i < left; i++) expect(store.step('undo').ok).toBe(true);
  expect(store.step('undo').ok).toBe(false);
  expect(refs[3] === undefined ? null : store.readRow(refs[3])).toMatchObject({ values: { bid: 40 - left } });
  expect(readLog(store.db, 0, 100, { stepId: null, ref: null, campaignId: null }).total).toBe(2 * left);
});

test('the history of what is salvaged begins anew: its size and its reasons are those of its own steps', () => {
  const store = aStore();
  const [campaign] = pick(createAll(store, aSmallCampaign('A name that takes some room in the history')), 0);
  const updates = [{ ...campaign, field: 'name', value: 'Towels' }];
  const reasons = [{ ...campaign, reason: 'It sold well.', numbers: {} }];
  done(store.apply({ label: 'Rename', source: 'user', updates, reasons }));
  const file = String(store.db.get(`SELECT file FROM pragma_database_list WHERE name = 'main'`)?.[0]);
  store.db.close();
  const target = `${aFolder()}/salvaged.db`;
  expect(recoverData(file, target).ok).toBe(true);
  const db = openDb(target);
  const saved = createStore({ db, profile: store.profile, migrated: true, onCommitted: () => {} });
  saved.setNow(Date.UTC(2026, 4, 4, 12));
  for (const value of ['Pots', 'Pans', 'Lids']) {
    done(saved.apply({ label: value, source: 'user', updates: [{ ...campaign, field: 'name', value }] }));
  }
  const counted = db.get(`SELECT value FROM counter WHERE name = 'history-bytes'`)?.[0];
  expect(counted).toBe(db.get('SELECT total(bytes) FROM step')?.[0]);
  const { entries } = readLog(db, 0, 10, { stepId: null, ref: null, campaignId: null });
  expect(entries.map(({ step, reason }) => [step, reason])).toEqual(
    ['Lids', 'Pans', 'Pots'].map((step) => [step, undefined]),
  );
  db.close();
});
