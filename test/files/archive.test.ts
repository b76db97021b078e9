import { createHash, randomUUID } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { NO_OBSERVER } from '../../main/app/long-task.ts';
import { ARCHIVE_LIMITS } from '../../main/files/archive/archive-format.ts';
import { openArchive } from '../../main/files/archive/open-archive.ts';
import { writeArchive } from '../../main/files/archive/write-archive.ts';
import type { RemoteRow } from '../../main/store/types.ts';
import { fileRefusal, fileRefusalText } from '../../shared/media/file-refusal.ts';
import { shown } from '../../shared/model/cell-text.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { aZip } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { aPng } from '../media/builders.ts';
import { at, done, mergeRemote, pick } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { anExchange, liveRows, makeSpring, refresh, rowsOfArchive, type TestExchange } from './an-exchange.ts';

const folder = testFolder('archive');
let sender: TestExchange;
let receiver: TestExchange;
beforeAll(async () => {
  sender = await anExchange(join(folder, 'sender'));
  receiver = await anExchange(join(folder, 'receiver'));
  writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
  const sheet = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Daily budget,Bid,Keyword,Match type,Brand,Headline,Logo',
    'campaign,Spring,,sba,manual,enabled,50.00,,,,,,',
    'ad group,Spring,Main,,,enabled,,,,,,,',
    'keyword,Spring,Main,,,enabled,,1.20,paper towel,exact,,,',
    'sba profile,Spring,Main,,,enabled,,,,,Softly,Rolls for all,logo.png',
  ].join('\n');
  writeFileSync(join(folder, 'sheet.csv'), sheet);
  const preview = await sender.preview(await sender.grant(join(folder, 'sheet.csv')));
  if (preview.errorCount > 0) throw new Error(JSON.stringify(preview.errors));
  await sender.apply(preview.previewId);
  return () => Promise.all([sender.close(), receiver.close()]);
});

const written = async (source: 'archive' | 'changes', from = sender): Promise<string> => {
  const target = join(folder, `${randomUUID()}.adslate`);
  await from.archive(source, target);
  return target;
};
const reasonOf = async (path: string): Promise<string> => {
  const preview = await receiver.tryPreview(await receiver.grant(path));
  return preview.ok ? 'accepted' : String(preview.error.params['found'] ?? preview.error.reason);
};

test.each([
  ['parts', { parts: 3 }, { count: 4, unit: 'parts', limit: 3 }],
  ['rows', { rows: 100 }, { unit: 'bytes of rows', limit: 100 }],
  ['text', { text: 50 }, { unit: 'bytes of file names', limit: 50 }],
  ['files', { file: 10 }, { unit: 'bytes in one file', limit: 10 }],
  ['all of it', { total: 200 }, { unit: 'bytes', limit: 200 }],
])('an archive that no reader would open is not written: %s', async (_what, limits, params) => {
  const target = join(folder, `${randomUUID()}.adslate`);
  const { workspace, library } = sender.account;
  const account = { name: 'Shop', advertiserId: '1' };
  const order = { source: 'archive' as const, target, account, nowMs: Date.UTC(2026, 10, 30) };
  const all = { ...ARCHIVE_LIMITS, ...limits };
  const answer = await writeArchive(workspace, library.pathOf, order, null, NO_OBSERVER, all);
  expect(answer).toMatchObject({ error: { kind: 'archive-too-large', params } });
  expect(existsSync(target) || existsSync(`${target}.rows`)).toBe(false);
});

/** An archive of our own making, as somebody else might send one. */
async function anArchive(parts: readonly (readonly [string, string | Buffer])[]): Promise<string> {
  const path = join(folder, `${randomUUID()}.adslate`);
  const zip = new ZipFile();
  for (const [name, content] of parts) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

describe('an archive', () => {
  test('for which the disk has no room is not called damaged', async () => {
    // Only Linux has a device that is always full.
    if (process.platform !== 'linux') return;
    const apart = join(folder, 'full');
    mkdirSync(apart);
    symlinkSync('/dev/full', join(apart, 'rows.jsonl.part'));
    expect(await openArchive(await written('archive'), apart)).toEqual({ ok: false, error: fileRefusal('no-space') });
  });
  test('with parts that no archive of ours has comes in without them, and names each', async () => {
    const parts: Record<string, Buffer> = {};
    const zip = await openPromise(await written('archive'));
    for await (const entry of zip.eachEntry()) {
      parts[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
    }
    const hostile = [
      '../evil.sh',
      '../../evil.sh',
      '/tmp/evil.sh',
      'media\\..\\evil.sh',
      'C:\\evil.sh',
      'C:/evil.sh',
      `media/../media/${'a'.repeat(64)}`,
      `media/${'A'.repeat(64)}`,
      'media/more.zip',
      'more.adslate',
      '__MACOSX/._rows.jsonl',
      '.DS_Store',
    ];
    const packed = aZip({ ...parts, 'media/': '', ...Object.fromEntries(hostile.map((name) => [name, 'evil'])) });
    const path = join(folder, 'hostile.adslate');
    writeFileSync(path, packed);
    const preview = await sender.preview(await sender.grant(path));
    expect(preview).toMatchObject({ source: 'archive', added: 0, unchanged: 4, errorCount: 0, media: 1 });
    expect(preview.skippedParts).toEqual(hostile.map(shown));
    expect(preview.signature).toMatchObject({ is: 'signed', signer: 'own' });
    await sender.dismiss(preview.previewId);
    const apart = join(folder, 'inner', 'apart');
    expect(await openArchive(path, apart)).toMatchObject({ ok: true, value: { skipped: hostile } });
    const media = Object.keys(parts).filter((name) => name.startsWith('media/'));
    expect(readdirSync(join(folder, 'inner'), { recursive: true }).map(String).sort()).toEqual(
      ['apart', join('apart', 'rows.jsonl'), ...media.map((name) => join('apart', name.slice(6)))].sort(),
    );
  });
  test('brings rows and media to another account, and is then no change there', async () => {
    const path = await written('archive');
    const preview = await receiver.preview(await receiver.grant(path));
    expect(preview).toMatchObject({ source: 'archive', added: 4, errorCount: 0, media: 1 });
    expect(await receiver.apply(preview.previewId)).toMatchObject({ added: 4 });
    const [tree] = await receiver.account.workspace.readTrees('all');
    expect(tree?.media.map((row) => row.values.fileName)).toEqual(['logo.png']);
    expect(readFileSync(receiver.account.library.pathOf(tree?.media[0]?.values.sha256 ?? ''))).toEqual(aPng(100, 100));
    const again = await receiver.preview(await receiver.grant(path));
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 4 });
    await receiver.dismiss(again.previewId);
    expect(readdirSync(join(receiver.account.folder, 'imports'))).toEqual([]);
  });
});

test('rows of another account are saved as a table that creates them once its IDs are cleared', async () => {
  const [synced, elsewhere] = [await anExchange(join(folder, 'synced')), await anExchange(join(folder, 'elsewhere'))];
  const { workspace } = synced.account;
  const merge = async (row: RemoteRow) => mergeRemote(workspace, [row]);
  const values = { name: 'Autumn', campaignType: 'sponsoredProducts', targetingType: 'manual', status: 'enabled' };
  await merge({
    kind: 'campaign',
    remoteId: '91' as RemoteId,
    campaignId: null,
    adGroupId: null,
    values: { ...values, dailyBudget: 5000 },
  });
  const campaignId = (await workspace.readTrees('all'))[0]?.campaign.id ?? null;
  const below = { campaignId, adGroupId: null };
  await merge({ kind: 'adGroup', remoteId: '92' as RemoteId, ...below, values: { name: 'Leaves', status: 'enabled' } });
  const adGroupId = (await workspace.readTrees('all'))[0]?.adGroups[0]?.id ?? null;
  const keyword = { text: 'tea', matchType: 'exact', bid: 120, status: 'enabled' };
  await merge({ kind: 'keyword', remoteId: '93' as RemoteId, campaignId, adGroupId, values: keyword });
  const preview = await elsewhere.preview(await elsewhere.grant(await written('archive', synced)));
  expect(preview).toMatchObject({ added: 0, errorRows: 3 });
  const table = join(folder, 'elsewhere.csv');
  expect(await elsewhere.failed(preview.previewId, table, 'csv')).toBe(3);
  const [head = '', ...lines] = readFileSync(table, 'utf8').trimEnd().split(/\r?\n/);
  expect(lines.at(-1)).toMatch(/^keyword,Autumn,Leaves,.*,1\.20,tea,exact,.*,91,92,93,.*no row with ID/);
  const cleared = [head, ...lines.map((line) => line.replace(/,91,(92)?,(93)?,/, ',,,,'))].join('\n');
  writeFileSync(table, cleared);
  expect(await elsewhere.preview(await elsewhere.grant(table))).toMatchObject({ added: 3, errorRows: 0 });
  await Promise.all([synced.close(), elsewhere.close()]);
});

describe('rows with IDs that the account does not have, as new rows', () => {
  let theirs: TestExchange;
  let ours: TestExchange;
  beforeAll(async () => {
    [theirs, ours] = [await anExchange(join(folder, 'theirs')), await anExchange(join(folder, 'ours'))];
    await refresh(theirs);
    const { workspace } = theirs.account;
    await mergeRemote(workspace, [
      {
        kind: 'media',
        remoteId: '6600001' as RemoteId,
        campaignId: null,
        adGroupId: null,
        values: { mediaType: 'video', mediaName: 'Bath cut', mediaState: 'available' },
      },
    ]);
    const [video] = await workspace.readMedia();
    const tree = at(await workspace.readTrees('all'), 0);
    const below = { campaignId: tree.campaign.id, adGroupId: tree.adGroups[0]?.id ?? null };
    const row = (kind: 'keyword' | 'sbaProfile' | 'videoProfile', remoteId: string, values: object) => ({
      ...{ kind, ...below, remoteId: remoteId as RemoteId, values },
    });
    await mergeRemote(workspace, [
      row('keyword', '71', { text: 'old tea', matchType: 'exact', bid: 50, state: 'archived' }),
      // Nothing but its ID tells it from the profile that is there.
      row('sbaProfile', '72', { brand: 'B', headline: 'H' }),
      row('videoProfile', '73', { video: video?.id ?? null, status: 'enabled' }),
    ]);
    const ref = { kind: 'campaign' as const, id: tree.campaign.id };
    done(await workspace.note({ do: 'comment', ref, field: null, author: 'Ada', text: 'Mind the budget' }));
    return () => Promise.all([theirs.close(), ours.close()]);
  });
  const asNew = async (desk: TestExchange, path: string) =>
    done(await desk.tryPreview(await desk.grant(path), { asNew: true }));
  const table = (name: string, head: string, ...lines: readonly string[]): string => {
    writeFileSync(join(folder, name), [head, ...lines].join('\n'));
    return join(folder, name);
  };

  test('an archive comes in whole as drafts, as its preview says, and one undo takes them back', async () => {
    await makeSpring(ours, []);
    const own = { kind: 'campaign' as const, id: at(await ours.account.workspace.readTrees('all'), 0).campaign.id };
    const update = { ...own, field: 'name', value: 'Live 1' };
    done(await ours.account.workspace.apply({ label: 'Name', source: 'user', updates: [update] }));
    const before = await liveRows(ours);
    const path = await written('archive', theirs);
    const errors = await ours.preview(await ours.grant(path));
    expect(errors).toMatchObject({ rows: 42, added: 0, unknownRows: 42, otherAccount: 'Shop' });

    const preview = await asNew(ours, path);
    expect(preview).toMatchObject({ rows: 42, added: 41, changed: 0, leftOut: 1, errorCount: 0, unknownRows: 0 });
    expect(preview.warnings.map(({ column, message }) => [column, message])).toEqual([
      ['Campaign', 'The name "Live 1" is already used. This campaign is imported as "Live 1 copy".'],
      ['Status', 'This keyword is archived, so it is skipped.'],
      ['Video', expect.stringContaining('The video with the media ID 6600001 is not in this account.')],
    ]);
    const { rows } = await ours.rows(preview.previewId, 'added', 0, 2);
    expect(rows.map(({ campaign }) => campaign)).toEqual(['Live 1 copy', 'Live 1 copy']);
    expect(rows[1]?.cells).toContainEqual({ column: 'Ad group', before: null, after: 'Group 1', base: null });
    expect(rows[0]?.cells).toContainEqual({ column: 'Campaign', before: null, after: 'Live 1 copy', base: null });
    expect(await ours.apply(preview.previewId)).toMatchObject({ added: 41, changed: 0, unchanged: 0 });

    const { workspace } = ours.account;
    const trees = await workspace.readTrees('all');
    const names = trees.map(({ campaign }) => campaign.values.name);
    expect(names).toEqual(['Live 1', 'Live 1 copy', 'Live 2', 'Live 3']);
    const theirTrees = await theirs.account.workspace.readTrees('all');
    for (const [n, tree] of trees.slice(1).entries()) {
      const theirTree = at(theirTrees, n);
      for (const list of ['adGroups', 'adItems', 'sbaProfiles', 'placementMultipliers', 'platformMultipliers'] as const)
        expect(tree[list]).toHaveLength(theirTree[list].length);
      const bids = (of: typeof tree) =>
        of.adGroups.map(({ id, values }) => [
          values.name,
          of.keywords
            .filter((row) => row.adGroupId === id && row.values.state !== 'archived')
            .map((row) => row.values.bid),
        ]);
      expect(bids(tree)).toEqual(bids(theirTree));
      expect([tree.campaign, ...tree.keywords].map(({ remoteId }) => remoteId)).toEqual([null, null, null, null, null]);
    }
    expect(at(trees, 1).videoProfiles.map(({ values }) => values.video)).toEqual([null]);
    const comments = await workspace.comments(null, null);
    expect(comments.map(({ ref, text }) => [ref.id, text])).toEqual([[at(trees, 1).campaign.id, 'Mind the budget']]);
    expect(await workspace.verify()).toEqual([]);
    await call(workspace, 'workspace', 'undo');
    expect(await liveRows(ours)).toEqual(before);
  });

  test('a skipped campaign takes the rows with it that name it by its ID', async () => {
    const preview = await asNew(ours, await written('archive', theirs));
    const { rows } = await ours.rows(preview.previewId, 'added', 0, 50);
    const leaveOut = rows.filter(({ kind, campaign }) => kind === 'campaign' && campaign !== 'Live 3');
    await ours.apply(preview.previewId, { leaveOut: leaveOut.map(({ line }) => line), take: [] });
    const trees = await ours.account.workspace.readTrees('all');
    expect(trees.map(({ campaign, keywords }) => [campaign.values.name, keywords.length])).toEqual([
      ['Live 1', 0],
      ['Live 3', 4],
    ]);
    await call(ours.account.workspace, 'workspace', 'undo');
  });

  test('a table links its rows by their IDs in any order, and IDs of this account still mean its rows', async () => {
    const head = 'Type,Campaign,Ad group,Keyword,Match type,Bid,Daily budget,Campaign id,Ad group id,Row id';
    const path = table(
      'table.csv',
      head,
      'keyword,,,tea,exact,1.20,,,502,503',
      'keyword,Live 1,,cup,exact,1.30,,501,502,504',
      'ad group,,Main,,,,,501,502,',
      'campaign,Live 1,,,,,25.00,501,,',
      'campaign,Live 1,,,,,26.00,511,,',
      'keyword,,,by name,exact,1.40,,511,,',
      'keyword,,,nowhere,exact,1.50,,591,592,505',
      'keyword,,,tea,exact,1.60,,,502,503',
    );
    const preview = await asNew(ours, path);
    expect(preview).toMatchObject({ rows: 8, added: 6, errorCount: 2 });
    expect(preview.errors.map(({ line, message }) => [line, message])).toEqual([
      [8, expect.stringContaining('Neither the file nor this account has the ad group with ID 592.')],
      [9, expect.stringContaining('already in line 2')],
    ]);
    await ours.apply(preview.previewId);
    const trees = await ours.account.workspace.readTrees('all');
    const shown = trees.map(({ campaign, adGroups, keywords }) => [
      campaign.values.name,
      campaign.values.dailyBudget,
      adGroups.map(({ values }) => values.name),
      keywords.map(({ values }) => values.text),
    ]);
    expect(shown.slice(1)).toEqual([
      ['Live 1 copy', 2500, ['Main'], ['tea', 'cup']],
      ['Live 1 copy 2', 2600, ['Live 1 group'], ['by name']],
    ]);
    await call(ours.account.workspace, 'workspace', 'undo');
    // The other campaign keeps the name of the preview.
    await ours.apply((await asNew(ours, path)).previewId, { leaveOut: [5], take: [] });
    const left = await ours.account.workspace.readTrees('all');
    expect(left.map(({ campaign }) => campaign.values.name)).toEqual(['Live 1', 'Live 1 copy 2']);
    await call(ours.account.workspace, 'workspace', 'undo');

    const known = table(
      'known.csv',
      head,
      'keyword,,,tea,exact,9.90,,,101,10101',
      'keyword,,,new tea,exact,1.10,,,101,999',
      'keyword,,,cup,broad,9.80,,,101,998',
    );
    const mixed = await asNew(theirs, known);
    expect(mixed).toMatchObject({ added: 1, changed: 2, errorCount: 0 });
    await theirs.dismiss(mixed.previewId);
  });

  test('of a share file they can only be changes and deletions, which are refused and skipped', async () => {
    const { workspace } = theirs.account;
    const { keywords } = at(await workspace.readTrees('all'), 0);
    const [first, second] = pick(keywords, 0, 1);
    const updates = [{ kind: 'keyword' as const, id: first.id, field: 'bid', value: 99 }];
    const deletes = [{ kind: 'keyword' as const, id: second.id }];
    done(await workspace.apply({ label: 'Edit', source: 'user', updates, deletes }));
    const path = await written('changes', theirs);
    await call(workspace, 'workspace', 'undo');
    const preview = await asNew(ours, path);
    // The commented campaign and the keyword.
    expect(preview).toMatchObject({ source: 'changes', rows: 3, added: 0, errorCount: 2, leftOut: 1 });
    expect(preview.errors[1]?.message).toBe(
      'This is a change to the row with ID 10101, which this account does not have. Ask the sender for an archive, which has the whole row.',
    );
    expect(preview.warnings.map(({ message }) => message)).toEqual([
      'This account does not have the row to delete. It is skipped.',
    ]);
    await ours.dismiss(preview.previewId);
  });
});

describe('a file that no row uses', () => {
  const spareIn = async (of: TestExchange) =>
    (await of.account.workspace.readMedia())
      .map(({ values }) => values.fileName ?? '')
      .toSorted((a, b) => a.localeCompare(b));

  test('travels in the archive, comes into the library once, and is no part of a file of changes', async () => {
    writeFileSync(join(folder, 'spare.png'), aPng(100, 100, 7));
    await sender.addMedia(join(folder, 'spare.png'));
    const path = await written('archive');
    const preview = await receiver.preview(await receiver.grant(path));
    expect(preview).toMatchObject({ added: 0, changed: 0, media: 2, spareFiles: 1 });
    expect(await spareIn(receiver)).toEqual(['logo.png']);
    await receiver.apply(preview.previewId);
    expect(await spareIn(receiver)).toEqual(['logo.png', 'spare.png']);
    const again = await receiver.preview(await receiver.grant(path));
    expect(again).toMatchObject({ unchanged: 4, spareFiles: 0 });
    await receiver.dismiss(again.previewId);
    const changes = await receiver.preview(await receiver.grant(await written('changes')));
    expect(changes).toMatchObject({ spareFiles: 0 });
    await receiver.dismiss(changes.previewId);
  });

  test('that did not come along or is no medium stops nothing, and is named with the reason', async () => {
    const [rows, words] = ['', 'no picture at all'];
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const manifest = JSON.stringify({
      format: 'adslate-archive',
      version: 2,
      writtenAt: '2030-01-01T00:00:00.000Z',
      account: { name: 'Shop', advertiserId: '1' },
      rows: 0,
      media: 1,
      spare: [
        { sha256: 'a'.repeat(64), fileName: '../../gone.png' },
        { sha256: sha256(words), fileName: 'words.png' },
      ],
    });
    const medium = `media/${sha256(words)}`;
    const sums = JSON.stringify({
      'adslate.json': sha256(manifest),
      'rows.jsonl': sha256(rows),
      [medium]: sha256(words),
    });
    const path = await anArchive([
      ['adslate.json', manifest],
      ['rows.jsonl', rows],
      [medium, words],
      ['checksums.json', sums],
    ]);
    const preview = await receiver.preview(await receiver.grant(path));
    const before = await spareIn(receiver);
    const { refusedFiles } = await receiver.apply(preview.previewId);
    expect(await spareIn(receiver)).toEqual(before);
    expect(refusedFiles).toMatchObject([
      { outcome: 'refused', fileName: 'gone.png', reason: 'cannot-read' },
      { outcome: 'refused', fileName: 'words.png', reason: 'not-media' },
    ]);
  });
});

describe('a file of changes', () => {
  test('merges three ways into a later state', async () => {
    const { workspace } = receiver.account;
    const [before] = await workspace.readTrees('all');
    const keyword = before?.keywords[0];
    if (before === undefined || keyword === undefined) throw new Error('nothing to work on');
    const ids = { campaign: '71', adGroup: '72', keyword: '73' };
    const remote = (kind: 'campaign' | 'adGroup' | 'keyword', campaignId: RowId | null, adGroupId: RowId | null) => ({
      kind,
      remoteId: ids[kind] as RemoteId,
      campaignId,
      adGroupId,
    });
    // Both sides know the same campaign of the service.
    for (const desk of [sender, receiver]) {
      const at = desk.account.workspace;
      await mergeRemote(at, [{ ...remote('campaign', null, null), values: { name: 'Shared', dailyBudget: 100 } }]);
      const campaign = (await at.readTrees('all')).find((tree) => tree.campaign.remoteId === '71')?.campaign.id ?? null;
      await mergeRemote(at, [{ ...remote('adGroup', campaign, null), values: { name: 'G' } }]);
      const group = (await at.readTrees('all')).flatMap((tree) => tree.adGroups).find((row) => row.remoteId === '72');
      const values = { text: 'tea', matchType: 'exact', bid: 50 };
      await mergeRemote(at, [{ ...remote('keyword', campaign, group?.id ?? null), values }]);
    }
    const set = async (desk: TestExchange, kind: 'campaign' | 'keyword', field: string, value: number) => {
      const trees = await desk.account.workspace.readTrees('all');
      const rows = trees.flatMap((tree) => [tree.campaign, ...tree.keywords]);
      const row = rows.find((one) => one.kind === kind && one.remoteId === ids[kind]);
      if (row === undefined) throw new Error(`no ${kind}`);
      const updates = [{ kind, id: row.id, field, value }];
      done(await desk.account.workspace.apply({ label: 'Edit', source: 'user', updates }));
    };
    await set(sender, 'campaign', 'dailyBudget', 200);
    await set(sender, 'keyword', 'bid', 75);
    await set(receiver, 'keyword', 'bid', 60);
    const preview = await receiver.preview(await receiver.grant(await written('changes')));
    expect(preview).toMatchObject({ source: 'changes', changed: 1, conflicts: 1, errorCount: 0 });
    const { rows } = await receiver.rows(preview.previewId, 'conflict', 0, 10);
    expect(rows[0]?.cells).toContainEqual({ column: 'Bid', before: 60, after: 75, base: 50 });
    await receiver.apply(preview.previewId);
    const after = (await workspace.readTrees('all')).find((tree) => tree.campaign.remoteId === '71');
    expect(after?.campaign.values.dailyBudget).toBe(200);
    expect(after?.keywords[0]?.values.bid).toBe(60);
  });
});

describe("somebody else's archive", () => {
  const manifest = (format = 'adslate-archive', version = 1): string =>
    JSON.stringify({
      format,
      version,
      writtenAt: '2030-01-01T00:00:00Z',
      account: { name: 'x', advertiserId: '1' },
      rows: 0,
      media: 0,
    });
  test.each([
    [
      'of a newer program',
      { 'adslate.json': manifest('adslate-archive', 3), 'rows.jsonl': '', 'checksums.json': '{}' },
      /newer/,
    ],
    ['without checksums', { 'adslate.json': manifest(), 'rows.jsonl': '' }, /missing/],
    [
      'with rows that were changed',
      { 'adslate.json': manifest(), 'rows.jsonl': 'x', 'checksums.json': '{}' },
      /not what it was/,
    ],
    [
      'with media under a wrong hash',
      { 'adslate.json': manifest(), [`media/${'a'.repeat(64)}`]: 'x', 'checksums.json': '{}', 'rows.jsonl': '' },
      /not what it was/,
    ],
    [
      'with a description that is none',
      { 'adslate.json': '[]', 'rows.jsonl': '', 'checksums.json': '{}' },
      /description/,
    ],
  ] as const)('%s is refused and named', async (_name, parts, found) => {
    expect(await reasonOf(await anArchive(Object.entries(parts)))).toMatch(found);
  });
  test('rows below a damaged campaign or ad group name its line as the cause', async () => {
    const link = (name: string | null) => ({ name, remoteId: null });
    const row = (kind: string, group: string | null, cells: object, campaign = 'Torn') =>
      JSON.stringify({ kind, campaign: link(campaign), adGroup: link(group), rowId: null, cells });
    const tea = { text: 'tea', matchType: 'exact', bid: 100 };
    const campaign = { campaignType: 'sponsoredProducts', targetingType: 'manual' };
    const rows = [
      row('campaign', null, { ...campaign, name: 'Torn', dailyBudget: 'much' }),
      row('adGroup', 'Main', { name: 'Main' }),
      row('keyword', 'Main', tea),
      row('campaign', null, { ...campaign, name: 'Sound' }, 'Sound'),
      row('adGroup', 'Main', { name: true }, 'Sound'),
      row('keyword', 'Main', tea, 'Sound'),
    ].join('\n');
    const parts = { 'adslate.json': manifest(), 'rows.jsonl': rows };
    const sums = Object.entries(parts).map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]);
    const path = await anArchive([
      ...Object.entries(parts),
      ['checksums.json', JSON.stringify(Object.fromEntries(sums))],
    ]);
    const preview = await receiver.preview(await receiver.grant(path));
    expect(preview).toMatchObject({ rows: 6, added: 1, errorCount: 5, followUpCount: 3 });
    expect(preview.errors.map(({ line, causeLine }) => [line, causeLine])).toEqual([
      [1, undefined],
      [5, undefined],
      [2, 1],
      [3, 1],
      [6, 5],
    ]);
    await receiver.dismiss(preview.previewId);
  });
  test('that was cut short is refused', async () => {
    const bytes = readFileSync(await written('archive'));
    const path = join(folder, `${randomUUID()}.adslate`);
    writeFileSync(path, bytes.subarray(0, bytes.length - 50));
    expect(await reasonOf(path)).toMatch(/damaged Adslate archive/);
  });
  test('with a flipped byte in its media is refused', async () => {
    const bytes = readFileSync(await written('archive'));
    const at = bytes.indexOf(Buffer.from('IHDR'));
    bytes[at + 30] = (bytes[at + 30] ?? 0) ^ 0xff;
    const path = join(folder, `${randomUUID()}.adslate`);
    writeFileSync(path, bytes);
    expect(await reasonOf(path)).toMatch(/damaged Adslate archive/);
  });
});

describe('fault L8: an archive that another program has packed', () => {
  const partsOf = async (path: string): Promise<readonly (readonly [string, Buffer])[]> => {
    const zip = await openPromise(path);
    const parts: (readonly [string, Buffer])[] = [];
    try {
      for await (const entry of zip.eachEntry()) {
        parts.push([entry.fileName, await buffer(await zip.openReadStreamPromise(entry))]);
      }
    } finally {
      zip.close();
    }
    return parts;
  };
  const saidOf = async (path: string): Promise<string> => {
    const preview = await receiver.tryPreview(await receiver.grant(path));
    return preview.ok ? 'accepted' : fileRefusalText('it', preview.error.reason, preview.error.params);
  };

  test('is read when what it adds is none of ours, wherever that lies', async () => {
    const parts = await partsOf(await written('archive'));
    const added: readonly [string, Buffer] = ['__MACOSX/._adslate.json', Buffer.from('x')];
    expect(await saidOf(await anArchive([added, ...parts]))).toBe('accepted');
    expect(await saidOf(await anArchive([...parts.toReversed(), added]))).toBe('accepted');
  });

  test('is refused as what it is when its parts lie in a folder, or one is there twice', async () => {
    const parts = await partsOf(await written('archive'));
    const inFolder = await anArchive(parts.map(([name, content]) => [`sent/${name}`, content] as const));
    expect(await saidOf(inFolder)).toMatch(/^it is a damaged Adslate archive \(.*in a folder\)\. .*export it again/);
    const first = at(parts, 0);
    const twice = await saidOf(await anArchive([...parts, first]));
    expect(twice).toMatch(/^it is a damaged Adslate archive \(the part adslate\.json is in it twice\)\. /);
    expect(twice).not.toMatch(/CSV/);
  });
});

test('an archive with a line separator in a text is read as it was written', async () => {
  const { workspace } = sender.account;
  const campaign = at(await workspace.readTrees('all'), 0);
  const ref = { kind: 'campaign' as const, id: campaign.campaign.id };
  const said = 'two\u2028lines\u2029and one';
  done(await workspace.note({ do: 'comment', ref, field: null, author: 'Ada', text: said }));
  const path = await written('archive');
  const rows = await rowsOfArchive(path);
  expect(rows.flatMap(({ comments = [] }) => comments.map(({ text }) => text))).toContain(said);
  const preview = await sender.preview(await sender.grant(path));
  expect(preview).toMatchObject({ rows: rows.length, unchanged: rows.length, errorCount: 0 });
  await sender.dismiss(preview.previewId);
});
