import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Review } from '../../shared/api/reviews.ts';
import { addDays, dateInZone } from '../../shared/model/plain-date.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { answerTruly, countThings, onTheService } from './control.ts';
import { practiceService } from './practice-service.ts';

let account: TestAccount;

describe('practice run', () => {
  const sandbox = practiceService();
  const { control } = sandbox;

  test.each([
    ['documented calls alone', DOCUMENTED_ONLY],
    ['the extensions', WITH_EXTENSIONS],
  ])(
    'with %s a draft of every kind goes live: synced, its video awaited, reviewed, started',
    async (_, capabilities) => {
      account = await sandbox.open({ capabilities });
      await account.create(sbaDraft(await addLogo(account)));
      await account.create(videoDraft(await addVideo(account)));
      await account.create(autoDraft());

      const first = await account.run({ submit: true });
      expect(first).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0, uploads: 1 });
      await control.advance('PT31M');
      const second = await account.run({ submit: true });
      expect(second).toMatchObject({ state: 'finished', refused: [], untouched: 0, reviews: 2, inReview: 2 });
      expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0, questions: 0 });

      await control.advance('P4D');
      const polled = await account.sync.reviews.poll();
      expect(polled.ok && polled.value.map(({ status }) => status)).toEqual(['approved', 'approved']);
      await control.advance('P1900D');
      const states = (await control.state()).campaigns.map(({ name, status }) => `${name}: ${status}`);
      expect(states.toSorted()).toEqual(['Rolls auto: live', 'Rolls brand: live', 'Rolls video: live']);
    },
  );

  test('what somebody else changed meanwhile becomes a conflict and is not overwritten', async () => {
    account = await sandbox.open();
    const ids = await account.create(autoDraft());
    await account.run();
    const row = await account.workspace.readRow({ kind: 'adItem', id: ids[2] as never });
    await control.console(`ad-items/${row?.remoteId}`, { bid: 7.25 });
    await account.edit('adItem', ids[2] as never, { bid: 199 });
    const report = await account.run();
    expect(report).toMatchObject({ done: 0 });
    expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', base: 160, mine: 199, theirs: 725 }]);
    const resolved = await account.sync.resolve([
      { ref: { kind: 'adItem', id: ids[2] as never }, field: 'bid', take: 'mine' },
    ]);
    expect(resolved.ok).toBe(true);
    expect(await account.run()).toMatchObject({ done: 1, refused: [] });
  });

  test('a refresh brings what the service has into an empty workspace', async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
    await account.create(sbaDraft(await addLogo(account)));
    await account.create(autoDraft());
    await account.run();
    await account.close();
    account = await sandbox.open({ capabilities: 'probe' });
    expect((await account.sync.refresh()).ok).toBe(true);
    const trees = await account.workspace.readTrees('all');
    const counts = trees.map((tree) => [
      tree.campaign.values.name,
      tree.adGroups.length,
      tree.adItems.length,
      tree.keywords.length,
      tree.sbaProfiles.length,
      tree.placementMultipliers.length + tree.platformMultipliers.length,
    ]);
    expect(counts).toEqual([
      ['Rolls brand', 1, 1, 2, 1, 0],
      ['Rolls auto', 1, 2, 0, 0, 2],
    ]);
    expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
  });

  test('a service that cannot be reached stops the run with nothing sent', async () => {
    account = await openAccount({
      sandbox: { ...sandbox, ready: { ...sandbox.ready, baseUrl: 'http://127.0.0.1:9' } },
    });
    await account.create(autoDraft());
    expect(await account.run()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'unreachable' }, inDoubt: 0 });
    expect((await account.sync.standing()).reachable).toBe(false);
  });

  test('a profile on the service that looks like one of ours, and is not, is told about', async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
    await account.create(sbaDraft(await addLogo(account)));
    await account.run();
    const [campaign] = (await control.state()).campaigns;
    const adGroupId = campaign?.adGroups[0]?.adGroupId;
    const body = JSON.stringify([
      {
        campaignId: campaign?.campaignId,
        adGroupId,
        searchAmpName: 'Northwind',
        headlineText: 'Rolls for every day',
        clickUrl: 'https://shop.example/browse/rolls',
      },
    ]);
    const api = apiOf(sandbox);
    const shape = { elements: 1, idNames: ['sbaProfileId'], needsId: true, isTaken: () => false };
    await api.send({ method: 'POST', path: '/api/v2/sba_profile', body, correlationId: 'somebody-else', shape });
    api.close();
    await account.sync.refresh();
    const notices = account.events.filter((event) => event.type === 'notice').map(({ message }) => message);
    expect(notices).toEqual([expect.stringContaining('another SBA profile "Northwind: Rolls for every day"')]);
  });
});

describe('restore', () => {
  const sandbox = practiceService();
  const { control } = sandbox;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adslate-restore-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const database = () => join(folder, 'workspace.db');
  const backup = () => join(folder, 'backup.db');

  async function restore(): Promise<void> {
    await account.close();
    for (const suffix of ['', '-wal', '-shm']) await rm(database() + suffix, { force: true });
    await copyFile(backup(), database());
    account = await sandbox.open({ folder });
  }

  test('a backup from before a sync sends nothing a second time', async () => {
    account = await sandbox.open({ folder });
    await account.create(sbaDraft(await addLogo(account)));
    await account.create(videoDraft(await addVideo(account)));
    await account.create(autoDraft());
    await account.close();
    await copyFile(database(), backup());
    account = await sandbox.open({ folder });
    expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
    await restore();

    const again = await account.run();
    expect(again).toMatchObject({ state: 'finished', refused: [], questions: 0, inDoubt: 0 });
    await control.advance('PT31M');
    await account.run();
    const counts = countThings(await onTheService(sandbox));
    expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
    expect(Object.keys(counts)).toHaveLength(17);
  });

  test('a backup from before a lost answer asks instead of sending again', async () => {
    account = await sandbox.open({ folder });
    await account.create(autoDraft());
    await account.close();
    await copyFile(database(), backup());
    account = await sandbox.open({ folder });
    await control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-after' });
    expect(await account.run()).toMatchObject({ questions: 1 });
    await restore();

    expect(await account.run()).toMatchObject({ questions: 1, done: 0 });
    expect(await answerTruly(account, sandbox)).toBe(1);
    expect(await account.run()).toMatchObject({ questions: 0, refused: [] });
    expect(Object.values(countThings(await onTheService(sandbox))).every((count) => count === 1)).toBe(true);
  });
});

describe('day in the life', () => {
  /*
   * A week of an account that is not migrated yet, with documented calls alone: three campaigns, an upload whose
   * address is over, a token that runs out, a second editor in the retailer's console, two rejections, and the item ids
   * changing their form under it. In the end every campaign is live, and the ledger explains how.
   */
  const ADVERTISER = 900002;
  /** A week before the item ids of everybody change their form. */
  const MONDAY = '2026-07-20T12:00:00Z';
  const sandbox = practiceService({ now: MONDAY });
  const { control } = sandbox;
  let isTokenOver = false;

  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adslate-week-'));
    isTokenOver = false;
    account = await open(false);
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const open = (migrated: boolean): Promise<TestAccount> =>
    sandbox.open({
      folder,
      advertiserId: ADVERTISER,
      migrated,
      capabilities: DOCUMENTED_ONLY,
      clock: hastyClock(Date.parse(MONDAY) - Date.now()),
      fetch: (input, init) => {
        const request = new Request(input, init);
        if (isTokenOver) request.headers.set('Authorization', 'Bearer over');
        return fetch(request);
      },
    });

  async function itemIds(text: string): Promise<readonly string[]> {
    const found = await account.sync.searchItems({ text });
    if (!found.ok || found.value.length < 3) throw new Error(`no items: ${JSON.stringify(found)}`);
    return found.value.map(({ itemId }) => itemId);
  }

  /** The drafts of the other tests, with items of this account and a start in five days. */
  async function make(draft: ReturnType<typeof autoDraft>, items: readonly string[]): Promise<readonly RowId[]> {
    const start = addDays(dateInZone(Date.parse(MONDAY), 'America/Los_Angeles'), 5);
    let next = 0;
    const rows = draft.map((row) => {
      if (row.kind === 'campaign') return { ...row, values: { ...row.values, startDate: start } };
      return row.kind === 'adItem' ? { ...row, values: { ...row.values, itemId: items[next++] ?? '' } } : row;
    });
    return account.create(rows);
  }

  const openReviews = async (): Promise<readonly Review[]> => {
    const polled = await account.sync.reviews.poll();
    if (!polled.ok) throw new Error(JSON.stringify(polled.error));
    return polled.value.filter(({ status }) => status === 'pending' || status === 'in-progress');
  };

  test('a week with all that can happen ends with every campaign live and a ledger that explains each step', async () => {
    const items = await itemIds('a');
    const brand = await make(sbaDraft(await addLogo(account)), items);
    const video = await make(videoDraft(await addVideo(account)), items);
    const auto = await make(autoDraft(), items);

    // Monday: the first address for the video is over, and the token runs out in the middle of the first sync.
    await control.fault({ match: { method: 'PUT', path: '/upload/video/*' }, times: 1, kind: 'status', status: 403 });
    isTokenOver = true;
    expect(await account.run({ submit: true })).toMatchObject({ stoppedBy: { cause: 'credentials' }, inDoubt: 0 });
    isTokenOver = false;
    expect(await account.run({ submit: true })).toMatchObject({ state: 'finished', refused: [], uploads: 1 });
    await control.advance('PT31M');
    expect(await account.run({ submit: true })).toMatchObject({ state: 'finished', refused: [], untouched: 0 });

    // Tuesday: somebody else raises a bid in the console that is lowered here as well.
    const item = await account.workspace.readRow({ kind: 'adItem', id: auto[2] as never });
    await control.console(`ad-items/${item?.remoteId}`, { bid: 7.25 });
    await account.edit('adItem', auto[2] as never, { bid: 199 });
    expect(await account.run()).toMatchObject({ done: 0 });
    expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', mine: 199, theirs: 725 }]);
    await account.sync.resolve([{ ref: { kind: 'adItem', id: auto[2] as never }, field: 'bid', take: 'mine' }]);
    expect(await account.run()).toMatchObject({ done: 1, refused: [] });

    // Wednesday: two rejections. The brand's words are edited, the video's keyword gets another beside it.
    const first = await openReviews();
    expect(first).toHaveLength(2);
    for (const { reviewId, campaign, components } of first) {
      if (campaign === 'Rolls brand') await control.decideAll(reviewId, 'rejected');
      else {
        const verdicts = components.map(({ type, id }) =>
          type === 'keyword' ? { type, id, status: 'rejected', reason: 'Too broad' } : { type, id, status: 'approved' },
        );
        await control.decide(reviewId, verdicts);
      }
    }
    expect(await openReviews()).toEqual([]);
    const rejected = await account.sync.reviews.list();
    expect(rejected.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const reasons = rejected.flatMap(({ components }) => components.map(({ reason }) => reason));
    expect(reasons).toContain('Too broad');
    await account.edit('sbaProfile', brand[2] as never, { headline: 'Rolls for the whole house' });
    const values = { text: 'paper towel', matchType: 'exact', bid: 185 };
    await account.create([{ kind: 'keyword', parent: { id: video[1] as never }, values }]);
    expect(await account.run()).toMatchObject({ done: 2, refused: [] });
    await account.sync.reviews.submit([brand[0] as never, video[0] as never]);
    expect(await account.sync.idle()).toMatchObject({ refused: [], reviews: 2 });

    // Thursday: the item ids of the account change their form; what is there keeps working, new items have new ids.
    await control.migrate(ADVERTISER);
    await account.close();
    account = await open(true);
    const newIds = await itemIds('a');
    expect(newIds[0]).not.toBe(items[0]);
    await account.sync.refresh();
    expect(await account.workspace.summary()).toMatchObject({ conflicts: 0 });
    const bid = { bid: 180, status: 'enabled', itemId: newIds[2] ?? '' };
    await account.create([{ kind: 'adItem', parent: { id: auto[1] as never }, values: bid }]);
    expect(await account.run()).toMatchObject({ done: 1, refused: [] });

    // Friday: approved; the week ends, and everything is live.
    for (const { reviewId } of await openReviews()) await control.decideAll(reviewId, 'approved');
    await openReviews();
    await control.advance('P7D');
    const states = (await control.state()).campaigns.map(({ name, status }) => `${name}: ${status}`);
    expect(states.toSorted()).toEqual(['Rolls auto: live', 'Rolls brand: live', 'Rolls video: live']);
    expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0, questions: 0 });

    const entries = await account.workspace.outbox.ledger({ after: 0, count: 1000 });
    const logged = (await control.requests()).filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/api/'),
    );
    const known = new Set(entries.map(({ correlationId }) => correlationId));
    const unexplained = logged.filter(
      ({ path, correlationId }) => !READS_BY_POST.has(path) && !known.has(correlationId ?? ''),
    );
    expect(unexplained).toEqual([]);
    expect(entries.every(({ receipts, rows }) => receipts.length > 0 && rows.length > 0)).toBe(true);
    const classes = entries.flatMap(({ receipts }) => receipts.map((receipt) => receipt.class));
    // What had its turn after the token ran out was never sent, or was refused; nothing else went wrong.
    expect(new Set(classes.filter((one) => one !== 'AUTH' && one !== 'NOT_SENT'))).toEqual(new Set(['ELEMENTS']));
    expect(classes.length).toBeGreaterThan(classes.filter((one) => one === 'ELEMENTS').length);
  });

  /** These change nothing, or ask for an address that expires unused. */
  const READS_BY_POST: ReadonlySet<string> = new Set(['/api/v1/itemSearch', '/api/v1/media/upload']);
});
