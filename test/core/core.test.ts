import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createRouterClient, safe } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Core } from '../../main/app/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { asWorkspaceId, type WorkspaceId } from '../../shared/model/scalars.ts';
import { aFilm } from '../media/builders.ts';
import { startCore } from './start-core.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-core-'));
let core: Core;
let client: Client;
let workspaceId: WorkspaceId;

beforeAll(async () => {
  core = await startCore(join(folder, 'data'));
  client = createRouterClient(core.router);
  workspaceId = (await client.accounts.addPractice({ name: 'Shop' })).workspaceId;
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

const grantOf = async (path: string): Promise<string> => {
  const file = await core.grants.grantPath(path);
  if (!file.ok) throw new Error(`${path} cannot be granted`);
  return file.value.grant;
};
const aText = (name: string, text: string | Buffer): string => {
  const path = join(folder, `${randomUUID()}-${name}`);
  writeFileSync(path, text);
  return path;
};
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const { error } = await safe(call);
  return error !== null && 'code' in error ? String(error.code) : 'no error';
};

describe('accounts', () => {
  test('a window learns facts and no secret', async () => {
    const [account] = await client.accounts.list();
    expect(account).toMatchObject({ name: 'Shop', practice: true, secrets: 'practice', baseUrl: '' });
    expect(JSON.stringify(account)).not.toMatch(/token|PRIVATE KEY/i);
  });
  test('renaming, modes and unknown accounts are answered', async () => {
    expect(await client.accounts.rename({ workspaceId, name: 'Shop 2' })).toMatchObject({ name: 'Shop 2' });
    expect(await codeOf(client.accounts.rename({ workspaceId: asWorkspaceId('nobody'), name: 'x' }))).toBe(
      'NO_WORKSPACE',
    );
    expect(await codeOf(client.accounts.addPractice({ name: 'shop 2' }))).toBe('NAME_TAKEN');
    await client.accounts.setMode({ workspaceId, mode: 'read-only' });
    expect(await codeOf(client.sync.run({ workspaceId }))).toBe('NOT_WRITABLE');
    await client.accounts.setMode({ workspaceId, mode: 'normal' });
  });
  test('removing an account removes its files and lists them', async () => {
    const { workspaceId: gone } = await client.accounts.addPractice({ name: 'Gone' });
    await client.workspace.summary({ workspaceId: gone });
    const { removed } = await client.accounts.remove({ workspaceId: gone });
    expect(removed.some((name) => name.endsWith('workspace.db'))).toBe(true);
    expect(await codeOf(client.workspace.summary({ workspaceId: gone }))).toBe('NO_WORKSPACE');
  });
});

describe('events', () => {
  test('every listener hears of a change, and closing ends the streams', async () => {
    const other = await startCore(join(folder, 'events'));
    const ask: Client = createRouterClient(other.router);
    const heard: AppEvent['type'][][] = [[], []];
    const streams = [await ask.app.events(), await ask.app.events()];
    const ends = streams.map(async (events, at) => {
      for await (const { type } of events) heard[at]?.push(type);
    });
    const account = await ask.accounts.addPractice({ name: 'Heard' });
    await ask.workspace.create({
      workspaceId: account.workspaceId,
      label: 'Create',
      rows: [{ kind: 'campaign', parent: null, values: { name: 'C', campaignType: 'sba' } }],
    });
    const both = ['accounts.changed', 'workspace.changed'];
    await expect.poll(() => heard.every((types) => both.every((type) => types.some((one) => one === type)))).toBe(true);
    await other.close();
    await Promise.all(ends);
  });
});

describe('media', () => {
  test('a video and a caption of the same name belong together, and the same bytes are known', async () => {
    const bytes = aFilm({ durationMs: 9000, mdatBytes: 321 });
    const video = join(folder, 'spot.mp4');
    const caption = join(folder, 'Spot.srt');
    writeFileSync(video, bytes);
    writeFileSync(caption, '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    const added = await client.media.add({ workspaceId, grants: [await grantOf(video), await grantOf(caption)] });
    expect(added.files).toMatchObject([
      { outcome: 'added', mediaType: 'video', known: false },
      { outcome: 'added', mediaType: 'caption', known: false },
    ]);
    const again = await client.media.add({ workspaceId, grants: [await grantOf(aText('copy.mp4', bytes))] });
    expect(again.files).toMatchObject([{ outcome: 'added', known: true }]);
    const account = await core.open.get(workspaceId);
    if (!account.ok) throw new Error('not open');
    const [row] = (await account.value.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
    expect(row?.values).toMatchObject({ mediaName: 'spot', mediaState: 'local', fileName: 'spot.mp4' });
    expect(row?.values.caption).not.toBeNull();
    const { url, contentType } = await client.media.preview({ workspaceId, mediaId: row?.id ?? 1 });
    expect(contentType).toBe('video/mp4');
    const preview = await core.preview(url.replace('/preview/', ''));
    expect(preview?.bytes).toBe(bytes.length);
    const words = await client.media.preview({ workspaceId, mediaId: row?.values.caption ?? 1 });
    expect(words.contentType, 'a kind of file, as windows compare it').toBe('application/x-subrip');
  });
  test('an unknown grant and an unknown row are refused', async () => {
    expect(await codeOf(client.media.add({ workspaceId, grants: ['0'.repeat(32)] }))).toBe('NO_GRANT');
    expect(await codeOf(client.media.preview({ workspaceId, mediaId: 999 }))).toBe('NO_ROW');
  });
});

describe('sheets', () => {
  test('an import with media is one step, and undo takes its rows back', async () => {
    const { workspaceId: id } = await client.accounts.addPractice({ name: 'Sheet' });
    const grant = await grantOf(resolve('examples/campaigns.csv'));
    const preview = await client.exchange.preview({ workspaceId: id, grant });
    expect(preview).toMatchObject({ added: 56, changed: 0, unchanged: 0, errors: [] });
    expect((await client.workspace.summary({ workspaceId: id })).rows.campaign).toBe(0);
    await client.exchange.apply({ workspaceId: id, previewId: preview.previewId });
    const summary = await client.workspace.summary({ workspaceId: id });
    expect(summary.rows).toMatchObject({ campaign: 6, keyword: 15, media: 5 });
    expect(summary.undo).toBe('Import campaigns.csv');
    await client.workspace.undo({ workspaceId: id });
    const undone = await client.workspace.summary({ workspaceId: id });
    expect(undone.rows).toMatchObject({ campaign: 0, keyword: 0, media: 5 });
  });
  test('a preview is applied once', async () => {
    const grant = await grantOf(aText('one.csv', 'Type,Campaign,Campaign type\ncampaign,One,sba\n'));
    const { previewId } = await client.exchange.preview({ workspaceId, grant });
    await client.exchange.apply({ workspaceId, previewId });
    expect(await codeOf(client.exchange.apply({ workspaceId, previewId }))).toBe('NO_GRANT');
  });
  test('a preview that has grown old is linked again to what is there now', async () => {
    const grant = await grantOf(aText('two.csv', 'Type,Campaign,Campaign type\ncampaign,Two,sba\n'));
    const first = await client.exchange.preview({ workspaceId, grant });
    const second = await client.exchange.preview({ workspaceId, grant });
    expect(await client.exchange.apply({ workspaceId, previewId: first.previewId })).toMatchObject({ added: 1 });
    expect(await client.exchange.apply({ workspaceId, previewId: second.previewId })).toMatchObject({
      added: 0,
      unchanged: 1,
    });
  });
  test('a sheet that came without a path finds its media in the library by name', async () => {
    const csv =
      'Type,Campaign,Campaign type,Video\ncampaign,Spooled,video,\nvideo profile,Spooled,,some/folder/SPOT.mp4\n';
    const spooled = await core.grants.spool('x.csv', Readable.from([Buffer.from(csv)]), 10_000);
    if (!spooled.ok) throw new Error('not spooled');
    const preview = await client.exchange.preview({ workspaceId, grant: spooled.value.grant });
    expect(preview).toMatchObject({ added: 2, errors: [] });
  });
});

test('a key that was handed over is good for one attempt, also one that ends before it is read', async () => {
  const held = await core.grants.hold('key.pem', Readable.from([Buffer.from('a key')]));
  if (!held.ok) throw new Error('not held');
  const { grant: keyGrant } = held.value;
  const service = { baseUrl: 'https://partner.example', retailHost: 'retail.example' };
  const names = { name: 'Real', advertiserId: '900001', consumerId: 'c', keyVersion: '1' };
  const tokenGrant = '0'.repeat(32);
  expect(await codeOf(client.accounts.connect({ ...names, ...service, keyGrant, tokenGrant }))).toBe('NO_GRANT');
  expect(await core.grants.resolve(keyGrant)).toBeNull();
});

test('a sheet that was looked through for item ids is mended as it was: another one in its place is refused', async () => {
  const path = aText('ids.csv', 'Type,Campaign,Item id\nad item,Towels,7351064158\nad item,Towels,prod1\n');
  const { scanId, fileName } = await client.ids.scan({ workspaceId, grant: await grantOf(path) });
  const accepted = [{ from: 'prod1', to: '1234567890' }];
  const mended = await client.ids.mend({ workspaceId, scanId, accepted });
  expect(mended).toMatchObject({ fileName: fileName?.replace('.csv', '-mended.csv'), rows: 1 });
  writeFileSync(path, 'Type,Campaign,Item id\nad item,Somebody else,prod1\n');
  expect(await codeOf(client.ids.mend({ workspaceId, scanId, accepted }))).toBe('BAD_FILE');
});

describe('practice', () => {
  test('a search finds items of the catalogue', async () => {
    const found = await client.items.search({ workspaceId, text: 'kitchen roll', ids: null });
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]?.itemId).toMatch(/^\d{10}$/);
  });
  test('its clock shows and moves', async () => {
    const before = await client.practice.state({ workspaceId });
    const after = await client.practice.advance({ workspaceId, duration: 'PT2H' });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(2 * 3_600_000);
  });
});

test('the version is the one of package.json', async () => {
  const manifest: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect((await client.app.info()).version).toBe(manifest.version);
});
