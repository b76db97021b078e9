import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { type Capabilities, DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { changesOf } from '../store/a-workspace.ts';
import { addLogo, autoDraft, sbaDraft } from './a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { countThings, onTheService } from './control.ts';
import { practiceService } from './practice-service.ts';

const sandbox = practiceService();

describe('busy service', () => {
  const { control } = sandbox;
  let account: TestAccount;

  beforeEach(async () => {
    const own = hastyClock();
    // Both sides wait together: a campaign becomes a proposal while the client sleeps.
    const sleep = async (ms: number): Promise<void> => {
      await own.sleep(ms);
      await control.advance(`PT${Math.ceil(ms / 1000)}S`);
    };
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, clock: { ...own, sleep } });
    await account.create(sbaDraft(null));
  });

  test('what a busy service put off and took later is no trouble: its review is asked for by the same sync', async () => {
    await control.answer('POST', '/api/v1/keywords', 429);
    expect(await account.run({ submit: true })).toMatchObject({ refused: [], untouched: 0, reviews: 1 });
    // One refusal that names no wait shows no limit of the hour.
    expect(await account.workspace.outbox.changeLimit({ changes: 0 })).toMatchObject({ from: 'service' });
  });

  test('a refused keyword keeps its campaign from review', async () => {
    const message = 'Keyword limit reached';
    await control.answer('POST', '/api/v1/keywords', 400, { message });
    const report = await account.run({ submit: true });
    expect(report).toMatchObject({ reviews: 0 });
    expect(report.refused.map(({ kind }) => kind)).toContain('keyword');
  });
});

describe('chosen rows', () => {
  let account: TestAccount;
  let ids: readonly RowId[];

  beforeEach(async () => {
    account = await sandbox.open();
    // Campaign, ad group, profile, item, two keywords; and a second campaign that nobody chooses.
    ids = await account.create([...sbaDraft(null)]);
    await account.create([...sbaDraft(null, 'Later')]);
  });

  const at = (place: number): RowId => {
    const id = ids[place];
    if (id === undefined) throw new Error('no such row');
    return id;
  };

  test('one chosen keyword of a draft goes with its new campaign and ad group; the rest waits for the next sync', async () => {
    const chosen = { rows: [{ kind: 'keyword' as const, ids: [at(5)] }], below: false };
    const view = await account.sync.plan({ submit: true, campaignIds: null, chosen });
    expect(view).toMatchObject({ creates: 3, reviews: 0 });
    expect(view.added).toMatchObject([
      { reason: 'parent', rows: 2, first: [{ label: 'Rolls brand' }, { kind: 'adGroup' }] },
    ]);
    const { changed } = await account.workspace.summary();
    expect(view.leftOut).toMatchObject([{ reason: 'not-chosen', rows: changed - 3 }]);

    expect(await account.run({ submit: true, chosen })).toMatchObject({ done: 3, refused: [], reviews: 0 });
    expect(countThings(await onTheService(sandbox))).toEqual({
      'campaign Rolls brand / Rolls brand': 1,
      'adGroup Rolls brand / Rolls brand group': 1,
      'keyword Rolls brand / paper towel, exact': 1,
    });
    expect((await account.workspace.readRow({ kind: 'keyword', id: at(4) }))?.remoteId).toBeNull();

    expect(await account.run()).toMatchObject({ refused: [] });
    const things = countThings(await onTheService(sandbox));
    expect(Object.keys(things)).toHaveLength(12);
    expect(new Set(Object.values(things))).toEqual(new Set([1]));
  });

  test('a chosen change goes alone, also when its campaign was changed as well', async () => {
    await account.run();
    await account.edit('keyword', at(5), { bid: 300 });
    await account.edit('adItem', at(3), { bid: 400 });
    const chosen = { rows: [{ kind: 'adItem' as const, ids: [at(3)] }], below: false };
    expect(await account.run({ chosen })).toMatchObject({ done: 1, refused: [] });
    const bids = (await onTheService(sandbox)).filter(
      ({ campaign, bid }) => campaign === 'Rolls brand' && bid !== null,
    );
    expect(bids.map(({ kind, bid }) => `${kind} ${bid}`).sort()).toEqual(['adItem 400', 'keyword 185', 'keyword 185']);
    expect((await account.workspace.readRow({ kind: 'keyword', id: at(5) }))?.dirty).not.toBe(0);
  });
});

describe('campaign list', () => {
  /** One request as the network sees it: places in the order in which requests began and ended. */
  interface Passage {
    readonly what: string;
    readonly began: number;
    readonly ended: number;
  }

  const LIST = 'GET /api/v1/campaigns';
  let account: TestAccount;
  let passages: Passage[];

  beforeEach(async () => {
    let moment = 0;
    passages = [];
    const watched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const began = moment++;
      try {
        return await fetch(request);
      } finally {
        passages.push({ what: `${request.method} ${new URL(request.url).pathname}`, began, ended: moment++ });
      }
    };
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, fetch: watched });
  });

  const listed = (): readonly Passage[] => passages.filter(({ what }) => what === LIST);
  const sent = (): readonly Passage[] =>
    passages.filter(({ what }) => !what.startsWith('GET') && !what.endsWith('/itemSearch'));
  const inOrder = (moments: readonly number[]): boolean =>
    moments.every((at, n) => n === 0 || at > (moments[n - 1] ?? 0));

  test.each([1, 12])(
    'a sync of %i new campaigns lists them before the first is made and after the last thing is sent',
    async (count) => {
      for (let n = 0; n < count; n++) await account.create(autoDraft(`Rolls ${n}`));
      expect(await account.run()).toMatchObject({ state: 'finished', done: count * 6, refused: [], inDoubt: 0 });
      const [first, second, ...more] = listed();
      expect(more).toEqual([]);
      const firstSent = Math.min(...sent().map(({ began }) => began));
      const lastAnswered = Math.max(...sent().map(({ ended }) => ended));
      const moments = [first?.ended ?? -1, firstSent, lastAnswered, second?.began ?? -1];
      expect(moments).toSatisfy(inOrder);
      expect((await changesOf(account.workspace, { from: 0, count: 1 })).total).toBe(0);
    },
  );

  test('where something of a campaign was refused the list is read back all the same, once', async () => {
    for (let n = 0; n < 12; n++) await account.create(autoDraft(`Rolls ${n}`));
    const match = { method: 'POST', path: '/api/v1/adItems' };
    await sandbox.control.fault({ match, times: 1, kind: 'status', status: 400, message: 'Item is not eligible' });
    const report = await account.run();
    expect(report).toMatchObject({ state: 'finished', inDoubt: 0 });
    expect(report.refused.length).toBeGreaterThan(0);
    expect(listed()).toHaveLength(2);
  });

  test('a draft with an error of its own asks for no list of campaigns', async () => {
    const [campaign] = await account.create(autoDraft());
    if (campaign === undefined) throw new Error('nothing was made');
    await account.edit('campaign', campaign, { startDate: '2020-01-01' });
    expect(await account.run()).toMatchObject({ state: 'finished', done: 0, requests: 0 });
    expect(listed()).toEqual([]);
  });
});

describe('intents ahead', () => {
  const LANES = 4;
  const CAMPAIGNS = 8;
  const { control } = sandbox;
  let account: TestAccount | null;
  let isHeld: boolean;
  let held: (() => void)[];
  let most: number;

  beforeEach(async () => {
    [account, isHeld, held, most] = [null, true, [], 0];
  });
  afterEach(async () => {
    release();
  });

  /** Keeps every write on its way until `release`. */
  const heldFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (isHeld && request.method !== 'GET' && !request.url.endsWith('/itemSearch')) {
      await new Promise<void>((go) => {
        held.push(go);
        most = Math.max(most, held.length);
      });
    }
    return fetch(request);
  };

  function release(): void {
    isHeld = false;
    for (const go of held) go();
  }

  /** How far the machine's clock is ahead, in milliseconds. */
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs };

  async function withHeldCampaigns(capabilities: Capabilities): Promise<TestAccount> {
    aheadMs = 0;
    const opened = await sandbox.open({ capabilities, fetch: heldFetch, clock });
    for (let n = 0; n < CAMPAIGNS; n++) await opened.create(autoDraft(`Rolls ${n}`));
    return opened;
  }

  const sentNow = async ({ workspace }: TestAccount): Promise<number> => (await workspace.outbox.countStates()).SENT;

  const queued = (of: TestAccount): Promise<void> =>
    vi.waitFor(
      async () => {
        expect(held).toHaveLength(LANES);
        expect(await sentNow(of)).toBe(LANES + 2);
      },
      { timeout: 120_000 },
    );

  test('two intents wait on the disk for the next free slots, and never more requests are under way than slots', async () => {
    account = await withHeldCampaigns(WITH_EXTENSIONS);
    const of = account;
    const run = of.run();
    await queued(of);
    release();
    expect(await run).toMatchObject({ state: 'finished', done: CAMPAIGNS * 6, refused: [], inDoubt: 0 });
    expect(most).toBe(LANES);
  });

  test('no intent waits of a kind that no read shows, since after a crash a person would have to say what became of it', async () => {
    account = await withHeldCampaigns(DOCUMENTED_ONLY);
    const of = account;
    const run = of.run();
    await vi.waitFor(() => expect(held).toHaveLength(LANES), { timeout: 120_000 });
    expect(await sentNow(of)).toBe(LANES);
    release();
    expect(await run).toMatchObject({ state: 'finished', done: CAMPAIGNS * 6 });
  });

  test('what waited for its slot when a sync is cancelled is proven unsent, and goes with the next sync', async () => {
    account = await withHeldCampaigns(WITH_EXTENSIONS);
    const of = account;
    const run = of.run();
    await queued(of);
    of.sync.cancel();
    release();
    expect(await run).toMatchObject({ state: 'cancelled', done: LANES, inDoubt: 0 });
    expect((await control.state()).campaigns).toHaveLength(LANES);
    const entries = await of.workspace.outbox.readRequestLog({ after: 0, count: 100 });
    const classes = entries.flatMap(({ receipts }) => receipts.map((receipt) => receipt.class));
    expect(classes.toSorted()).toEqual([...Array(LANES).fill('ELEMENTS'), 'NOT_SENT', 'NOT_SENT']);
    expect(await of.run()).toMatchObject({ state: 'finished', refused: [] });
    expect((await control.state()).campaigns).toHaveLength(CAMPAIGNS);
  });

  test('an intent that waited long is dated anew before its request, so that its settle window counts from there', async () => {
    account = await withHeldCampaigns(WITH_EXTENSIONS);
    const of = account;
    const run = of.run();
    await queued(of);
    aheadMs = 30_000;
    held.shift()?.();
    // Its place is taken by an intent that is half a minute old by now.
    await vi.waitFor(() => expect(held).toHaveLength(LANES), { timeout: 120_000 });
    // What was let go is written down a moment later, and no longer live then.
    const oldOnes = async (): Promise<number> =>
      (await of.workspace.outbox.live()).filter(({ sentAt }) => clock.nowMs() - sentAt >= 30_000).length;
    await expect.poll(oldOnes).toBe(LANES);
    release();
    expect(await run).toMatchObject({ state: 'finished', refused: [] });
  });
});

describe('run life', () => {
  /** What somebody sees who looks the moment the end of a run is announced, as the window does. */
  interface SeenAtTheEnd {
    readonly runId: string;
    readonly report: SyncReport | null;
    readonly couldBeCancelled: boolean;
  }
  let account: TestAccount;
  let seen: SeenAtTheEnd[];

  const look = (event: AppEvent): void => {
    if (event.type !== 'sync.progress' || event.phase !== 'done') return;
    seen.push({ runId: event.runId, report: account.sync.report(), couldBeCancelled: account.sync.cancel() });
  };

  beforeEach(async () => {
    seen = [];
    account = await sandbox.open({ onEvent: look });
  });

  test('whoever hears that a run is done reads its finished report, once per run', async () => {
    await account.create(autoDraft());
    const first = await account.run({ submit: true });
    const second = await account.run({ submit: true });
    expect(seen).toEqual([
      { runId: first.runId, report: first, couldBeCancelled: false },
      { runId: second.runId, report: second, couldBeCancelled: false },
    ]);
    expect([first.state, second.state]).toEqual(['finished', 'finished']);
  });

  test('a run that only cancels reviews says when it is done, too', async () => {
    const ids = await account.create(sbaDraft(await addLogo(account)));
    await account.run({ submit: true });
    seen = [];
    const started = await account.sync.reviews.cancel(ids.slice(0, 1));
    expect(started.ok).toBe(true);
    const report = await account.sync.idle();
    expect(seen).toEqual([{ runId: report?.runId, report, couldBeCancelled: false }]);
  });

  test('a run that is cancelled or finds no service says when it is done, too', async () => {
    await account.create(autoDraft());
    const started = await account.sync.run({ submit: false, campaignIds: null });
    expect(started.ok && account.sync.cancel()).toBe(true);
    const cancelled = await account.sync.idle();
    await account.close();
    account = await openAccount({
      sandbox: { ...sandbox, ready: { ...sandbox.ready, baseUrl: 'http://127.0.0.1:9' } },
      onEvent: look,
    });
    await account.create(autoDraft());
    const stopped = await account.run();
    expect(seen.map(({ report }) => report?.state)).toEqual([cancelled?.state, stopped.state]);
    expect([cancelled?.state, stopped.state]).toEqual(['cancelled', 'stopped']);
  });

  /** What a write of the last report throws, as it arrives from the thread that writes. */
  const REFUSALS = [
    ['a full disk', new Error('database or disk is full'), 'disk'],
    ['a fault of ours', new TypeError('Cannot read properties of undefined'), 'defect'],
  ] as const;

  test.each(REFUSALS)(
    'a report that %s keeps from the disk says so and holds up no run',
    async (_what, thrown, cause) => {
      await account.create(autoDraft());
      const { setMeta } = account.workspace;
      const refuse: typeof setMeta = (key, value) =>
        key === 'last-sync-report' ? Promise.reject(structuredClone(thrown)) : setMeta(key, value);
      Object.assign(account.workspace, { setMeta: refuse });
      const told = { state: 'stopped', stoppedBy: { cause, detail: thrown.message } };
      expect(await account.run()).toMatchObject({ ...told, done: 6 });
      expect(seen.map(({ report }) => report)).toMatchObject([told]);
      Object.assign(account.workspace, { setMeta });
      expect(await account.run()).toMatchObject({ state: 'finished', stoppedBy: null });
    },
  );

  test('reads asked for while others are under way, and a run asked for during them, all come to their end', async () => {
    await account.create(autoDraft());
    const reads = [account.sync.refresh(), account.sync.reviews.poll(), account.sync.refresh()];
    const run = await account.run();
    expect((await Promise.all(reads)).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(run).toMatchObject({ state: 'finished', inDoubt: 0, questions: 0 });
  });
});
