import { describe, expect, test } from 'vitest';
import type { StopReason } from '../../main/sync/context.ts';
import type { PendingEvent, PendingState } from '../../main/sync/pending-steps.ts';
import { dueAt, reopened, stepOf, WAIT_MAX_MS } from '../../main/sync/pending-steps.ts';

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const AWAY: StopReason = { cause: 'unreachable', detail: 'no connection' };
const order = (deadline: number | null = null, resumes = true) => ({ wish: 'all', resumes, deadline });
const at = (now = NOW, random = 0.5) => ({ now, random });
const NONE: PendingState = { is: 'none' };

/** The state after these events, each at its moment, and all that had to be done on the way. */
function played(events: readonly (readonly [PendingEvent, number?])[], from: PendingState = NONE) {
  let state = from;
  const does: string[] = [];
  for (const [event, now] of events) {
    const step = stepOf(state, event, at(now));
    if (step === null) does.push('(nothing)');
    else {
      state = step.state;
      does.push(...step.does.map((each) => (each.do === 'conclude' ? `conclude ${each.stop?.cause}` : each.do)));
    }
  }
  return { state, does };
}

const START: PendingEvent = { is: 'start', order: order() };
const SCHEDULE: PendingEvent = { is: 'schedule', order: order(), after: 0, healthyMs: 2 * MINUTE };
const TICK: PendingEvent = { is: 'tick' };
const GOOD: PendingEvent = { is: 'probed', stop: null };
const stopped = (stop: StopReason, hasSent = false): PendingEvent => ({ is: 'ended', how: 'stopped', stop, hasSent });
const ended = (how: 'finished' | 'canceled' | 'paused' | 'closed'): PendingEvent => ({ is: 'ended', how });

describe('a pending sync, step by step', () => {
  test.each<[string, readonly (readonly [PendingEvent, number?])[], PendingState['is'], readonly string[]]>([
    ['a run that finishes is over', [[START], [ended('finished')]], 'none', ['run']],
    ['a second run waits for the first', [[START], [START]], 'running', ['run', '(nothing)']],
    [
      'a paused run is paused when its requests have ended',
      [[START], [{ is: 'pause' }]],
      'running',
      ['run', 'pause-run'],
    ],
    ['and then rests', [[START], [{ is: 'pause' }], [ended('paused')]], 'paused', ['run', 'pause-run']],
    [
      'it goes on when it is resumed',
      [[START], [{ is: 'pause' }], [ended('paused')], [{ is: 'resume' }]],
      'running',
      ['run', 'pause-run', 'run'],
    ],
    ['a service that is away is waited for', [[START], [stopped(AWAY)]], 'waiting', ['run']],
    ['so is one that failed', [[START], [stopped({ ...AWAY, cause: 'service', status: 503 })]], 'waiting', ['run']],
    ['and one that limits', [[START], [stopped({ ...AWAY, cause: 'rate-limited' })]], 'waiting', ['run']],
    [
      'a service that answers nonsense is not',
      [[START], [stopped({ ...AWAY, cause: 'service', status: 200 })]],
      'none',
      ['run'],
    ],
    ...(['credentials', 'disk', 'security', 'defect', 'plan-changed', 'deadline'] as const).map(
      (cause) =>
        [`${cause} is not waited for`, [[START], [stopped({ cause, detail: '' })]], 'none', ['run']] satisfies [
          string,
          readonly (readonly [PendingEvent, number?])[],
          PendingState['is'],
          readonly string[],
        ],
    ),
    [
      'a run that does not resume is over',
      [[{ is: 'start', order: order(null, false) }], [stopped(AWAY)]],
      'none',
      ['run'],
    ],
    ['the service is probed first', [[START], [stopped(AWAY)], [TICK, NOW + MINUTE]], 'waiting', ['run', 'probe']],
    [
      'it is not probed before its time',
      [[START], [stopped(AWAY)], [TICK, NOW + 1000]],
      'waiting',
      ['run', '(nothing)'],
    ],
    [
      'when the probe succeeds it goes on',
      [[START], [stopped(AWAY)], [TICK, NOW + MINUTE], [GOOD, NOW + MINUTE]],
      'running',
      ['run', 'probe', 'run'],
    ],
    [
      'a probe that is refused for its credentials ends it',
      [[START], [stopped(AWAY)], [TICK, NOW + MINUTE], [{ is: 'probed', stop: { cause: 'credentials', detail: '' } }]],
      'none',
      ['run', 'probe', 'conclude credentials'],
    ],
    [
      'a probe that comes back after a pause changes nothing',
      [[START], [stopped(AWAY)], [TICK, NOW + MINUTE], [{ is: 'pause' }], [GOOD]],
      'paused',
      ['run', 'probe', '(nothing)'],
    ],
    ['so does one of an earlier wait', [[START], [stopped(AWAY)], [GOOD]], 'waiting', ['run', '(nothing)']],
    [
      'a service that goes away during a pause is no reason to wait',
      [[START], [{ is: 'pause' }], [stopped(AWAY)]],
      'paused',
      ['run', 'pause-run'],
    ],
    ['the user may resume at once', [[START], [stopped(AWAY)], [{ is: 'resume' }]], 'running', ['run', 'run']],
    ['or give up', [[START], [stopped(AWAY)], [{ is: 'cancel' }]], 'none', ['run']],
    [
      'a paused one that is given up says so in its report',
      [[START], [{ is: 'pause' }], [ended('paused')], [{ is: 'cancel' }]],
      'none',
      ['run', 'pause-run', 'conclude undefined'],
    ],
    ['a scheduled one is probed', [[SCHEDULE], [TICK]], 'scheduled', ['probe']],
    ['one good probe is not enough', [[SCHEDULE], [TICK], [GOOD]], 'scheduled', ['probe']],
    [
      'good probes for long enough are',
      [
        [SCHEDULE],
        [TICK],
        [GOOD],
        [TICK, NOW + MINUTE],
        [GOOD, NOW + MINUTE],
        [TICK, NOW + 2 * MINUTE],
        [GOOD, NOW + 2 * MINUTE],
      ],
      'running',
      ['probe', 'probe', 'probe', 'run'],
    ],
    [
      'a break begins them again',
      [
        [SCHEDULE],
        [TICK],
        [GOOD],
        [TICK, NOW + MINUTE],
        [{ is: 'probed', stop: AWAY }, NOW + MINUTE],
        [TICK, NOW + 2 * MINUTE],
        [GOOD, NOW + 2 * MINUTE],
      ],
      'scheduled',
      ['probe', 'probe', 'probe'],
    ],
    [
      'a machine that slept in between has seen nothing',
      [[SCHEDULE], [TICK], [GOOD], [TICK, NOW + 60 * MINUTE], [GOOD, NOW + 60 * MINUTE]],
      'scheduled',
      ['probe', 'probe'],
    ],
    [
      'a run that is busy elsewhere is tried again',
      [
        [START],
        [stopped(AWAY)],
        [TICK, NOW + MINUTE],
        [GOOD, NOW + MINUTE],
        [{ is: 'refused', isBusy: true, problem: '' }],
      ],
      'waiting',
      ['run', 'probe', 'run'],
    ],
    [
      'one that may not be written rests until the user resumes it',
      [
        [START],
        [stopped(AWAY)],
        [TICK, NOW + MINUTE],
        [GOOD, NOW + MINUTE],
        [{ is: 'refused', isBusy: false, problem: 'read only' }],
      ],
      'paused',
      ['run', 'probe', 'run'],
    ],
    [
      'a run that can not begin leaves what was there',
      [[START], [{ is: 'refused', isBusy: false, problem: '' }]],
      'none',
      ['run'],
    ],
    [
      'a scheduled sync whose probe came back during such a run is probed again',
      [
        [{ is: 'schedule', order: order(null), after: NOW, healthyMs: MINUTE }],
        [TICK],
        [START],
        [GOOD],
        [{ is: 'refused', isBusy: true, problem: '' }],
        [TICK],
      ],
      'scheduled',
      ['probe', 'run', '(nothing)', 'probe'],
    ],
    ['a closed account keeps its run as paused', [[START], [ended('closed')]], 'paused', ['run']],
    [
      'unless it is one that does not resume',
      [[{ is: 'start', order: order(null, false) }], [ended('closed')]],
      'none',
      ['run'],
    ],
    ['after the deadline nothing begins', [[{ is: 'start', order: order(NOW) }]], 'none', ['conclude deadline']],
    [
      'the deadline ends a pause',
      [[{ is: 'start', order: order(NOW + 5) }], [{ is: 'pause' }], [ended('paused')], [TICK, NOW + 5]],
      'none',
      ['run', 'pause-run', 'conclude deadline'],
    ],
    [
      'a week of waiting is enough',
      [[START], [stopped(AWAY)], [TICK, NOW + WAIT_MAX_MS]],
      'none',
      ['run', 'conclude unreachable'],
    ],
  ])('%s', (_what, events, state, does) => {
    const seen = played(events);
    expect([seen.state.is, seen.does]).toEqual([state, does]);
  });

  test('the distance grows, up to a quarter of an hour, and begins again when something was sent', () => {
    let { state } = played([[START], [stopped(AWAY)]]);
    const waits: number[] = [];
    for (let now = NOW; waits.length < 8; ) {
      const next = dueAt(state) ?? 0;
      waits.push(next - now);
      now = next;
      ({ state } = played(
        [
          [TICK, now],
          [{ is: 'probed', stop: AWAY }, now],
        ],
        state,
      ));
    }
    expect(waits.map((ms) => ms / MINUTE)).toEqual([0.5, 1, 2, 4, 8, 15, 15, 15]);
    const further = played([[{ is: 'resume' }], [stopped(AWAY, true)]], state);
    expect(dueAt(further.state)).toBe(NOW + MINUTE / 2);
  });

  test('a moment that the service names is waited for, a day at most', () => {
    const named = (ms: number) => dueAt(played([[START], [stopped({ ...AWAY, retryAt: NOW + ms })]]).state);
    expect(named(7 * MINUTE)).toBe(NOW + 7 * MINUTE);
    expect(named(365 * 86_400_000)).toBe(NOW + 86_400_000);
  });

  test('what a former process left sends nothing that nobody waited for', () => {
    const of = (events: readonly (readonly [PendingEvent])[], isSame = true) =>
      reopened(played(events).state, isSame, NOW).is;
    expect(of([[START]])).toBe('paused');
    expect(of([[{ is: 'start', order: order(null, false) }]])).toBe('none');
    expect(of([[START], [stopped(AWAY)]])).toBe('waiting');
    expect(of([[SCHEDULE]])).toBe('scheduled');
    expect(of([[SCHEDULE]], false)).toBe('paused');
    expect(of([[START], [stopped(AWAY)]], false)).toBe('paused');
    const healthy = played([[SCHEDULE], [TICK], [GOOD]]).state;
    expect(reopened(healthy, true, NOW)).toMatchObject({ healthySince: null, isProbing: false });
  });
});
