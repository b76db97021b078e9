import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { type LifeFigures, playLife } from './life.ts';
import { FAULTS } from './model-service.ts';
import { createModelStore } from './model-store.ts';
import { createRealStore, createTwinStore, PROFILE } from './real-store.ts';
import type { SimStore } from './sim-store.ts';
import type { Interruption } from './simulated-account.ts';

export type StoreName = 'model' | 'real' | 'twin';

export interface Batch {
  readonly from: number;
  readonly lives: number;
  readonly store: StoreName;
}

export interface BatchOutcome {
  readonly lives: number;
  readonly totals: Totals;
  /** How many answers of the real store its model gave as well, where both were asked. */
  readonly compared: number;
  /** The first life in which something was broken. */
  readonly failed: { readonly seed: number; readonly problems: readonly string[] } | null;
}

/** Plays lives one after the other and ends at the first that breaks a promise. */
export async function playBatch({ from, lives, store: storeName }: Batch): Promise<BatchOutcome> {
  const totals = noTotals();
  let compared = 0;
  for (let seed = from; seed < from + lives; seed++) {
    const store: SimStore & { readonly compared?: () => number } = openStore(storeName);
    try {
      const { problems, figures } = await playLife({ seed, store });
      addTotals(totals, figures);
      if (problems.length > 0) return { lives: seed - from + 1, totals, compared, failed: { seed, problems } };
    } catch (thrown) {
      const problems = [thrown instanceof Error ? thrown.message : String(thrown)];
      return { lives: seed - from + 1, totals, compared, failed: { seed, problems } };
    } finally {
      compared += store.compared?.() ?? 0;
      store.close();
    }
  }
  return { lives, totals, compared, failed: null };
}

function openStore(name: StoreName): SimStore {
  switch (name) {
    case 'model':
      return createModelStore(PROFILE);
    case 'real':
      return createRealStore();
    case 'twin':
      return createTwinStore();
  }
}

interface Schedules {
  /** Deaths that leave something else than those before them. */
  readonly distinct: number;
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
 * request. A crash point is a call of a port and whether it dies before or after it. Where a death leaves exactly what an earlier
 * one has left, such as after a call and before the next, all that follows is the same, and is not played again.
 *
 * @param seed decides the draft; nothing else of the life is left to chance
 * @param part of so many parts of the first crash points: the others are played without a second death and without a fault
 */
export async function playSchedules(seed: number, part = 0, parts = 1): Promise<Schedules> {
  const sums = { singles: 0, pairs: 0, withFault: 0, crashes: 0 };
  const seen = new Set<string>();
  let failed: Schedules['failed'] = null;
  /** @returns how many processes died, and how many requests there were */
  const play = async (schedule: Fixed): Promise<{ readonly crashes: number; readonly requests: number }> => {
    const store = createModelStore(PROFILE);
    const isKnown: Fixed['isKnown'] = (left, next) => {
      const all = serialize([store.state(), left, next, schedule.fault]);
      return seen.size === seen.add(createHash('sha256').update(all).digest('base64')).size;
    };
    const { problems, figures } = await playLife({ seed, store, fixed: { ...schedule, isKnown } });
    sums.crashes += figures.crashes;
    if (problems.length > 0) failed ??= { schedule: JSON.stringify(schedule), problems };
    return figures;
  };
  const { requests } = await play({ interruptions: [] });
  for (const first of points()) {
    const single = await play({ interruptions: [first] });
    // Past the last call of the process nothing dies any more.
    if (single.crashes === 0) break;
    const isChosen = sums.singles % parts === part;
    sums.singles++;
    if (!isChosen) continue;
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
  return { distinct: seen.size, ...sums, failed };
}

function* points(): Generator<Interruption> {
  for (let at = 1; ; at++) {
    yield { at, how: 'before' };
    yield { at, how: 'after' };
  }
}

/** Sums of what happened in many lives. */
export type Totals = { -readonly [Name in keyof LifeFigures]: number };

export const noTotals = (): Totals => ({
  processes: 0,
  crashes: 0,
  pauses: 0,
  fullDisks: 0,
  requests: 0,
  faults: 0,
  questions: 0,
  conflicts: 0,
});

export function addTotals(sum: Totals, figures: LifeFigures): void {
  for (const name of Object.keys(sum) as (keyof Totals)[]) sum[name] += figures[name];
}
