import { creativeKey, creativeOf } from '../../../shared/model/creative.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import { isNew } from '../../../shared/model/row.ts';
import type { PlainDate, RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, type Db, rowIdOf } from '../db/db.ts';
import { readRowsWithIds } from '../rows/read-rows.ts';
import { calendarAheadMs } from '../rows/rule-settings.ts';
import { hashOf } from './review-history.ts';

/**
 * Records what SBA profiles show on the service; called whenever service values of a profile are written. An unchanged
 * banner is not recorded again.
 */
export function noteShown(db: Db, ids: readonly RowId[], nowMs: number): void {
  if (ids.length === 0) return;
  const at = nowMs + calendarAheadMs(db);
  for (const row of readRowsWithIds<'sbaProfile'>(db, 'sbaProfile', ids)) {
    const said = row.base ?? row.values;
    const creative = creativeOf('sbaProfile', said, (id) => hashOf(db, id));
    if (isNew(row) || creative === null || row.campaignId === null) continue;
    const shown = said.status === 'enabled' ? creativeKey(creative) : '';
    const [last] = db.get('SELECT creative FROM banner_shown WHERE row = ? ORDER BY id DESC LIMIT 1', row.id) ?? [];
    if (last === shown) continue;
    db.run(
      'INSERT INTO banner_shown(row, campaign_id, creative, at) VALUES (?,?,?,?)',
      row.id,
      row.campaignId,
      shown,
      at,
    );
  }
}

export interface ShownSince {
  readonly row: RowId;
  /** The text of `creativeKey`; empty while the profile is disabled. */
  readonly creative: string;
  readonly on: PlainDate;
}

/** When profiles showed which banner, oldest first, by campaign. */
export function readShown(db: Db, zone: string, campaignId: RowId | null): ReadonlyMap<RowId, readonly ShownSince[]> {
  const rows = db.all(
    'SELECT campaign_id, row, creative, at FROM banner_shown WHERE ?1 IS NULL OR campaign_id = ?1 ORDER BY id',
    campaignId,
  );
  const grouped = Map.groupBy(rows, ([campaign]) => rowIdOf(campaign));
  const said = ([, row, creative, at]: (typeof rows)[number]): ShownSince => ({
    row: rowIdOf(row),
    creative: asText(creative),
    on: dateInZone(asNumber(at), zone),
  });
  return new Map(Array.from(grouped, ([campaign, own]) => [campaign, own.map(said)]));
}
