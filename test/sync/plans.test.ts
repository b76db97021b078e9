import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RemoteRecord } from '../../main/api/fetch-records.ts';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import { createFileUploader } from '../../main/files/upload/upload-file.ts';
import { addressRule, createUploadHosts } from '../../main/files/upload/upload-url-check.ts';
import { halveLimit, maxRequests } from '../../main/sync/parallel.ts';
import { type Replayed, replayPlan } from '../../main/sync/replay.ts';
import { loadAndPlan, loadPlanScope, runSync } from '../../main/sync/run.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { SyncReport } from '../../shared/api/sync.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { planText, printPlan, readPlan, type WrittenPlan, writtenPlan } from '../../shared/plan/plan-text.ts';
import { type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { at, done } from '../store/a-workspace.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { controlOf, type LoggedRequest } from './control.ts';
import { practiceService } from './practice-service.ts';
import { aContext } from './simulator/a-context.ts';
import { createModelService } from './simulator/model-service.ts';
import { createModelStore } from './simulator/model-store.ts';
import { PROFILE } from './simulator/real-store.ts';
import { seeded, virtualClock } from './simulator/seeded.ts';
import { createSimulatedAccount } from './simulator/simulated-account.ts';

describe('manners', () => {
  const sandbox = practiceService();
  const { control } = sandbox;
  let account: TestAccount | null;

  beforeEach(async () => {
    account = null;
  });

  /** Item search is a read that travels as a POST. */
  const isWrite = ({ method, path }: LoggedRequest): boolean => method !== 'GET' && !path.endsWith('/itemSearch');

  const WISH = { submit: false, campaignIds: null } as const;
  const planned = async (of: TestAccount): Promise<string> => planText((await of.sync.planned(WISH)).plan);

  test('a reviewed plan may be tried on another service first: the same draft there gives the same text', async () => {
    account = await sandbox.open();
    await account.create(sbaDraft(null));
    const plan = await planned(account);
    const elsewhere = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual' });
    const trial = await openAccount({ sandbox: elsewhere });
    try {
      await trial.create(sbaDraft(null));
      expect(await trial.run({ plan })).toMatchObject({ state: 'finished', refused: [] });
    } finally {
      await trial.close();
      await elsewhere.close();
    }
    expect(await account.run({ plan })).toMatchObject({ state: 'finished', refused: [] });
  });

  test('what is edited while a sync reads, after its plan was shown, waits for the next one', async () => {
    let edit: (() => Promise<void>) | null = null;
    const editing: typeof fetch = async (...request) => {
      const now = edit;
      edit = null;
      await now?.();
      return fetch(...request);
    };
    const here = await sandbox.open({ capabilities: WITH_EXTENSIONS, fetch: editing });
    const [, , one = 0 as RowId, other = 0 as RowId] = await here.create(autoDraft());
    await here.run(WISH);
    await here.edit('adItem', one, { bid: 177 });
    await here.edit('adItem', other, { bid: 188 });
    const { planId } = await here.sync.plan(WISH);
    edit = () => here.edit('adItem', other, { bid: 199 });
    expect(await here.run({ ...WISH, seenPlan: planId })).toMatchObject({ state: 'finished', done: 1, refused: [] });
    const next = await here.sync.plan(WISH);
    expect(next).toMatchObject({ changes: 1, updates: 1 });
    expect(await here.run({ ...WISH, seenPlan: next.planId })).toMatchObject({ state: 'finished', done: 1 });
  });

  test('what is edited while a sync waits for a request in doubt waits for the next one', async () => {
    const here = { edit: async (): Promise<void> => {} };
    const clock = hastyClock();
    const editing = {
      ...clock,
      sleep: async (delayMs: number, signal?: AbortSignal) => {
        if (delayMs > 1000) await here.edit();
        return clock.sleep(delayMs, signal);
      },
    };
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, clock: editing });
    const { edit } = account;
    const [, , one = 0 as RowId, other = 0 as RowId] = await account.create(autoDraft());
    await account.run(WISH);
    await edit('adItem', one, { bid: 177 });
    const { planId } = await account.sync.plan(WISH);
    await control.fault({ match: { method: 'PUT', path: '/api/v1/adItems' }, times: 1, kind: 'drop-before' });
    here.edit = async () => {
      here.edit = async () => {};
      await edit('adItem', other, { bid: 199 });
      // Somebody looks at what there is to send now.
      await account?.sync.plan(WISH);
    };
    expect(await account.run({ ...WISH, seenPlan: planId })).toMatchObject({ state: 'finished', done: 1, inDoubt: 0 });
    expect(await account.sync.plan(WISH)).toMatchObject({ changes: 1, updates: 1 });
  });

  test('a plan names the rows with a warning that it sends, and none that stay', async () => {
    account = await sandbox.open();
    const [, , one = 0 as RowId, other = 0 as RowId] = await account.create(autoDraft());
    await account.run(WISH);
    expect((await account.sync.plan(WISH)).warnings).toEqual([]);
    await account.edit('adItem', one, { bid: 999_900 });
    await account.edit('adItem', other, { bid: 999_900 });
    const named = async (more: object) =>
      (await account?.sync.plan({ ...WISH, ...more }))?.warnings.map(({ reason, rows, first }) => [
        reason,
        rows,
        first.map(({ id }) => id),
      ]);
    expect(await named({})).toEqual([['item.bid-high', 2, [one, other]]]);
    const chosen = { rows: [{ kind: 'adItem', ids: [other] }], below: false };
    expect(await named({ chosen })).toEqual([['item.bid-high', 1, [other]]]);
  });

  test('a plan of selected rows reads the selection once, for any number of campaigns', async () => {
    const here = await sandbox.open();
    const ids: RowId[] = [];
    for (let n = 0; n < 3; n++) ids.push(...(await here.create(autoDraft())).slice(2));
    let readings = 0;
    const counted = Object.defineProperty([...ids], Symbol.iterator, {
      value: function* () {
        readings++;
        yield* ids;
      },
    });
    const chosen = { rows: [{ kind: 'adItem' as const, ids: counted }], below: false };
    const { changes, notIncluded } = await here.sync.plan({ ...WISH, chosen });
    expect([changes + notIncluded, readings]).toEqual([ids.length + 6, 1]);
  });

  test('a plan of many campaigns tells how far it is', async () => {
    const here = await sandbox.open();
    await here.create(Array.from({ length: 50 }, (_, no) => autoDraft(`Lamps ${no}`).slice(0, 1)).flat());
    const shares: number[] = [];
    await here.sync.plan(WISH, (share) => void shares.push(share));
    expect(shares).toEqual([0.5, 1]);
  });

  test('a plan says which errors keep a row from being sent', async () => {
    account = await sandbox.open();
    const [, , one = 0 as RowId] = await account.create(autoDraft());
    await account.run(WISH);
    await account.edit('adItem', one, { bid: null });
    const { leftOut } = await account.sync.plan(WISH);
    expect(leftOut.map(({ reason, first }) => [reason, first.map(({ label }) => label)])).toEqual([
      ['has-errors', [expect.stringMatching(/: Item without a bid$/)]],
    ]);
  });

  test('a plan counts every campaign that starts later, and names the first of them', async () => {
    account = await sandbox.open();
    const names = Array.from({ length: 10 }, (_, at) => `Later ${at}`);
    const ids: RowId[] = [];
    for (const name of names) ids.push((await account.create(autoDraft(name)))[0] ?? (0 as RowId));
    await account.edit('campaign', ids[9] ?? (0 as RowId), { startDate: '2030-03-01' });
    const { scheduled } = (await account.sync.plan(WISH)).effects;
    expect(scheduled).toMatchObject({ campaigns: 10, from: '2030-03-01' });
    expect(scheduled.first.map(({ label }) => label)).toEqual(names.slice(0, 8));
  });

  test('a plan names the campaigns that it submits for review, also without a change of their own', async () => {
    account = await sandbox.open();
    const [id = 0 as RowId] = await account.create(sbaDraft(await addLogo(account), 'Brand'));
    await account.create(autoDraft('Rolls'));
    const { submitted, scheduled } = (await account.sync.plan({ ...WISH, submit: true })).effects;
    expect([submitted, scheduled.campaigns]).toEqual([['Brand'], 2]);
    // Without its review it stays a draft.
    const unsubmitted = (await account.sync.plan({ ...WISH, submit: false })).effects.scheduled;
    expect(unsubmitted.first.map(({ label }) => label)).toEqual(['Rolls']);
    await account.run({ submit: false });
    const rest = await account.sync.plan({ ...WISH, submit: true, campaignIds: [id] });
    expect(rest).toMatchObject({ changes: 0, reviews: 1, effects: { submitted: ['Brand'] } });
    expect((await account.sync.plan({ ...WISH, submit: false })).effects.submitted).toEqual([]);
  });

  test('a plan counts for review only what it submits, and says what keeps other campaigns from it', async () => {
    account = await sandbox.open();
    const [id = 0 as RowId, , profile = 0 as RowId] = await account.create(
      sbaDraft(await addLogo(account), 'Brand').map((row) =>
        row.kind === 'sbaProfile' ? { ...row, values: { ...row.values, headline: null } } : row,
      ),
    );
    const effects = async (options: Partial<Parameters<TestAccount['sync']['plan']>[0]> = {}) =>
      (await account?.sync.plan({ ...WISH, submit: true, ...options }))?.effects;
    expect(await effects()).toMatchObject({
      review: 0,
      submitted: [],
      unsubmitted: { campaigns: 1, first: [{ kind: 'sbaProfile', id: profile, label: 'Brand', why: 'has-errors' }] },
    });
    await account.edit('sbaProfile', profile, { headline: 'Rolls for every day' });
    expect(await effects()).toMatchObject({ review: 6, submitted: ['Brand'], unsubmitted: { campaigns: 0 } });
    expect(await effects({ submit: false })).toMatchObject({
      review: 0,
      unsubmitted: { campaigns: 1, first: [{ kind: 'campaign', id, why: 'off' }] },
    });
    const chosen = {
      rows: [],
      below: false,
      picks: [{ campaignId: id, kind: 'adItem', id: null, on: false }],
    } as const;
    expect(await effects({ chosen })).toMatchObject({ review: 0, unsubmitted: { first: [{ why: 'not-chosen' }] } });
  });

  test('the report of a sync keeps which campaigns were not submitted, as its plan said', async () => {
    account = await sandbox.open();
    await account.create(
      sbaDraft(await addLogo(account), 'Brand').map((row) =>
        row.kind === 'sbaProfile' ? { ...row, values: { ...row.values, headline: null } } : row,
      ),
    );
    await account.create(sbaDraft(await addLogo(account), 'Other'));
    const { unsubmitted } = (await account.sync.plan({ ...WISH, submit: true })).effects;
    expect(unsubmitted.first).toMatchObject([{ label: 'Brand', why: 'has-errors' }]);
    expect((await account.run({ submit: true })).unsubmitted).toEqual(unsubmitted);
    const kept = JSON.parse((await account.workspace.getMeta('last-sync-report')) ?? '{}');
    expect(kept).toMatchObject({ unsubmitted });
    expect(SyncReport.parse({ ...kept, unsubmitted: undefined }).unsubmitted).toEqual({ campaigns: 0, first: [] });
  });

  test('a video campaign is counted for review only when its video can be submitted', async () => {
    account = await sandbox.open();
    await account.create(videoDraft(await addVideo(account), 'Film'));
    const { effects, reviews } = await account.sync.plan({ ...WISH, submit: true });
    expect([reviews, effects.submitted, effects.unsubmitted.first.map(({ why }) => why)]).toEqual([1, ['Film'], []]);
  });

  test('a plan has the daily budgets of all campaigns that run, before and after, and the difference of each that changes', async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
    const [paused = 0 as RowId] = await account.create(autoDraft('Rolls one'));
    const [id = 0 as RowId] = await account.create(autoDraft('Rolls two'));
    await account.run();
    await account.edit('campaign', id, { dailyBudget: 4000 });
    expect(await account.sync.plan(WISH)).toMatchObject({
      leftOut: [],
      budgets: {
        before: 7500,
        after: 7750,
        campaigns: [{ label: 'Rolls two', before: 3750, after: 4000 }],
        more: 0,
      },
    });
    await account.edit('campaign', paused, { status: 'paused' });
    const one = { label: 'Rolls one', before: 3750, after: 0 };
    const two = { label: 'Rolls two', before: 3750, after: 4000 };
    expect((await account.sync.plan(WISH)).budgets).toMatchObject({ before: 7500, after: 4000, campaigns: [one, two] });
    // Somebody else pauses it, and it is enabled here.
    const { outbox } = account.workspace;
    const { remoteId } = (await account.workspace.readRow({ kind: 'campaign', id: paused })) ?? { remoteId: null };
    const theirs = {
      kind: 'campaign',
      remoteId,
      campaignId: null,
      adGroupId: null,
      values: { status: 'paused' },
    } as const;
    await outbox.merge({ epoch: (await outbox.takeOwnership()).epoch, rows: [theirs] });
    expect((await account.sync.plan(WISH)).budgets).toMatchObject({ before: 3750, after: 4000, campaigns: [two] });
    await account.edit('campaign', paused, { status: 'enabled' });
    const enabled = { label: 'Rolls one', before: 0, after: 3750 };
    expect((await account.sync.plan(WISH)).budgets).toMatchObject({
      before: 3750,
      after: 7750,
      campaigns: [enabled, two],
    });
  });

  test('the ledger has every request with its rows, their ids and what became of it, and no credentials', async () => {
    account = await sandbox.open();
    await control.fault({ match: { method: 'POST', path: '/api/v1/adItems' }, times: 1, kind: 'drop-after' });
    await account.create(autoDraft());
    await account.run();
    const entries = await account.workspace.outbox.readRequestLog({ after: 0, count: 100 });
    const { rows } = entries.find(({ kind }) => kind === 'campaign') ?? { rows: [] };
    expect(rows).toMatchObject([{ kind: 'campaign', state: 'DONE', remoteId: expect.stringMatching(/^\d+$/) }]);
    const items = entries.find(({ kind }) => kind === 'adItem');
    expect(items?.receipts.map((receipt) => receipt.class)).toEqual(['IN_DOUBT', 'ADOPTED', 'ADOPTED']);
    const text = JSON.stringify(entries);
    for (const { token, privateKeyPem } of sandbox.ready.accounts) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(privateKeyPem.slice(60, 120));
    }
    const logged = (await control.requests()).filter(isWrite);
    expect(entries.map(({ correlationId }) => correlationId)).toEqual(logged.map(({ correlationId }) => correlationId));
  });

  test('a limit met halves the requests at once, and every two quiet minutes give one back', async () => {
    const clock = virtualClock();
    const random = seeded(1);
    const service = createModelService(random, clock);
    const process = createSimulatedAccount(service, clock, createModelStore(PROFILE), random).process(null);
    const ctx = aContext(await process.own());
    expect(maxRequests(ctx)).toBe(4);
    halveLimit(ctx);
    expect(maxRequests(ctx)).toBe(2);
    halveLimit(ctx);
    halveLimit(ctx);
    expect(maxRequests(ctx)).toBe(1);
    void clock.sleep(119_000);
    expect(maxRequests(ctx)).toBe(1);
    void clock.sleep(1000);
    expect(maxRequests(ctx)).toBe(2);
    void clock.sleep(120_000);
    expect(maxRequests(ctx)).toBe(3);
    void clock.sleep(600_000);
    expect([maxRequests(ctx), maxRequests(ctx)]).toEqual([4, 4]);
  });

  test('a clock that is set forward while something is in doubt proves nothing: the window begins anew', async () => {
    const started = Date.now();
    const time = { wallMs: started, monotonicMs: 0 };
    const slept: number[] = [];
    const clock = {
      nowMs: () => time.wallMs,
      monotonicMs: () => time.monotonicMs,
      sleep: async (ms: number) => {
        slept.push(ms);
        // In the first wait, the one for the window, somebody sets the clock an hour on.
        time.wallMs += slept.length === 1 ? 3_600_000 : ms;
        time.monotonicMs += slept.length === 1 ? 1000 : ms;
      },
    };
    account = await sandbox.open({ clock });
    await account.create(autoDraft());
    await control.fault({ match: { method: 'POST', path: '/api/v1/adItems' }, times: 1, kind: 'drop-before' });
    expect(await account.run()).toMatchObject({ state: 'finished', inDoubt: 0, refused: [] });
    expect(slept.filter((ms) => ms >= 119_000)).toHaveLength(2);
    expect(time.monotonicMs).toBeGreaterThan(119_000);
  });

  test('what a budget has left outlives the process, and a run waits for what is missing', async () => {
    const profile = { ...PROFILE, batch: { max: 50, keywords: 50 }, rate: { ...PROFILE.rate, opsPerHour: 8 } };
    account = await sandbox.open({ profile });
    await account.create(autoDraft('A'));
    await account.create(autoDraft('B'));
    const before = account.clock.nowMs();
    expect(await account.run()).toMatchObject({ state: 'finished', done: 12, refused: [] });
    // Twelve changes at eight an hour: four of them wait until the first ones are an hour old.
    expect(account.clock.nowMs() - before).toBeGreaterThan(60 * 60_000);
  });
});

describe('one plan', () => {
  /** One plan per sync: what was shown is what is asked about and sent, as long as nothing it depends on has changed. */
  const sandbox = practiceService();
  let account: TestAccount;

  beforeEach(async () => {
    account = await sandbox.open();
  });

  const ALL = { submit: false, campaignIds: null } as const;

  async function draft(): Promise<RowId> {
    const made = done(await account.workspace.apply({ label: 'draft', source: 'user', creates: autoDraft() }));
    const campaign = at(made.touched, 0);
    return campaign.id;
  }
  async function show(options: { readonly submit: boolean; readonly campaignIds: null } = ALL): Promise<Plan> {
    const { planId } = await account.sync.plan(options);
    const shown = account.sync.shownPlan(planId);
    if (shown === null) throw new Error('no plan');
    return shown.plan;
  }
  const toSend = async (options: { readonly submit: boolean; readonly campaignIds: null } = ALL): Promise<Plan> =>
    (await account.sync.planToSend(options)).plan;

  test('the question before a large sync reads the plan that was shown', async () => {
    await draft();
    const shown = await show();
    expect(await toSend()).toBe(shown);
    expect(await toSend()).toBe(shown);
  });

  test('an edit, another wish, and what the service has done since have it planned again', async () => {
    const id = await draft();
    const shown = await show();
    const other = await toSend({ ...ALL, submit: true });
    expect(other).not.toBe(shown);
    const renamed = [{ kind: 'campaign', id, field: 'name', value: 'Renamed since' }] as const;
    await account.workspace.apply({ label: 'rename', source: 'user', updates: renamed });
    const again = await toSend();
    expect(again).not.toBe(shown);
    expect(again.batches[0]?.elements[0]?.sent['name']).toBe('Renamed since');

    const before = await show();
    await account.run();
    expect(await toSend()).not.toBe(before);
    expect((await toSend()).batches).toEqual([]);
  });

  test('a run sends the plan that was shown, and makes none', async () => {
    const clock = virtualClock();
    const random = seeded(1);
    const store = createModelStore(PROFILE);
    const service = createModelService(random, clock);
    store.setNow(clock.nowMs());
    store.apply({ label: 'draft', source: 'user', creates: sbaDraft(null) });
    const ports = await createSimulatedAccount(service, clock, store, random).process(null).own();
    const preview = aContext(ports);
    const shown = await loadAndPlan(preview, await loadPlanScope(preview, null));
    expect(shown.elements).toBeGreaterThan(3);

    let planned = 0;
    const ctx = aContext({
      ...ports,
      unchangedPlan: () => shown,
      runInSlices: (work) => {
        planned++;
        return ports.runInSlices(work);
      },
    });
    await runSync(ctx);
    expect(planned).toBe(0);
    expect(ctx.state.tally.done).toBe(shown.elements);
  });
});

describe('replay', () => {
  /** A plan file played on a service that nobody has used, beside the sync of the same drafts. */
  let real: RunningSandbox;
  let fresh: RunningSandbox;
  let account: TestAccount;

  const EMPTY = { credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true } as const;

  beforeEach(async () => {
    real = await startSandbox(EMPTY);
    fresh = await startSandbox(EMPTY);
    account = await openAccount({ sandbox: real, capabilities: WITH_EXTENSIONS });
    return () => Promise.all([account.close(), real.close(), fresh.close()]);
  });

  /** The plan as it comes back from its text. */
  async function planOf(submit: boolean): Promise<WrittenPlan> {
    const { plan } = await account.sync.planned({ submit, campaignIds: null });
    const read = done(readPlan(printPlan(writtenPlan(plan)).trimEnd().split('\n')));
    return read;
  }

  async function replay(plan: WrittenPlan): Promise<readonly Replayed[]> {
    const api = apiOf(fresh);
    const hosts = createUploadHosts({ getMeta: async () => null, setMeta: async () => {} }, Date.now);
    const mediaFile = (row: { readonly values: { readonly sha256: string | null } }): string =>
      join(account.folder, 'media', row.values.sha256 ?? '');
    const rule = addressRule(fresh.ready.baseUrl, []);
    const uploader = createFileUploader(rule, hosts, mediaFile, {
      cut: new AbortController().signal,
      isLate: () => false,
    });
    const media = new Map((await account.workspace.readMedia()).map((row) => [row.id, row]));
    try {
      return await replayPlan(plan, { api, uploader, media, advance: controlOf(fresh).advance });
    } finally {
      api.close();
    }
  }

  const outcomes = (replayed: readonly Replayed[]) => ({
    accepted: replayed.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: replayed.flatMap(({ refused }) => refused.map(({ kind, message }) => `${kind}: ${message}`)),
    notSent: replayed.flatMap(({ notSent }) => notSent ?? []),
  });

  /** All that a service holds, row by row with every value; ids and the name of an upload are of one service alone. */
  async function stateOf(sandbox: RunningSandbox): Promise<readonly string[]> {
    const api: PartnerApi = apiOf(sandbox);
    const lines: string[] = [];
    const add = (campaign: string, records: readonly RemoteRecord[]): void => {
      for (const { kind, values } of records) {
        const shown = Object.entries(values).filter(([name]) => !/Id$|^video$|Url$/.test(name));
        lines.push(
          `${campaign} ${kind} ${JSON.stringify(Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))))}`,
        );
      }
    };
    for (const campaign of done(await api.campaigns())) {
      const name = String(campaign.values['name']);
      const type = campaign.values['campaignType'];
      add(name, [campaign]);
      add(name, done(await api.adItems(campaign.remoteId)));
      if (type === 'sponsoredProducts') {
        add(name, done(await api.multipliers('placementMultiplier', campaign.remoteId)));
        add(name, done(await api.multipliers('platformMultiplier', campaign.remoteId)));
      }
      for (const group of done(await api.adGroups(campaign.remoteId))) {
        add(name, [group]);
        add(name, done(await api.keywords(campaign.remoteId, group.remoteId)));
        if (type === 'sba') add(name, done(await api.sbaProfiles(group.remoteId)));
        if (type === 'video') {
          const profiles = done(await api.videoProfiles(campaign.remoteId, group.remoteId));
          lines.push(`${name} videos ${profiles.length}`);
        }
        const reviews = done(await api.reviews(group.remoteId));
        lines.push(`${name} reviews ${JSON.stringify(reviews.map(({ state }) => state))}`);
      }
    }
    const media = done(await api.media(null)).map(({ name, state }) => `${name?.split(' ·')[0]} ${state}`);
    api.close();
    return [...lines, `media ${media.toSorted().join(', ')}`].toSorted();
  }

  test('after a replay the new service holds what the real one holds after the sync of the same drafts', async () => {
    await account.create(sbaDraft(await addLogo(account)));
    await account.create(autoDraft());
    await account.create(videoDraft(await addVideo(account)));
    // The plan of an account of another advertiser becomes one of the service it is played on.
    const plan = await planOf(true);
    const requests = plan.requests.map((request) => ({
      ...request,
      elements: request.elements.map((one) => ({
        ...one,
        body: one.body.replace('"advertiserId":900001', '"advertiserId":1234567'),
      })),
    }));
    expect(requests).not.toEqual(plan.requests);
    const replayed = await replay({ ...plan, requests });
    expect(outcomes(replayed)).toMatchObject({ refused: [], notSent: [] });

    // The real service works on the video for a while, and makes a proposal of a campaign a moment later.
    await account.run({ submit: true });
    await controlOf(real).advance('PT1H');
    await account.run({ submit: true });
    await controlOf(real).advance('PT1M');
    expect(await account.run({ submit: true })).toMatchObject({ refused: [], untouched: 0 });
    const state = await stateOf(real);
    expect(state.filter((line) => line.includes(' reviews ["'))).toHaveLength(2);
    expect(state.filter((line) => / (campaign|adGroup|sbaProfile|keyword) /.test(line)).length).toBeGreaterThan(9);
    // Both services have had the same time since the last row came.
    await controlOf(fresh).advance('PT1H');
    expect(await stateOf(fresh)).toEqual(state);
  });

  test('what the new service does not have is refused in its words, and the rest goes on', async () => {
    const ids = await account.create(autoDraft('There'));
    await account.run();
    await account.edit('adItem', at(ids, 2), { bid: 333 });
    await account.create(autoDraft('New'));
    const { accepted, refused, notSent } = outcomes(await replay(await planOf(false)));
    expect({ accepted, notSent }).toEqual({ accepted: 6, notSent: [] });
    expect(refused).toEqual([expect.stringMatching(/^adItem: ./)]);
  });

  test('a refused row takes what hangs from it along, and a picture that is gone is told', async () => {
    await account.create(sbaDraft(await addLogo(account)));
    const plan = await planOf(false);
    const withoutLogo = plan.requests.map((request) => ({
      ...request,
      elements: request.elements.map((element) => ({ ...element, file: null })),
    }));
    expect(outcomes(await replay({ ...plan, requests: withoutLogo })).notSent).toEqual([
      'its picture is no longer in the library',
    ]);
    const spoiled = plan.requests.map((request, at) =>
      at === 0
        ? {
            ...request,
            elements: request.elements.map((one) => ({ ...one, body: one.body.replace('"sba"', '"none"') })),
          }
        : request,
    );
    const { accepted, refused, notSent } = outcomes(await replay({ ...plan, requests: spoiled }));
    expect(accepted).toBe(0);
    expect(refused).toHaveLength(1);
    expect(notSent).toHaveLength(plan.requests.length - 1);
    expect(notSent[0]).toMatch(/^campaign\/\d+ is not on the service$/);
  });
});
