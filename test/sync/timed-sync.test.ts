import { beforeEach, describe, expect, test } from 'vitest';
import { planText } from '../../shared/plan/plan-text.ts';
import { autoDraft } from './a-draft.ts';
import { DEPLOYMENTS, MINUTE, type WaitingAccount, waitingAccount } from './a-waiting-account.ts';

/** Syncs with a deadline, syncs that are scheduled, and reviewed plans of which a part was sent. */
const ALL = { submit: false, campaignIds: null };
const HEALTHY = { after: 0, healthyMs: 3 * MINUTE };

describe.each(DEPLOYMENTS)('with %s', (_what, capabilities) => {
  let it: WaitingAccount;
  const sync = () => it.now().sync;
  const probes = async (): Promise<number> =>
    (await it.control.requests()).filter(({ method, path }) => method === 'GET' && path === '/api/v1/media').length;
  const reviewed = async (): Promise<string> => planText((await sync().planned(ALL)).plan);

  beforeEach(async () => {
    it = await waitingAccount(capabilities);
  });

  test('at its deadline a sync sends nothing more, and says what is left', async () => {
    it.onceSent(() => it.clock.advance(10 * MINUTE));
    await sync().run({ ...ALL, resumes: true, deadline: it.clock.nowMs() + 5 * MINUTE });
    const report = await it.settled();
    expect(report).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'deadline' } });
    const { done, untouched } = report ?? { done: 0, untouched: 0 };
    expect(done).toBeGreaterThan(0);
    expect([done + untouched, await it.pending()]).toEqual([18, 'none']);
    const sent = await it.writes();
    it.clock.advance(24 * 60 * MINUTE);
    expect(await it.writes()).toBe(sent);
    expect(it.events.at(-1)).toMatchObject({ type: 'sync.pending', state: 'none' });
    expect(it.events.filter((event) => event.type === 'sync.progress').at(-1)).toMatchObject({ ended: 'deadline' });
    expect((await it.now().run()).state).toBe('finished');
    expect(await it.onService()).toEqual(['A', 'B', 'C']);
  });

  test('a sync that waits or is paused at its deadline is over, with what is left and why', async () => {
    await it.line.cut();
    await sync().run({ ...ALL, resumes: true, deadline: it.clock.nowMs() + 20 * MINUTE });
    expect(await it.settled()).toMatchObject({
      state: 'stopped',
      stoppedBy: { cause: 'deadline', detail: expect.stringContaining('ECONNREFUSED') },
      untouched: 18,
    });
    await it.line.mend();
    it.onceSent(() => sync().pauseSync());
    await sync().run({ ...ALL, resumes: true, deadline: it.clock.nowMs() + 20 * MINUTE });
    await it.clock.until(() => sync().report()?.state === 'paused');
    const sent = await it.writes();
    expect(await it.settled()).toMatchObject({
      stoppedBy: { cause: 'deadline', detail: expect.stringContaining('the sync was paused') },
    });
    expect(await it.writes()).toBe(sent);
  });

  test('a scheduled sync sends the plan once probes have succeeded without a break, over a restart', async () => {
    const start = it.clock.nowMs();
    await sync().schedule({ ...ALL, resumes: true }, { ...HEALTHY, after: start + 30 * MINUTE });
    await it.reopen();
    expect(await it.view()).toMatchObject({ state: 'scheduled', left: 18, nextAt: start + 30 * MINUTE });
    expect(await probes()).toBe(0);
    await it.clock.until(async () => (await probes()) === 3);
    expect((await it.view())?.health?.since).toBe(start + 30 * MINUTE);
    await it.control.fault({ match: { path: '/api/v1/media' }, times: 1, kind: 'status', status: 503 });
    await it.clock.until(async () => (await it.view())?.problem !== null);
    expect(await it.view()).toMatchObject({ health: { since: null, minutes: 3 } });
    expect(await it.writes()).toBe(0);
    expect(await it.settled()).toMatchObject({ state: 'finished', done: 18 });
    expect(await probes()).toBe(8);
    expect(await it.onService()).toEqual(['A', 'B', 'C']);
  });

  test('a scheduled sync that would send another plan by then sends nothing, and says so', async () => {
    await sync().schedule({ ...ALL, resumes: true }, HEALTHY);
    await it.now().create(autoDraft('D'));
    expect(await it.settled()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'plan-changed' }, done: 0 });
    expect(await it.writes()).toBe(0);
  });

  test('a scheduled sync is over at its deadline when the service was not healthy, and can be canceled', async () => {
    await it.line.cut();
    await sync().schedule({ ...ALL, resumes: true, deadline: it.clock.nowMs() + 10 * MINUTE }, HEALTHY);
    expect(await it.settled()).toMatchObject({
      state: 'stopped',
      stoppedBy: { cause: 'deadline', detail: expect.stringContaining('the service was not healthy') },
      untouched: 18,
    });
    await it.line.mend();
    await sync().schedule({ ...ALL, resumes: true }, HEALTHY);
    expect([await it.pending(), sync().cancel()]).toEqual(['scheduled', true]);
    await it.settled();
    it.clock.advance(60 * MINUTE);
    expect([await it.pending(), await it.onService()]).toEqual(['none', []]);
  });

  test('the rest of a reviewed plan goes on after a pause, and nothing that was not reviewed', async () => {
    it.onceSent(() => sync().pauseSync());
    await sync().run({ ...ALL, resumes: true, plan: await reviewed() });
    await it.untilIs('paused');
    await it.reopen();
    it.onceSent(() => sync().pauseSync());
    await sync().resumeSync();
    await it.untilIs('paused');
    await it.now().create(autoDraft('D'));
    const sent = await it.writes();
    await sync().resumeSync();
    expect(await it.settled()).toMatchObject({ stoppedBy: { cause: 'plan-changed' }, done: 0 });
    expect(await it.writes()).toBe(sent);
  });

  test('the whole of a reviewed plan arrives in three parts', async () => {
    it.onceSent(() => sync().pauseSync());
    await sync().run({ ...ALL, resumes: true, plan: await reviewed() });
    await it.untilIs('paused');
    await it.reopen();
    it.onceSent(() => sync().pauseSync());
    await sync().resumeSync();
    await it.untilIs('paused');
    await sync().resumeSync();
    expect(await it.settled()).toMatchObject({ state: 'finished', stoppedBy: null, refused: [] });
    expect(await it.onService()).toEqual(['A', 'B', 'C']);
  });
});
