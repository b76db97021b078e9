import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import { launchOperations } from '../../main/service/launch.ts';
import { createBannerSwaps } from '../../main/store/account-settings.ts';
import { applyRollback, previewRollback } from '../../main/sync/rollback.ts';
import { SWAPS_MAX } from '../../shared/api/limits.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { beginSwap, offeredSwap, type SwapState, swapState } from '../../shared/lifecycle/swap.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate, type RowId } from '../../shared/model/scalars.ts';
import { offeredSteps } from '../../shared/plan/offered-steps.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { fail } from '../../shared/result.ts';
import { at, pick } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { answering } from '../ui/answering.ts';
import { addLogo, autoDraft, sbaDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import { practiceService } from './practice-service.ts';

let account: TestAccount;

describe('campaign state', () => {
  /** The state that an account shows, through the real client and store, while the service lives through virtual time. */
  const START = Date.parse('2030-03-01T20:00:00Z');
  const TODAY = '2030-03-01' as PlainDate;
  const sandbox = practiceService({ now: new Date(START).toISOString() });
  const { control } = sandbox;
  let nowMs = START;
  const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => performance.now(), sleep: async () => undefined };

  const open = (capabilities = WITH_EXTENSIONS) => sandbox.open({ capabilities, clock });
  async function pass(hours: number): Promise<void> {
    nowMs += hours * 3_600_000;
    await control.advance(`PT${hours}H`);
  }

  beforeEach(async () => {
    nowMs = START;
    account = await open();
  });

  async function shown(): Promise<string> {
    await account.workspace.rowsWithErrors();
    const [tree] = await account.workspace.readTrees('all');
    const { campaignState, stateSource } = tree?.campaign.values ?? {};
    return `${campaignState}, ${stateSource}`;
  }
  async function nextStep(campaignId: RowId) {
    const input = await account.sync.planInput([campaignId]);
    const [tree] = input.trees;
    return tree === undefined ? undefined : offeredSteps(tree, input).missing[0];
  }
  const inLaunch = async (part: 'upcoming' | 'live'): Promise<number> => {
    const today = async () => (await account.sync.planInput([])).today;
    const { workspace, sync } = account;
    const profile = defaultDeploymentSettings('shop.example');
    const context = { account: { workspace, profile, reports: { today }, sync: async () => sync } } as never;
    const listed = await launchOperations.launch.list(context, { part, from: 0, count: 9 } as never);
    return listed.ok ? listed.value.launches.length : -1;
  };
  const refresh = async (): Promise<string> => {
    expect((await account.sync.refresh()).ok).toBe(true);
    return shown();
  };
  const onService = async (): Promise<string> => (await control.state()).campaigns[0]?.status ?? '';

  test('from draft to extended: each read of the list is a report, and each write makes an estimate until the next', async () => {
    const rows = autoDraft().map((row) =>
      row.kind === 'campaign'
        ? { ...row, values: { ...row.values, startDate: TODAY, endDate: addDays(TODAY, 9) } }
        : row,
    );
    const [campaignId = 0 as RowId] = await account.create(rows);
    expect(await shown()).toBe('draft, local');
    await account.run();
    await pass(2);
    expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);

    await account.edit('campaign', campaignId, { status: 'paused' });
    // What was not sent changes nothing.
    expect(await shown()).toBe('live, service');
    await account.run();
    expect([await shown(), await onService()]).toEqual(['paused, service', 'paused']);

    const enable = await nextStep(campaignId);
    expect(enable).toMatchObject({ step: 'enable', fix: { way: 'write', values: { status: 'enabled' } } });
    if (enable?.fix.way !== 'write') throw new Error('nothing to write');
    await account.edit('campaign', campaignId, enable.fix.values);
    expect(await nextStep(campaignId)).toMatchObject({ step: 'sync' });
    expect(await account.run()).toMatchObject({ refused: [] });
    await pass(1);
    expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);

    // Nobody reads the list, and its last day passes.
    await pass(24 * 10);
    expect(await shown()).toBe('ended, estimated');
    expect([await refresh(), await onService()]).toEqual(['ended, service', 'completed']);
    // It can be extended, but it is not upcoming.
    expect([await inLaunch('upcoming'), await inLaunch('live')]).toEqual([0, 1]);

    const extend = await nextStep(campaignId);
    expect(extend).toMatchObject({ step: 'extend', fix: { way: 'write', values: { endDate: '2030-03-20' } } });
    if (extend?.fix.way !== 'write') throw new Error('nothing to write');
    await account.edit('campaign', campaignId, { ...extend.fix.values });
    expect(await account.run()).toMatchObject({ refused: [] });
    await pass(1);
    expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);
  });

  test('a review that moves ends a report, and the list is read again in the same refresh', async () => {
    const start = addDays(TODAY, 5);
    const [campaignId = 0 as RowId] = await account.create(
      sbaDraft(null).map((row) =>
        row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate: start } } : row,
      ),
    );
    await account.run({ submit: true });
    await pass(1);
    await account.run({ submit: true });
    expect(await shown()).toBe('in-review, estimated');
    const [review] = await account.sync.reviews.list();
    await control.decideAll(String(review?.reviewId), 'approved');
    expect([await refresh(), await onService()]).toEqual(['scheduled, service', 'scheduled']);
    await pass(24 * 6);
    expect(await shown()).toBe('live, estimated');
    expect(await refresh()).toBe('live, service');
    const before = await account.workspace.readRow({ kind: 'campaign', id: campaignId });
    await pass(1);
    await refresh();
    const after = await account.workspace.readRow({ kind: 'campaign', id: campaignId });
    if (before?.kind !== 'campaign' || after?.kind !== 'campaign') throw new Error('the campaign is gone');
    // A read that finds nothing new is still a newer read.
    expect(Date.parse(after.values.stateAsOf ?? '')).toBe(Date.parse(before.values.stateAsOf ?? '') + 3_600_000);
  });

  test('with documented calls only somebody in the console is told to enable it, and the count of live campaigns is of states', async () => {
    await account.close();
    account = await open(DOCUMENTED_ONLY);
    const [campaignId = 0 as RowId] = await account.create(
      sbaDraft(null).map((row) =>
        row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate: TODAY } } : row,
      ),
    );
    const decide = async (verdict: 'approved' | 'rejected'): Promise<void> => {
      const [review] = (await account.sync.reviews.list()).filter(({ status }) => status !== 'approved');
      await control.decideAll(String(review?.reviewId), verdict);
      expect((await account.sync.reviews.poll()).ok).toBe(true);
    };
    await account.run({ submit: true });
    await pass(1);
    await account.run({ submit: true });
    const asOf = async (): Promise<string | null> =>
      (await account.workspace.readTrees([campaignId]))[0]?.campaign.values.stateAsOf ?? null;
    await pass(1);
    expect((await account.sync.reviews.poll()).ok).toBe(true);
    // The review is where it was, and that was said just now.
    expect([await shown(), await asOf()]).toEqual(['in-review, estimated', new Date(nowMs).toISOString()]);
    await decide('approved');
    await pass(1);
    expect([await shown(), await onService()]).toEqual(['live, estimated', 'live']);
    expect((await account.workspace.outbox.liveAndInReviewCounts()).live).toBe(1);
    const group = (await account.workspace.readTrees([campaignId]))[0]?.adGroups[0];
    await account.create([
      {
        kind: 'keyword',
        parent: { id: group?.id ?? (0 as RowId) },
        values: { text: 'more rolls', matchType: 'exact', bid: 185, state: 'enabled' },
      },
    ]);
    await account.run({ submit: true });
    expect([await shown(), await onService()]).toEqual(['live, estimated', 'live']);
    await decide('rejected');
    expect([await shown(), await onService()]).toEqual(['rejected, estimated', 'paused']);
    const profile = (await account.workspace.readTrees([campaignId]))[0]?.sbaProfiles[0];
    await account.edit('sbaProfile', profile?.id ?? (0 as RowId), { headline: 'Rolls for the better days' });
    await account.run({ submit: true });
    expect([await shown(), await onService()]).toEqual(['paused, estimated', 'paused']);
    await decide('approved');
    expect([await shown(), await onService()]).toEqual(['paused, estimated', 'paused']);
    expect(await nextStep(campaignId)).toMatchObject({ step: 'enable', fix: { way: 'outside' } });
  });
});

describe('swap', () => {
  const profile = defaultDeploymentSettings('shop.example');
  const sandbox = practiceService();
  const { control } = sandbox;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adslate-swap-'));
    account = await sandbox.open({ folder, capabilities: WITH_EXTENSIONS });
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function theTree() {
    return at(await account.workspace.readTrees('all'), 0);
  }

  /** Where it stands, read anew from the files of the account. */
  async function standing(): Promise<SwapState> {
    const tree = await theTree();
    const swap = await createBannerSwaps(account.workspace).of(tree.campaign.id);
    const state = swap === null ? null : swapState(tree, swap, profile.sba.singleEnabled);
    if (state === null) throw new Error('no swap is under way');
    return state;
  }

  async function restart(): Promise<void> {
    await account.close();
    account = await sandbox.open({ folder, capabilities: WITH_EXTENSIONS });
  }

  /** Does what the present step asks for; a review is waited for. */
  async function obey({ move }: SwapState): Promise<void> {
    if (move?.way === 'edit') await account.edit('sbaProfile', move.id, { headline: 'Rolls for guests' });
    if (move?.way === 'write') await account.edit('sbaProfile', move.id, { status: move.status });
    if (move?.way === 'sync') expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
    if (move?.way === 'submit') expect(await account.run({ submit: true })).toMatchObject({ reviews: 1 });
    if (move?.way === 'look' && move.at === 'rows') await account.sync.refresh();
    if (move?.way === 'look' && move.at === 'reviews') {
      await control.advance('P4D');
      await account.sync.reviews.poll();
    }
  }

  test('a live campaign gets another banner without a pause, through a restart at every step', async () => {
    const logo = await addLogo(account);
    const ids = await account.create(sbaDraft(logo));
    const [campaignId, groupId] = pick(ids, 0, 1);
    await account.create([
      {
        kind: 'sbaProfile',
        parent: { id: groupId },
        values: {
          brand: 'Northwind',
          headline: 'Rolls for later',
          clickUrl: 'https://shop.example/browse/later',
          logo,
          status: 'disabled',
        },
      },
    ]);
    await account.run();
    await control.advance('PT31M');
    expect(await account.run({ submit: true })).toMatchObject({ reviews: 1 });
    await control.advance('P4D');
    await account.sync.reviews.poll();
    await control.advance('P1900D');
    await account.sync.refresh();
    expect((await theTree()).campaign.values.serviceStatus).toBe('live');

    const offered = offeredSwap(await theTree());
    if (offered === null) throw new Error('the campaign has two profiles');
    const swaps = createBannerSwaps(account.workspace);
    const forgets = async () => {
      const context = { account: { workspace: account.workspace, swaps, profile } } as never;
      const found = await launchOperations.bannerSwaps.state(context, { campaignId } as never);
      return found.ok ? found.value?.forgets : found;
    };
    expect(await forgets()).toBeNull();
    const [towels] = pick(await account.create([{ kind: 'campaign', parent: null, values: { name: 'Towels' } }]), 0);
    for (let no = 0; no < SWAPS_MAX; no++)
      await swaps.keep(beginSwap(offered, no === 0 ? towels : asRowId(100_000 + no)));
    expect(await forgets()).toBe('Towels');
    await call(account.workspace, 'workspace', 'undo');
    expect(await forgets()).toBe('');
    await swaps.keep(beginSwap(offered, campaignId));
    expect(await swaps.of(towels)).toBeNull();
    const steps: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      await restart();
      const state = await standing();
      if (steps.at(-1) !== state.step) steps.push(state.step);
      if (state.step === 'done') break;
      await obey(state);
      expect((await control.state()).campaigns.map(({ status }) => status)).toEqual(['live']);
    }
    expect(steps.filter((step) => step !== 'disable')).toEqual(['edit', 'send', 'review', 'enable', 'done']);
    const shown = (await theTree()).sbaProfiles.map(({ id, values }) => [id, values.headline, values.status]);
    expect(shown).toEqual([
      [offered.from.id, 'Rolls for every day', 'disabled'],
      [offered.to.id, 'Rolls for guests', 'enabled'],
    ]);
    // The service took every request: nothing was asked of it that it refuses on a live campaign.
    expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
  });
});

describe('take back', () => {
  /** A sync that was sent by mistake is taken back: looked at, put into the drafts, and sent like any edit. */
  const sandbox = practiceService();
  let items: readonly RowId[];

  beforeEach(async () => {
    account = await sandbox.open();
    const ids = await account.create(autoDraft());
    items = ids.slice(2, 4);
    await account.run();
  });

  const bidOf = async (id: RowId | undefined): Promise<unknown> => {
    const row = id === undefined ? null : await account.workspace.readRow({ kind: 'adItem', id });
    return row?.kind === 'adItem' ? row.values.bid : null;
  };
  async function lastRun(): Promise<string> {
    return at(await account.workspace.outbox.sentRuns(), 0).runId;
  }

  test('earlier values come back as one step that can be looked at, undone, and sent', async () => {
    const [first, second] = pick(items, 0, 1);
    await account.edit('adItem', first, { bid: 999 });
    await account.edit('adItem', second, { bid: 888 });
    await account.run();
    // Nothing to send: such a run is none that could be taken back.
    await account.run();
    const runId = await lastRun();
    // One of the two has been changed again meanwhile, so it stays.
    await account.edit('adItem', second, { bid: 200 });

    const preview = await previewRollback(account.workspace, runId, DOCUMENTED_ONLY);
    expect(preview).toMatchObject({
      run: { elements: 2 },
      firstChanges: [{ id: first, field: 'bid', now: 999, back: 160, campaign: 'Rolls auto' }],
      forGood: 0,
      firstChangedSince: [{ id: second, sent: 888, now: 200 }],
    });
    expect(await applyRollback(account.workspace, runId, DOCUMENTED_ONLY)).toMatchObject({ value: { cells: 1 } });
    expect([await bidOf(first), await bidOf(second)]).toEqual([160, 200]);
    await call(account.workspace, 'workspace', 'undo');
    expect(await bidOf(first)).toBe(999);
    await call(account.workspace, 'workspace', 'redo');
    expect(await account.run()).toMatchObject({ done: 2, refused: [] });
    await account.sync.refresh();
    expect([await bidOf(first), await bidOf(second)]).toEqual([160, 200]);
  });

  test('what was created is switched off, and what stays for good is named before anything is done', async () => {
    const preview = await previewRollback(account.workspace, await lastRun(), DOCUMENTED_ONLY);
    expect(preview?.firstChanges.map(({ kind, field, back }) => `${kind} ${field} ${back}`)).toEqual([
      'adItem status disabled',
      'adItem status disabled',
    ]);
    expect(preview?.firstForGood.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
      'campaign created-for-good',
      'adGroup created-for-good',
      'placementMultiplier created-for-good',
      'platformMultiplier created-for-good',
    ]);
    expect(await applyRollback(account.workspace, await lastRun(), DOCUMENTED_ONLY)).toMatchObject({ ok: true });
    // A moment would be in UTC and in one notation, while labels of steps are shown as they were stored.
    expect((await account.workspace.summary()).undo).toBe('Roll back a sync');
    expect(await account.run()).toMatchObject({ done: 2, refused: [] });
  });

  test('a row that is removed since its run was read is named', async () => {
    const { apply } = account.workspace;
    const id = asRowId(999_999);
    const late = answering(account.workspace, 'apply', (edit) =>
      apply({ ...edit, updates: edit.updates?.map((update) => ({ ...update, id })) ?? [] }),
    );
    expect(await applyRollback(late, await lastRun(), DOCUMENTED_ONLY)).toEqual(fail('NO_ROW', { kind: 'adItem', id }));
  });

  test('a run nobody knows is none, and one that was taken back has nothing left', async () => {
    expect(await previewRollback(account.workspace, 'nothing', DOCUMENTED_ONLY)).toBeNull();
    expect(await applyRollback(account.workspace, 'nothing', DOCUMENTED_ONLY)).toEqual(fail('NO_SYNC', {}));
    const runId = await lastRun();
    await applyRollback(account.workspace, runId, DOCUMENTED_ONLY);
    expect(await applyRollback(account.workspace, runId, DOCUMENTED_ONLY)).toEqual(fail('NOTHING_TO_DO', {}));
  });
});
