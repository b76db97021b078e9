import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safe } from '@orpc/server';
import { afterAll, expect, test } from 'vitest';
import { createPracticeHost } from '../../main/practice/practice-service.ts';
import { aCoreWithPractice } from './a-core.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-practice-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the practice service starts on first use and its clock moves by what it is told', async () => {
  const host = createPracticeHost(join(folder, 'a'));
  const control = await host.control();
  if (!control.ok) throw new Error(control.error.detail);
  const before = await control.value.state();
  const after = await control.value.advance('P3D');
  if (!before.ok || !after.ok) throw new Error('no state');
  const movedDays = (Date.parse(after.value.now) - Date.parse(before.value.now)) / 86_400_000;
  expect(Math.floor(movedDays)).toBe(3);
  expect(after.value.openReviews).toEqual([]);
  await host.close();
});
test('the moved clock and the credentials survive a restart', async () => {
  const place = join(folder, 'b');
  const first = createPracticeHost(place);
  const control = await first.control();
  const token = await first.service();
  if (!control.ok || !token.ok) throw new Error('not started');
  await control.value.advance('P10D');
  await first.close();
  const second = createPracticeHost(place);
  const again = await second.control();
  const sameToken = await second.service();
  if (!again.ok || !sameToken.ok) throw new Error('not started again');
  const state = await again.value.state();
  if (!state.ok) throw new Error('no state');
  expect(Date.parse(state.value.now) - Date.now()).toBeGreaterThan(9 * 86_400_000);
  expect(sameToken.value.account.token).toBe(token.value.account.token);
  await second.close();
});
test('no service is started for an account that is closed', async () => {
  const host = createPracticeHost(join(folder, 'closed'));
  await host.close();
  expect(await host.service()).toMatchObject({ ok: false, error: { kind: 'practice-unavailable' } });
  expect(existsSync(join(folder, 'closed'))).toBe(false);
});
test('a service that ended by itself comes back at the same address', async () => {
  const host = createPracticeHost(join(folder, 'c'));
  const first = await host.service();
  if (!first.ok) throw new Error('not started');
  await first.value.close();
  const second = await host.service();
  if (!second.ok) throw new Error('not started again');
  expect(second.value.baseUrl).toBe(first.value.baseUrl);
  expect(second.value.account.token).toBe(first.value.account.token);
  await host.close();
});
test('several who find it ended at once get one service, and no second one on the same state', async () => {
  const host = createPracticeHost(join(folder, 'd'));
  const first = await host.service();
  if (!first.ok) throw new Error('not started');
  await first.value.close();
  const [one, ...others] = await Promise.all([host.service(), host.service(), host.service()]);
  if (one?.ok !== true) throw new Error('not started again');
  for (const other of others) expect(other).toBe(one);
  await host.close();
});
test('a service whose folder cannot be made is unavailable with the reason, and starts once it can', async () => {
  const place = join(folder, 'e');
  writeFileSync(place, 'a file where the folder should be');
  const host = createPracticeHost(place);
  expect(await host.service()).toMatchObject({
    error: { kind: 'practice-unavailable', detail: expect.stringContaining('EEXIST') },
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
