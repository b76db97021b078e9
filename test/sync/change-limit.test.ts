import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readQuirks } from '../../sandbox/quirks.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import {
  HOUR_MS,
  inLastHour,
  learnLimit,
  limitOf,
  MINUTE_MS,
  NOTHING_LEARNED,
  readChangeLimit,
  type SentChanges,
  sentBy,
  waitFor,
} from '../../shared/plan/change-limit.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { share } from '../share.ts';
import { autoDraft, sbaDraft } from './a-draft.ts';
import { type AccountOptions, hastyClock, type TestAccount } from './an-account.ts';
import { onTheService } from './control.ts';
import { type PracticeService, practiceService } from './practice-service.ts';
import { watchProgress } from './stepped-clock.ts';

const USUAL = defaultDeploymentSettings('shop.example');
const SMALL = { ...USUAL, batch: { max: 5, keywords: 5 } };

/**
 * An account whose waits pass on the service as well: while nothing is under way, so that no hour goes by between a request
 * and its arrival. Waits at the same time pass together, the shortest first.
 */
function openOn({ control, open }: PracticeService, options: Omit<AccountOptions, 'sandbox'> = {}) {
  const clock = hastyClock();
  const { quiet, ...progress } = watchProgress();
  const ends: number[] = [];
  let passing: Promise<void> = Promise.resolve();
  const pass = async (): Promise<void> => {
    await quiet();
    const ms = Math.min(...ends.filter((end) => end > clock.nowMs())) - clock.nowMs();
    if (ms === Number.POSITIVE_INFINITY) return;
    // The service first: what is sent between the two is sent after the wait.
    await control.advance(`PT${Math.ceil(ms / 1000)}S`);
    await clock.sleep(ms);
  };
  const sleep = async (ms: number): Promise<void> => {
    const end = clock.nowMs() + ms;
    ends.push(end);
    while (clock.nowMs() < end) {
      passing = passing.then(pass);
      await passing;
    }
  };
  return open({ ...options, ...progress, clock: { ...clock, sleep } });
}

async function refusals(service: PracticeService): Promise<number> {
  return (await service.control.requests()).filter(({ status }) => status === 429).length;
}

const limitIn = ({ workspace }: TestAccount) => workspace.outbox.changeLimit({ changes: 0 });
const drafts = async (account: TestAccount, from: number, count: number): Promise<void> => {
  for (let at = from; at < from + count; at++) await account.create(autoDraft(`Draft ${at}`));
};

describe('a service that names its limit', () => {
  const sandbox = practiceService({ operationsPerHour: 20 });

  const CALLS = [
    ['documented calls only', {}],
    ['all calls', { capabilities: WITH_EXTENSIONS }],
  ] as const;
  test.each(share('services that name their limit', CALLS, 2))(
    'with %s is never asked for more than it names, which its first answer does',
    async (_, calls) => {
      const account = await openOn(sandbox, { ...calls, profile: SMALL });
      const { clock } = account;
      expect(await limitIn(account)).toMatchObject({ perHour: 3000, from: 'settings', left: 3000 });
      await drafts(account, 1, 5);
      expect(await account.sync.plan({ submit: false, campaignIds: null })).toMatchObject({ sentBy: null });
      expect(await account.run()).toMatchObject({ state: 'finished', done: 30, refused: [] });
      expect(await refusals(sandbox)).toBe(0);
      const known = { perHour: 20, from: 'service', seen: 0 };
      expect(await limitIn(account)).toMatchObject(known);
      await drafts(account, 6, 5);
      const plan = await account.sync.plan({ submit: false, campaignIds: null });
      expect(plan).toMatchObject({ changeLimit: known });
      expect(await account.run()).toMatchObject({ state: 'finished', done: 30 });
      expect(await refusals(sandbox)).toBe(0);
      // The plan has said when it is over. Whole requests leave a part of an hour unused.
      expect(Math.abs(clock.nowMs() - (plan.sentBy ?? 0))).toBeLessThan(HOUR_MS + 5 * MINUTE_MS);
    },
  );
});

describe('while a sync waits for the next hour', () => {
  const sandbox = practiceService({ operationsPerHour: 20 });

  test('what a colleague changes in the console is not written over', async () => {
    const acts: (() => Promise<unknown>)[] = [];
    const reasons = new Set<string | undefined>();
    const onEvent = (event: AppEvent): void => {
      if (event.type !== 'sync.progress' || event.retryAt === null) return;
      reasons.add(event.waitsFor);
      for (const act of acts.splice(0)) void act();
    };
    const account = await openOn(sandbox, { profile: SMALL, onEvent });
    const items: RowId[] = [];
    for (let at = 1; at <= 12; at++) items.push(...(await account.create(autoDraft(`Draft ${at}`))).slice(2, 4));
    expect(await account.run()).toMatchObject({ state: 'finished', done: 72 });
    const rowOf = async (id: RowId) => {
      const row = await account.workspace.readRow({ kind: 'adItem', id });
      if (row?.kind !== 'adItem') throw new Error('no item');
      return row;
    };
    for (const id of items) await account.edit('adItem', id, { bid: 177 });
    const [disabled = asRowId(0), outbid = asRowId(0)] = items.slice(-2);
    const consoleOf = async (id: RowId) => `ad-items/${(await rowOf(id)).remoteId}`;
    const [first, second] = [await consoleOf(disabled), await consoleOf(outbid)];
    acts.push(
      () => sandbox.control.console(first, { status: 'disabled' }),
      () => sandbox.control.console(second, { bid: 7.25 }),
    );
    // Twenty an hour: the last campaigns are due after the wait.
    expect(await account.run()).toMatchObject({ state: 'finished', done: 23, refused: [], untouched: 0 });
    expect(acts).toEqual([]);
    expect([...reasons]).toEqual(['hourly-limit']);
    expect((await rowOf(disabled)).values).toMatchObject({ bid: 177, status: 'disabled' });
    expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', base: 160, mine: 177, theirs: 725 }]);
    const there = (await onTheService(sandbox)).filter(({ kind }) => kind === 'adItem');
    expect(there.map(({ bid }) => bid ?? 0).toSorted((a, b) => a - b)).toEqual([...Array<number>(23).fill(177), 725]);
    const { campaignId } = await rowOf(disabled);
    await account.sync.refresh(campaignId === null ? null : [campaignId]);
    expect((await rowOf(disabled)).values.status).toBe('disabled');
  });
});

describe('a service whose limit is lower than one request', () => {
  const sandbox = practiceService({ operationsPerHour: 3 });

  test('gets the request in parts, each no larger than its limit', async () => {
    const account = await openOn(sandbox);
    const values = { matchType: 'exact', bid: 185, state: 'enabled' };
    const texts = Array.from({ length: 8 }, (_, at) => `paper roll ${at}`);
    const keywords = texts.map(
      (text) => ({ kind: 'keyword', parent: { at: 1 }, values: { ...values, text } }) as const,
    );
    await account.create([...sbaDraft(null), ...keywords]);
    expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
    expect(await refusals(sandbox)).toBe(0);
  });
});

const UNNAMED = share('services that say nothing of their limit', ['', ',retry-after=none'], 2);
describe.each(UNNAMED)('a service that says nothing of its limit%s', (more) => {
  const sandbox = practiceService({
    operationsPerHour: 20,
    quirks: readQuirks(`hourly-limit=unnamed${more}`),
  });

  test('is learned from, and more is tried where it takes more', async () => {
    const account = await openOn(sandbox, { profile: SMALL });
    await drafts(account, 1, 8);
    expect(await account.run()).toMatchObject({ state: 'finished', done: 48, refused: [] });
    const learned = await limitIn(account);
    expect(learned).toMatchObject({ from: 'learned' });
    // A last request may be half over the limit, and an hour may be one that was tried for more.
    expect(learned.perHour).toBeGreaterThanOrEqual(15);
    expect(learned.perHour).toBeLessThanOrEqual(36);
    const before = await refusals(sandbox);
    await sandbox.control.rate(2000);
    await drafts(account, 9, 30);
    const began = account.clock.nowMs();
    expect(await account.run()).toMatchObject({ state: 'finished', done: 180 });
    expect(await refusals(sandbox)).toBe(before);
    // At the limit that was learned first it would take 9 hours.
    expect(account.clock.nowMs() - began).toBeLessThan(8.5 * HOUR_MS);
  });
});

const sign = fc.record({
  is: fc.constantFrom('named' as const, 'refused' as const, 'used-up' as const),
  perHour: fc.integer({ min: 1, max: 5000 }),
  changes: fc.integer({ min: 0, max: 5000 }),
  asked: fc.integer({ min: 0, max: 5000 }),
  isWaitNamed: fc.boolean(),
  at: fc.integer({ min: 0, max: 100 * HOUR_MS }),
});

test('a limit is never above the one that is named, nor above a chosen setting, and never stops all changes', () => {
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 40 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.boolean(),
      (signs, set, own) => {
        const record = signs.toSorted((a, b) => a.at - b.at).reduce(learnLimit, NOTHING_LEARNED);
        const { perHour } = limitOf(record, set, own);
        expect(perHour).toBeGreaterThanOrEqual(1);
        expect(perHour).toBeLessThanOrEqual(record.named !== null && !own ? record.named : set);
        if (record.named !== null) expect(perHour).toBeLessThanOrEqual(record.named);
      },
    ),
  );
});

test('hours that agree make a learned limit surer, another one begins anew, and quiet hours raise it', () => {
  const refused = (hour: number, changes: number) =>
    ({ is: 'refused', changes, asked: 3, isWaitNamed: true, at: hour * 2 * HOUR_MS }) as const;
  const sure = [refused(1, 900), refused(2, 925), refused(3, 880)].reduce(learnLimit, NOTHING_LEARNED);
  expect(limitOf(sure, 3000, false)).toEqual({ perHour: 900, from: 'learned', seen: 3 });
  const other = learnLimit(sure, refused(4, 300));
  expect(limitOf(other, 3000, false)).toEqual({ perHour: 300, from: 'learned', seen: 1 });
  const together = [16, 13, 10].map((changes, at) => ({ ...refused(6, changes), at: 12 * HOUR_MS + at }));
  expect(limitOf(together.reduce(learnLimit, NOTHING_LEARNED), 3000, false)).toMatchObject({ perHour: 10, seen: 1 });
  // The hour of this computer ended between the two, and that of the service did not.
  const apart = [20, 4].map((changes, at) => ({ ...refused(6, changes), at: 12 * HOUR_MS + at }));
  expect(limitOf(apart.reduce(learnLimit, NOTHING_LEARNED), 3000, false)).toMatchObject({ perHour: 20, seen: 1 });
  const quiet = [10, 12, 14].map((hour) => ({ is: 'used-up', at: hour * HOUR_MS }) as const);
  expect(limitOf(quiet.reduce(learnLimit, other), 3000, false)).toMatchObject({ perHour: 510, from: 'learned' });
});

test.each([
  ['once', [[0, 300]], 'settings'],
  [
    'twice within a minute',
    [
      [0, 300],
      [1, 300],
    ],
    'settings',
  ],
  [
    'again after it took more',
    [
      [0, 300],
      [10, 350],
    ],
    'settings',
  ],
  [
    'again hours later',
    [
      [0, 300],
      [200, 300],
    ],
    'settings',
  ],
  [
    'again minutes later, having taken no more',
    [
      [0, 300],
      [10, 305],
    ],
    'learned',
  ],
  [
    'at once, and again minutes later',
    [
      [0, 300],
      [1, 300],
      [10, 300],
    ],
    'learned',
  ],
] as const)('a service that names no wait and refuses %s shows a limit only of the hour', (_, refusals, from) => {
  const signs = refusals.map(
    ([minute, changes]) =>
      ({ is: 'refused', changes, asked: 50, isWaitNamed: false, at: HOUR_MS + minute * MINUTE_MS }) as const,
  );
  const record = signs.reduce(learnLimit, NOTHING_LEARNED);
  expect(limitOf(readChangeLimit(JSON.stringify(record)), 3000, false)).toMatchObject({ from });
});

test('no hour has more than the limit, and the last change goes when the plan says', () => {
  const counts = fc.array(fc.record({ at: fc.integer({ min: 0, max: 59 }), changes: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      counts,
      fc.integer({ min: 1, max: 80 }),
      fc.integer({ min: 5, max: 30 }),
      (minutes, changes, perHour) => {
        let now = HOUR_MS;
        let sent: readonly SentChanges[] = inLastHour(
          minutes.map((minute) => ({ ...minute, at: minute.at * MINUTE_MS })),
          now,
        );
        const told = sentBy(sent, changes, perHour, now);
        for (let left = changes; left > 0; left--) {
          now += waitFor(inLastHour(sent, now), 1, perHour, now);
          sent = [...sent, { at: Math.floor(now / MINUTE_MS) * MINUTE_MS, changes: 1 }];
        }
        // Counting by the minute adds at most one for every hour of waiting.
        expect(now).toBeGreaterThanOrEqual(told);
        expect(now - told).toBeLessThanOrEqual((1 + (told - HOUR_MS) / HOUR_MS) * MINUTE_MS);
      },
    ),
  );
});
