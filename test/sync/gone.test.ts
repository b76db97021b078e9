import { expect, test } from 'vitest';
import type { RowId } from '../../shared/model/scalars.ts';
import { type HostileService, isCall } from '../faults/a-hostile-service.ts';
import { onHostileService } from '../faults/hostile-account.ts';
import { call } from '../store/call.ts';
import { autoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';

/** Rows that were changed here while somebody deleted them on the service: kept, not sent, and settled by the user. */
let service: HostileService;
let control: Control;
let account: TestAccount;
let campaign: RowId;
let item: RowId;

onHostileService(async (met) => {
  ({ service, control, account } = met);
  const [first, , third] = await account.create(autoDraft());
  if (first === undefined || third === undefined) throw new Error('no draft');
  [campaign, item] = [first, third];
  await account.run();
  await account.edit('adItem', item, { bid: 222 });
});

/** The console has deleted the item: its list lacks it. */
async function itemIsGone(): Promise<void> {
  const row = await account.workspace.readRow({ kind: 'adItem', id: item });
  service.meetJson<{ adItemId: number }[]>('GET adItems', (items) =>
    items.filter(({ adItemId }) => String(adItemId) !== row?.remoteId),
  );
}
/** Its campaign is not known any more. */
const campaignIsGone = (): void =>
  service.meet(async (meeting) =>
    isCall(meeting, 'GET adItems') ? { status: 404, body: '{"error":"Campaign not found"}' } : null,
  );
const writes = async (): Promise<readonly string[]> =>
  (await control.requests())
    .filter(({ method, path }) => method !== 'GET' && path !== '/api/v1/itemSearch')
    .map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`);
const later = (): Promise<void> => account.clock.sleep(121_000);

async function lookTwice(): Promise<void> {
  await account.run();
  await later();
  await account.run();
}

async function foundGone(): Promise<void> {
  await itemIsGone();
  await lookTwice();
}

test('one list proves nothing; a second, two minutes on, makes it a conflict about the row itself', async () => {
  await itemIsGone();
  expect((await account.run()).refused).toMatchObject([{ kind: 'adItem', id: item }]);
  expect(await account.sync.conflicts()).toEqual([]);
  await account.run();
  expect(await account.sync.conflicts()).toEqual([]);
  await later();
  const report = await account.run();
  expect(report.refused).toEqual([]);
  expect(await account.sync.conflicts()).toMatchObject([{ ref: { kind: 'adItem', id: item }, field: null }]);
  expect((await account.workspace.summary()).conflicts).toBe(1);
  expect((await account.sync.plan({ submit: false, campaignIds: null })).leftOut).toMatchObject([
    { reason: 'conflict', rows: 1 },
  ]);
  expect((await writes()).filter((call) => call.startsWith('PUT'))).toEqual([]);
});

test('a list that has it again ends the conflict, and the edit goes out', async () => {
  await foundGone();
  service.meet(null);
  expect(await account.run()).toMatchObject({ done: 1, refused: [] });
  expect(await account.sync.conflicts()).toEqual([]);
});

test('made anew, it is created once more with what the user wants', async () => {
  await foundGone();
  expect(await account.sync.resolve([{ ref: { kind: 'adItem', id: item }, field: null, take: 'mine' }])).toBe(1);
  expect(await account.workspace.verify()).toEqual([]);
  const row = await account.workspace.readRow({ kind: 'adItem', id: item });
  expect(row).toMatchObject({ remoteId: null, base: null, values: { bid: 222, status: 'enabled' } });
  expect(await account.sync.conflicts()).toEqual([]);
  const before = (await writes()).length;
  await account.run();
  expect((await writes()).slice(before)).toEqual(['POST adItems']);
});

test('made anew although it is there after all, it takes its place again and nothing is made twice', async () => {
  await foundGone();
  await account.sync.resolve([{ ref: { kind: 'adItem', id: item }, field: null, take: 'mine' }]);
  service.meet(null);
  const before = (await writes()).length;
  expect(await account.run()).toMatchObject({ refused: [] });
  expect((await writes()).slice(before)).toEqual(['PUT adItems']);
});

test('dropped, it leaves here as well; undo brings it back as a new row', async () => {
  await foundGone();
  expect(await account.sync.resolve([{ ref: { kind: 'adItem', id: item }, field: null, take: 'theirs' }])).toBe(1);
  expect(await account.workspace.readRow({ kind: 'adItem', id: item })).toBeNull();
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
  await call(account.workspace, 'workspace', 'undo');
  expect(await account.workspace.readRow({ kind: 'adItem', id: item })).toMatchObject({ remoteId: null });
  expect(await account.workspace.verify()).toEqual([]);
});

test('deleted here and gone there, both sides agree and nothing is left to send', async () => {
  await itemIsGone();
  await account.workspace.apply({ label: 'test', source: 'user', deletes: [{ kind: 'adItem', id: item }] });
  // The first look may still try to delete it; the second finds that there is nothing to delete.
  await lookTwice();
  expect(await account.sync.conflicts()).toEqual([]);
  expect((await account.workspace.summary()).changed).toBe(0);
});

test('a list that lacks an item deleted on the service before says nothing new', async () => {
  await account.edit('adItem', item, { status: 'deleted' });
  await account.run();
  await itemIsGone();
  expect(await account.sync.refresh()).toMatchObject({ ok: true, value: { gone: [] } });
  await later();
  expect(await account.sync.refresh()).toMatchObject({ ok: true, value: { gone: [] } });
  expect(await account.sync.conflicts()).toEqual([]);
});

test('a campaign that answers 404 is asked about as a whole, and nothing below it is sent', async () => {
  campaignIsGone();
  await lookTwice();
  expect(await account.sync.conflicts()).toMatchObject([{ ref: { kind: 'campaign', id: campaign }, field: null }]);
  expect((await writes()).filter((call) => call.startsWith('PUT'))).toEqual([]);
  expect(await account.sync.resolve([{ ref: { kind: 'campaign', id: campaign }, field: null, take: 'mine' }])).toBe(1);
  expect(await account.workspace.verify()).toEqual([]);
  service.meet(null);
  // It is there under its name in truth, and names are unique.
  await account.edit('campaign', campaign, { name: 'Rolls again' });
  const before = (await writes()).length;
  await account.run();
  expect((await writes()).slice(before)).toContain('POST campaigns');
  expect((await account.workspace.summary()).changed).toBe(0);
});

test('a campaign that was deleted here and is gone there is no longer a change, with all below it', async () => {
  campaignIsGone();
  await account.workspace.apply({ label: 'test', source: 'user', deletes: [{ kind: 'campaign', id: campaign }] });
  await account.sync.refresh();
  expect((await account.workspace.summary()).changed).toBeGreaterThan(0);
  await later();
  await account.sync.refresh();
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
  expect(await account.workspace.readRow({ kind: 'campaign', id: campaign })).toBeNull();
  expect(await account.workspace.verify()).toEqual([]);
  await call(account.workspace, 'workspace', 'undo');
  expect(await account.workspace.readRow({ kind: 'adItem', id: item })).toMatchObject({ remoteId: null, base: null });
});

test('a conflict about a missing row ends when the user deletes the row, and the service still lacks it', async () => {
  await foundGone();
  await account.workspace.apply({ label: 'test', source: 'user', deletes: [{ kind: 'adItem', id: item }] });
  await account.sync.refresh();
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
});
