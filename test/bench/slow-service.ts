import { systemClock } from '../../main/clock.ts';
import type { Seeded } from '../sync/simulator/seeded.ts';

/** How long the service takes to answer, and what share of its answers is a fault that needs no settling. */
export interface Slowness {
  readonly latencyMs: number;
  readonly faults: number;
  readonly random: Seeded;
}

export interface SlowService {
  readonly fetch: typeof fetch;
  readonly requests: () => number;
  /**
   * The least time in which these requests could have been made: all their latencies end to end, over as many lanes
   * as were allowed, which 429 halves.
   *
   * @param lanes how many requests may be under way while nothing was limited
   */
  readonly boundMs: (startedAt: number, lanes: number) => number;
}

const SLOW_MS = 500;
const BUSY = { status: 429, headers: { 'retry-after': '1' } } as const;

/**
 * A service behind a line: no answer comes before its latency is over. Of the faults a third each is 429 with a second
 * to wait, a refused connection, and an answer that takes half a second longer.
 */
export function createSlowService({ latencyMs, faults, random }: Slowness): SlowService {
  let requests = 0;
  let workMs = 0;
  const limitedAt: number[] = [];
  const within = async <T>(ms: number, answer: () => Promise<T> | T): Promise<T> => {
    workMs += ms;
    const late = systemClock.sleep(ms);
    try {
      return await answer();
    } finally {
      // A request that was turned away has spent its latency as well.
      await late;
    }
  };
  return {
    requests: () => requests,
    fetch: (input, init) => {
      requests++;
      if (!random.chance(faults)) return within(latencyMs, () => fetch(input, init));
      switch (random.int(3)) {
        case 0:
          return within(latencyMs, () => {
            limitedAt.push(performance.now() + latencyMs);
            return new Response('{"error":"Rate limit exceeded"}', BUSY);
          });
        case 1:
          return within(latencyMs, () => Promise.reject(refused()));
        default:
          return within(latencyMs + SLOW_MS, () => fetch(input, init));
      }
    },
    boundMs: (startedAt, lanes) => {
      let [at, left, allowed] = [startedAt, workMs, lanes];
      for (const limited of limitedAt) {
        const doneBefore = (limited - at) * allowed;
        if (doneBefore >= left) break;
        left -= doneBefore;
        at = limited;
        allowed = Math.max(1, Math.floor(allowed / 2));
      }
      return at + left / allowed - startedAt;
    },
  };
}

const refused = (): Error =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  });
