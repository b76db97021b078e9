import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CampaignToAdd } from '../../shared/api/campaigns.ts';
import { campaignLines, campaignsOf } from '../../shared/item-ids/campaign-lines.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { importSession } from '../files/an-exchange.ts';
import { at, changesOf, done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { autoDraft, sbaDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { type PracticeService, practiceService } from './practice-service.ts';

let there: TestAccount;
let here: TestAccount;

/**
 * Campaigns that somebody else made on the same advertiser account are taken in by their ids: `there` is the colleague's
 * workspace, `here` ours, which has never seen them.
 */
let control: Control;

async function start(service: PracticeService, extensions: boolean): Promise<void> {
  const capabilities = extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY;
  ({ control } = service);
  there = await service.open({ capabilities });
  here = await service.open({ capabilities });
}

interface Made {
  readonly campaign: RemoteId;
  readonly group: RemoteId;
}

/** Makes a campaign on the service from the colleague's workspace. */
async function made(draft: Parameters<TestAccount['create']>[0]): Promise<Made> {
  const [campaign, group] = (await there.create(draft)) as [RowId, RowId];
  await there.run();
  const campaignRow = await there.workspace.readRow({ kind: 'campaign', id: campaign });
  const groupRow = await there.workspace.readRow({ kind: 'adGroup', id: group });
  if (campaignRow?.remoteId == null || groupRow?.remoteId == null) throw new Error('the draft was not created');
  return { campaign: campaignRow.remoteId, group: groupRow.remoteId };
}

const wanted = (id: string, more: Partial<CampaignToAdd> = {}): CampaignToAdd => ({
  id,
  name: null,
  campaignType: null,
  targetingType: null,
  adGroups: [],
  ...more,
});

async function takeIn(campaigns: readonly CampaignToAdd[]) {
  const taken = done(await here.sync.addCampaigns(campaigns, 'pasted'));
  return { ...taken, told: taken.outcomes.map(({ kind, id, outcome }) => `${kind} ${id} ${outcome}`) };
}
const treesHere = (): Promise<readonly CampaignTree[]> => here.workspace.readTrees('all');
const knownHere = async () => done(await call(here.workspace, 'campaignIds', 'list', { from: 0, count: 100 })).ids;

/** What must hold of an account that has only taken in: no edit, no error, nothing to send. */
async function expectQuiet(): Promise<void> {
  const { changes } = await changesOf(here.workspace, { from: 0, count: 10 });
  expect(changes).toEqual([]);
  const { counts } = await here.workspace.issues(0, 10, null);
  expect(counts.error).toBe(0);
  const plan = await here.sync.plan({ submit: true, campaignIds: null });
  expect([plan.requests, plan.elements, plan.leftOut]).toEqual([0, 0, []]);
}

describe('a service that has no list of campaigns', () => {
  const service = practiceService({ extensions: false });
  beforeEach(() => start(service, false));

  test('a campaign id alone brings the campaign with the items, which say where they hang', async () => {
    const { campaign, group } = await made(autoDraft('Rolls'));
    const { told, withoutGroup, stoppedBy } = await takeIn([wanted(campaign, { name: 'Rolls of a colleague' })]);
    expect(told).toEqual([`campaign ${campaign} added`, `adGroup ${group} added`]);
    expect([withoutGroup, stoppedBy]).toEqual([[], null]);
    const [tree] = await treesHere();
    expect(tree?.campaign.values).toMatchObject({ name: 'Rolls of a colleague', dailyBudget: null, startDate: null });
    const [theirs] = await there.workspace.readTrees('all');
    expect(tree?.adItems.map(({ remoteId, values: { bid } }) => [remoteId, bid])).toEqual(
      theirs?.adItems.map(({ remoteId, values: { bid } }) => [remoteId, bid]),
    );
    await expectQuiet();
  });

  test('a campaign without a name is called by its ID, and what its type does not have is no failure', async () => {
    const { campaign } = await made(autoDraft('Rolls'));
    await takeIn([wanted(campaign)]);
    const [tree] = await treesHere();
    if (tree === undefined) throw new Error('the campaign was not added');
    expect(rowLabel(tree.campaign)).toBe(`campaign ${campaign}`);
    expect((await here.workspace.campaignFacts()).map(({ name }) => name)).toEqual([campaign]);
    expect(here.events.filter((event) => event.type === 'notice')).toEqual([]);
  });

  test('the ad group of a brand campaign brings its profiles and gives its type away', async () => {
    const { campaign, group } = await made(sbaDraft(null));
    const { told } = await takeIn([wanted(campaign, { adGroups: [group] })]);
    expect(told).toEqual([`campaign ${campaign} added`, `adGroup ${group} added`]);
    const [tree] = await treesHere();
    expect(tree?.campaign.values.campaignType).toBe('sba');
    expect(tree?.sbaProfiles.map(({ values: { brand } }) => brand)).toEqual(['Northwind']);
    await expectQuiet();
    // Its review is somebody else's to ask for, until the user names the campaign.
    const named = tree === undefined ? [] : [tree.campaign.id];
    expect((await here.sync.plan({ submit: true, campaignIds: named })).reviews).toBe(1);
  });

  test('an id that the service does not have is told and leaves no trace', async () => {
    const { told } = await takeIn([wanted('999999999')]);
    expect(told).toEqual(['campaign 999999999 not-found']);
    expect(await treesHere()).toEqual([]);
    expect(await knownHere()).toEqual([]);
  });

  test('an ad group of another campaign, and one that is not there, are told and not taken', async () => {
    const first = await made(autoDraft('First').slice(0, 2));
    const second = await made(autoDraft('Second').slice(0, 2));
    const { told, withoutGroup } = await takeIn([wanted(first.campaign, { adGroups: [second.group, '999999998'] })]);
    expect(told).toEqual([
      `campaign ${first.campaign} added`,
      `adGroup ${second.group} not-found`,
      'adGroup 999999998 not-found',
    ]);
    expect(withoutGroup).toEqual([first.campaign]);
    expect((await knownHere()).map(({ id }) => id)).toEqual([first.campaign]);
  });

  test('what is known already is told; a name or a group that was lacking is filled in, and nothing is replaced', async () => {
    const { campaign, group } = await made(autoDraft('Rolls').slice(0, 2));
    await takeIn([wanted(campaign)]);
    const again = await takeIn([wanted(campaign, { name: 'Rolls', adGroups: [group] })]);
    expect(again.told).toEqual([`campaign ${campaign} known`, `adGroup ${group} added`]);
    const third = await takeIn([wanted(campaign, { name: 'Other', adGroups: [group] })]);
    expect(third.told).toEqual([`campaign ${campaign} known`, `adGroup ${group} known`]);
    const [tree, ...more] = await treesHere();
    expect(more).toEqual([]);
    expect(tree?.campaign.values.name).toBe('Rolls');
    await expectQuiet();
  });

  test('each id says when the service last confirmed it', async () => {
    const { campaign } = await made(autoDraft('Rolls'));
    await takeIn([wanted(campaign)]);
    const [before] = await knownHere();
    await here.clock.sleep(60_000);
    expect((await here.sync.refresh()).ok).toBe(true);
    expect((await knownHere())[0]?.confirmedAt).toBeGreaterThanOrEqual((before?.confirmedAt ?? 0) + 60_000);
  });

  test('an edit of a taken item is sent as any other, and the unknown budget never is', async () => {
    const { campaign } = await made(autoDraft('Rolls'));
    await takeIn([wanted(campaign, { name: 'Rolls', campaignType: 'sponsoredProducts', targetingType: 'auto' })]);
    const item = at(at(await treesHere(), 0).adItems, 0);
    await here.edit('adItem', item.id, { bid: 210 });
    const asked = (await control.requests()).length;
    const report = await here.run();
    expect([report.state, report.done, report.refused]).toEqual(['finished', 1, []]);
    const writes = (await control.requests()).slice(asked).filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /api/v1/adItems']);
  });

  test('a service that goes away is told, and what was not asked about is named', async () => {
    await control.fault({ match: { path: '/api/v1/multipliers/placement' }, times: 50, kind: 'drop-before' });
    const { told, stoppedBy } = await takeIn([wanted('123')]);
    expect(told).toEqual(['campaign 123 not-asked']);
    expect(stoppedBy).not.toBeNull();
    expect(await treesHere()).toEqual([]);
  });
});

describe('a service that lists campaigns', () => {
  const service = practiceService({ extensions: true });
  beforeEach(() => start(service, true));

  test('says itself what it has, whatever a person typed', async () => {
    const { campaign, group } = await made(autoDraft('Rolls'));
    const { told } = await takeIn([wanted(campaign, { name: 'Something else' }), wanted('999999999')]);
    expect(told.toSorted()).toEqual(
      [`campaign ${campaign} added`, `adGroup ${group} added`, 'campaign 999999999 not-found'].toSorted(),
    );
    const [tree] = await treesHere();
    expect(tree?.campaign.values).toMatchObject({ name: 'Rolls', dailyBudget: 3750, totalBudget: 450_000 });
    expect(tree?.adGroups[0]?.values.name).not.toBeNull();
    await expectQuiet();
  });

  test('keeps a keyword that a colleague archived apart from a new one with its text', async () => {
    const draft = sbaDraft(null);
    const { campaign } = await made(draft);
    await takeIn([wanted(campaign)]);
    const inGroup = async ({ workspace }: TestAccount) => at(at(await workspace.readTrees('all'), 0).adGroups, 0).id;
    const mug = async (account: TestAccount): Promise<RowId> => {
      const values = { text: 'mug', matchType: 'exact', bid: 185, state: 'enabled' };
      const rows = await account.create([{ kind: 'keyword', parent: { id: await inGroup(account) }, values }]);
      return at(rows, 0);
    };
    const theirs = await mug(there);
    await there.run();
    await there.edit('keyword', theirs, { state: 'archived' });
    await there.run();
    const archived = await there.workspace.readRow({ kind: 'keyword', id: theirs });
    expect(archived).toMatchObject({ base: null, values: { state: 'archived' } });
    const ours = await mug(here);
    await here.run();
    const added = await here.workspace.readRow({ kind: 'keyword', id: ours });
    expect(added?.remoteId).not.toBeNull();
    expect(added?.remoteId).not.toBe(archived?.remoteId);
    expect(added).toMatchObject({ base: null, values: { state: 'enabled' } });
  });

  test('brings drafts of colleagues with a refresh, whose reviews are not requested until the user names them', async () => {
    await made(sbaDraft(null));
    done(await here.sync.refresh());
    const [tree] = await treesHere();
    if (tree === undefined) throw new Error('the campaign was not listed');
    await expectQuiet();
    expect((await here.sync.plan({ submit: true, campaignIds: [tree.campaign.id] })).reviews).toBe(1);
  });
});

describe('sheet from elsewhere', () => {
  /** A colleague's sheet names campaigns that our workspace has never seen: it says which, and they are taken in. */
  const sandbox = practiceService({ extensions: false });
  beforeEach(async () => {
    there = await sandbox.open({ capabilities: DOCUMENTED_ONLY });
    here = await sandbox.open({ capabilities: DOCUMENTED_ONLY });
  });

  async function previewed(lines: readonly string[]) {
    const path = join(here.folder, 'theirs.csv');
    const head = 'Type,Campaign,Ad group,Campaign type,Item id,Bid,Campaign id,Ad group id';
    writeFileSync(path, [head, ...lines].join('\n'));
    const session = importSession({ path, database: join(here.folder, 'workspace.db'), decimals: null });
    return done(await session.read(() => undefined));
  }

  test('the campaigns a sheet names by id are listed once with their ad groups, and are no problem once they are taken in', async () => {
    const [campaignRow, groupRow] = (await there.create(autoDraft('Rolls'))) as [RowId, RowId];
    await there.run();
    const campaign = (await there.workspace.readRow({ kind: 'campaign', id: campaignRow }))?.remoteId ?? '';
    const group = (await there.workspace.readRow({ kind: 'adGroup', id: groupRow }))?.remoteId ?? '';
    const lines = [
      `campaign,Rolls,,sponsoredProducts,,,${campaign},`,
      `ad item,Rolls,,,5000000001,1.10,${campaign},${group}`,
      `ad item,Rolls,,,5000000002,1.20,${campaign},${group}`,
    ];
    const first = await previewed(lines);
    expect(first).toMatchObject({ added: 0, errorCount: 3, missingCount: 1 });
    expect(first.missing).toEqual([{ campaign, name: 'Rolls', type: 'sponsoredProducts', adGroup: group }]);

    // As the window hands them over: as lines of campaigns.
    const named = first.missing.map((one) => [one.campaign, one.name ?? '', String(one.type ?? ''), one.adGroup ?? '']);
    const taken = await here.sync.addCampaigns(campaignsOf(campaignLines(named)), 'sheet');
    expect(taken).toMatchObject({ ok: true, value: { stoppedBy: null } });
    expect(await previewed(lines)).toMatchObject({ errorCount: 0, missingCount: 0 });
    const { ids } = done(await call(here.workspace, 'campaignIds', 'list', { from: 0, count: 10 }));
    expect(ids.map(({ id, source }) => [id, source])).toEqual([
      [campaign, 'sheet'],
      [group, 'sheet'],
    ]);
  });

  test('an ad group is asked for through its campaign: one without is listed nowhere, and no row id is', async () => {
    const { missing, errorCount } = await previewed([
      'ad item,,,,5000000001,1.10,,777',
      'campaign,Towels,,,,,555,',
      'ad item,Towels,,,5000000001,1.10,555,',
      'ad item,Towels,,,5000000001,1.10,555,556',
      'ad item,Towels,,,5000000001,1.10,555,557',
    ]);
    expect(errorCount).toBe(5);
    expect(missing.map(({ campaign, adGroup }) => [campaign, adGroup])).toEqual([
      ['555', '556'],
      ['555', '557'],
    ]);
  });
});
