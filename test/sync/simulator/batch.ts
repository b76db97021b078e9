import { addTotals, noTotals, type Totals } from './figures.ts';
import { playLife } from './life.ts';
import { createModelStore } from './model-store.ts';
import { createRealStore, PROFILE } from './real-store.ts';
import type { SimStore } from './sim-store.ts';
import { createTwinStore } from './twin-store.ts';

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
