import { expect, test } from 'vitest';
import type { CreateRow } from '../../main/store/types.ts';
import { listPending } from '../../main/sync/pending.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { type HostileService, isCall, type Meeting, type Reply } from '../faults/a-hostile-service.ts';
import { onHostileService } from '../faults/hostile-account.ts';
import { share } from '../share.ts';
import { detailOf } from '../store/a-workspace.ts';
import { addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, CAPTION_FACTS, mediaRowOf, openAccount, type TestAccount, VIDEO_FACTS } from './an-account.ts';
import { type Control, countThings, onTheService } from './control.ts';

/** Answers that are no use: told as answers, with what they were, and with nothing lost, doubled or guessed. */
let service: HostileService;
let control: Control;
let account: TestAccount;

onHostileService((met) => {
  ({ service, control, account } = met);
});

const meetAll = (call: string, reply: Reply): void =>
  service.meet(async (meeting) => (isCall(meeting, call) ? reply : null));
const later = (): Promise<void> => account.clock.sleep(121_000);
/** The account in another program, as after a restart. */
async function reopened(): Promise<TestAccount> {
  const { folder, clock } = account;
  await account.sync.close();
  await account.workspace.close();
  return openAccount({ sandbox: service.front, folder, clock });
}
const notices = (): readonly string[] =>
  account.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

/** A draft that stands behind so many rows of another. */
const movedBy = (rows: number, draft: readonly CreateRow[]): readonly CreateRow[] =>
  draft.map((row) =>
    row.parent === null ? row : { ...row, parent: { at: (row.parent as { at: number }).at + rows } },
  );

const HTML = '<!doctype html><title>Sign in</title>';

// Storage

/** The storage answers every file so; `null` lets it go there. */
function storage(reply: Reply): () => number {
  let met = 0;
  service.meet(async (meeting) => {
    if (meeting.path === '/api/v1/media/upload') {
      const { status, text } = await meeting.forward();
      return { status, body: text.replaceAll(service.sandbox.ready.baseUrl, service.front.ready.baseUrl) };
    }
    if (!meeting.path.startsWith('/upload/')) return null;
    met++;
    return reply;
  });
  return () => met;
}

const STORAGE: readonly (readonly [string, Exclude<Reply, 'cut'>, RegExp, number])[] = [
  [
    '302',
    { status: 302, headers: { location: 'https://elsewhere.example/film' } },
    /status 302, a redirect to elsewhere\.example.*never sends/,
    1,
  ],
  ['307 without an address', { status: 307 }, /status 307, a redirect.*never sends/, 1],
  ['304', { status: 304 }, /status 304, a redirect/, 1],
  ['206', { status: 206 }, /status 206: this does not confirm that the file was stored/, 1],
  ['202', { status: 202, body: '{}' }, /status 202: this does not confirm/, 1],
  [
    '403',
    { status: 403, body: '<Error>expired</Error>' },
    /status 403: it does not accept the upload link, which may have expired/,
    3,
  ],
  ['413', { status: 413 }, /status 413: the file is too large/, 1],
  ['500', { status: 500, body: HTML }, /status 500: it failed/, 3],
  ['503', { status: 503 }, /status 503: it is busy/, 3],
  [
    '200 with a web page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: HTML },
    /status 200 and a web page/,
    1,
  ],
  [
    'a cut answer',
    { status: 200, headers: { 'content-length': '99' }, body: 'part', cutShort: true },
    /\(status 200\) was cut off/,
    3,
  ],
];
test.each(share('odd answers of a storage', STORAGE, 4))(
  'fault V1: storage that answers %s is told in full, at the file and the report',
  async (_, reply, words, tries) => {
    const video = await addVideo(account);
    await account.create(videoDraft(video));
    const met = storage(reply);
    const report = await account.run();
    expect(report.failedUploads).toEqual([
      { id: video, file: expect.any(String), reason: expect.stringMatching(words) },
    ]);
    const [failed] = report.failedUploads;
    expect(failed?.reason).toContain('127.0.0.1');
    expect(failed?.reason).toMatch(/sync again/i);
    const row = await account.workspace.readRow({ kind: 'media', id: video });
    expect(row?.values).toMatchObject({ mediaState: 'failed', stateReason: failed?.reason });
    expect(met()).toBe(tries);
    expect(service.strangers).toEqual([]);
  },
);

test.each([
  ['201 with a body', { status: 201, body: '<Stored/>' }],
  ['204', { status: 204 }],
  ['200', { status: 200 }],
] as const)('storage that answers %s has taken the file', async (_, reply) => {
  await account.create(videoDraft(await addVideo(account)));
  const met = storage(reply);
  const report = await account.run();
  expect(report.failedUploads).toEqual([]);
  expect(met()).toBe(2);
});

// Reads

const read503 = { status: 503, headers: { 'retry-after': '7200' }, body: '{"error":"Down for maintenance"}' };
const READS = [
  [
    'a web page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: HTML },
    { kind: 'service', status: 200, message: 'a web page instead of data' },
  ],
  ['nothing', { status: 200 }, { kind: 'service', status: 200, message: 'an empty answer' }],
  ['204', { status: 204 }, { kind: 'service', status: 204, message: 'an empty answer' }],
  [
    '500',
    { status: 500, body: '{"error":"There was an error"}' },
    { kind: 'service', status: 500, message: 'There was an error' },
  ],
  ['503 with a wait', read503, { kind: 'service', status: 503, message: 'Down for maintenance' }],
  [
    '404 of a proxy',
    { status: 404, body: HTML },
    { kind: 'service', status: 404, message: 'a web page instead of data' },
  ],
  [
    'a cut body',
    { status: 200, headers: { 'content-length': '99' }, body: '[{', cutShort: true },
    { kind: 'service', status: 200, message: expect.stringContaining('cut off') },
  ],
  [
    'text',
    { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' },
    { kind: 'service', status: 200, message: 'something that is not JSON' },
  ],
  [
    'a key twice',
    { status: 200, body: '[{"adItemId":1,"adItemId":2}]' },
    { kind: 'service', status: 200, message: expect.stringContaining('"adItemId" twice') },
  ],
] as const;
test.each(share('odd answers to a read', READS, 3))(
  'fault V5: a read that is answered with %s says so, with the call it made',
  async (_, reply, error) => {
    await account.create(autoDraft());
    await account.run();
    meetAll('GET adItems', reply);
    const asked = account.clock.nowMs();
    const done = await account.sync.refresh();
    expect(done).toMatchObject({ ok: false, error: { ...error, call: 'GET /api/v1/adItems' } });
    if (!done.ok && 'retryAt' in done.error && reply === read503) {
      expect(done.error.retryAt).toBeGreaterThanOrEqual(asked + 7_200_000);
    }
    expect((await account.workspace.summary()).changed).toBe(0);
  },
);

test('fault V5: a list that is refused is told with its campaign, and the others are read', async () => {
  const [campaign] = await account.create(autoDraft());
  await account.run();
  const body = '{"error":"You don\'t have permission to edit this ad group."}';
  meetAll('GET adItems', { status: 403, body });
  const done = await account.sync.refresh();
  expect(done).toMatchObject({
    ok: true,
    value: {
      notRead: [
        {
          call: 'GET /api/v1/adItems',
          label: 'Rolls auto',
          status: 403,
          message: expect.stringContaining('permission'),
        },
      ],
    },
  });
  expect(notices().join(' ')).toContain('GET /api/v1/adItems with status 403');
  expect(campaign).toBeDefined();
});

// Limits

const YEAR_S = 365 * 86_400;
test.each([
  ['seconds', () => String(YEAR_S)],
  ['a date', () => new Date(account.clock.nowMs() + YEAR_S * 1000).toUTCString()],
])('fault V3: 429 with a wait of a year in %s is told with its end, kept, and may be tried', async (_, header) => {
  const path = '/api/v1/campaigns';
  await account.create(autoDraft());
  let met = 0;
  service.meet(async (meeting) => {
    if (meeting.method !== 'POST' || meeting.path !== path) return null;
    met++;
    return { status: 429, headers: { 'retry-after': header() }, body: '{"error":"Rate limit exceeded"}' };
  });
  const report = await account.run();
  const yearOn = account.clock.nowMs() + YEAR_S * 1000;
  const near = (at: number | null | undefined): boolean => Math.abs((at ?? 0) - yearOn) < 120_000;
  expect(report).toMatchObject({
    state: 'stopped',
    done: 0,
    stoppedBy: { cause: 'rate-limited', status: 429, call: `POST ${path}`, detail: 'Rate limit exceeded' },
  });
  expect(near(report.stoppedBy?.retryAt)).toBe(true);
  expect(met).toBe(1);
  const { clock } = account;
  const again = await reopened();
  try {
    expect(near((await again.sync.status()).limitedUntil)).toBe(true);
    const nowMs = (): number => clock.nowMs();
    const waits = await listPending({
      workspace: again.workspace,
      sync: again.sync,
      hosts: { list: async () => [] },
      profile: defaultDeploymentSettings('shop.example'),
      nowMs,
    });
    expect(waits.map(({ reason, until }) => [reason, until])).toContainEqual(['rate-limited', 'time']);
    expect(waits.map(({ reason }) => reason)).not.toContain('changed');
    expect(near(waits.find(({ reason }) => reason === 'rate-limited')?.nextAt)).toBe(true);
    service.meet(null);
    expect(await again.run()).toMatchObject({ state: 'finished', done: 6 });
    expect((await again.sync.status()).limitedUntil).toBeNull();
  } finally {
    await again.close();
  }
});

test('fault V3: the same to a read ends a refresh with its end; a wait of half an hour is sat out', async () => {
  await account.create(autoDraft());
  await account.run();
  meetAll('GET adItems', { status: 429, headers: { 'retry-after': '86400' }, body: '{"error":"slow"}' });
  const done = await account.sync.refresh();
  expect(done).toMatchObject({ ok: false, error: { kind: 'later', message: 'slow', call: 'GET /api/v1/adItems' } });
  expect((await account.sync.status()).limitedUntil).toBeGreaterThan(account.clock.nowMs() + 86_000_000);
  let met = 0;
  service.meet(async (meeting) =>
    isCall(meeting, 'GET adItems') && met++ === 0
      ? { status: 429, headers: { 'retry-after': '1800' }, body: '{"error":"slow"}' }
      : null,
  );
  expect(await account.sync.refresh()).toMatchObject({ ok: true });
  expect((await account.sync.status()).limitedUntil).toBeNull();
});

// Results

const eightKeywords = (group: RowId) =>
  Array.from({ length: 8 }, (_, at) => ({
    kind: 'keyword' as const,
    parent: { id: group },
    values: { text: `word ${at}`, matchType: 'exact', bid: 185, state: 'enabled' },
  }));

/** Tampers with the results of keywords, whichever way they are wrapped. */
const keywordResults = (change: (results: readonly object[]) => readonly object[]): void =>
  service.meetText('POST keywords', (text) => {
    const answer = JSON.parse(text) as { results: object[] } | object[];
    return JSON.stringify({ results: change(Array.isArray(answer) ? answer : answer.results) });
  });
const withTexts = (results: readonly object[]): readonly object[] =>
  results.map((one, at) => ({ ...one, keywordText: `word ${at}` }));

async function eightOnTheService(): Promise<readonly RowId[]> {
  const [, group] = await account.create(sbaDraft(null).filter(({ kind }) => kind !== 'keyword'));
  await account.run();
  return account.create(eightKeywords(group as RowId));
}

/** Each of these rows, which may leave some of the eight out, has the id of its own text. */
async function expectOwnIds(rows: readonly (RowId | null)[]): Promise<void> {
  const there = new Map((await onTheService(service.sandbox)).map((thing) => [thing.remoteId, thing.identity]));
  for (const [at, id] of rows.entries()) {
    if (id === null) continue;
    const row = await account.workspace.readRow({ kind: 'keyword', id });
    expect(there.get(String(row?.remoteId))).toContain(`word ${at}`);
  }
}

test('fault V4: of eight results one is missing and no read shows keywords: only that one is asked about', async () => {
  const rows = await eightOnTheService();
  keywordResults((results) => withTexts(results).filter((_, at) => at !== 2));
  const report = await account.run();
  expect(report).toMatchObject({ done: 7, questions: 1, refused: [] });
  expect((await account.sync.questions()).map(({ rowId }) => rowId)).toEqual([rows[2]]);
  await expectOwnIds(rows.map((id, at) => (at === 2 ? null : id)));
});

test.each([
  ['one result too many', (results: readonly object[]) => [...results, results[0] ?? {}]],
  [
    'one result twice in place of another',
    (results: readonly object[]) => [...results.slice(0, 3), results[2] ?? {}, ...results.slice(3, 7)],
  ],
])('fault V4: %s is settled by the list of the ad group where there is one, and nobody is asked', async (_, change) => {
  await account.close();
  account = await openAccount({ sandbox: service.front, capabilities: WITH_EXTENSIONS });
  const rows = await eightOnTheService();
  keywordResults(change);
  expect(await account.run()).toMatchObject({ done: 8, questions: 0, inDoubt: 0 });
  await expectOwnIds(rows);
});

test('fault V7: a create answered with a key twice is settled by a read, and made once', async () => {
  await account.create(autoDraft());
  let met = 0;
  service.meet(async (meeting) => {
    if (!isCall(meeting, 'POST adItems') || met++ > 0) return null;
    const { status, text } = await meeting.forward();
    return { status, body: text.replace('"adItemId":', '"adItemId":1,"adItemId":') };
  });
  expect(await account.run()).toMatchObject({ done: 6, questions: 0, inDoubt: 0 });
  expect(met).toBe(1);
  expect(Object.values(countThings(await onTheService(service.sandbox))).every((count) => count === 1)).toBe(true);
});

// Values

test.each([
  ['a number out of any range', '1e400', '1e400'],
  ['an object', '{"amount":2}', '{"amount":2}'],
  ['words', '"a lot"', '"a lot"'],
  ['null', 'null', 'null'],
])('fault V6: a bid that is %s is told, its row keeps its values, and others are read', async (_, written, told) => {
  const [, , item, other] = await account.create(autoDraft());
  await account.run();
  const row = await account.workspace.readRow({ kind: 'adItem', id: item as RowId });
  service.meetText('GET adItems', (text) => {
    const items = (JSON.parse(text) as { adItemId: number }[]).map((one) =>
      String(one.adItemId) === row?.remoteId
        ? JSON.stringify({ ...one, status: 'disabled', bid: 0 }).replace('"bid":0', `"bid":${written}`)
        : JSON.stringify({ ...one, bid: 3.5 }),
    );
    return `[${items.join(',')}]`;
  });
  const done = await account.sync.refresh();
  expect(done).toMatchObject({
    ok: true,
    value: { gone: [], unreadable: [{ kind: 'adItem', id: item, field: 'bid', value: told }] },
  });
  expect(await account.workspace.readRow({ kind: 'adItem', id: item as RowId })).toMatchObject({
    values: { bid: 160, status: 'enabled' },
  });
  expect(await account.workspace.readRow({ kind: 'adItem', id: other as RowId })).toMatchObject({
    values: { bid: 350 },
  });
  expect(notices().join(' ')).toContain(`field bid: ${told}`);
});

test('fault V6: an id that is an object names no row: told, nothing counts as gone, and the others are read', async () => {
  const [, , , other] = await account.create(autoDraft());
  await account.run();
  service.meetJson<readonly object[]>('GET adItems', ([first, ...rest]) => [
    { ...first, adItemId: { id: 7 } },
    ...rest.map((one) => ({ ...one, bid: 3.5 })),
  ]);
  expect(await account.sync.refresh()).toMatchObject({
    ok: true,
    value: { gone: [], unreadable: [{ kind: 'adItem', id: null, field: null, label: 'Rolls auto' }] },
  });
  expect(await account.workspace.readRow({ kind: 'adItem', id: other as RowId })).toMatchObject({
    values: { bid: 350 },
  });
});

/** Every list of items has 150 more, whose bids cannot be read. */
const addUnreadableItems = (): void =>
  service.meetJson<readonly object[]>('GET adItems', (all) => [
    ...all,
    ...Array.from({ length: 150 }, (_, i) => ({ ...all[0], adItemId: 7_000_000 + i, bid: {} })),
  ]);
/** The labels of the first hundred. */
const FIRST_UNREADABLE = Array.from({ length: 100 }, (_, i) => String(7_000_000 + i));

test('a refresh lists the first 100 values that cannot be read, and counts all of them', async () => {
  await account.create(autoDraft());
  await account.run();
  addUnreadableItems();
  const done = await account.sync.refresh();
  expect(done).toMatchObject({ ok: true, value: { counts: { gone: 0, unreadable: 150, notRead: 0 } } });
  expect(done.ok && done.value.unreadable.map(({ label }) => label)).toEqual(FIRST_UNREADABLE);
  expect(notices().join(' ')).toContain('and 149 more');
});

/** The report of the next process, which finds this one kept. */
async function reportAfter(kept: object): Promise<SyncReport | null> {
  await account.workspace.setMeta('last-sync-report', JSON.stringify(kept));
  const again = await reopened();
  try {
    return again.sync.report();
  } finally {
    await again.close();
  }
}

test('the report of a sync lists the first 100 values that cannot be read, and how many more there are', async () => {
  const [, , item] = await account.create(autoDraft());
  await account.run();
  addUnreadableItems();
  await account.edit('adItem', item as RowId, { bid: 170 });
  const report = await account.run();
  expect(report).toMatchObject({ state: 'finished', unreadableMore: 50 });
  expect(report.unreadable.map(({ label }) => label)).toEqual(FIRST_UNREADABLE);

  // A report that an earlier version has kept is cut as well.
  const kept = { ...report, unreadable: [...report.unreadable, ...report.unreadable], unreadableMore: undefined };
  expect(await reportAfter(kept)).toEqual({ ...report, unreadableMore: 100 });
});

test('the report of a sync lists the first 100 rows that failed, and how many more there are', async () => {
  const [campaign, ...others] = autoDraft();
  const keywords = Array.from({ length: 150 }, (_, at) => ({
    kind: 'keyword' as const,
    parent: { at: 1 },
    values: { text: `roll ${at}`, matchType: 'exact', bid: 185, state: 'enabled' },
  }));
  const manual = { ...campaign, values: { ...campaign?.values, targetingType: 'manual' } } as CreateRow;
  await account.create([manual, ...others, ...keywords]);
  meetAll('POST keywords', { status: 400, body: '{"error":"This keyword is not allowed"}' });
  const report = await account.run();
  expect(report).toMatchObject({ state: 'finished', refusedMore: 50, changes: { failed: 150 } });
  expect(report.refused).toHaveLength(100);
  expect(account.events.findLast(({ type }) => type === 'sync.progress')).toMatchObject({
    elementsRefused: 150,
    changes: { failed: 150, unresolved: 0 },
  });
  // A report that an earlier version has kept is cut as well.
  const refused = [...report.refused, ...report.refused];
  expect(await reportAfter({ ...report, refused, refusedMore: undefined })).toEqual({ ...report, refusedMore: 100 });
});

test('fault V6: a create in doubt is not sent again on a list with a row that nobody can read', async () => {
  await account.create(autoDraft());
  let met = 0;
  service.meet(async (meeting) => {
    if (isCall(meeting, 'POST adItems') && met++ === 0) {
      await meeting.forward();
      return 'cut';
    }
    if (!isCall(meeting, 'GET adItems')) return null;
    const { status, text } = await meeting.forward();
    const items = JSON.parse(text) as object[];
    return { status, body: JSON.stringify(items.map((one) => ({ ...one, itemId: { text: 1 } }))) };
  });
  expect(await account.run()).toMatchObject({ questions: 2 });
  expect(met).toBe(1);
});

// Rows that are gone

type Listed = Readonly<Record<string, unknown>>;
/** The lists of the service lack what this names; everything else is as it is. */
const lacks = (call: string, isGone: (element: Listed) => boolean): void =>
  service.meetJson<readonly Listed[]>(call, (list) =>
    Array.isArray(list) ? list.filter((one) => !isGone(one)) : list,
  );

const GONE = [
  ['an ad item', autoDraft, 'adItem', 'GET adItems', (one: Listed) => one['itemId'] === '0799650557'],
  ['a placement multiplier', autoDraft, 'placementMultiplier', 'GET multipliers/placement', () => true],
  ['a platform multiplier', autoDraft, 'platformMultiplier', 'GET multipliers/platform', () => true],
  ['an SBA profile', () => sbaDraft(null), 'sbaProfile', 'GET /api/v2/sba_profile', () => true],
] as const;
test.each(share('rows that are gone', GONE, 2))(
  'fault V2: %s that is listed no more is told, and a conflict later',
  async (_, draft, kind, call, isGone) => {
    const made = await account.create(draft());
    await account.run();
    const at = draft().findIndex((row) => row.kind === kind);
    const id = made[at] as RowId;
    lacks(call, isGone);
    await later();
    const first = await account.sync.refresh();
    expect(first).toMatchObject({ ok: true, value: { gone: [{ kind, id, asked: false }] } });
    expect((await detailOf(account.workspace, { kind, id })).refusal?.message).toContain('no longer lists this row');
    expect(notices().join(' ')).toContain('no longer listed by the service');
    expect(await account.sync.conflicts()).toEqual([]);
    await later();
    expect(await account.sync.refresh()).toMatchObject({ ok: true, value: { gone: [{ kind, id, asked: true }] } });
    expect(await account.sync.conflicts()).toMatchObject([{ ref: { kind, id }, field: null }]);
    expect((await detailOf(account.workspace, { kind, id })).refusal).toBeNull();
    expect(notices().join(' ')).toContain('conflicts of the Sync tab');
    // A list that has it again ends all of it.
    service.meet(null);
    expect(await account.sync.refresh()).toMatchObject({ ok: true, value: { gone: [] } });
    expect(await account.sync.conflicts()).toEqual([]);
    expect((await account.workspace.summary()).changed).toBe(0);
    expect(await account.workspace.verify()).toEqual([]);
  },
);

test('fault V2: a campaign that answers 404 is told alone, without what hangs from it', async () => {
  const [campaign] = await account.create(autoDraft());
  await account.run();
  meetAll('GET adItems', { status: 404, body: '{"error":"Campaign not found"}' });
  expect(await account.sync.refresh()).toMatchObject({
    ok: true,
    value: { gone: [{ kind: 'campaign', id: campaign, asked: false }], notRead: [] },
  });
});

test('fault V2: with lists of campaigns, ad groups and keywords their rows are missed too, one page says nothing', async () => {
  await account.close();
  account = await openAccount({ sandbox: service.front, capabilities: WITH_EXTENSIONS });
  const made = await account.create([...sbaDraft(null), ...movedBy(6, autoDraft())]);
  await account.run();
  const kinds = ['keywords', 'adGroups', 'campaigns'] as const;
  const gone = { keywords: made[5], adGroups: made[1], campaigns: made[6] } as const;
  for (const list of kinds) {
    const is = (one: Listed): boolean =>
      list === 'keywords'
        ? one['keywordText'] === 'paper towel'
        : list === 'adGroups'
          ? one['name'] === 'Rolls brand group'
          : one['name'] === 'Rolls auto';
    lacks(`GET ${list}`, is);
    const done = await account.sync.refresh();
    expect(done.ok && done.value.gone.map(({ id }) => id)).toEqual([gone[list]]);
    service.meet(null);
    await account.sync.refresh();
  }
  // The second page has what the first lacks.
  let pages = 0;
  service.meetJson<readonly object[]>('GET keywords', (all) => {
    if (all.length < 2) return all;
    pages++;
    return pages % 2 === 1 ? { items: all.slice(0, 1), nextToken: 'two' } : { items: all.slice(1) };
  });
  expect(await account.sync.refresh()).toMatchObject({ ok: true, value: { gone: [] } });
  expect(pages).toBe(2);
});

// Videos

/** The same list without what the document does not promise of its elements. */
async function without(meeting: Meeting, ...members: readonly string[]): Promise<Reply> {
  const { status, text } = await meeting.forward();
  const list = JSON.parse(text) as readonly object[];
  const entriesOf = (one: object) => Object.entries(one).filter(([name]) => !members.includes(name));
  return { status, body: JSON.stringify(list.map((one) => Object.fromEntries(entriesOf(one)))) };
}

/** Meets requests behind the one for upload links, which lead through the same front. */
const meetVideos = (hostility: (meeting: Meeting) => Promise<Reply | null>, pairOf = (pair: object) => pair): void =>
  service.meet(async (meeting) => {
    if (!isCall(meeting, 'POST media/upload')) return hostility(meeting);
    await hostility(meeting);
    const { status, text } = await meeting.forward();
    const pair = JSON.parse(text.replaceAll(service.sandbox.ready.baseUrl, service.front.ready.baseUrl)) as object;
    return { status, body: JSON.stringify(pairOf(pair)) };
  });

const aVideo = async (file: string, mediaName: string, caption: RowId | null = null): Promise<RowId> => {
  const row = await mediaRowOf(account, file, 'video', VIDEO_FACTS);
  const [id] = await account.create([{ ...row, values: { ...row.values, mediaName, caption } }]);
  return id as RowId;
};
/** Two videos, each of a draft of its own. */
async function twoVideos(): Promise<readonly RowId[]> {
  const videos = [await aVideo('kitchen-roll-spot.mp4', 'Kitchen'), await aVideo('garden-hose-spot.mp4', 'Garden')];
  await account.create(videos.flatMap((video, at) => movedBy(at * 5, videoDraft(video, `Rolls ${at}`))));
  return videos;
}
const aCaption = async (facts: object): Promise<RowId> => {
  const [id] = await account.create([await mediaRowOf(account, 'kitchen-roll-spot.vtt', 'caption', facts)]);
  return id as RowId;
};
const mediaOf = async (id: RowId) => account.workspace.readRow({ kind: 'media', id });

test('fault V11: a video profile without an answer is found in a list that does not name its media', async () => {
  await account.create(videoDraft(await addVideo(account)));
  meetVideos(async () => null);
  await account.run();
  await control.advance('PT31M');
  let met = 0;
  service.meet(async (meeting) => {
    if (isCall(meeting, 'GET adGroup/media')) return without(meeting, 'mediaId');
    if (!isCall(meeting, 'POST adGroup/media')) return null;
    met++;
    await meeting.forward();
    return 'cut';
  });
  expect(await account.run()).toMatchObject({ state: 'finished', refused: [], questions: 0, inDoubt: 0 });
  expect(met).toBe(1);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0 });
});

test('fault V12: of two uploads without an answer, in a list without names, neither is given the video of the other', async () => {
  const videos = await twoVideos();
  let applyLate: (() => Promise<unknown>) | null = null;
  meetVideos(async (meeting) => {
    if (isCall(meeting, 'GET media')) return without(meeting, 'name', 'mediaName');
    if (!isCall(meeting, 'PUT media/complete')) return null;
    // The first is carried out while the second is on its way, which is lost.
    if (applyLate === null) applyLate = meeting.forward;
    else await applyLate();
    return 'cut';
  });
  expect(await account.run()).toMatchObject({ questions: 2 });
  for (const video of videos) expect(await mediaOf(video)).toMatchObject({ remoteId: null });
});

test('fault V12: the list before an upload is read anew, so that one that was carried out late is not taken for it', async () => {
  const videos = await twoVideos();
  let completes = 0;
  let applyLate: (() => Promise<unknown>) | null = null;
  meetVideos(async (meeting) => {
    if (isCall(meeting, 'GET media')) return without(meeting, 'name', 'mediaName');
    if (isCall(meeting, 'POST media/upload')) await applyLate?.();
    if (!isCall(meeting, 'PUT media/complete')) return null;
    completes++;
    if (completes === 1) applyLate = meeting.forward;
    else await meeting.forward();
    return 'cut';
  });
  expect(await account.run()).toMatchObject({ uploads: 2, questions: 0, inDoubt: 0 });
  expect(completes).toBe(2);
  service.meet(null);
  const api = apiOf(service.sandbox);
  const list = await api.media(null);
  api.close();
  const names = new Map(list.ok ? list.value.map(({ remoteId, name }) => [String(remoteId), name]) : []);
  for (const video of videos) {
    const row = await mediaOf(video);
    expect(names.get(String(row?.remoteId))).toContain(row?.kind === 'media' ? row.values.mediaName : 'no row');
  }
});

test('fault V15: a caption with errors stays here, and is not noted as uploaded with its video', async () => {
  const caption = await aCaption({ ...CAPTION_FACTS, cues: 0 });
  const video = await aVideo('kitchen-roll-spot.mp4', 'Kitchen', caption);
  await account.create(videoDraft(video));
  meetVideos(async () => null);
  expect(await account.run()).toMatchObject({ uploads: 1, failedUploads: [] });
  expect(await mediaOf(video)).toMatchObject({
    values: { caption, mediaState: 'processing' },
    base: { caption: null },
  });
  expect(await mediaOf(caption)).toMatchObject({ values: { mediaState: 'local' }, dirty: expect.any(Number) });
  expect((await mediaOf(caption))?.dirty).not.toBe(0);
});

test.each([
  ['no upload link', undefined],
  ['an empty upload link', ''],
  ['null as the upload link', null],
])(
  'fault V15: the service answers with %s for a caption: the video goes up, and the user is told',
  async (_, captionUrl) => {
    const caption = await aCaption(CAPTION_FACTS);
    const video = await aVideo('kitchen-roll-spot.mp4', 'Kitchen', caption);
    await account.create(videoDraft(video));
    meetVideos(
      async () => null,
      (pair) => ({ ...pair, captionUrl }),
    );
    expect(await account.run()).toMatchObject({ uploads: 1, failedUploads: [] });
    expect(await mediaOf(video)).toMatchObject({ values: { mediaState: 'processing' }, base: { caption: null } });
    expect(await mediaOf(caption)).toMatchObject({ values: { mediaState: 'local' } });
    expect(notices()).toContainEqual(expect.stringContaining('without its caption'));
  },
);

test('fault V13: a list that is needed before a create and is refused is told with its campaign', async () => {
  await account.create(videoDraft(await addVideo(account)));
  meetVideos(async () => null);
  await account.run();
  await control.advance('PT31M');
  meetAll('GET adGroup/media', { status: 403, body: '{"error":"You don\'t have access to this advertiser"}' });
  expect(await account.run()).toMatchObject({ untouched: 1 });
  expect(notices().join(' ')).toMatch(
    /"Rolls video > Rolls video group".*GET \/api\/v1\/adGroup\/media with status 403/,
  );
});

// Answers of the user

/** Carries this write out without an answer; what would prove it is refused from then on. */
function meetLost(write: string, read: string): void {
  let isLost = false;
  service.meet(async (meeting) => {
    if (isCall(meeting, read) && isLost) return { status: 403, body: '{"error":"no"}' };
    if (!isCall(meeting, write)) return null;
    isLost = true;
    await meeting.forward();
    return 'cut';
  });
}

const asked = async () => (await account.sync.questions())[0] ?? { id: 0, what: '' };

test('fault V16: "it exists" of a change leaves its row the ID it has', async () => {
  const [, , item] = (await account.create(autoDraft())) as readonly RowId[];
  const ref = { kind: 'adItem', id: item as RowId } as const;
  await account.run();
  const before = await account.workspace.readRow(ref);
  await account.edit('adItem', ref.id, { bid: 222 });
  meetLost('PUT adItems', 'GET adItems');
  expect(await account.run()).toMatchObject({ questions: 1 });
  expect(await account.sync.answer((await asked()).id, { exists: '12345' })).toMatchObject({ ok: true });
  expect(await account.workspace.readRow(ref)).toMatchObject({
    remoteId: before?.remoteId,
    values: { bid: 222 },
    base: null,
  });
});

test('fault V16: a multiplier that the user has found is known by its campaign and type', async () => {
  const made = await account.create(autoDraft());
  meetLost('POST multipliers/placement', 'GET multipliers/placement');
  expect(await account.run()).toMatchObject({ questions: 1 });
  expect(await account.sync.answer((await asked()).id, { exists: '777' })).toMatchObject({ ok: true });
  service.meet(null);
  const campaign = await account.workspace.readRow({ kind: 'campaign', id: made[0] as RowId });
  const row = await account.workspace.readRow({ kind: 'placementMultiplier', id: made[4] as RowId });
  expect(row?.remoteId).toBe(`${campaign?.remoteId}:Buy-Box`);
});

test('fault V16: a review that the user has found is asked after by its own ID, and polled', async () => {
  const [campaign, group] = (await account.create(sbaDraft(null))) as readonly RowId[];
  await account.run();
  await control.advance('PT31M');
  meetLost('POST review', 'GET review');
  expect(await account.run({ submit: true, campaignIds: [campaign as RowId] })).toMatchObject({ questions: 1 });
  service.meet(null);
  const { id } = await asked();
  expect(await account.sync.answer(id, { exists: '999' })).toMatchObject({ error: { data: { reason: 'not-found' } } });
  const ref = { kind: 'adGroup', id: group as RowId } as const;
  const api = apiOf(service.sandbox);
  const reviews = await api.reviews((await account.workspace.readRow(ref))?.remoteId as RemoteId);
  api.close();
  const reviewId = reviews.ok ? (reviews.value[0]?.reviewId ?? '') : '';
  expect(await account.sync.answer(id, { exists: reviewId })).toMatchObject({ ok: true });
  expect(await account.workspace.readRow(ref)).toMatchObject({ values: { reviewStatus: 'pending', reviewId } });
  await control.decideAll(reviewId, 'approved');
  expect(await account.sync.reviews.poll()).toMatchObject({ ok: true, value: [{ status: 'approved' }] });
});
