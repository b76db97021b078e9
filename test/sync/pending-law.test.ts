import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StopReason } from '../../main/sync/context.ts';
import type { PendingEvent, PendingState } from '../../main/sync/pending-steps.ts';
import { dueAt, PROBE_EVERY_MS, reopened, stepOf } from '../../main/sync/pending-steps.ts';

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const AWAY: StopReason = { cause: 'unreachable', detail: 'no connection' };
const NONE: PendingState = { is: 'none' };
const away = (hasSent: boolean): PendingEvent => ({ is: 'ended', how: 'stopped', stop: AWAY, hasSent });

/** Something that happens, after some time. */
interface Happening {
  readonly waitMs: number;
  readonly what:
    | 'start'
    | 'schedule'
    | 'pause'
    | 'resume'
    | 'cancel'
    | 'end'
    | 'away'
    | 'good'
    | 'bad'
    | 'restart'
    | 'busy';
  readonly deadlineMs: number | null;
}

const HAPPENINGS = fc.array(
  fc.record<Happening>({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 5 * MINUTE }), fc.integer({ min: 0, max: 3 * 86_400_000 })),
    what: fc.constantFrom<Happening['what'][]>(
      'start',
      'schedule',
      'pause',
      'resume',
      'cancel',
      'end',
      'away',
      'good',
      'bad',
      'restart',
      'busy',
    ),
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
    const given = { wish: 'all', resumes: true, deadline: deadlineMs === null ? null : now + deadlineMs };
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
    { numRuns: 3000 },
  );
});
