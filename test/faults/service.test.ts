import { writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { probeFile } from '../../main/files/probe/probe-file.ts';
import { createUploadHosts } from '../../main/files/upload/upload-url-check.ts';
import { listPending } from '../../main/sync/pending.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { issueText } from '../../shared/rules/messages.ts';
import { aFilm } from '../media/builders.ts';
import { at, detailOf } from '../store/a-workspace.ts';
import { aCertificate } from '../sync/a-certificate.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { type Control, countThings, onTheService } from '../sync/control.ts';
import { practiceService } from '../sync/practice-service.ts';
import { type HostileService, isCall } from './a-hostile-service.ts';
import { onHostileService } from './hostile-account.ts';

let account: TestAccount;

describe('service', () => {
  let service: HostileService;
  let control: Control;

  onHostileService((met) => {
    ({ service, control, account } = met);
  });

  const accountAt = async (baseUrl: string): Promise<TestAccount> =>
    openAccount({ sandbox: { ...service.front, ready: { ...service.front.ready, baseUrl } } });
  const isOnce = async (things: number): Promise<void> => {
    const counts = countThings(await onTheService(service.sandbox));
    expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
    expect(Object.keys(counts)).toHaveLength(things);
  };

  test('fault 2: a name that cannot be resolved is "not sent": told, nothing in doubt, everything kept', async () => {
    const away = await accountAt('https://service.invalid');
    try {
      await away.create(autoDraft());
      expect(await away.run()).toMatchObject({ stoppedBy: { cause: 'unreachable' }, inDoubt: 0, done: 0 });
      expect((await away.workspace.summary()).changed).toBe(6);
    } finally {
      await away.close();
    }
  });

  test('fault 3: a certificate nobody vouches for is refused, told, and not tried again', async () => {
    let requests = 0;
    let handshakes = 0;
    const server = createTlsServer(aCertificate('localhost'), (_, response) => {
      requests++;
      response.end('[]');
    });
    server.on('connection', () => handshakes++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const away = await accountAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      await away.create(autoDraft());
      const report = await away.run();
      expect(report).toMatchObject({ stoppedBy: { cause: 'security' }, inDoubt: 0, done: 0 });
      expect(report.stoppedBy?.detail).toContain('certificate');
      expect(requests).toBe(0);
      // One for the look into the catalogue and one for the campaign, neither of them tried again.
      expect(handshakes).toBeLessThanOrEqual(2);
    } finally {
      await away.close();
      server.close();
    }
  });

  test('fault 11: half the batch is written, then 500: that half is found, the other is sent again', async () => {
    await account.create(autoDraft());
    let met = 0;
    service.meet(async (meeting) => {
      if (!isCall(meeting, 'POST adItems') || met++ > 0) return null;
      await meeting.forward((body) => JSON.stringify((JSON.parse(body) as unknown[]).slice(0, 1)));
      return { status: 500, body: '{"error":"There was an error processing the request"}' };
    });
    expect(await account.run()).toMatchObject({ state: 'finished', done: 6, inDoubt: 0, questions: 0 });
    const posts = (await control.requests()).filter(
      ({ method, path }) => method === 'POST' && path === '/api/v1/adItems',
    );
    expect(posts.map(({ elements }) => elements ?? 1)).toHaveLength(2);
    await isOnce(6);
  });

  test('fault 13: results in another order are noticed when they are read back: every row has its own id', async () => {
    const ids = await account.create(autoDraft());
    service.meetJson<unknown[]>('POST adItems', (results) => results.toReversed());
    await account.run();
    const there = new Map((await onTheService(service.sandbox)).map((thing) => [thing.remoteId, thing.identity]));
    for (const id of ids.slice(2, 4)) {
      const row = await account.workspace.readRow({ kind: 'adItem', id });
      expect(row?.kind === 'adItem' && there.get(String(row.remoteId)) === row.values.itemId).toBe(true);
    }
    await isOnce(6);
  });

  test('fault 15: one id for two rows is believed of neither; both are found', async () => {
    await account.create(autoDraft());
    service.meetJson<{ adItemId: number }[]>('POST adItems', (results) =>
      results.map((one) => ({ ...one, adItemId: results[0]?.adItemId })),
    );
    expect(await account.run()).toMatchObject({ done: 6, inDoubt: 0, questions: 0 });
    await isOnce(6);
  });

  test('fault 30: a list that leaves a field out leaves the draft as it is', async () => {
    const ids = await account.create(autoDraft());
    await account.run();
    await account.edit('adItem', at(ids, 2), { bid: 222 });
    service.meetText('GET adItems', (text) => text.replace(/"bid":[\d.]+,?/g, ''));
    await account.sync.refresh();
    const row = await account.workspace.readRow({ kind: 'adItem', id: at(ids, 2) });
    expect(row).toMatchObject({ values: { bid: 222 }, base: { bid: 160 } });
    expect(await account.run()).toMatchObject({ done: 1, refused: [] });
  });

  test('fault 34: 429 on every second call only slows a run down', async () => {
    for (const name of ['A', 'B', 'C']) await account.create(autoDraft(name));
    let calls = 0;
    service.meet(async () =>
      calls++ % 2 === 0
        ? { status: 429, headers: { 'retry-after': '30' }, body: '{"error":"Rate limit exceeded"}' }
        : null,
    );
    expect(await account.run()).toMatchObject({ state: 'finished', done: 18, refused: [], inDoubt: 0, questions: 0 });
    await isOnce(18);
  });

  test('fault 37: what one list lacks is told, its edit is kept and not sent, and a list that has it again ends it', async () => {
    const ids = await account.create(autoDraft());
    await account.run();
    await account.edit('adItem', at(ids, 2), { bid: 222 });
    const row = await account.workspace.readRow({ kind: 'adItem', id: at(ids, 2) });
    service.meetJson<{ adItemId: number }[]>('GET adItems', (items) =>
      items.filter(({ adItemId }) => String(adItemId) !== row?.remoteId),
    );
    const report = await account.run();
    expect(report.refused).toMatchObject([
      { kind: 'adItem', id: ids[2], message: expect.stringContaining('checks again') },
    ]);
    const puts = (await control.requests()).filter(({ method }) => method === 'PUT');
    expect(puts).toEqual([]);
    expect(await account.workspace.readRow({ kind: 'adItem', id: at(ids, 2) })).toMatchObject({
      values: { bid: 222 },
    });
    service.meet(null);
    expect(await account.run()).toMatchObject({ done: 1, refused: [] });
  });

  test('fault 42: a video that is processed for ever blocks nothing else', async () => {
    const direct = await openAccount({ sandbox: service.sandbox });
    try {
      await direct.create(videoDraft(await addVideo(direct)));
      await direct.create(autoDraft());
      for (let rounds = 0; rounds < 3; rounds++) {
        expect(await direct.run()).toMatchObject({ state: 'finished', refused: [], inDoubt: 0 });
      }
      const media = (await direct.workspace.readMedia()).find(({ values }) => values.mediaType === 'video');
      expect(media?.values.mediaState).toBe('processing');
      const names = (await control.state()).campaigns.map(({ name }) => name);
      expect(names.toSorted()).toEqual(['Rolls auto', 'Rolls video']);
    } finally {
      await direct.close();
    }
  });

  test('fault 105: upload addresses that are over are asked for anew, and the video is there once', async () => {
    await control.answer('PUT', '/upload/video/*', 403);
    const direct = await openAccount({ sandbox: service.sandbox, capabilities: DOCUMENTED_ONLY });
    try {
      await direct.create(videoDraft(await addVideo(direct)));
      expect(await direct.run()).toMatchObject({ uploads: 1, refused: [] });
      expect((await control.requests()).filter(({ path }) => path === '/api/v1/media/upload')).toHaveLength(2);
    } finally {
      await direct.close();
    }
  });

  test.each([
    ['another port of this machine', 'failed', (elsewhere: string) => elsewhere],
    ['https on this machine', 'failed', () => 'https://127.0.0.1/put'],
    // The file waits here until the user has said whether it may go there.
    ['a host nobody named', 'local', () => 'https://storage.example/put?sig=1'],
    ['the address of the cloud itself', 'failed', () => 'http://169.254.169.254/latest/meta-data'],
  ])('fault 106: an upload address on %s gets not one request, and no credential', async (_, mediaState, address) => {
    await account.create(videoDraft(await addVideo(account)));
    service.meetText('POST media/upload', (text) =>
      text.replace(/"(uploadUrl|captionUrl)":"[^"]*"/g, `"$1":"${address(service.elsewhere)}"`),
    );
    const report = await account.run();
    expect(report.uploads).toBe(0);
    expect(service.strangers).toEqual([]);
    const media = (await account.workspace.readMedia()).find(({ values }) => values.mediaType === 'video');
    expect(media?.values).toMatchObject({
      mediaState,
      stateReason: expect.stringContaining('Nothing was sent'),
    });
  });

  test('of all requests of a sync only those to the service itself carry credentials; the storage sees none', async () => {
    const seen: { url: string; names: string[] }[] = [];
    const watched = await openAccount({
      sandbox: service.sandbox,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        seen.push({ url: request.url, names: [...request.headers.keys()] });
        return fetch(request);
      },
    });
    try {
      await watched.create(videoDraft(await addVideo(watched)));
      expect(await watched.run()).toMatchObject({ uploads: 1 });
    } finally {
      await watched.close();
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.every(({ url }) => url.startsWith(`${service.sandbox.ready.baseUrl}/api/`))).toBe(true);
    expect(seen.every(({ names }) => names.includes('authorization') && names.includes('svc_sec.auth_signature'))).toBe(
      true,
    );
    // The storage of the practice service refuses uploads that carry a credential, and took this one.
    const uploads = (await control.requests()).filter(
      ({ method, path }) => method === 'PUT' && path.startsWith('/upload/'),
    );
    expect(uploads.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('service states', () => {
  /** What the state of a campaign refuses, and what a file is refused for, each with the way that leads on. */
  const sandbox = practiceService();

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  });

  const issues = async (kind: string): Promise<readonly string[]> =>
    (await account.workspace.issues(0, 500, null)).issues.filter((one) => one.kind === kind).map(issueText);
  async function waitReasons(): Promise<readonly string[]> {
    const { workspace, sync, clock } = account;
    const nowMs = (): number => clock.nowMs();
    const hosts = createUploadHosts(workspace, nowMs);
    const found = await listPending({
      workspace,
      sync,
      hosts,
      profile: defaultDeploymentSettings('shop.example'),
      nowMs,
    });
    return found.map(({ reason }) => reason);
  }

  test('fault 38: what a review refuses is told in its words, then with the way out: cancel, send, submit again', async () => {
    const [campaign, group] = await account.create(sbaDraft(await addLogo(account)));
    if (campaign === undefined || group === undefined) throw new Error('no draft');
    await account.run();
    // A moment later the campaign is a proposal, which a review can be asked for.
    await sandbox.control.advance('PT1M');
    // A colleague asks for the review elsewhere; this workspace has not heard of it.
    const colleague = await sandbox.open({ capabilities: WITH_EXTENSIONS });
    await colleague.sync.refresh();
    const [tree] = await colleague.workspace.readTrees('all');
    await colleague.sync.reviews.submit([tree?.campaign.id as RowId]);
    expect((await colleague.sync.idle())?.reviews).toBe(1);
    await colleague.close();

    const word = { text: 'napkin', matchType: 'exact', bid: 200, state: 'enabled' };
    const [keyword] = await account.create([{ kind: 'keyword', parent: { id: group }, values: word }]);
    const report = await account.run();
    expect(report.refused.map(({ id }) => id)).toContain(keyword);
    expect(report.refused.find(({ id }) => id === keyword)?.message).toContain('Under review, adding is not allowed');
    const detail = await detailOf(account.workspace, { kind: 'keyword', id: keyword as RowId });
    expect(detail?.refusal?.message).toContain('Under review');

    await account.sync.refresh();
    expect((await issues('keyword')).join(' ')).toContain('cancel the review');
    expect(await account.run()).toMatchObject({ refused: [] });
    expect(await waitReasons()).toContain('review-open');

    await account.sync.reviews.cancel([campaign]);
    await account.sync.idle();
    expect(await account.run({ submit: true })).toMatchObject({ done: 2, reviews: 1, refused: [] });
  });

  test.each([
    ['0', 0, 'is unknown'],
    ['4.9', 4_900, 'is 4.9 s long, but must be at least 5 s'],
    ['45.1', 45_100, 'is 45.1 s long, but must be at most 45 s'],
    ['5', 5_000, null],
    ['45', 45_000, null],
  ])('fault 99: a film of %s s is told with what is allowed', async (_seconds, durationMs, words) => {
    const path = join(account.folder, 'film.mp4');
    const bytes = aFilm({ durationMs });
    await writeFile(path, bytes);
    const probed = probeFile(path);
    if (!probed.ok) throw new Error(`refused: ${JSON.stringify(probed.error)}`);
    const facts = JSON.stringify(probed.value);
    const values = { mediaType: 'video', mediaName: 'Film', fileName: 'film.mp4', sha256: 'a'.repeat(64), facts };
    await account.create([{ kind: 'media', parent: null, values: { ...values, bytes: bytes.byteLength } }]);
    const texts = (await issues('media')).filter((text) => /s long, but|The length of/.test(text));
    if (words === null) expect(texts).toEqual([]);
    else expect(texts.join(' ')).toContain(words);
  });
});
