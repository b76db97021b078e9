import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequestSlots } from '../../main/sync/context.ts';
import { nextPollMinutes } from '../../main/sync/poll-scheduler.ts';
import { stopReasonFor } from '../../main/sync/run-queue.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { startOfDayMs } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';

/** Work that ends when it is told to, and says when it began. */
function aTask() {
  const ended = Promise.withResolvers<void>();
  const task = { hasBegun: false, end: () => ended.resolve(), fail: () => ended.reject(new Error('broken')) };
  const work = async (): Promise<void> => {
    task.hasBegun = true;
    await ended.promise;
  };
  return Object.assign(task, { work });
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('never more are at work than the limit allows, and all of them come to their turn', async () => {
  const asked = fc.array(fc.record({ order: fc.nat(5), fails: fc.boolean() }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), asked, async (limit, tasks) => {
      const slots = createRequestSlots();
      let [busy, most, done] = [0, 0, 0];
      const work = async (fails: boolean): Promise<void> => {
        most = Math.max(most, ++busy);
        await settle();
        busy--;
        done++;
        if (fails) throw new Error('broken');
      };
      const all = tasks.map(({ order, fails }) =>
        slots.run(
          order,
          () => limit,
          () => work(fails),
        ),
      );
      await Promise.allSettled(all);
      expect({ busy, most, done }).toEqual({ busy: 0, most: Math.min(limit, tasks.length), done: tasks.length });
    }),
  );
});

test('a limit that falls while work is under way holds for what comes after', async () => {
  const slots = createRequestSlots();
  let limit = 2;
  const tasks = [aTask(), aTask(), aTask()];
  const all = tasks.map((task, order) => slots.run(order, () => limit, task.work));
  const begun = () => tasks.map(({ hasBegun }) => hasBegun);
  await settle();
  expect(begun()).toEqual([true, true, false]);
  limit = 1;
  tasks[0]?.end();
  await settle();
  expect(begun()).toEqual([true, true, false]);
  tasks[1]?.end();
  await settle();
  expect(begun()).toEqual([true, true, true]);
  tasks[2]?.end();
  await Promise.all(all);
});

test('the lane that was begun first goes first, whoever asked first', async () => {
  const slots = createRequestSlots();
  const [first, late, early] = [aTask(), aTask(), aTask()];
  const all = [slots.run(0, () => 1, first.work), slots.run(7, () => 1, late.work), slots.run(2, () => 1, early.work)];
  await settle();
  expect([first.hasBegun, late.hasBegun, early.hasBegun]).toEqual([true, false, false]);
  first.end();
  await settle();
  expect([late.hasBegun, early.hasBegun]).toEqual([false, true]);
  early.end();
  late.end();
  await Promise.all(all);
});

test('work that fails gives its slot back and its failure to whoever asked', async () => {
  const slots = createRequestSlots();
  const [broken, next] = [aTask(), aTask()];
  const failed = expect(slots.run(0, () => 1, broken.work)).rejects.toThrow('broken');
  const other = slots.run(1, () => 1, next.work);
  broken.fail();
  await failed;
  await settle();
  expect(next.hasBegun).toBe(true);
  next.end();
  await other;
});

test('a limit that falls to nothing still lets one through', async () => {
  const slots = createRequestSlots();
  await expect(
    slots.run(
      0,
      () => 0,
      async () => 'through',
    ),
  ).resolves.toBe('through');
});

const profile = defaultDeploymentSettings('shop.example');

describe('how often the service is asked', () => {
  const minutes = (ages: readonly (number | null)[]): number =>
    nextPollMinutes(
      ages.map((age) => (age === null ? null : 1_000_000_000 - age * 60_000)),
      1_000_000_000,
      profile,
    );
  test.each([
    ['nothing is worked on', [], 30],
    ['an upload has just ended', [0], 30],
    ['a video should be ready soon', [20], 15],
    ['a video should be ready', [40], 15],
    ['a video is overdue', [121], 30],
    ['nobody knows since when', [null], 30],
    ['one of two is due', [300, 90], 15],
  ])('when %s', (_what, ages, expected) => {
    expect(minutes(ages)).toBe(expected);
  });
});

test.each([
  ['2026-03-08', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
  ['2026-07-31', 'America/Los_Angeles', '2026-07-31T07:00:00.000Z'],
  ['2026-11-02', 'America/Los_Angeles', '2026-11-02T08:00:00.000Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-01-01', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
])('%s begins in %s at %s', (date, zone, at) => {
  expect(new Date(startOfDayMs(date as PlainDate, zone)).toISOString()).toBe(at);
});

/** As it arrives from the thread that writes. */
const fromThread = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return structuredClone(error);
  }
  throw new Error('Nothing was thrown.');
};

test('a full disk stops a run as one, and a fault of ours as a fault', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (text)');
  const full = fromThread(() => db.exec("INSERT INTO t VALUES (printf('%.20000c', 'x'))"));
  expect(stopReasonFor(full)).toEqual({ cause: 'disk', detail: 'database or disk is full' });
  db.close();

  const broken = fromThread(() => 'x'.repeat(-1));
  expect(stopReasonFor(broken)).toMatchObject({ cause: 'defect' });
});
