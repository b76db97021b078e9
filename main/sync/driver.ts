import type { Effect, Ports, Work } from './core/effects.ts';

/** Carries the effects of a round out, one after the other; lanes side by side. */
export async function drive<T>(work: Work<T>, ports: Ports, cancelled: AbortSignal): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = await perform(step.value, ports, cancelled);
    } catch (thrown) {
      step = work.throw(thrown);
      continue;
    }
    step = work.next(result);
  }
  return step.value;
}

async function perform(effect: Effect, ports: Ports, cancelled: AbortSignal): Promise<unknown> {
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
      return driveLanes(effect.lanes, effect.limit, (lane) => drive(lane, ports, cancelled));
  }
}

/**
 * Runs lanes, at most `limit()` at once; the limit may change while they run. When one fails the others end what
 * they are doing, no further one begins, and the first failure is thrown: a request under way is never abandoned.
 */
async function driveLanes<T>(lanes: readonly T[], limit: () => number, run: (lane: T) => Promise<void>): Promise<void> {
  const waiting = [...lanes];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < Math.max(1, limit()) && failures.length === 0) {
      const lane = waiting.shift();
      if (lane === undefined) break;
      const task: Promise<void> = run(lane)
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
