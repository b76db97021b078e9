import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isQuiet } from '../../shared/model/plain-date.ts';

const DAY = 1440;
const minute = fc.integer({ min: 0, max: DAY - 1 });
const time = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;

test('hours over midnight are quiet late and early, and loud by day', () => {
  const night = { from: '20:00', to: '07:00' };
  expect([0, 419, 420, 720, 1199, 1200, 1439].map((at) => isQuiet(night, at))).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('a day has as many quiet minutes as lie between the two times, whichever comes first', () => {
  fc.assert(
    fc.property(minute, minute, (from, to) => {
      const quiet = Array.from({ length: DAY }, (_, at) => isQuiet({ from: time(from), to: time(to) }, at));
      expect(quiet.filter(Boolean)).toHaveLength((to - from + DAY) % DAY);
    }),
    { numRuns: 50 },
  );
});

test('what is quiet from one time to another is loud from the other to the one', () => {
  fc.assert(
    fc.property(minute, minute, minute, (from, to, at) => {
      fc.pre(from !== to);
      const there = isQuiet({ from: time(from), to: time(to) }, at);
      const back = isQuiet({ from: time(to), to: time(from) }, at);
      expect(there).toBe(!back);
    }),
  );
});
