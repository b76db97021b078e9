import { expect, test } from 'vitest';
import { freeBytesOn, LOW_SPACE_BYTES, lowSpace } from '../../main/app/system.ts';
import { aCoreWithPractice } from './a-core.ts';

const MINUTE_MS = 60_000;

test('an account says what an hour allows, what is left of it, and when it asks by itself again', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  const before = Date.now();
  const standing = await client().standing.get({ workspaceId });
  expect(standing).toMatchObject({ budgetLeft: 3000, budgetPerHour: 3000 });
  const wait = (standing.nextPollAt ?? 0) - before;
  expect(wait).toBeGreaterThan(26 * MINUTE_MS);
  expect(wait).toBeLessThan(34 * MINUTE_MS);
});

test('whether the service answers is not known before it was asked', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  expect((await client().standing.get({ workspaceId })).reachable).toBeNull();
  await client().sync.refresh({ workspaceId });
  expect((await client().standing.get({ workspaceId })).reachable).toBe(true);
});

test('a deployment profile moves the limits at once, and windows hear that everything may be different', async () => {
  const { client, workspaceId } = await aCoreWithPractice();
  const stop = new AbortController();
  const events = await client().app.events(undefined, { signal: stop.signal });
  const { revision } = await client().workspace.summary({ workspaceId });
  await client().accounts.setProfile({ workspaceId, text: 'rate.opsPerHour=40\nreview.pollMinutes=5' });
  const standing = await client().standing.get({ workspaceId });
  expect(standing).toMatchObject({ budgetLeft: 40, budgetPerHour: 40 });
  for await (const event of events) {
    if (event.type !== 'workspace.changed') continue;
    expect(event).toMatchObject({ workspaceId, revision });
    expect(event.kinds).toContain('media');
    break;
  }
  stop.abort();
});

test('a disk with less than 512 MiB free is told about, and one that has more or cannot say is not', async () => {
  let free = LOW_SPACE_BYTES;
  const { client, workspaceId } = await aCoreWithPractice({ freeBytes: async () => free });
  expect((await client().standing.get({ workspaceId })).lowSpaceBytes).toBeNull();
  free -= 1;
  expect((await client().standing.get({ workspaceId })).lowSpaceBytes).toBe(LOW_SPACE_BYTES - 1);
  const silent = async () => {
    throw Object.assign(new Error('not here'), { code: 'ENOSYS' });
  };
  expect(await lowSpace('/', silent)).toBeNull();
  expect(await freeBytesOn('/')).toBeGreaterThan(0);
});
