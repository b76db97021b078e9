import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { type Db, numberOf } from '../db/db.ts';

/** Row ids fit an Int32Array, which is how views keep their order. */
const HIGHEST_ID = 2 ** 31 - 1;

/**
 * Hands out consecutive row ids that no row of any kind ever had.
 *
 * @returns the first of them
 */
export function takeIds(db: Db, count: number): RowId {
  const last = numberOf(db, `UPDATE counter SET value = value + ? WHERE name = 'row' RETURNING value`, count);
  if (last > HIGHEST_ID) throw new Error('this workspace has used up all its row numbers');
  return asRowId(last - count + 1);
}

export function nextRevision(db: Db): number {
  return numberOf(db, `UPDATE counter SET value = value + 1 WHERE name = 'revision' RETURNING value`);
}
