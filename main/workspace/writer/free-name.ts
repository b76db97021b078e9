import { copyName } from '../../../shared/bulk/copy-rows.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Db } from '../db/db.ts';
import type { CreateRow } from '../types.ts';

/**
 * The name for a copy when its own is taken at its new place; null when it may keep it. Campaigns and ad groups are
 * told apart by their names, so a copy beside its original gets one of its own.
 *
 * @param named places and names given out in this edit already; the answer is added to it
 */
export function freeName(
  db: Db,
  kind: Kind,
  values: AnyValues,
  parent: CreateRow['parent'],
  named: Set<string>,
): string | null {
  if (kind !== 'campaign' && kind !== 'adGroup') return null;
  const name = values['name'] ?? null;
  if (typeof name !== 'string') return null;
  const place = parent !== null && 'id' in parent ? parent.id : null;
  const sql =
    kind === 'campaign'
      ? 'SELECT 1 FROM campaign WHERE sort_key = fold(?1) AND ?2 IS NULL'
      : 'SELECT 1 FROM ad_group WHERE campaign_id = ?2 AND sort_key = fold(?1)';
  const isTaken = (candidate: string): boolean =>
    named.has(`${place} ${candidate}`) || db.get(sql, candidate, place) !== undefined;
  const chosen = isTaken(name) ? copyName(name, isTaken) : null;
  named.add(`${place} ${chosen ?? name}`);
  return chosen;
}

/** The rows as they can be created beside what is there: those that hang from no other row of the list renamed. */
export function withFreeNames(db: Db, creates: readonly CreateRow[]): readonly CreateRow[] {
  const named = new Set<string>();
  return creates.map((create) => {
    const { kind, parent, values } = create;
    const name = parent !== null && 'at' in parent ? null : freeName(db, kind, values, parent, named);
    return name === null ? create : { ...create, values: { ...values, name } };
  });
}
