import { beforeEach, describe, expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { autoDraft } from './a-draft.ts';
import { DEPLOYMENTS, MINUTE, type WaitingAccount, waitingAccount } from './a-waiting-account.ts';

/** Syncs that are paused and that wait for the service, with the account closed and opened in between. */
const ALL = { submit: false, campaignIds: null };

describe.each(DEPLOYMENTS)('with %s', (_what, capabilities) => {
  let it: WaitingAccount;

  beforeEach(async () => {
    it = await waitingAccount(capabilities);
  });

  test('a paused sync lets its requests end, begins nothing more, survives a restart, and goes on with what was edited meanwhile', async () => {
    it.onceSent(() => it.now().sync.pauseSync());
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.untilIs('paused');
    expect(it.now().sync.report()).toMatchObject({ state: 'paused', stoppedBy: null });
    const sent = await it.writes();
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(12);
    const { left } = (await it.view()) ?? { left: 0 };
    expect(left).toBeGreaterThan(0);
    it.clock.advance(3 * 24 * 60 * MINUTE);
    await it.now().create(autoDraft('D'));
    await it.reopen();
    expect(await it.view()).toMatchObject({ state: 'paused', leftThen: left, left: left + 6 });
    expect(it.now().sync.report()).toMatchObject({ state: 'paused' });
    expect(await it.writes()).toBe(sent);
    expect((await it.now().sync.resumeSync())?.ok).toBe(true);
    expect(await it.settled()).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0 });
    expect(await it.onService()).toEqual(['A', 'B', 'C', 'D']);
    expect(await it.pending()).toBe('none');
  });

  test('what the first part of a sync has sent is read back by the second', async () => {
    const { create, edit } = it.now();
    const items = [...it.items.values()];
    for (const name of ['D', 'E', 'F']) items.push((await create(autoDraft(name)))[2] ?? asRowId(0));
    await it.now().run();
    for (const item of items) await edit('adItem', item, { bid: 177 });
    it.onceSent(() => it.now().sync.pauseSync());
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.untilIs('paused');
    expect((await it.view())?.left).toBeLessThan(3);
    await it.reopen();
    const reads = async () =>
      (await it.control.requests()).filter(({ method, path }) => method === 'GET' && path === '/api/v1/adItems').length;
    const before = await reads();
    await it.now().sync.resumeSync();
    expect(await it.settled()).toMatchObject({ state: 'finished' });
    expect((await reads()) - before).toBeGreaterThanOrEqual(6);
  });

  test('a network that is away is waited for over a restart, and everything is there once', async () => {
    await it.line.cut();
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.untilIs('waiting');
    expect(it.now().sync.report()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'unreachable' } });
    const { nextAt } = (await it.view()) ?? {};
    expect(nextAt).toBe(it.clock.nowMs() + MINUTE / 2);
    await it.clock.until(async () => ((await it.view())?.nextAt ?? 0) > it.clock.nowMs() + 3 * MINUTE);
    await it.reopen();
    expect(await it.pending()).toBe('waiting');
    await it.line.mend();
    expect(await it.settled()).toMatchObject({ state: 'finished', stoppedBy: null, done: 18 });
    expect(await it.onService()).toEqual(['A', 'B', 'C']);
  });

  test('the user may resume at once, or give up', async () => {
    await it.line.cut();
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.untilIs('waiting');
    await it.now().sync.resumeSync();
    await it.untilIs('waiting');
    expect(it.now().sync.cancel()).toBe(true);
    expect(await it.settled()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'unreachable' } });
    expect(await it.pending()).toBe('none');
    expect(it.now().sync.cancel()).toBe(false);
    await it.line.mend();
    it.clock.advance(60 * MINUTE);
    expect(await it.onService()).toEqual([]);
  });

  test('a sync that nobody wants to wait for is over at once', async () => {
    await it.line.cut();
    await it.now().sync.run(ALL);
    await it.clock.until(() => !it.now().sync.isRunning());
    expect(await it.pending()).toBe('none');
  });

  test('what waits is left alone by a process that does not take it up, and stays here when the database was put back', async () => {
    await it.line.cut();
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.untilIs('waiting');
    await it.line.mend();
    await it.reopen({ takesUp: false });
    let looks = 0;
    await it.clock.until(() => ++looks > 20);
    expect([await it.pending(), await it.onService()]).toEqual(['waiting', []]);
    await it.reopen({ isSame: false });
    expect(await it.view()).toMatchObject({
      state: 'paused',
      problem: 'the account was restored from a backup',
    });
    await it.reopen();
    expect(await it.pending()).toBe('paused');
  });

  test('a sync that is on when the account is closed is paused, and one that is canceled is not', async () => {
    await it.now().sync.run({ ...ALL, resumes: true });
    await it.reopen();
    expect(await it.pending()).toBe('paused');
    await it.now().sync.resumeSync();
    it.now().sync.cancel();
    await it.reopen();
    expect(await it.pending()).toBe('none');
  });
});
