import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActiveAccount } from '../../main/core/active-account.ts';
import type { Core } from '../../main/core/core.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { aFilm, aPng } from '../media/builders.ts';
import { at, done, mergeRemote } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';

/** Copies between two accounts of one core, over the calls a window makes. */
const folder = testFolder('across');
let core: Core;
let client: ReturnType<typeof clientOf>;
let shop: ActiveAccount;
let branch: ActiveAccount;
const clientOf = (of: Core) => createRouterClient(of.router);
const ids = { shop: '', branch: '' };

const accountOf = async (name: string): Promise<{ workspaceId: string; account: ActiveAccount }> => {
  const { workspaceId } = await client.accounts.addPractice({ name });
  const opened = done(await core.open.get(workspaceId));
  return { workspaceId, account: opened };
};
beforeAll(async () => {
  core = await startCore(join(folder, 'data'));
  client = clientOf(core);
  const made = await accountOf('Shop');
  ids.shop = made.workspaceId;
  shop = made.account;
  writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
  writeFileSync(join(folder, 'film.mp4'), aFilm({}));
  writeFileSync(join(folder, 'film.srt'), '1\n00:00:00,000 --> 00:00:02,000\nSoft rolls\n');
  writeFileSync(
    join(folder, 'sheet.csv'),
    [
      'Type,Campaign,Ad group,Campaign type,Targeting,Status,Daily budget,Bid,Keyword,Match type,Item id,Brand,Headline,Logo,Video,Caption,Media name',
      'campaign,Spring,,sba,manual,enabled,50.00,,,,,,,,,,,,',
      'ad group,Spring,Main,,,enabled,,,,,,,,,,,,,',
      'keyword,Spring,Main,,,enabled,,1.20,paper towel,exact,,,,,,,,,',
      'ad item,Spring,Main,,,enabled,,0.60,,,1234567890,,,,,,,,',
      'sba profile,Spring,Main,,,enabled,,,,,,Softly,Rolls for all,logo.png,,,,,',
      'campaign,Film,,video,manual,enabled,80.00,,,,,,,,,,,,',
      'ad group,Film,Main,,,enabled,,,,,,,,,,,,,',
      'video profile,Film,Main,,,enabled,,,,,,,,,film.mp4,film.srt,Spring film,,',
    ].join('\n'),
  );
  const granted = done(await core.grants.grantPath(join(folder, 'sheet.csv')));
  const preview = await client.exchange.preview({ workspaceId: ids.shop, grant: granted.grant });
  if (preview.errorCount > 0) throw new Error(JSON.stringify(preview.errors));
  await client.exchange.apply({ workspaceId: ids.shop, previewId: preview.previewId });
  return () => core.close();
});
beforeEach(async () => {
  const made = await accountOf(`Branch ${Math.random()}`);
  ids.branch = made.workspaceId;
  branch = made.account;
});

const treeOf = async (account: ActiveAccount, name: string): Promise<CampaignTree> => {
  const tree = (await account.workspace.readTrees('all')).find((one) => one.campaign.values.name === name);
  if (tree === undefined) throw new Error(`no campaign ${name}`);
  return tree;
};
const scopeOf = (kind: Kind, ...rows: readonly RowId[]) => ({ rows: [{ kind, ids: [...rows] }] });
const across = (kind: Kind, id: RowId, to: { kind: Kind; id: RowId } | null = null) => ({
  workspaceId: ids.shop,
  target: ids.branch,
  scope: scopeOf(kind, id),
  to,
});
const problemOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error) => ({ code: error.code, data: error.data }),
  );

describe('a campaign copied to another account', () => {
  test('arrives whole as new drafts with its logo, in one step that can be undone', async () => {
    const spring = await treeOf(shop, 'Spring');
    const order = across('campaign', spring.campaign.id);
    expect(await client.copyToAccount.preview(order)).toMatchObject({
      created: 5,
      refused: [],
      media: { files: 1, bytes: aPng(100, 100).length },
    });
    const done = await client.copyToAccount.apply({ ...order, label: 'Copy Spring' });
    expect(done).toMatchObject({ created: 5, media: 1, refused: [] });
    const copy = await treeOf(branch, 'Spring');
    expect(done.roots).toEqual([{ kind: 'campaign', id: copy.campaign.id }]);
    expect(copy.campaign.values).toMatchObject({
      dailyBudget: 5000,
      campaignType: spring.campaign.values.campaignType,
    });
    expect(copy.keywords.map((row) => row.values)).toEqual(spring.keywords.map((row) => row.values));
    expect(copy.adItems[0]?.values.itemId).toBe('1234567890');
    expect(copy.sbaProfiles[0]?.values.headline).toBe('Rolls for all');
    const [logo] = copy.media;
    expect(logo?.values.fileName).toBe('logo.png');
    expect(copy.sbaProfiles[0]?.values.logo).toBe(logo?.id);
    expect(readFileSync(branch.library.pathOf(logo?.values.sha256 ?? ''))).toEqual(aPng(100, 100));
    expect(await branch.workspace.verify()).toEqual([]);
    expect((await branch.workspace.summary()).undo).toBe('Copy Spring');
    await call(branch.workspace, 'workspace', 'undo');
    expect(await branch.workspace.readTrees('all')).toEqual([]);
  });
  test('brings a video with its caption and its name', async () => {
    const film = await treeOf(shop, 'Film');
    await client.copyToAccount.apply({ ...across('campaign', film.campaign.id), label: 'Copy' });
    const copy = await treeOf(branch, 'Film');
    const video = copy.media.find((row) => row.values.mediaType === 'video');
    const caption = copy.media.find((row) => row.values.mediaType === 'caption');
    expect(copy.videoProfiles[0]?.values.video).toBe(video?.id);
    expect(video?.values).toMatchObject({ mediaName: 'Spring film', caption: caption?.id, mediaState: 'local' });
  });
  test('copied twice gets a name of its own, and its files come once', async () => {
    const order = across('campaign', (await treeOf(shop, 'Spring')).campaign.id);
    await client.copyToAccount.apply({ ...order, label: 'Copy' });
    expect(await client.copyToAccount.preview(order)).toMatchObject({ media: { files: 0, bytes: 0 } });
    expect(await client.copyToAccount.apply({ ...order, label: 'Copy' })).toMatchObject({ media: 0 });
    const names = (await branch.workspace.readTrees('all')).map((tree) => tree.campaign.values.name);
    expect(names).toEqual(['Spring', 'Spring copy']);
    expect(await branch.workspace.readMedia()).toHaveLength(1);
  });
  test('leaves behind what only the service can know, and says so', async () => {
    const { workspace } = shop;
    await mergeRemote(workspace, [
      { kind: 'campaign', remoteId: '71' as never, campaignId: null, adGroupId: null, values: { name: 'Live' } },
    ]);
    const order = across('campaign', (await treeOf(shop, 'Live')).campaign.id);
    expect((await client.copyToAccount.preview(order)).dropped).toContainEqual({ field: 'remoteId', rows: 1 });
    await client.copyToAccount.apply({ ...order, label: 'Copy' });
    expect((await treeOf(branch, 'Live')).campaign.remoteId).toBeNull();
  });
});

describe('rows below a campaign', () => {
  test('go below a row of the other account that takes them, and nowhere else', async () => {
    const spring = await treeOf(shop, 'Spring');
    await client.copyToAccount.apply({ ...across('campaign', spring.campaign.id), label: 'Copy' });
    const there = await treeOf(branch, 'Spring');
    const group = at(there.adGroups, 0);
    const keyword = at(spring.keywords, 0);
    const into = { kind: 'adGroup', id: group.id } as const;
    expect(await client.copyToAccount.preview(across('keyword', keyword.id, into))).toMatchObject({ created: 1 });
    // A campaign stands for its only ad group.
    const only = { kind: 'campaign', id: there.campaign.id } as const;
    expect(await client.copyToAccount.preview(across('keyword', keyword.id, only))).toMatchObject({ created: 1 });
    const wrong = [{ why: 'wrong-parent', rows: 1 }];
    expect(await client.copyToAccount.preview(across('keyword', keyword.id))).toMatchObject({
      created: 0,
      refused: wrong,
    });
    expect(await client.copyToAccount.preview(across('campaign', spring.campaign.id, into))).toMatchObject({
      created: 0,
      refused: wrong,
    });
  });
  test('an ad group copied beside one of its name gets another', async () => {
    const spring = await treeOf(shop, 'Spring');
    await client.copyToAccount.apply({ ...across('campaign', spring.campaign.id), label: 'Copy' });
    const there = { kind: 'campaign', id: (await treeOf(branch, 'Spring')).campaign.id } as const;
    const group = at(spring.adGroups, 0);
    expect(await client.copyToAccount.apply({ ...across('adGroup', group.id, there), label: 'Copy' })).toMatchObject({
      created: 4,
    });
    const names = (await treeOf(branch, 'Spring')).adGroups.map((row) => row.values.name);
    expect(names).toEqual(['Main', 'Main copy']);
  });
});

describe('a copy that cannot be made', () => {
  test('to the account it comes from is refused', async () => {
    const { campaign } = await treeOf(shop, 'Spring');
    const order = { ...across('campaign', campaign.id), target: ids.shop, label: 'Copy' };
    expect(await problemOf(client.copyToAccount.apply(order))).toMatchObject({ code: 'BAD_TOOL' });
  });
  test('below a row that is not there is refused', async () => {
    const keyword = at((await treeOf(shop, 'Spring')).keywords, 0);
    const order = across('keyword', keyword.id, { kind: 'adGroup', id: 99_999 as RowId });
    expect(await problemOf(client.copyToAccount.apply({ ...order, label: 'Copy' }))).toMatchObject({ code: 'NO_ROW' });
  });
  test('of a file that has left the disk names it, and nothing is created', async () => {
    const { account } = await accountOf('Careless');
    const workspaceId = (await client.accounts.list()).find(({ name }) => name === 'Careless')?.workspaceId ?? '';
    const film = await treeOf(shop, 'Film');
    await client.copyToAccount.apply({ ...across('campaign', film.campaign.id), target: workspaceId, label: 'Copy' });
    const copy = await treeOf(account, 'Film');
    const caption = copy.media.find((row) => row.values.mediaType === 'caption');
    rmSync(account.library.pathOf(caption?.values.sha256 ?? ''));
    const order = { ...across('campaign', copy.campaign.id), workspaceId, label: 'Copy' };
    expect(await problemOf(client.copyToAccount.apply(order))).toMatchObject({
      code: 'BAD_FILE',
      data: { fileName: 'film.srt' },
    });
    expect(await branch.workspace.readTrees('all')).toEqual([]);
  });
});
