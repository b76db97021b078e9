import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readQuirks } from '../../sandbox/quirks.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { at } from '../store/a-workspace.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, openAccount, type TestAccount } from './an-account.ts';
import { answerTruly, countThings, onTheService } from './control.ts';
import { practiceService } from './practice-service.ts';

let account: TestAccount;

describe('practice run', () => {
  const sandbox = practiceService();
  const { control } = sandbox;

  test.each([
    ['documented calls alone', DOCUMENTED_ONLY],
    ['the extensions', WITH_EXTENSIONS],
  ])('with %s a draft of every kind goes live: synced, its video awaited, reviewed', async (_, capabilities) => {
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
  });

  test('what somebody else changed meanwhile becomes a conflict and is not overwritten', async () => {
    account = await sandbox.open();
    const ids = await account.create(autoDraft());
    await account.run();
    const row = await account.workspace.readRow({ kind: 'adItem', id: at(ids, 2) });
    await control.console(`ad-items/${row?.remoteId}`, { bid: 7.25 });
    await account.edit('adItem', at(ids, 2), { bid: 199 });
    const report = await account.run();
    expect(report).toMatchObject({ done: 0 });
    expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', base: 160, mine: 199, theirs: 725 }]);
    const resolved = await account.sync.resolve([
      { ref: { kind: 'adItem', id: at(ids, 2) }, field: 'bid', take: 'mine' },
    ]);
    expect(resolved).toBe(1);
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
    expect((await account.sync.status()).reachable).toBe(false);
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

describe('a service that refuses a list of none', () => {
  const sandbox = practiceService({ extensions: false, quirks: readQuirks('none=not-found') });

  test('fault V13: profiles are created and reviews are asked for where there is none yet', async () => {
    account = await sandbox.open();
    await account.create(sbaDraft(null));
    await account.create(videoDraft(await addVideo(account)));
    await account.run();
    await sandbox.control.advance('PT31M');
    const report = await account.run({ submit: true });
    expect(report).toMatchObject({ state: 'finished', refused: [], untouched: 0, reviews: 2, inReview: 2 });
    expect(await account.workspace.summary()).toMatchObject({ changed: 0, questions: 0 });
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

  test('fault M6: a backup from before a lost answer gives each row that was found its own ID', async () => {
    account = await sandbox.open({ folder });
    const ids = await account.create(autoDraft());
    await account.close();
    await copyFile(database(), backup());
    account = await sandbox.open({ folder });
    await control.fault({ match: { method: 'POST', path: '/api/v1/adItems' }, times: 1, kind: 'drop-after' });
    expect(await account.run()).toMatchObject({ state: 'finished', questions: 0, inDoubt: 0 });
    const itemIds = async () => {
      const items = await Promise.all(ids.slice(2, 4).map((id) => account.workspace.readRow({ kind: 'adItem', id })));
      return items.map((row) => row?.remoteId);
    };
    const found = await itemIds();
    expect(new Set(found).size).toBe(2);
    await restore();

    expect(await itemIds()).toEqual(found);
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
