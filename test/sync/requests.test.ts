import { beforeEach, expect, test } from 'vitest';
import type { RunningSandbox } from '../../sandbox/start.ts';
import { autoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { freshAccount } from './fresh-account.ts';

/** What was sent can be looked up: by its correlation id, with each element's answer and the exact body, and without a secret. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;

beforeEach(async () => {
  ({ sandbox, control, account } = await freshAccount());
});

const list = (words = '') => account.workspace.outbox.sentRequests({ from: 0, count: 50, words });

test('every request is listed newest first, and its correlation id is the one the service saw', async () => {
  await account.create(autoDraft());
  await account.run();
  const { total, requests } = await list();
  expect(total).toBe(requests.length);
  expect(requests.map(({ kind }) => kind)).toEqual(requests.map(({ kind }) => kind).toSorted(byPlace));
  const seen = new Set((await control.requests()).map((one) => (one.method === 'GET' ? null : one.correlationId)));
  expect(requests.filter(({ correlationId }) => !seen.has(correlationId))).toEqual([]);
  expect(new Set(requests.map(({ correlationId }) => correlationId)).size).toBe(total);
});

/** Children stand before their parents, since the newest come first. */
const PLACES = ['platformMultiplier', 'placementMultiplier', 'adItem', 'adGroup', 'campaign'];
const byPlace = (a: string, b: string): number => Math.sign(PLACES.indexOf(a) - PLACES.indexOf(b));

test('one is found by part of its correlation id, its path, or its campaign', async () => {
  await account.create(autoDraft('Rolls auto'));
  await account.run();
  const { requests } = await list();
  const [newest] = requests;
  expect((await list(newest?.correlationId.slice(3, 20).toUpperCase())).requests).toEqual([newest]);
  expect((await list('rolls aditems')).requests).toMatchObject([{ path: '/api/v1/adItems', campaign: 'Rolls auto' }]);
  expect(await list('no such request')).toEqual({ total: 0, requests: [] });
});

test('a request unfolds to its elements with what was answered to each, and to its exact body', async () => {
  await account.create(autoDraft());
  await control.fault({
    match: { method: 'POST', path: '/api/v1/adItems' },
    times: 1,
    kind: 'status',
    status: 400,
    body: { error: 'Ad item is not available for the advertiser' },
  });
  await account.run();
  const [items] = (await list('aditems')).requests;
  expect(items).toMatchObject({ method: 'POST', verb: 'create', states: { REJECTED: 2 } });
  const detail = await account.workspace.outbox.sentRequest({ id: items?.id ?? 0 });
  expect(detail?.elements).toMatchObject([
    { kind: 'adItem', state: 'REJECTED', remoteId: null, reason: 'Ad item is not available for the advertiser' },
    { kind: 'adItem', state: 'REJECTED' },
  ]);
  expect(JSON.parse(detail?.body ?? '')).toHaveLength(2);
  expect(detail?.bodyLength).toBe(detail?.body.length);
  expect(detail?.receipts).not.toEqual([]);

  const [campaign] = (await list('api/v1/campaigns')).requests;
  const made = await account.workspace.outbox.sentRequest({ id: campaign?.id ?? 0 });
  expect(made?.elements).toMatchObject([{ label: 'Rolls auto', state: 'DONE', reason: null }]);
  expect(made?.elements[0]?.remoteId).toMatch(/^\d+$/);
  expect(await account.workspace.outbox.sentRequest({ id: 99_999 })).toBeNull();
});

test('nothing of it holds the token or the key of the account', async () => {
  await account.create(autoDraft());
  await account.run();
  const { requests } = await list();
  const details = await Promise.all(requests.map(({ id }) => account.workspace.outbox.sentRequest({ id })));
  const text = JSON.stringify([requests, details]);
  const secrets = sandbox.ready.accounts.flatMap(({ token, privateKeyPem }) => [token, privateKeyPem.slice(40, 80)]);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
