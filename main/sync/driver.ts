import type { Effect, Ports, SlotKind, Work } from './core/effects.ts';
import { createSlots, type Slots } from './slots.ts';

/** Where a generator runs: in which lane, and with whom it shares the request slots. */
interface Place {
  readonly ports: Ports;
  readonly cancelled: AbortSignal;
  readonly slots: Readonly<Record<SlotKind, Slots>>;
  readonly order: number;
}

/** Carries the effects of a round out, one after the other; lanes side by side. */
export const drive = <T>(work: Work<T>, ports: Ports, cancelled: AbortSignal): Promise<T> =>
  driveAt(work, { ports, cancelled, slots: { intent: createSlots(), request: createSlots() }, order: 0 });

async function driveAt<T>(work: Work<T>, place: Place): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = await perform(step.value, place);
    } catch (thrown) {
      step = work.throw(thrown);
      continue;
    }
    step = work.next(result);
  }
  return step.value;
}

async function perform(effect: Effect, place: Place): Promise<unknown> {
  const { ports, cancelled, slots, order } = place;
  switch (effect.do) {
    case 'tx':
    case 'journal':
    case 'http':
    case 'upload':
      return effect.run(ports);
    case 'sleep':
      return ports.clock.sleep(effect.ms, cancelled);
    case 'tell':
      return ports.emit(effect.event);
    case 'lanes':
      return driveLanes(effect.lanes, effect.limit, (lane, at) => driveAt(lane, { ...place, order: at }));
    case 'slot':
      return slots[effect.of].run(order, effect.limit, () => driveAt(effect.work, place));
  }
}

/**
 * Runs lanes, at most `limit()` at once; the limit may change while they run. When one fails the others end what
 * they are doing, no further one begins, and the first failure is thrown: a request under way is never abandoned.
 */
async function driveLanes<T>(
  lanes: readonly T[],
  limit: () => number,
  run: (lane: T, at: number) => Promise<void>,
): Promise<void> {
  const waiting = [...lanes.entries()];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < Math.max(1, limit()) && failures.length === 0) {
      const next = waiting.shift();
      if (next === undefined) break;
      const [at, lane] = next;
      const task: Promise<void> = run(lane, at)
        .catch((thrown: unknown) => {
          failures.push(thrown);
        })
        .finally(() => running.delete(task));
      running.add(task);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
}
