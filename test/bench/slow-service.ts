import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import { systemClock } from '../../main/app/clock.ts';
import { createRequestSlots } from '../../main/sync/context.ts';
import { expectedShape } from '../../main/sync/expected-response.ts';
import { backoffMs } from '../../main/sync/retry.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Plan, PlanBatch } from '../../shared/plan/plan-types.ts';
import { renderBatch } from '../../shared/plan/wire.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';

/**
 * The least a client can do for a plan of campaigns, groups and keywords: the same signed requests under the same
 * manners (lanes, waits after a refused connection or 429), and what was made read once. It keeps no record, so it
 * loses everything when it dies.
 *
 * @returns how many elements the service took
 */
export async function sendBare(api: PartnerApi, plan: Plan, lanes: number, random: () => number): Promise<number> {
  const ids = new Map<string, RemoteId>();
  const slots = createRequestSlots();
  let allowed = lanes;
  let done = 0;
  const limited = (): void => {
    allowed = Math.max(1, Math.floor(allowed / 2));
  };

  const send = async (order: number, batch: PlanBatch): Promise<void> => {
    const { method, path, kind, verb, elements } = batch;
    const body = renderBatch(batch, (of, id) => ids.get(`${of}:${id}`) ?? null);
    const shape = expectedShape(kind, verb, elements.length, () => false);
    for (let tries = 1; ; tries++) {
      const request = { method, path, body, correlationId: randomUUID(), shape };
      const outcome = await slots.run(
        order,
        () => allowed,
        () => api.send(request),
      );
      if (outcome.class === 'LATER') {
        limited();
        await systemClock.sleep(outcome.retryAfterMs ?? 1000);
      } else if (outcome.class === 'NOT_SENT') await systemClock.sleep(backoffMs(tries, random));
      else if (outcome.class !== 'ELEMENTS') throw new Error(`the bare client met ${outcome.class}`);
      else {
        for (const [at, result] of outcome.elements.entries()) {
          const element = elements[at];
          if (result.is !== 'done' || element === undefined) throw new Error('an element was not taken');
          done++;
          if (result.remoteId !== null) ids.set(`${element.kind}:${element.id}`, result.remoteId);
        }
        return;
      }
    }
  };

  const read = async (order: number, ask: () => ReturnType<PartnerApi['adGroups']>): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const found = await slots.run(order, () => allowed, ask);
      if (found.ok) return;
      if (found.error.kind !== 'later' && found.error.kind !== 'unreachable') throw new Error(found.error.kind);
      const waitMs = found.error.kind === 'later' ? found.error.retryAfterMs : null;
      await systemClock.sleep(waitMs ?? backoffMs(tries, random));
    }
  };

  const chains = [...Map.groupBy(plan.batches, ({ campaignId }) => campaignId).values()];
  await read(0, () => api.campaigns());
  await inOrder(chains, lanes * 2, async (batches, order) => {
    for (const batch of batches) await send(order, batch);
  });
  await read(0, () => api.campaigns());
  const groups = plan.batches.filter(({ kind }) => kind === 'adGroup');
  await inOrder(groups, lanes * 2, async ({ campaignId, elements: [group] }, order) => {
    const campaign = ids.get(`campaign:${campaignId}`);
    const id = ids.get(`adGroup:${group?.id}`);
    if (campaign === undefined || id === undefined) throw new Error('a group was not made');
    await read(order, () => api.adGroups(campaign));
    await read(order, () => api.keywords(campaign, id));
  });
  return done;
}

/** Works on all of them, so many at once, earlier ones first. */
async function inOrder<T>(all: readonly T[], atOnce: number, work: (one: T, at: number) => Promise<void>) {
  const left = all.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) await work(one, at);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** How long the service takes to answer, and what share of its answers is a fault that needs no settling. */
export interface Slowness {
  readonly latencyMs: number;
  readonly faults: number;
  readonly seed: number;
}

const SLOW_MS = 500;
const BUSY = { status: 429, headers: { 'retry-after': '1' } } as const;

/**
 * A service behind a line: no answer comes before its latency is over. Of the faults a third each is 429 with a second
 * to wait, a refused connection, and an answer that takes half a second longer.
 */
export function createSlowService({ latencyMs, faults, seed }: Slowness) {
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
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
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
    /**
     * The least time in which these requests could have been made: all their latencies end to end, over as many lanes
     * as were allowed, which 429 to a write halves. Waits that a fault demands are not in it.
     *
     * @param lanes how many requests may be under way while nothing was limited
     */
    boundMs: (startedAt: number, lanes: number) => {
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
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
  });
