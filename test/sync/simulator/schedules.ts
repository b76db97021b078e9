import { playLife } from './life.ts';
import { FAULTS } from './model-service.ts';
import { createModelStore } from './model-store.ts';
import { PROFILE } from './real-store.ts';
import type { Interruption } from './simulated-account.ts';

export interface Schedules {
  readonly singles: number;
  readonly pairs: number;
  readonly withFault: number;
  readonly crashes: number;
  /** The first schedule that broke a promise. */
  readonly failed: { readonly schedule: string; readonly problems: readonly string[] } | null;
}

type Fixed = NonNullable<Parameters<typeof playLife>[0]['fixed']>;

/**
 * Every single crash point of one fixed draft, every pair of them, and every single one beside every fault of every
 * request. A crash point is a call of a port and whether it dies before or after it.
 *
 * @param seed decides the draft; nothing else of the life is left to chance
 */
export async function playSchedules(seed: number): Promise<Schedules> {
  const sums = { singles: 0, pairs: 0, withFault: 0, crashes: 0 };
  let failed: Schedules['failed'] = null;
  /** @returns how many processes died, and how many requests there were */
  const play = async (fixed: Fixed): Promise<{ readonly crashes: number; readonly requests: number }> => {
    const { problems, figures } = await playLife({ seed, store: createModelStore(PROFILE), fixed });
    sums.crashes += figures.crashes;
    if (problems.length > 0) failed ??= { schedule: JSON.stringify(fixed), problems };
    return figures;
  };
  const { requests } = await play({ interruptions: [] });
  for (const first of points()) {
    const single = await play({ interruptions: [first] });
    // Past the last call of the process nothing dies any more.
    if (single.crashes === 0) break;
    sums.singles++;
    for (const second of points()) {
      const pair = await play({ interruptions: [first, second] });
      if (pair.crashes < 2) break;
      sums.pairs++;
    }
    for (let request = 0; request < requests; request++) {
      for (let fault = 0; fault < FAULTS; fault++) {
        await play({ interruptions: [first], fault: { request, fault } });
        sums.withFault++;
      }
    }
  }
  return { ...sums, failed };
}

function* points(): Generator<Interruption> {
  for (let at = 1; ; at++) {
    yield { at, how: 'before' };
    yield { at, how: 'after' };
  }
}
