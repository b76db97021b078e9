import { beforeEach, describe, expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import { DEPLOYMENTS, MINUTE, type WaitingAccount, waitingAccount } from './a-waiting-account.ts';

/** A service that is busy or refuses, and what of it a sync waits for. */
const ALL = { submit: false, campaignIds: null, resumes: true };
const ITEMS = { method: 'GET', path: '/api/v1/adItems' };

describe.each(DEPLOYMENTS)('with %s', (_what, capabilities) => {
  let it: WaitingAccount;
  /** Everything is on the service, and a bid was edited: so the ad items are read first. */
  beforeEach(async () => {
    it = await waitingAccount(capabilities);
    await it.now().sync.run(ALL);
    await it.settled();
    await it.now().edit('adItem', it.items.get('A') ?? asRowId(0), { bid: 177 });
  });
  const refuse = (status: number, headers = {}, message = 'busy') =>
    it.control.fault({ match: ITEMS, times: 5, kind: 'status', status, headers, body: { error: message } });

  test('reads that fail with 503 are waited for, and the sync goes on when they succeed', async () => {
    await refuse(503);
    await it.now().sync.run(ALL);
    await it.untilIs('waiting');
    expect(await it.view()).toMatchObject({ cause: 'service', left: 1, nextAt: it.clock.nowMs() + MINUTE / 2 });
    await it.reopen();
    expect(await it.settled()).toMatchObject({ state: 'finished', done: 1 });
  });

  test('a moment that the service names is waited for, after 503 and after 429', async () => {
    for (const [status, cause] of [
      [503, 'service'],
      [429, 'rate-limited'],
    ] as const) {
      await it.control.clearFaults();
      await refuse(status, { 'retry-after': '7200' });
      const askedAt = it.clock.nowMs();
      await it.now().sync.run(ALL);
      await it.untilIs('waiting');
      const { nextAt = null, ...seen } = (await it.view()) ?? {};
      expect(seen).toMatchObject({ cause });
      // The clock may have moved while the answer was written down: the two hours count from the answer.
      const answeredAt = (nextAt ?? 0) - 120 * MINUTE;
      expect(answeredAt).toBeGreaterThanOrEqual(askedAt);
      expect(answeredAt).toBeLessThanOrEqual(it.clock.nowMs() + 5000);
      expect(it.now().sync.cancel()).toBe(true);
      await it.settled();
    }
    await it.control.clearFaults();
    await it.now().sync.run(ALL);
    expect(await it.settled()).toMatchObject({ state: 'finished', done: 1 });
  });

  test('refused credentials are not waited for, and neither is a response that makes no sense', async () => {
    await refuse(403, {}, 'User not Authenticated');
    await it.now().sync.run(ALL);
    expect(await it.settled()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'credentials' } });
    await it.control.clearFaults();
    await it.control.fault({ match: ITEMS, times: 5, kind: 'garbage' });
    await it.now().sync.run(ALL);
    expect(await it.settled()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'service' } });
  });

  test('a pause lets the upload in progress come to its end, so that its bytes go up once', async () => {
    await it.reopen({ sandbox: it.direct });
    const video = await addVideo(it.now());
    await it.now().create(videoDraft(video));
    it.onceUploading(() => it.now().sync.pauseSync());
    await it.now().sync.run(ALL);
    await it.untilIs('paused');
    const uploads = async () =>
      (await it.control.requests()).filter(({ path }) => path === '/api/v1/media/complete').map(({ method }) => method);
    expect(await uploads()).toEqual(['PUT']);
    await it.now().sync.resumeSync();
    expect(await it.settled()).toMatchObject({ state: 'finished', failedUploads: [] });
    expect(await uploads()).toEqual(['PUT']);
  });
});
