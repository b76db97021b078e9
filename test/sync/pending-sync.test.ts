import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Outbox } from '../../main/sync/ports.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import { share } from '../share.ts';
import { addVideo, autoDraft, videoDraft } from './a-draft.ts';
import { DEPLOYMENTS, MINUTE, type WaitingAccount, waitingAccount } from './a-waiting-account.ts';
import { practiceService } from './practice-service.ts';

/** Something that is waited for until the test lets it go on. */
function aGate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('pending sync', () => {
  /** Syncs that are paused and that wait for the service, with the account closed and opened in between. */

  describe.each(share('pending syncs', DEPLOYMENTS, 2))('with %s', (_what, capabilities) => {
    const service = practiceService({ extensions: capabilities === WITH_EXTENSIONS });
    let it: WaitingAccount;

    beforeEach(async () => {
      it = await waitingAccount(service, capabilities);
    });

    /** How often ad items were read. */
    const reads = async () =>
      (await it.control.requests()).filter(({ method, path }) => method === 'GET' && path === '/api/v1/adItems').length;

    test('a paused sync lets its requests end, begins nothing more, survives a restart, and goes on with what was edited meanwhile', async () => {
      it.onceSent(() => it.now().sync.pauseSync());
      await it.runUntil('paused');
      expect(it.now().sync.report()).toMatchObject({ state: 'paused', stoppedBy: null });
      const sent = await it.writes();
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(12);
      const { left } = (await it.view()) ?? { left: 0 };
      expect(left).toBeGreaterThan(0);
      it.clock.advance(3 * 24 * 60 * MINUTE);
      await it.now().create(autoDraft('D'));
      await it.reopen();
      expect(await it.view()).toMatchObject({ state: 'paused', leftThen: left, left: left + 6, isReviewed: false });
      expect(it.now().sync.report()).toMatchObject({ state: 'paused' });
      expect(await it.writes()).toBe(sent);
      expect((await it.now().sync.resumeSync())?.ok).toBe(true);
      expect(await it.settled()).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0 });
      expect(await it.onService()).toEqual(['A', 'B', 'C', 'D']);
      expect(await it.pending()).toBe('none');
    });

    test('a sync that the disk does not keep goes on, and says why in words and what to do', async () => {
      await mkdir(join(it.folder, 'pending-sync.json', 'full'), { recursive: true });
      expect(await it.ran()).toMatchObject({ state: 'finished', refused: [] });
      expect(it.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []))).toContain(
        "Can't save the pending sync: it is a folder (EISDIR). Keep Adslate open until the sync has ended.",
      );
    });

    test('what the first part of a sync has sent is read back by the second', async () => {
      const { create, edit } = it.now();
      const items = [...it.items.values()];
      for (const name of ['D', 'E', 'F']) items.push((await create(autoDraft(name)))[2] ?? asRowId(0));
      await it.now().run();
      for (const item of items) await edit('adItem', item, { bid: 177 });
      const before = await reads();
      it.onceSent(() => it.now().sync.pauseSync());
      await it.runUntil('paused');
      const { left } = (await it.view()) ?? { left: 0 };
      expect(left).toBeLessThan(3);
      await it.reopen();
      await it.now().sync.resumeSync();
      expect(await it.settled()).toMatchObject({ state: 'finished' });
      // Before the first part all, before the second what was left, and after they were sent all again, by either part.
      expect((await reads()) - before).toBeGreaterThanOrEqual(6 + left + 6);
    });

    test('a sync that was refused leaves nothing of its plan to the one that goes on', async () => {
      const { planId } = await it.now().sync.plan({ submit: false, campaignIds: null });
      await it.now().edit('adItem', it.items.get('A') ?? asRowId(0), { bid: 199 });
      await it.line.cut();
      await it.run({ resumes: true });
      expect(await it.run({ seenPlan: planId })).toMatchObject({ error: { code: 'SYNC_RUNNING' } });
      await it.untilIs('waiting');
      await it.line.mend();
      expect(await it.settled()).toMatchObject({ state: 'finished', done: 18, untouched: 0 });
      expect(await it.now().workspace.summary()).toMatchObject({ changed: 0 });
    });

    test('a sync that is canceled reads nothing back, which the next one does', async () => {
      const items = [...it.items.values()];
      await it.now().run();
      for (const item of items) await it.now().edit('adItem', item, { bid: 177 });
      const before = await reads();
      it.onceSent(() => it.now().sync.cancel());
      await it.run();
      const canceled = await it.settled();
      expect(canceled).toMatchObject({ state: 'cancelled' });
      expect(canceled?.done).toBeGreaterThan(0);
      // Each campaign was read before its items were sent, and none after.
      expect((await reads()) - before).toBe(3);
      await it.ran();
      const left = 3 - (canceled?.done ?? 0);
      expect((await reads()) - before).toBe(3 + left + 3);
      expect(await it.now().workspace.summary()).toMatchObject({ changed: 0 });
    });

    test('a network that is away is waited for over a restart, and everything is there once', async () => {
      await it.line.cut();
      await it.runUntil('waiting');
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

    test('while a request is tried again the service is away, and it is there with the first response', async () => {
      const reachable = async () => (await it.now().sync.status()).reachable;
      await it.line.cut();
      await it.run({ resumes: true });
      const waits = () => it.events.some((event) => event.type === 'sync.progress' && event.waitsFor === 'unreachable');
      await it.clock.until(waits);
      expect([it.now().sync.isRunning(), await reachable()]).toEqual([true, false]);
      const during: unknown[] = [];
      // An event has windows ask, long before the sync is over.
      it.onceSent(async () => during.push(it.now().sync.isRunning(), await reachable()));
      await it.line.mend();
      expect(await it.settled()).toMatchObject({ state: 'finished' });
      expect(during).toEqual([true, true]);
    });

    test('the user may resume at once, or give up', async () => {
      await it.line.cut();
      await it.runUntil('waiting');
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

    test('a sync that is canceled or closed while it waits for the turn of its team sends nothing', async () => {
      const nothing = async (): Promise<void> => {};
      let turn = aGate();
      const turns = (outbox: Outbox) => async () => {
        await turn.passed;
        return ok({ outbox, lost: () => null, pollInMs: 0, keep: nothing, end: nothing });
      };
      await it.reopen({ team: { turns } });
      const canceled = it.run({ resumes: true });
      await it.clock.until(() => it.now().sync.isRunning());
      expect(it.now().sync.cancel()).toBe(true);
      turn.open();
      expect(await canceled).toMatchObject({ ok: true });
      expect(await it.settled()).toMatchObject({ state: 'cancelled', done: 0 });
      turn = aGate();
      const closed = it.run();
      await it.clock.until(() => it.now().sync.isRunning());
      const end = it.now().close();
      turn.open();
      expect(await closed).toMatchObject({ ok: false, error: { data: { detail: 'the account was closed' } } });
      await end;
      expect(await it.writes()).toBe(0);
    });

    test('a sync that begins by itself says so before its backup, and can be canceled during it', async () => {
      const asked = aGate();
      const backup = aGate();
      const mayStart = async (): Promise<null> => {
        asked.open();
        await backup.passed;
        return null;
      };
      await it.reopen({ mayStart });
      await it.line.cut();
      await it.runUntil('waiting');
      await it.line.mend();
      let isAsked = false;
      void asked.passed.then(() => (isAsked = true));
      await it.clock.until(() => isAsked);
      expect(it.events.filter(({ type }) => type === 'sync.pending').at(-1)).toMatchObject({ state: 'running' });
      expect(it.now().sync.cancel()).toBe(true);
      backup.open();
      expect(await it.settled()).toMatchObject({ state: 'cancelled', done: 0 });
      expect([await it.pending(), await it.writes()]).toEqual(['none', 0]);
    });

    test('a sync that begins by itself with more than was confirmed is paused when that is declined, and says why', async () => {
      await it.reopen({ mayStart: async () => ({ code: 'CANCELLED', data: {} }) });
      await it.line.cut();
      await it.runUntil('waiting');
      await it.line.mend();
      await it.untilIs('paused');
      expect(await it.view()).toMatchObject({
        state: 'paused',
        problem: 'There was more to send than before, and it was not confirmed',
      });
      expect(await it.writes()).toBe(0);
    });

    test('a sync that nobody wants to wait for is over at once', async () => {
      await it.line.cut();
      await it.run();
      await it.clock.until(() => !it.now().sync.isRunning());
      expect(await it.pending()).toBe('none');
    });

    test('what waits is left alone by a process that does not take it up, and stays here when the database was put back', async () => {
      await it.line.cut();
      await it.runUntil('waiting');
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
      await it.run({ resumes: true });
      await it.reopen();
      expect(await it.pending()).toBe('paused');
      await it.now().sync.resumeSync();
      it.now().sync.cancel();
      await it.reopen();
      expect(await it.pending()).toBe('none');
    });
  });
});

describe('busy waits', () => {
  /** A service that is busy or refuses, and what of it a sync waits for. */
  const ITEMS = { method: 'GET', path: '/api/v1/adItems' };

  describe.each(share('a busy service', DEPLOYMENTS, 2))('with %s', (_what, capabilities) => {
    const service = practiceService({ extensions: capabilities === WITH_EXTENSIONS });
    let it: WaitingAccount;
    /** Everything is on the service, and a bid was edited: so the ad items are read first. */
    beforeEach(async () => {
      it = await waitingAccount(service, capabilities);
      await it.ran({ resumes: true });
      await it.now().edit('adItem', it.items.get('A') ?? asRowId(0), { bid: 177 });
    });
    const refuse = (status: number, headers = {}, message = 'busy') =>
      it.control.fault({ match: ITEMS, times: 5, kind: 'status', status, headers, body: { error: message } });

    test('reads that fail with 503 are waited for, and the sync goes on when they succeed', async () => {
      await refuse(503);
      await it.runUntil('waiting');
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
        const askedAt = Date.now();
        await it.runUntil('waiting');
        const { nextAt = null, ...seen } = (await it.view()) ?? {};
        expect(seen).toMatchObject({ cause });
        // The two hours count from the answer, by the clock of the client, which the test does not move.
        const answeredAt = (nextAt ?? 0) - 120 * MINUTE;
        expect(answeredAt).toBeGreaterThanOrEqual(askedAt);
        expect(answeredAt).toBeLessThanOrEqual(Date.now());
        expect(it.now().sync.cancel()).toBe(true);
        await it.settled();
      }
      await it.control.clearFaults();
      expect(await it.ran({ resumes: true })).toMatchObject({ state: 'finished', done: 1 });
    });

    test('a read that waits out a limit gives way to a sync', async () => {
      await it.control.answer('GET', '/api/v1/adItems', 429, { headers: { 'retry-after': '1800' } });
      const waits = () => it.events.some((event) => event.type === 'sync.progress' && event.retryAt !== null);
      it.events.length = 0;
      const refreshed = it.now().sync.refresh();
      await it.clock.until(waits);
      const at = it.clock.nowMs();
      expect(await it.ran({ resumes: true })).toMatchObject({ state: 'finished', done: 1 });
      expect(it.clock.nowMs() - at).toBeLessThan(MINUTE);
      expect(await refreshed).toMatchObject({ ok: false, error: { kind: 'later' } });
    });

    test('a sync that is canceled while it waits for a read ends at once', async () => {
      await it.control.fault({ match: ITEMS, times: 1, kind: 'delay', delayMs: 3000 });
      const before = (await it.control.requests()).length;
      let isRead = false;
      void it
        .now()
        .sync.refresh()
        .then(() => (isRead = true));
      while ((await it.control.requests()).length === before) await it.now().workspace.summary();
      await it.run({ resumes: true });
      expect(it.now().sync.cancel()).toBe(true);
      expect(await it.now().sync.idle()).toMatchObject({ state: 'cancelled', done: 0 });
      expect(isRead).toBe(false);
    });

    test('refused credentials are not waited for, and neither is a response that makes no sense', async () => {
      await refuse(403, {}, 'User not Authenticated');
      expect(await it.ran({ resumes: true })).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'credentials' } });
      await it.control.clearFaults();
      await it.control.fault({ match: ITEMS, times: 5, kind: 'garbage' });
      expect(await it.ran({ resumes: true })).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'service' } });
    });

    test('a pause lets the upload in progress come to its end, so that its bytes go up once', async () => {
      await it.reopen({ sandbox: it.direct });
      const video = await addVideo(it.now());
      await it.now().create(videoDraft(video));
      it.onceUploading(() => it.now().sync.pauseSync());
      await it.runUntil('paused');
      const uploads = async () =>
        (await it.control.requests())
          .filter(({ path }) => path === '/api/v1/media/complete')
          .map(({ method }) => method);
      expect(await uploads()).toEqual(['PUT']);
      await it.now().sync.resumeSync();
      expect(await it.settled()).toMatchObject({ state: 'finished', failedUploads: [] });
      expect(await uploads()).toEqual(['PUT']);
    });
  });
});

describe('the rest goes', () => {
  /** What is refused or unresolved concerns itself alone: other rows and other campaigns are sent. */

  describe.each(share('refused rows', DEPLOYMENTS, 2))('with %s', (_what, capabilities) => {
    const service = practiceService({ extensions: capabilities === WITH_EXTENSIONS });
    let it: WaitingAccount;
    beforeEach(async () => {
      it = await waitingAccount(service, capabilities);
    });
    const sync = () => it.ran();

    test('a refused row leaves the other rows of its batch and the other campaigns alone', async () => {
      const low = it.items.get('A') ?? asRowId(0);
      await it.now().edit('adItem', low, { bid: 1 });
      const report = await sync();
      expect(report?.refused).toMatchObject([{ kind: 'adItem', id: low }]);
      expect(report).toMatchObject({ state: 'finished', done: 17, untouched: 0 });
    });

    test('a batch that is refused whole leaves the other campaigns alone', async () => {
      await it.control.answer('POST', '/api/v1/adItems', 400, { body: { error: 'Bid is not valid' } });
      const report = await sync();
      expect(report?.refused.map(({ kind }) => kind)).toEqual(['adItem', 'adItem']);
      expect(report).toMatchObject({ state: 'finished', done: 16, untouched: 0 });
    });

    test('an update that is refused whole goes in halves, until the row at fault stands alone', async () => {
      await sync();
      const [first, other] = [it.items.get('A') ?? asRowId(0), it.otherItems.get('A') ?? asRowId(0)];
      await it.now().edit('adItem', first, { bid: 177 });
      await it.now().edit('adItem', other, { bid: 178 });
      const refusal = { kind: 'status', status: 404, body: { error: 'AdGroup item not found' } };
      await it.control.fault({ match: { method: 'PUT', path: '/api/v1/adItems' }, times: 2, ...refusal });
      const report = await sync();
      expect(report).toMatchObject({ state: 'finished', done: 1, untouched: 0 });
      expect(report?.refused).toMatchObject([{ id: first, message: 'AdGroup item not found' }]);
      expect(await sync()).toMatchObject({ state: 'finished', done: 1, refused: [] });
    });

    test('a campaign whose creation is unresolved leaves the others alone, in this sync and in the next', async () => {
      await it.control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-before' });
      expect(await sync()).toMatchObject({ state: 'finished', refused: [], done: capabilities.campaignRead ? 18 : 12 });
      const [there = ''] = await it.onService();
      await it.now().edit('adItem', it.items.get(there) ?? asRowId(0), { bid: 177 });
      expect(await sync()).toMatchObject({
        state: 'finished',
        done: 1,
        questions: capabilities.campaignRead ? 0 : 1,
      });
    });

    test('a service that answers no create ends the sync after a few, which waits, and asks about those alone', async () => {
      const names = ['A', 'B', 'C', ...Array.from({ length: 9 }, (_, at) => `Draft ${at}`)];
      for (const name of names.slice(3)) await it.now().create(autoDraft(name));
      const open = async (): Promise<number> =>
        (await it.now().workspace.outbox.live()).flatMap(({ ops }) => ops).length;
      await it.control.answer('POST', '/api/v1/campaigns', 503, { times: 1000 });
      await it.runUntil('waiting');
      expect(await it.view()).toMatchObject({ cause: 'service' });
      const first = await open();
      // Up to four requests are under way when the first has no answer.
      expect(first).toBeGreaterThanOrEqual(3);
      expect(first).toBeLessThanOrEqual(4);
      await it.now().sync.resumeSync();
      await it.untilIs('waiting');
      expect(await open()).toBeLessThanOrEqual(first + 1);
      await it.control.clearFaults();
      it.clock.advance(30 * MINUTE);
      const asked = await it.now().sync.questions();
      expect(asked).toHaveLength(capabilities.campaignRead ? 0 : await open());
      for (const { id } of asked) expect(await it.now().sync.answer(id, 'absent')).toMatchObject({ ok: true });
      await it.settled();
      expect(await it.ran()).toMatchObject({ state: 'finished', questions: 0, inDoubt: 0 });
      expect(await it.onService()).toEqual(names.toSorted());
    });

    test('a read that is refused for one campaign leaves the others alone', async () => {
      await sync();
      for (const item of it.items.values()) await it.now().edit('adItem', item, { bid: 177 });
      await it.control.answer('GET', '/api/v1/adItems', 404);
      expect(await sync()).toMatchObject({ state: 'finished' });
      expect((await sync())?.inDoubt).toBe(0);
      expect((await it.now().run()).done).toBe(0);
    });
  });
});

describe('timed sync', () => {
  /** Syncs with a deadline, syncs that are scheduled, and reviewed plans of which a part was sent. */
  const ALL = { submit: false, campaignIds: null };
  const HEALTHY = { after: 0, healthyMs: 3 * MINUTE };

  describe.each(share('timed syncs', DEPLOYMENTS, 2))('with %s', (_what, capabilities) => {
    const service = practiceService({ extensions: capabilities === WITH_EXTENSIONS });
    let it: WaitingAccount;
    const sync = () => it.now().sync;
    const probes = async (): Promise<number> =>
      (await it.control.requests()).filter(({ method, path }) => method === 'GET' && path === '/api/v1/media').length;
    const reviewed = async (): Promise<string> => planText((await sync().planned(ALL)).plan);

    beforeEach(async () => {
      it = await waitingAccount(service, capabilities);
    });

    test('at its deadline a sync sends nothing more, and says what is left', async () => {
      it.onceSent(() => it.clock.advance(10 * MINUTE));
      await it.run({ resumes: true, deadline: it.clock.nowMs() + 5 * MINUTE });
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
      await it.run({ resumes: true, deadline: it.clock.nowMs() + 20 * MINUTE });
      expect(await it.settled()).toMatchObject({
        state: 'stopped',
        stoppedBy: { cause: 'deadline', detail: expect.stringContaining('ECONNREFUSED') },
        untouched: 18,
      });
      await it.line.mend();
      it.onceSent(() => sync().pauseSync());
      await it.run({ resumes: true, deadline: it.clock.nowMs() + 20 * MINUTE });
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
      expect(await it.view()).toMatchObject({
        state: 'scheduled',
        left: 18,
        isReviewed: true,
        nextAt: start + 30 * MINUTE,
      });
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

    async function pausedTwice(): Promise<void> {
      it.onceSent(() => sync().pauseSync());
      await it.run({ resumes: true, plan: await reviewed() });
      await it.untilIs('paused');
      await it.reopen();
      it.onceSent(() => sync().pauseSync());
      await sync().resumeSync();
      await it.untilIs('paused');
    }

    test('the rest of a reviewed plan goes on after a pause, and nothing that was not reviewed', async () => {
      await pausedTwice();
      await it.now().create(autoDraft('D'));
      expect(await it.view()).toMatchObject({ state: 'paused', isReviewed: true });
      const sent = await it.writes();
      await sync().resumeSync();
      expect(await it.settled()).toMatchObject({ stoppedBy: { cause: 'plan-changed' }, done: 0 });
      expect(await it.writes()).toBe(sent);
    });

    test('the whole of a reviewed plan arrives in three parts', async () => {
      await pausedTwice();
      await sync().resumeSync();
      expect(await it.settled()).toMatchObject({ state: 'finished', stoppedBy: null, refused: [] });
      expect(await it.onService()).toEqual(['A', 'B', 'C']);
    });
  });
});
