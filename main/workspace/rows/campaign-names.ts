import type { AnyRow } from '../../../shared/model/row.ts';
import { asNumber, asTextOrNull, type Db } from '../db/db.ts';

/** Names of the campaigns that these rows belong to, by campaign id. */
export function campaignNames(db: Db, rows: readonly Pick<AnyRow, 'campaignId'>[]): ReadonlyMap<number, string> {
  const ids = JSON.stringify([...new Set(rows.map((row) => row.campaignId))]);
  const found = db.all('SELECT id, name FROM campaign WHERE id IN (SELECT value FROM json_each(?))', ids);
  return new Map(found.map(([id, name]) => [asNumber(id), asTextOrNull(name) ?? '']));
}
