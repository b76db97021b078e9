import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { createRouterClient, safe } from '@orpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { createPracticeHost } from '../../main/practice/practice-service.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { asWorkspaceId, type WorkspaceId } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { aFilm } from '../media/builders.ts';
import { at, done } from '../store/a-workspace.ts';
import { HERE } from '../store/without-threads.ts';
import { aCoreWithPractice, addRows, aSharedPractice, startCore } from './a-core.ts';

describe('core', () => {
  const folder = testFolder('core');
  let core: Core;
  let client: Client;
  let workspaceId: WorkspaceId;

  beforeAll(async () => {
    core = await startCore(join(folder, 'data'));
    client = createRouterClient(core.router);
    workspaceId = (await client.accounts.addPractice({ name: 'Shop' })).workspaceId;
    return () => core.close();
  });

  const grantOf = async (path: string): Promise<string> => {
    const file = done(await core.grants.grantPath(path));
    return file.grant;
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
    test('renaming, modes and unknown accounts are answered', async () => {
      expect(await client.accounts.rename({ workspaceId, name: 'Shop 2' })).toMatchObject({ name: 'Shop 2' });
      const exported = await client.exchange.export({ workspaceId, format: 'csv' });
      expect(exported.fileName).toMatch(/^adslate-shop-2-\d{4}-\d\d-\d\d\.csv$/);
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
      await addRows(ask, account.workspaceId, 'Create', [
        { kind: 'campaign', parent: null, values: { name: 'C', campaignType: 'sba' } },
      ]);
      const both = ['accounts.changed', 'workspace.changed'];
      await expect
        .poll(() => heard.every((types) => both.every((type) => types.some((one) => one === type))))
        .toBe(true);
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
      const account = done(await core.open.get(workspaceId));
      const [row] = (await account.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
      expect(row?.values).toMatchObject({ mediaName: 'spot', mediaState: 'local', fileName: 'spot.mp4' });
      expect(row?.values.caption).not.toBeNull();
      const { url, contentType } = await client.media.preview({ workspaceId, mediaId: row?.id ?? 1 });
      expect(contentType).toBe('video/mp4');
      const preview = await core.preview(url.replace('/preview/', ''));
      expect(preview?.bytes).toBe(bytes.length);
      const words = await client.media.preview({ workspaceId, mediaId: row?.values.caption ?? 1 });
      expect(words.contentType, 'a kind of file, as windows compare it').toBe('application/x-subrip');
    });
  });

  test('an unknown grant and an unknown row are refused', async () => {
    expect(await codeOf(client.media.add({ workspaceId, grants: ['0'.repeat(32)] }))).toBe('NO_GRANT');
    expect(await codeOf(client.media.preview({ workspaceId, mediaId: 999 }))).toBe('NO_ROW');
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
    test('a sheet that came without a path finds its media in the library by name', async () => {
      const csv =
        'Type,Campaign,Campaign type,Video\ncampaign,Spooled,video,\nvideo profile,Spooled,,some/folder/SPOT.mp4\n';
      const spooled = done(await core.grants.spool('x.csv', Readable.from([Buffer.from(csv)]), 10_000));
      const preview = await client.exchange.preview({ workspaceId, grant: spooled.grant });
      expect(preview).toMatchObject({ added: 2, errors: [] });
    });
  });

  test('a key that was handed over is good for one attempt, also one that ends before it is read', async () => {
    const held = done(await core.grants.hold('key.pem', Readable.from([Buffer.from('a key')])));
    const { grant: keyGrant } = held;
    const service = { baseUrl: 'https://partner.example', retailHost: 'retail.example' };
    const names = { name: 'Real', advertiserId: '900001', consumerId: 'c', keyVersion: '1' };
    const tokenGrant = '0'.repeat(32);
    expect(await codeOf(client.accounts.connect({ ...names, ...service, keyGrant, tokenGrant }))).toBe('NO_GRANT');
    expect(await core.grants.resolve(keyGrant)).toBeNull();
  });

  test('a sheet that was looked through for item ids is mended as it was: another one in its place is refused', async () => {
    const path = aText('ids.csv', 'Type,Campaign,Item id\nad item,Towels,7351064158\nad item,Towels,prod1\n');
    const { scanId, fileName } = await client.itemIds.scan({ workspaceId, grant: await grantOf(path) });
    const accepted = [{ from: 'prod1', to: '1234567890' }];
    const mended = await client.itemIds.repairFile({ workspaceId, scanId, accepted });
    expect(mended).toMatchObject({ fileName: fileName?.replace('.csv', '-repaired.csv'), rows: 1 });
    writeFileSync(path, 'Type,Campaign,Item id\nad item,Somebody else,prod1\n');
    expect(await codeOf(client.itemIds.repairFile({ workspaceId, scanId, accepted }))).toBe('BAD_FILE');
  });

  test('the version is the one of package.json', async () => {
    const manifest: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await client.app.info()).version).toBe(manifest.version);
  });
});

/** What is written beside rows, and what of it is refused because nobody would find it again. */
const { client: shop, workspaceId } = await aSharedPractice('notes');
const aCampaign = async () => {
  const rows = [{ kind: 'campaign' as const, parent: null, values: { name: 'Spring' } }];
  return at((await addRows(shop, workspaceId, 'Create', rows)).touched, 0);
};
test('fault L6: a name or a comment that nobody can see, or a name with a control character, is refused with what is in it', async () => {
  const { notes, views } = shop;
  const view = { kind: 'campaign' as const, filter: '', sort: [], campaignId: null, only: 'all' as const };
  const ref = await aCampaign();
  const messagesOf = async (call: Promise<unknown>): Promise<string> => {
    const { error } = await safe(call);
    return JSON.stringify(error !== null && 'data' in error ? error.data : error);
  };
  for (const [name, says] of [
    ['\u200B', 'only invisible characters ([U+200B])'],
    ['\u2060 \u00AD', 'only invisible characters'],
    ['a\u0000b', 'an invisible character at position 2'],
  ] as const) {
    expect(await messagesOf(notes.saveLabel({ workspaceId, name }))).toContain(says);
    expect(await messagesOf(views.save({ workspaceId, name, view }))).toContain(says);
  }
  expect(await messagesOf(notes.comment({ workspaceId, ref, text: '\u200B' }))).toContain('invisible');
  expect([await notes.labels({ workspaceId }), await notes.comments({ workspaceId })]).toEqual([[], []]);
  // What is used as it is meant stays: a picture of three, joined.
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
  expect(await notes.saveLabel({ workspaceId, name: family })).toMatchObject({ name: family });
});

test('fault L9: a comment on a field that the row does not have is refused by the name of the field', async () => {
  const { notes } = shop;
  const ref = await aCampaign();
  for (const field of ['bid', 'no such field', 'constructor']) {
    expect((await safe(notes.comment({ workspaceId, ref, field, text: 'Why?' }))).error).toMatchObject({
      code: 'BAD_VALUE',
      data: { kind: 'campaign', field, reason: 'unknown-field' },
    });
  }
  expect(await notes.comments({ workspaceId })).toEqual([]);
  expect(await notes.comment({ workspaceId, ref, field: 'name', text: 'Why?' })).toMatchObject({ field: 'name' });
});

test('what a newer Adslate has written is exported as a sheet and as an archive, and refuses edits', async () => {
  const { dataDir, workspaceId, client, reopen } = await aCoreWithPractice();
  const values = { name: 'Towels', campaignType: 'sba' };
  const campaign = { kind: 'campaign' as const, parent: null, values };
  await client().workspace.create({ workspaceId, label: 'New campaign', rows: [campaign] });
  await reopen(() => {
    const newer = new DatabaseSync(join(dataDir, 'workspaces', workspaceId, 'workspace.db'));
    newer.exec('CREATE TABLE future(x); PRAGMA user_version = 999');
    newer.close();
  });
  const { exchange, workspace } = client();
  expect(await exchange.export({ workspaceId, format: 'csv' })).toMatchObject({ rows: 1 });
  expect(await exchange.export({ workspaceId, format: 'archive' })).toMatchObject({ rows: 1 });
  const refused = await safe(workspace.create({ workspaceId, label: 'Another', rows: [campaign] }));
  expect(refused.error).toMatchObject({ code: 'NOT_WRITABLE', data: { why: 'newer-schema' } });
});

describe('practice', () => {
  const folder = testFolder('practice');
  /** Without a thread, for what its end does not matter to. */
  const aHost = (place: string) => createPracticeHost(place, undefined, HERE.practice);

  test('the practice service starts on first use and its clock moves by what it is told', async () => {
    const host = aHost(join(folder, 'a'));
    const control = done(await host.control());
    const before = done(await control.state());
    const after = done(await control.advance('P3D'));
    const movedDays = (Date.parse(after.now) - Date.parse(before.now)) / 86_400_000;
    expect(Math.floor(movedDays)).toBe(3);
    expect(after.openReviews).toEqual([]);
    await host.close();
  });
  test('the moved clock and the credentials survive a restart', async () => {
    const place = join(folder, 'b');
    const first = aHost(place);
    const control = done(await first.control());
    const { account } = done(await first.service());
    await control.advance('P10D');
    await first.close();
    const second = aHost(place);
    const again = done(await second.control());
    const state = done(await again.state());
    expect(Date.parse(state.now) - Date.now()).toBeGreaterThan(9 * 86_400_000);
    expect(done(await second.service()).account.token).toBe(account.token);
    await second.close();
  });
  test('no service is started for an account that is closed', async () => {
    const host = createPracticeHost(join(folder, 'closed'));
    await host.close();
    expect(await host.service()).toMatchObject({ ok: false, error: { code: 'UNREACHABLE' } });
    expect(existsSync(join(folder, 'closed'))).toBe(false);
  });
  test('a service that ended by itself comes back at the same address', async () => {
    const host = createPracticeHost(join(folder, 'c'));
    const first = done(await host.service());
    await first.close();
    const second = done(await host.service());
    expect(second.baseUrl).toBe(first.baseUrl);
    expect(second.account.token).toBe(first.account.token);
    await host.close();
  });
  test('several who find it ended at once get one service, and no second one on the same state', async () => {
    const host = createPracticeHost(join(folder, 'd'));
    const first = done(await host.service());
    await first.close();
    const [one, ...others] = await Promise.all([host.service(), host.service(), host.service()]);
    if (one?.ok !== true) throw new Error('not started again');
    for (const other of others) expect(other).toBe(one);
    await host.close();
  });
  test('a service whose folder cannot be made is unavailable with the reason, and starts once it can', async () => {
    const place = join(folder, 'e');
    writeFileSync(place, 'a file where the folder should be');
    const host = aHost(place);
    expect(await host.service()).toMatchObject({
      error: { code: 'NOT_WRITABLE', data: { detail: expect.stringContaining('EEXIST') } },
    });
    rmSync(place);
    expect(await host.service()).toMatchObject({ ok: true });
    await host.close();
  });

  test('fault L4: a practice clock that is moved too far is refused with the limit, and the service is not said to be gone', async () => {
    const shop = await aCoreWithPractice();
    const { workspaceId } = shop;
    const { practice } = shop.client();
    const before = await practice.state({ workspaceId });
    for (const duration of ['PT999999999999H', `P${'9'.repeat(400)}D`]) {
      expect((await safe(practice.advance({ workspaceId, duration }))).error).toMatchObject({
        code: 'SERVICE_ANSWERED',
        data: { status: 400, detail: expect.stringMatching(/too far ahead.*9999-12-31/) },
      });
    }
    const after = await practice.state({ workspaceId });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(3_600_000);
  });
});
