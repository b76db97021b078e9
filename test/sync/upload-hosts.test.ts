import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUploadHosts, type UploadHosts } from '../../main/sync/uploader.ts';
import { type HostileService, startHostileService } from '../faults/a-hostile-service.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { controlOf } from './control.ts';

/** An upload address on a host nobody knows is asked about once; the answer is remembered, and can be taken back. */
let service: HostileService;
let account: TestAccount;
let hosts: UploadHosts;

beforeAll(async () => {
  service = await startHostileService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.meet(null);
  await controlOf(service.sandbox).reset();
  account = await openAccount({ sandbox: service.front });
  hosts = createUploadHosts(account.workspace, () => 1_000);
});
afterEach(() => account.close());

/** No name under `.invalid` can ever be resolved, so nothing can arrive there. */
const HOST = 'uploads.invalid';

function wantUploadsAt(host: string): () => number {
  let pairs = 0;
  service.meet(async ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/v1/media/upload') return null;
    pairs++;
    const at = (file: string): string => `https://${host}/${file}?se=1&sig=2`;
    const pair = {
      code: 'success',
      mediaUploadRequestId: 5_500_001,
      uploadUrl: at('video'),
      captionUrl: at('caption'),
    };
    return { status: 200, body: JSON.stringify(pair) };
  });
  return () => pairs;
}
async function mediaState(): Promise<readonly unknown[]> {
  const video = (await account.workspace.readMedia()).find(({ values }) => values.mediaType === 'video');
  return [video?.values.mediaState, video?.values.stateReason ?? ''];
}

test('the file waits here for the answer, which names the host and what would be sent', async () => {
  await account.create(videoDraft(await addVideo(account)));
  const pairs = wantUploadsAt('Uploads.INVALID.');
  expect(await account.run()).toMatchObject({ state: 'finished', uploads: 0, inDoubt: 0 });
  // An address that nobody allowed gives no reason to ask for others.
  expect(pairs()).toBe(1);
  expect(await mediaState()).toEqual(['local', expect.stringContaining(HOST)]);
  const [asked] = await hosts.list();
  expect(asked).toMatchObject({ host: HOST, state: 'asked', files: [{ name: 'kitchen-roll-spot.mp4' }] });
  expect(asked?.files[0]?.bytes).toBeGreaterThan(1000);
  expect(account.events.some((event) => event.type === 'notice' && event.message.includes(HOST))).toBe(true);
  // Another sync asks nothing new.
  await account.run();
  expect(await hosts.list()).toHaveLength(1);
});

test('allowed, the next sync goes there and nowhere else; the answer taken back, it asks again', async () => {
  await account.create(videoDraft(await addVideo(account)));
  wantUploadsAt(HOST);
  await account.run();
  expect(await hosts.answer(HOST, true)).toMatchObject([{ host: HOST, state: 'allowed', answeredAt: 1_000 }]);
  await account.run();
  // The name cannot be resolved, which is only found out by going there.
  expect(await mediaState()).toEqual(['failed', expect.stringContaining('ENOTFOUND')]);
  wantUploadsAt(`eu.${HOST}`);
  await account.run();
  expect((await hosts.list()).map(({ host, state }) => `${host} ${state}`)).toEqual([
    `${HOST} allowed`,
    `eu.${HOST} asked`,
  ]);
  await hosts.forget(HOST);
  wantUploadsAt(HOST);
  await account.run();
  expect((await hosts.list()).find(({ host }) => host === HOST)).toMatchObject({ state: 'asked' });
});

test('refused, nothing is sent and nothing is asked; a private address is refused without a question', async () => {
  await account.create(videoDraft(await addVideo(account)));
  wantUploadsAt(HOST);
  await account.run();
  await hosts.answer(HOST, false);
  await account.run();
  expect(await mediaState()).toEqual(['failed', expect.stringContaining('you have refused')]);
  wantUploadsAt('10.0.0.7');
  await account.run();
  expect(await mediaState()).toEqual(['failed', expect.stringContaining('10.0.0.7')]);
  expect(await hosts.list()).toMatchObject([{ host: HOST, state: 'refused' }]);
});

test('a look-alike in other letters is shown in both forms', async () => {
  await hosts.ask('xn--80ak6aa92e.example', { name: 'film.mp4', bytes: 5 });
  expect(await hosts.list()).toMatchObject([{ host: 'xn--80ak6aa92e.example', shown: 'аррӏе.example' }]);
});

test('a service that names a new host every time gets no more than twenty questions', async () => {
  for (let n = 0; n < 30; n++) await hosts.ask(`h${n}.example`, { name: 'film.mp4', bytes: 5 });
  expect(await hosts.list()).toHaveLength(20);
  expect(await hosts.answer('h29.example', true)).toBeNull();
});
