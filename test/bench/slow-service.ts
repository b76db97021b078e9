import { crc32 } from 'node:zlib';
import { systemClock } from '../../main/app/clock.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';

/** How long the service takes to answer, and what share of its answers is a fault that needs no settling. */
export interface Slowness {
  readonly latencyMs: number;
  readonly faults: number;
  readonly seed: number;
}

export interface SlowService {
  readonly fetch: typeof fetch;
  readonly requests: () => number;
  /**
   * The least time in which these requests could have been made: all their latencies end to end, over as many lanes
   * as were allowed, which 429 to a write halves. Waits that a fault demands are not in it.
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
export function createSlowService({ latencyMs, faults, seed }: Slowness): SlowService {
  let requests = 0;
  let workMs = 0;
  const limitedAt: number[] = [];
  // The n-th call of an address meets the same whoever makes it, so that two clients can be compared.
  const randoms = new Map<string, Seeded>();
  const randomOf = (call: string): Seeded => {
    const random = randoms.get(call) ?? seeded(seed + crc32(call));
    randoms.set(call, random);
    return random;
  };
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
      const request = new Request(input, init);
      const { method, url } = request;
      const random = randomOf(`${method} ${new URL(url).pathname}`);
      if (!random.chance(faults)) return within(latencyMs, () => fetch(request));
      switch (random.int(3)) {
        case 0:
          return within(latencyMs, () => {
            if (method !== 'GET') limitedAt.push(performance.now() + latencyMs);
            return new Response('{"error":"Rate limit exceeded"}', BUSY);
          });
        case 1:
          return within(latencyMs, () => Promise.reject(refused()));
        default:
          return within(latencyMs + SLOW_MS, () => fetch(request));
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
