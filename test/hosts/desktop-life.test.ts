import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { createSleepState } from '../../main/app/clock.ts';
import { watchCrashes, watchPowerEvents } from '../../main/hosts/electron/lifecycle.ts';
import { accountIn, isOwnPage, pageUrl } from '../../main/hosts/electron/page-url.ts';
import { createSystemNotifications } from '../../main/hosts/electron/sync-indicators.ts';
import { startPollScheduler } from '../../main/sync/poll-scheduler.ts';
import { startTimer } from '../../main/sync/service.ts';

/** What the desktop app does about pages that fail, a machine that sleeps, and notes, without the runtime. */
describe('a page that fails', () => {
  function aPage(answers: readonly ('plain' | 'quit')[]) {
    const done: string[] = [];
    const left = [...answers];
    let nowMs = 0;
    const failed = watchCrashes({
      nowMs: () => nowMs,
      reload: () => void done.push('reload'),
      loadPlain: () => void done.push('plain'),
      ask: async () => {
        done.push('asked');
        return left.shift() ?? 'quit';
      },
      quit: () => void done.push('quit'),
    });
    const failAt = async (...moments: readonly number[]): Promise<readonly string[]> => {
      for (const moment of moments) {
        nowMs = moment;
        await failed();
      }
      return done;
    };
    return { failAt };
  }

  test('now and then is loaded again each time', async () => {
    expect(await aPage([]).failAt(0, 40_000, 80_000, 120_000)).toEqual(['reload', 'reload', 'reload', 'reload']);
  });

  test('again and again is not: the user is asked, and plain views are a way out', async () => {
    const page = aPage(['plain', 'quit']);
    expect(await page.failAt(0, 1, 2)).toEqual(['reload', 'reload', 'asked', 'plain']);
    expect(await page.failAt(3, 4, 5)).toEqual([
      ...['reload', 'reload', 'asked', 'plain'],
      ...['reload', 'reload', 'asked', 'quit'],
    ]);
  });

  test('is counted rightly when the clock is set back', async () => {
    expect(await aPage([]).failAt(1e12, 1e12 + 1, 5, 6)).toEqual(['reload', 'reload', 'reload', 'reload']);
  });

  test('while the question stands is not asked about twice', async () => {
    const asked: (() => void)[] = [];
    const failed = watchCrashes({
      nowMs: () => 0,
      reload: () => {},
      loadPlain: () => {},
      ask: () => new Promise((resolve) => asked.push(() => resolve('plain'))),
      quit: () => {},
    });
    await failed();
    await failed();
    const third = failed();
    await failed();
    expect(asked).toHaveLength(1);
    asked[0]?.();
    await third;
  });
});

describe('the address of a window', () => {
  test('names its account, also where views are plain', () => {
    for (const workspaceId of ['acme', 'acme-1a2b', null]) {
      for (const isPlain of [true, false]) {
        const address = pageUrl(workspaceId, isPlain);
        expect([accountIn(address), isOwnPage(address)]).toEqual([workspaceId, true]);
      }
    }
  });

  test.each(['', 'about:blank', 'https://evil.test/#acme', 'adslate-app://ui/#../x', 'adslate-app://ui/#A B'])(
    '"%s" names none',
    (address) => expect(accountIn(address)).toBeNull(),
  );
});

describe('a machine that sleeps', () => {
  test('is not asked for anything meanwhile, and catches up when it wakes', async () => {
    vi.useFakeTimers();
    const monitor = new EventEmitter();
    const sleepState = createSleepState();
    watchPowerEvents(monitor, sleepState, () => {});
    const looks: number[] = [];
    // A sleeping machine's clock goes on while its timers stand still.
    let sleptMs = 0;
    const nowMs = (): number => Date.now() + sleptMs;
    const polling = startPollScheduler(
      30,
      { random: () => 0.5, nowMs, startTimer, sleepState },
      async () => void looks.push(nowMs()),
    );
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(looks).toHaveLength(1);

    monitor.emit('suspend');
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(looks).toHaveLength(1);
    sleptMs = 8 * 3_600_000;
    monitor.emit('resume');
    expect(looks).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(looks).toHaveLength(3);

    monitor.emit('suspend');
    monitor.emit('resume');
    expect(looks, 'a short nap asks for nothing').toHaveLength(3);
    polling.stop();
    monitor.emit('resume');
    sleptMs *= 2;
    monitor.emit('resume');
    expect(looks, 'what was ended stays ended').toHaveLength(3);
    vi.useRealTimers();
  });
});

test('a machine that is switched off waits until the last commit is there', () => {
  const monitor = new EventEmitter();
  const done: string[] = [];
  watchPowerEvents(monitor, createSleepState(), () => void done.push('left'));
  monitor.emit('shutdown', { preventDefault: () => void done.push('put off') });
  expect(done).toEqual(['put off', 'left']);
});

describe('a note of the system', () => {
  test('leads to its account, and is left out where there are none', () => {
    const shown: unknown[] = [];
    const followed: string[] = [];
    const made: EventEmitter[] = [];
    const notes = (isSupported: boolean) =>
      createSystemNotifications({
        isSupported: () => isSupported,
        make: (options) => {
          const note = Object.assign(new EventEmitter(), { show: () => void shown.push(options) });
          made.push(note);
          return note;
        },
        follow: (workspaceId, place) => void followed.push(`${workspaceId} ${place}`),
      });
    notes(false)('acme', 'Review results', '1 approved.', 'reviews');
    expect(shown).toEqual([]);
    notes(true)('acme', 'Review results', '1 approved.', 'reviews');
    made[0]?.emit('click');
    expect([shown, followed]).toEqual([[{ title: 'Review results', body: '1 approved.' }], ['acme reviews']]);
  });
});
