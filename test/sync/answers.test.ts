import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResponseRecord } from '../../main/api/response-record.ts';
import { createResponseLog, type ResponseLog } from '../../main/app/response-log.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { apiOf, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** What the service answered is kept as it was received: found by its correlation id, bounded, and without a secret. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let answers: ResponseLog;
const hear = (answer: () => ResponseRecord): void => answers.hear(answer);

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS, onResponse: hear });
  answers = createResponseLog(join(account.folder, 'answers.db'), account.workspace);
});
afterEach(async () => {
  await answers.close();
  await account.close();
  await sandbox.close();
});

const listed = (words = '') => answers.list(0, 500, words);
test('every answer is kept, to reads and to what was sent, under the correlation id the service saw', async () => {
  await account.create(autoDraft('Rolls auto'));
  await account.run();
  await account.sync.refresh();
  const seen = (await control.requests()).map(({ correlationId }) => correlationId);
  const { total, answers: kept } = await listed();
  expect(kept.map(({ correlationId }) => correlationId).toReversed()).toEqual(seen);
  expect(total).toBe(seen.length);
  const [sent] = (await account.workspace.outbox.sentRequests({ from: 0, count: 1, words: 'v1/campaigns' })).requests;
  const [answer] = await answers.of(sent?.correlationId ?? '');
  expect(JSON.parse(answer?.body ?? '')).toMatchObject([{ code: 'success' }]);
  const reads = await listed('aditems campaignid=');
  expect(reads.answers[0]).toMatchObject({ method: 'GET', status: 200 });
  expect(await answers.of('nothing')).toEqual([]);
});

test('a campaign says when it was read whole, and the newest answer that says so', async () => {
  const [campaignId] = (await account.create(autoDraft())) as [never];
  const { outbox } = account.workspace;
  await account.run();
  expect(await outbox.campaignRead({ campaignId })).toMatchObject({ at: null });
  await account.sync.refresh([campaignId]);
  const { remoteId, at } = await outbox.campaignRead({ campaignId });
  expect(at).toBeGreaterThan(0);
  const read = await answers.lastRead(remoteId ?? '');
  expect(read).toMatchObject({ method: 'GET', campaignId: remoteId });
  const ids = (await control.requests()).map(({ correlationId }) => correlationId);
  expect(ids).toContain(read?.correlationId);
});

test('neither the token, nor a key, nor an address that uploads, is in what is kept', async () => {
  const [first] = sandbox.ready.accounts;
  if (first === undefined) throw new Error('The service has no account.');
  const echo = { error: `no rights: ${first.token}`, key: first.privateKeyPem, access_token: 'a-renewed-token' };
  await control.fault({
    match: { method: 'POST', path: '/api/v1/campaigns' },
    times: 1,
    kind: 'status',
    status: 400,
    body: echo,
  });
  await account.create(autoDraft());
  await account.run();
  await account.sync.refresh();
  const api = apiOf(sandbox, fetch, first.advertiserId, hear);
  const pair = await api.requestUpload();
  api.close();
  if (!pair.ok) throw new Error('There is no pair of addresses.');
  const { answers: lines } = await listed();
  const bodies = await Promise.all(lines.map(async ({ correlationId }) => answers.of(correlationId)));
  const text = JSON.stringify(bodies);
  expect(text).toContain('no rights: [removed]');
  expect(text).toContain(new URL(pair.value.uploadUrl).origin);
  const { searchParams, pathname } = new URL(pair.value.uploadUrl);
  const secrets = [
    first.token,
    first.privateKeyPem.slice(60, 100),
    'a-renewed-token',
    pathname,
    ...searchParams.values(),
  ];
  expect(secrets.filter((secret) => secret.length > 6 && text.includes(secret))).toEqual([]);
});
