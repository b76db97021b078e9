import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StopReason } from '../../main/sync/context.ts';
import {
  dueAt,
  type PendingEvent,
  type PendingState,
  PROBE_EVERY_MS,
  reopened,
  stepOf,
  WAIT_MAX_MS,
} from '../../main/sync/pending-steps.ts';
import { runs } from '../share.ts';

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const AWAY: StopReason = { cause: 'unreachable', detail: 'no connection' };
const NONE: PendingState = { is: 'none' };

const ALL = { submit: false, campaignIds: null, chosen: null, cancelReviews: false, agreed: null } as const;
const order = (deadline: number | null = null, resumes = true) => ({ wish: ALL, resumes, deadline });
const at = (now = NOW, random = 0.5) => ({ now, random });

/** The state after these events, each at its moment, and all that had to be done on the way. */
function played(events: readonly (readonly [PendingEvent, number?])[], from: PendingState = NONE) {
  let state = from;
  const does: string[] = [];
  for (const [event, now] of events) {
    const step = stepOf(state, event, at(now));
    if (step === null) does.push('(nothing)');
    else {
      state = step.state;
      does.push(
        ...step.does.map((each) => (each.do === 'conclude' && each.stop ? `conclude-${each.stop.cause}` : each.do)),
      );
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
const NEVER_WAITED_FOR = ['credentials', 'disk', 'security', 'defect', 'plan-changed', 'deadline'] as const;

describe('a pending sync, step by step', () => {
  /** What can happen, as the table below names it; a number behind it says how many minutes have passed. */
  const EVENTS: Readonly<Record<string, PendingEvent>> = {
    start: START,
    'start-for-once': { is: 'start', order: order(null, false) },
    'start-late': { is: 'start', order: order(NOW) },
    'start-till-1': { is: 'start', order: order(NOW + MINUTE) },
    schedule: SCHEDULE,
    'schedule-1': { is: 'schedule', order: order(null), after: NOW, healthyMs: MINUTE },
    pause: { is: 'pause' },
    resume: { is: 'resume' },
    cancel: { is: 'cancel' },
    finished: ended('finished'),
    paused: ended('paused'),
    closed: ended('closed'),
    away: stopped(AWAY),
    fails: stopped({ ...AWAY, cause: 'service', status: 503 }),
    limits: stopped({ ...AWAY, cause: 'rate-limited' }),
    nonsense: stopped({ ...AWAY, cause: 'service', status: 200 }),
    tick: TICK,
    good: GOOD,
    bad: { is: 'probed', stop: AWAY },
    keyless: { is: 'probed', stop: { cause: 'credentials', detail: '' } },
    busy: { is: 'refused', isBusy: true, problem: '' },
    refused: { is: 'refused', isBusy: false, problem: 'read only' },
    ...Object.fromEntries(NEVER_WAITED_FOR.map((cause) => [cause, stopped({ cause, detail: '' })])),
  };

  test.each<[string, events: string, PendingState['is'], does: string]>([
    ['a run that finishes is over', 'start finished', 'none', 'run'],
    ['a second run waits for the first', 'start start', 'running', 'run (nothing)'],
    ['a paused run is paused when its requests have ended', 'start pause', 'running', 'run pause-run'],
    ['and then rests', 'start pause paused', 'paused', 'run pause-run'],
    ['it goes on when it is resumed', 'start pause paused resume', 'running', 'run pause-run run'],
    ['a service that is away is waited for', 'start away', 'waiting', 'run'],
    ['so is one that failed', 'start fails', 'waiting', 'run'],
    ['and one that limits', 'start limits', 'waiting', 'run'],
    ['a service that answers nonsense is not', 'start nonsense', 'none', 'run'],
    ...NEVER_WAITED_FOR.map((cause): [string, string, 'none', string] => [
      `${cause} is not waited for`,
      `start ${cause}`,
      'none',
      'run',
    ]),
    ['a run that does not resume is over', 'start-for-once away', 'none', 'run'],
    ['the service is probed first', 'start away tick+1', 'waiting', 'run probe'],
    ['it is not probed before its time', 'start away tick+0.1', 'waiting', 'run (nothing)'],
    ['when the probe succeeds it goes on', 'start away tick+1 good+1', 'running', 'run probe run'],
    [
      'a probe refused for its credentials ends it',
      'start away tick+1 keyless',
      'none',
      'run probe conclude-credentials',
    ],
    [
      'a probe that comes back after a pause changes nothing',
      'start away tick+1 pause good',
      'paused',
      'run probe (nothing)',
    ],
    ['so does one of an earlier wait', 'start away good', 'waiting', 'run (nothing)'],
    ['a service that goes away during a pause is no reason to wait', 'start pause away', 'paused', 'run pause-run'],
    ['the user may resume at once', 'start away resume', 'running', 'run run'],
    ['or give up', 'start away cancel', 'none', 'run'],
    [
      'a paused one that is given up says so in its report',
      'start pause paused cancel',
      'none',
      'run pause-run conclude',
    ],
    ['a scheduled one is probed', 'schedule tick', 'scheduled', 'probe'],
    ['one good probe is not enough', 'schedule tick good', 'scheduled', 'probe'],
    [
      'good probes for long enough are',
      'schedule tick good tick+1 good+1 tick+2 good+2',
      'running',
      'probe probe probe run',
    ],
    ['a break begins them again', 'schedule tick good tick+1 bad+1 tick+2 good+2', 'scheduled', 'probe probe probe'],
    [
      'a machine that slept in between has seen nothing',
      'schedule tick good tick+60 good+60',
      'scheduled',
      'probe probe',
    ],
    ['a run that is busy elsewhere is tried again', 'start away tick+1 good+1 busy', 'waiting', 'run probe run'],
    [
      'one that may not be written rests until it is resumed',
      'start away tick+1 good+1 refused',
      'paused',
      'run probe run',
    ],
    ['a run that can not begin leaves what was there', 'start refused', 'none', 'run'],
    [
      'a scheduled sync whose probe came back during such a run is probed again',
      'schedule-1 tick start good busy tick',
      'scheduled',
      'probe run (nothing) probe',
    ],
    ['a closed account keeps its run as paused', 'start closed', 'paused', 'run'],
    ['unless it is one that does not resume', 'start-for-once closed', 'none', 'run'],
    ['after the deadline nothing begins', 'start-late', 'none', 'conclude-deadline'],
    ['the deadline ends a pause', 'start-till-1 pause paused tick+1', 'none', 'run pause-run conclude-deadline'],
    ['a week of waiting is enough', `start away tick+${WAIT_MAX_MS / MINUTE}`, 'none', 'run conclude-unreachable'],
  ])('%s', (_what, script, state, does) => {
    const events = script.split(' ').map((word): readonly [PendingEvent, number] => {
      const [name = '', minutes = '0'] = word.split('+');
      const event = EVENTS[name];
      if (event === undefined) throw new Error(`nothing is called "${name}"`);
      return [event, NOW + Number(minutes) * MINUTE];
    });
    const seen = played(events);
    expect([seen.state.is, seen.does.join(' ')]).toEqual([state, does]);
  });

  test('the distance grows, up to a quarter of an hour, and begins again when something was sent', () => {
    let { state } = played([[START], [stopped(AWAY)]]);
    const waits: number[] = [];
    for (let now = NOW; waits.length < 8; ) {
      const next = dueAt(state) ?? 0;
      waits.push(next - now);
      now = next;
      ({ state } = played(
        [TICK, { is: 'probed', stop: AWAY } as const].map((event) => [event, now]),
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

const away = (hasSent: boolean): PendingEvent => ({ is: 'ended', how: 'stopped', stop: AWAY, hasSent });

const WHATS = 'start schedule pause resume cancel end away good bad restart busy'.split(' ');

/** Something that happens, after some time. */
interface Happening {
  readonly waitMs: number;
  readonly what: string;
  readonly deadlineMs: number | null;
}

const HAPPENINGS = fc.array(
  fc.record<Happening>({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 5 * MINUTE }), fc.integer({ min: 0, max: 3 * 86_400_000 })),
    what: fc.constantFrom(...WHATS),
    deadlineMs: fc.option(fc.integer({ min: 0, max: 2 * 86_400_000 }), { nil: null }),
  }),
  { maxLength: 60 },
);

/**
 * Plays what happens against the steps, with a run that sends in every moment in which it is on, as a run would: not after
 * a pause was asked for, and not after its deadline.
 */
function play(happenings: readonly Happening[]): { readonly wrong: readonly string[]; readonly rest: PendingState } {
  let state: PendingState = NONE;
  let now = NOW;
  let isRunning = false;
  let isProbing = false;
  const wrong: string[] = [];
  const happen = (event: PendingEvent): void => {
    const before = state;
    const step = stepOf(state, event, { now, random: 0.3 });
    if (step === null) return;
    state = step.state;
    for (const command of step.does) {
      if (command.do === 'probe') isProbing = true;
      if (command.do !== 'run') continue;
      if (isRunning) wrong.push('two runs at once');
      if (before.is === 'paused' && event.is !== 'resume' && event.is !== 'start') wrong.push('sent while paused');
      const { deadline } = state.is === 'running' ? state.order : { deadline: null };
      if (deadline !== null && now >= deadline) wrong.push('begun after the deadline');
      isRunning = true;
    }
  };
  const runEnds = (event: PendingEvent): void => {
    if (!isRunning) return;
    isRunning = false;
    const isPaused = state.is === 'running' && state.isPausing && event.is === 'ended' && event.how === 'finished';
    happen(isPaused ? { is: 'ended', how: 'paused' } : event);
  };
  const passTime = (ms: number): void => {
    for (const until = now + ms; ; ) {
      const due = dueAt(state);
      if (due === null || due > until) {
        now = until;
        return;
      }
      now = Math.max(now, due);
      happen({ is: 'tick' });
      if (dueAt(state) === due) throw new Error('a tick that changes nothing');
    }
  };
  const probe = (stop: StopReason | null): void => {
    if (!isProbing) return;
    isProbing = false;
    happen({ is: 'probed', stop });
  };
  for (const { what, waitMs, deadlineMs } of happenings) {
    passTime(waitMs);
    const given = order(deadlineMs === null ? null : now + deadlineMs);
    if (what === 'start') happen({ is: 'start', order: given });
    if (what === 'schedule') happen({ is: 'schedule', order: given, after: now + waitMs, healthyMs: 3 * MINUTE });
    if (what === 'pause' || what === 'resume' || what === 'cancel') happen({ is: what });
    if (what === 'end') runEnds({ is: 'ended', how: 'finished' });
    if (what === 'away') runEnds(away(waitMs % 2 === 0));
    if (what === 'busy' && isRunning) {
      isRunning = false;
      happen({ is: 'refused', isBusy: true, problem: 'busy' });
    }
    if (what === 'good') probe(null);
    if (what === 'bad') probe(AWAY);
    if (what === 'restart') {
      isRunning = false;
      isProbing = false;
      state = reopened(state, waitMs % 3 > 0, now);
    }
    if (isRunning !== (state.is === 'running')) wrong.push('a run that nobody knows of');
    if (state.is === 'paused' && isRunning) wrong.push('sent while paused');
  }
  // In the end nobody does anything, and the service stays away: with a deadline or not, whatever waits comes to its end.
  runEnds(away(false));
  for (let days = 0; days < 30; days++) {
    for (let tries = 0; tries < 50 && isProbing; tries++) probe(AWAY);
    passTime(PROBE_EVERY_MS * 60 * 12);
  }
  return { wrong, rest: state };
}

test('in whatever order things happen: never two runs, nothing while paused or after the deadline, and an end', () => {
  fc.assert(
    fc.property(HAPPENINGS, (happenings) => {
      const { wrong, rest } = play(happenings);
      expect(wrong).toEqual([]);
      // What is paused without a deadline waits for the user alone.
      expect(rest.is === 'none' || (rest.is === 'paused' && rest.order.deadline === null)).toBe(true);
    }),
    { numRuns: runs(3000, 500) },
  );
});
