import type { DuplicateGroup, DuplicateRow } from '../../../shared/contract/duplicates.ts';

/** The groups with a row to keep in each: by its place in `groups`, the id the user chose. */
export type Chosen = Readonly<Record<string, number>>;

/** Stays the same while the rows of a group do. */
export const groupKey = ({ rows }: DuplicateGroup): string => rows.map(({ id }) => id).join();

/**
 * The row of a group that is worth keeping: the one that spends most, else one the service has with what it learned
 * about it, else the oldest.
 *
 * @param spend cents by the service's id
 */
export function worthKeeping(rows: readonly DuplicateRow[], spend: ReadonlyMap<string, number>): number | null {
  const spent = ({ remoteId }: DuplicateRow): number => (remoteId === null ? -1 : (spend.get(remoteId) ?? 0));
  const [first] = rows;
  if (first === undefined) return null;
  return rows.reduce((best, row) => (spent(row) > spent(best) ? row : best), first).id;
}

/** The rows of a group that are not kept. */
export const othersOf = (group: DuplicateGroup, keep: number | null): readonly DuplicateRow[] =>
  group.rows.filter(({ id }) => id !== keep);

/** States in which a row bids; pausing any other would change nothing. */
export const isOn = ({ state }: DuplicateRow): boolean => state === 'enabled' || state === '';
