import type { PlanBatch } from './plan-types.ts';

/** A batch before its place in the plan is known. */
export type Draft = Omit<PlanBatch, 'index'>;

/** Cuts a list into runs of at most `max`, in order. */
export function split<T>(list: readonly T[], max: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += max) parts.push(list.slice(at, at + max));
  return parts;
}

/** Groups a list by a key, keeping the order in which keys first appear. */
export function groupedBy<T, Key>(list: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  return Map.groupBy(list, keyOf);
}

export const numbered = (drafts: readonly Draft[]): readonly PlanBatch[] =>
  drafts.map((draft, index) => ({ index, ...draft }));
