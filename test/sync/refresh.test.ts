import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ResponseRecord } from '../../main/api/response-record.ts';
import { createResponseLog, type ResponseLog } from '../../main/core/response-log.ts';
import { POLICY_KEY } from '../../main/sync/conflicts.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { changesOf, done, logOf } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { autoDraft } from './a-draft.ts';
import { apiOf, type TestAccount } from './an-account.ts';
import { practiceService } from './practice-service.ts';

/** Reading the service anew, whole or of some campaigns, never takes an edit away. */
const sandbox = practiceService();
let account: TestAccount;

describe('refresh', () => {
  const { control } = sandbox;

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  });

  const bidOf = async (id: RowId) => (await account.workspace.readRow({ kind: 'adItem', id }))?.values;
  const raise = async (id: RowId): Promise<void> => {
    const row = await account.workspace.readRow({ kind: 'adItem', id });
    await control.console(`ad-items/${row?.remoteId}`, { bid: 7.25 });
  };

  test('one campaign is read with all that hangs from it, and no other', async () => {
    const [first, , firstItem] = (await account.create(autoDraft('First'))) as [RowId, RowId, RowId];
    const [, , secondItem] = (await account.create(autoDraft('Second'))) as [RowId, RowId, RowId];
    await account.run();
    await raise(firstItem);
    await raise(secondItem);
    const asked = (await control.requests()).length;
    const before = (await account.workspace.summary()).lastRefreshAt;
    expect((await account.sync.refresh([first])).ok).toBe(true);
    expect(await bidOf(firstItem)).toMatchObject({ bid: 725 });
    expect(await bidOf(secondItem)).toMatchObject({ bid: 160 });
    expect((await account.sync.refresh()).ok).toBe(true);
    expect(await bidOf(secondItem)).toMatchObject({ bid: 725 });
    expect((await control.requests()).slice(asked).every(({ method }) => method === 'GET')).toBe(true);
    expect((await account.workspace.summary()).lastRefreshAt).toBeGreaterThanOrEqual(before ?? 0);
  });

  /** An account with twenty campaigns. `onRead` answers reads of their ad groups and contents; null passes them on. */
  const twenty = async (onRead: () => Response | null): Promise<TestAccount> => {
    const listening: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const isBelow = request.method === 'GET' && !/\/(campaigns|media)\?/.test(request.url);
      return (isBelow ? onRead() : null) ?? fetch(request);
    };
    const many = await sandbox.open({ capabilities: WITH_EXTENSIONS, fetch: listening });
    for (let no = 1; no <= 20; no++) await many.create(autoDraft(`Rolls ${no}`));
    await many.run();
    return many;
  };

  test('that the service ends reads no further campaign', async () => {
    let isOut = false;
    let refused = 0;
    const many = await twenty(() => {
      if (!isOut) return null;
      refused++;
      return Response.json({ error: 'User not Authenticated' }, { status: 403 });
    });
    isOut = true;
    expect(await many.sync.refresh()).toMatchObject({ ok: false, error: { kind: 'credentials' } });
    expect(refused).toBeLessThan(20);
  });

  test('ends with its account after the requests in progress', async () => {
    const closing: Promise<void>[] = [];
    let reads = 0;
    let isRefresh = false;
    const many = await twenty(() => {
      if (isRefresh) {
        reads++;
        if (closing.length === 0) closing.push(many.sync.close());
      }
      return null;
    });
    isRefresh = true;
    await many.sync.refresh();
    await Promise.all(closing);
    expect(reads).toBeLessThan(20);
  });

  test('of a service without campaigns is told as well', async () => {
    let told: Promise<{ readonly lastRefreshAt: number | null }> | null = null;
    account.workspace.onChanged(() => {
      told = account.workspace.summary();
    });
    expect((await account.sync.refresh()).ok).toBe(true);
    await expect.poll(async () => (await told)?.lastRefreshAt).toBeGreaterThan(0);
  });

  test('a hundred edits before are the same hundred edits after, of the campaign that is read and of all', async () => {
    const ids = (await account.create(autoDraft())) as [RowId, RowId, RowId, ...RowId[]];
    await account.run();
    const [campaignId, groupId, itemId] = ids;
    await account.edit('adItem', itemId, { bid: 190 });
    const words = Array.from({ length: 99 }, (_, i) => ({ text: `word ${i}`, matchType: 'exact', bid: 150 + i }));
    await account.create(words.map((values) => ({ kind: 'keyword', parent: { id: groupId }, values })));
    const edits = await changesOf(account.workspace, { from: 0, count: 200 });
    expect(edits.total).toBe(100);
    expect((await account.sync.refresh([campaignId])).ok).toBe(true);
    expect((await changesOf(account.workspace, { from: 0, count: 200 })).changes).toEqual(edits.changes);
    expect((await account.sync.refresh()).ok).toBe(true);
    expect((await changesOf(account.workspace, { from: 0, count: 200 })).changes).toEqual(edits.changes);
  });
});

describe('outdated', () => {
  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  });

  const outdated = (hours: number) =>
    account.workspace.outbox.outdatedCampaigns({ readBefore: account.clock.nowMs() - hours * 3_600_000 });
  const NONE = { old: 0, touched: 0, inReview: 0, processing: 0, keptFresh: 0 };

  test('campaigns never read are old, and none is once all are read; a draft was never there', async () => {
    await account.create(autoDraft('First'));
    await account.create(autoDraft('Second'));
    expect(await outdated(1)).toEqual({ campaignIds: [], all: 0, why: NONE });
    await account.run();
    expect(await outdated(1)).toMatchObject({ all: 2, why: { ...NONE, old: 2 } });
    expect((await account.sync.refresh()).ok).toBe(true);
    expect(await outdated(1)).toEqual({ campaignIds: [], all: 2, why: NONE });
    await account.clock.sleep(2 * 3_600_000);
    expect(await outdated(1)).toMatchObject({ why: { ...NONE, old: 2 } });
    expect(await outdated(3)).toMatchObject({ campaignIds: [] });
  });

  test('what was touched and what is labelled to be kept fresh count whatever was read, each campaign once', async () => {
    const [first, , item] = (await account.create(autoDraft('First'))) as [RowId, RowId, RowId];
    const [second] = (await account.create(autoDraft('Second'))) as [RowId];
    await account.create(autoDraft('Third'));
    await account.run();
    await account.sync.refresh();
    await account.edit('adItem', item, { bid: 190 });
    const label = await account.workspace.note({ do: 'save-label', id: null, name: 'Keep Fresh', color: 'teal' });
    if (!label.ok) throw new Error('no label');
    const rows = [{ kind: 'campaign' as const, ids: [first, second] }];
    await account.workspace.note({ do: 'label', rows, add: [label.value.id], remove: [] });
    expect(await outdated(1)).toEqual({
      campaignIds: [first, second].sort((one, other) => one - other),
      all: 3,
      why: { ...NONE, touched: 1, keptFresh: 2 },
    });
  });
});

describe('requests', () => {
  const { control } = sandbox;

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  });

  const list = async (words = '') =>
    done(await call(account.workspace, 'requests', 'list', { from: 0, count: 50, words }));

  test('every request is listed newest first, and its correlation id is the one the service saw', async () => {
    await account.create(autoDraft());
    await account.run();
    const { total, requests } = await list();
    expect(total).toBe(requests.length);
    expect(requests.map(({ kind }) => kind)).toEqual(requests.map(({ kind }) => kind).toSorted(byPlace));
    const seen = new Set((await control.requests()).map((one) => (one.method === 'GET' ? null : one.correlationId)));
    expect(requests.filter(({ correlationId }) => !seen.has(correlationId))).toEqual([]);
    expect(new Set(requests.map(({ correlationId }) => correlationId)).size).toBe(total);
  });

  /** Children stand before their parents, since the newest come first. */
  const PLACES = ['platformMultiplier', 'placementMultiplier', 'adItem', 'adGroup', 'campaign'];
  const byPlace = (a: string, b: string): number => Math.sign(PLACES.indexOf(a) - PLACES.indexOf(b));

  test('one is found by part of its correlation id, its path, or its campaign', async () => {
    await account.create(autoDraft('Rolls auto'));
    await account.run();
    const { requests } = await list();
    const [newest] = requests;
    expect((await list(newest?.correlationId.slice(3, 20).toUpperCase())).requests).toEqual([newest]);
    expect((await list('rolls aditems')).requests).toMatchObject([{ path: '/api/v1/adItems', campaign: 'Rolls auto' }]);
    expect(await list('no such request')).toEqual({ total: 0, requests: [] });
  });

  test('a request unfolds to its elements with what was answered to each, and to its exact body', async () => {
    await account.create(autoDraft());
    await control.answer('POST', '/api/v1/adItems', 400, {
      body: { error: 'Ad item is not available for the advertiser' },
    });
    await account.run();
    const [items] = (await list('aditems')).requests;
    expect(items).toMatchObject({ method: 'POST', verb: 'create', states: { REJECTED: 2 } });
    const detail = done(await call(account.workspace, 'requests', 'get', { id: items?.id ?? 0 }));
    expect(detail?.elements).toMatchObject([
      { kind: 'adItem', state: 'REJECTED', remoteId: null, reason: 'Ad item is not available for the advertiser' },
      { kind: 'adItem', state: 'REJECTED' },
    ]);
    expect(JSON.parse(detail?.body ?? '')).toHaveLength(2);
    expect(detail?.bodyLength).toBe(detail?.body.length);
    expect(detail?.receipts).not.toEqual([]);

    const [campaign] = (await list('api/v1/campaigns')).requests;
    const made = done(await call(account.workspace, 'requests', 'get', { id: campaign?.id ?? 0 }));
    expect(made?.elements).toMatchObject([{ label: 'Rolls auto', state: 'DONE', reason: null }]);
    expect(made?.elements[0]?.remoteId).toMatch(/^\d+$/);
    expect(done(await call(account.workspace, 'requests', 'get', { id: 99_999 }))).toBeNull();
  });
});

describe('conflict policy', () => {
  const { control } = sandbox;
  let groupId: RowId;
  let itemId: RowId;

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
    const ids = await account.create(autoDraft());
    [, groupId, itemId] = ids as [RowId, RowId, RowId];
    await account.run();
    await account.edit('adItem', itemId, { bid: 190 });
    await account.edit('adGroup', groupId, { name: 'Mine' });
    const group = await account.workspace.readRow({ kind: 'adGroup', id: groupId });
    const item = await account.workspace.readRow({ kind: 'adItem', id: itemId });
    await control.console(`ad-groups/${group?.remoteId}`, { name: 'Theirs' });
    await control.console(`ad-items/${item?.remoteId}`, { bid: 2.5 });
  });

  const bid = async () => (await account.workspace.readRow({ kind: 'adItem', id: itemId }))?.values;
  const group = async () => (await account.workspace.readRow({ kind: 'adGroup', id: groupId }))?.values;
  const log = async (kind: 'adGroup' | 'adItem', id: RowId) =>
    (await logOf(account.workspace, { from: 0, count: 10, ref: { kind, id } })).entries
      .filter(({ field }) => field === 'bid' || field === 'name')
      .map(({ step, source, before, after }) => [step, source, before, after]);
  const notices = () => account.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

  test('each field goes by its rule, the rule is named in the history beside both values, and a note says so', async () => {
    await account.workspace.setMeta(POLICY_KEY, 'bid=mine,other=theirs');
    await account.sync.refresh();
    expect(await account.sync.conflicts()).toEqual([]);
    expect(await bid()).toMatchObject({ bid: 190 });
    expect(await group()).toMatchObject({ name: 'Theirs' });
    expect(await log('adItem', itemId)).toMatchObject([
      ['Keep my value: Bid (policy bid=mine)', 'sync', 250, 190],
      ['Service value of Bid (policy bid=mine)', 'sync', 190, 250],
      ['test', 'user', 160, 190],
    ]);
    expect(await log('adGroup', groupId)).toMatchObject([
      ['Use service value: Name (policy other=theirs)', 'sync', 'Mine', 'Theirs'],
      ['test', 'user', 'Rolls auto group', 'Mine'],
    ]);
    expect(notices()).toHaveLength(1);
    expect(notices()[0]).toMatch(/bid=mine \(1\).*other=theirs \(1\)|other=theirs \(1\).*bid=mine \(1\)/);
    // Mine is still a change that waits for a sync; theirs is none any more.
    expect(await account.workspace.summary()).toMatchObject({ changed: 1, conflicts: 0 });
  });

  test('a sync settles what its own read finds, and sends mine in the same run', async () => {
    await account.workspace.setMeta(POLICY_KEY, 'other=mine,gone=ask');
    expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
    expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
    await account.sync.refresh();
    expect(await bid()).toMatchObject({ bid: 190 });
    expect(await group()).toMatchObject({ name: 'Mine' });
  });

  test('what the policy leaves to the user stays open, and the choice of the user holds both values as well', async () => {
    await account.workspace.setMeta(POLICY_KEY, 'bid=ask,other=theirs');
    await account.sync.refresh();
    const open = await account.sync.conflicts();
    expect(open).toMatchObject([{ field: 'bid', mine: 190, theirs: 250 }]);
    await account.sync.resolve(open.map(({ ref, field }) => ({ ref, field, take: 'mine' as const })));
    expect((await log('adItem', itemId)).map(([step]) => step)).toEqual([
      'Keep my value: Bid',
      'Service value of Bid',
      'test',
    ]);
    await call(account.workspace, 'workspace', 'undo');
    expect(await bid()).toMatchObject({ bid: 250 });
  });
});

describe('answers', () => {
  const { control } = sandbox;
  let answers: ResponseLog;
  const hear = (answer: () => ResponseRecord): void => answers.hear(answer);

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, onResponse: hear });
    answers = createResponseLog(join(account.folder, 'answers.db'), account.workspace);
    return () => answers.close();
  });

  const listed = (words = '') => answers.list(0, 500, words);
  test('every answer is kept, to reads and to what was sent, under the correlation id the service saw', async () => {
    await account.create(autoDraft('Rolls auto'));
    await account.run();
    await account.sync.refresh();
    const seen = (await control.requests()).map(({ correlationId }) => correlationId);
    const { total, answers: kept } = await listed();
    expect(kept.map(({ correlationId }) => correlationId).toReversed()).toEqual(seen);
    expect(total).toBe(seen.length);
    const [sent] = done(
      await call(account.workspace, 'requests', 'list', { from: 0, count: 1, words: 'v1/campaigns' }),
    ).requests;
    const [answer] = await answers.of(sent?.correlationId ?? '');
    expect(JSON.parse(answer?.body ?? '')).toMatchObject([{ code: 'success' }]);
    const reads = await listed('aditems campaignid=');
    expect(reads.answers[0]).toMatchObject({ method: 'GET', status: 200 });
    expect(await answers.of('nothing')).toEqual([]);
  });

  test('a campaign says when it was read whole, and the newest answer that says so', async () => {
    const [campaignId] = (await account.create(autoDraft())) as [never];
    const { outbox } = account.workspace;
    await account.run();
    expect(await outbox.lastRefreshOf({ campaignId })).toMatchObject({ at: null });
    await account.sync.refresh([campaignId]);
    const { remoteId, at } = await outbox.lastRefreshOf({ campaignId });
    expect(at).toBeGreaterThan(0);
    const read = await answers.lastRead(remoteId ?? '');
    expect(read).toMatchObject({ method: 'GET', campaignId: remoteId });
    const ids = (await control.requests()).map(({ correlationId }) => correlationId);
    expect(ids).toContain(read?.correlationId);
  });

  test('neither the token, nor a key, nor an address that uploads, is in what is kept', async () => {
    const [first] = sandbox.ready.accounts;
    if (first === undefined) throw new Error('The service has no account.');
    const echo = { error: `no rights: ${first.token}`, key: first.privateKeyPem, access_token: 'a-renewed-token' };
    await control.answer('POST', '/api/v1/campaigns', 400, { body: echo });
    await account.create(autoDraft());
    await account.run();
    await account.sync.refresh();
    const api = apiOf(sandbox, fetch, first.advertiserId, hear);
    const pair = await api.requestUpload();
    api.close();
    if (!pair.ok) throw new Error('There is no pair of addresses.');
    const { answers: lines } = await listed();
    const bodies = await Promise.all(lines.map(async ({ correlationId }) => answers.of(correlationId)));
    const text = JSON.stringify(bodies);
    expect(text).toContain('no rights: [removed]');
    expect(text).toContain(new URL(pair.value.uploadUrl).origin);
    const { searchParams, pathname } = new URL(pair.value.uploadUrl);
    const secrets = [
      first.token,
      first.privateKeyPem.slice(60, 100),
      'a-renewed-token',
      pathname,
      ...searchParams.values(),
    ];
    expect(secrets.filter((secret) => secret.length > 6 && text.includes(secret))).toEqual([]);
  });
});
