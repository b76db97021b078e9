import { type AnyRow, DELETED, HELD } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { AccountCampaign } from '../../../shared/rules/account.ts';
import { asNumber, asTextOrNull, type Db, rowIdOf, rowIdsOf } from '../db/db.ts';
import { allTables } from '../schema/tables.ts';

/**
 * Campaigns by ID. `changed` are those with a change that a sync would send; `changed-or-commented` also those with
 * comments, as a share file needs them.
 */
export function campaignIds(
  db: Db,
  which: 'all' | 'changed' | 'changed-or-commented' | readonly RowId[],
): readonly RowId[] {
  if (typeof which !== 'string') return which;
  if (which === 'all') return rowIdsOf(db, 'SELECT id FROM campaign ORDER BY id');
  const tables = allTables().filter(({ kind }) => kind !== 'media');
  const changed = tables.map(({ name }) => `SELECT campaign_id FROM ${name} WHERE dirty <> 0 AND dirty & ${~HELD}`);
  // A changed file counts for the campaigns that use it.
  const files = 'SELECT id FROM media WHERE dirty <> 0';
  const users = [
    `SELECT campaign_id FROM sba_profile WHERE logo IN (${files})`,
    `SELECT campaign_id FROM video_profile WHERE video IN (${files} UNION
       SELECT id FROM media WHERE caption IN (${files}))`,
  ];
  const commented = tables.map(
    ({ name, code }) => `SELECT campaign_id FROM ${name} WHERE id IN (SELECT row FROM comment WHERE kind = ${code})`,
  );
  const parts = [...changed, ...users, ...(which === 'changed-or-commented' ? commented : [])];
  return rowIdsOf(db, `${parts.join(' UNION ')} ORDER BY 1`);
}

/** Stands for the account among campaign IDs in `finding_count` and `check_pending`. */
export const ACCOUNT = 0;

/** The few fields of every campaign that account rules need. */
export const readAccountCampaigns = (db: Db): readonly AccountCampaign[] =>
  db.all('SELECT id, name, dirty FROM campaign ORDER BY id').map(([id, name, dirty]) => ({
    id: rowIdOf(id),
    name: asTextOrNull(name),
    deleted: (asNumber(dirty) & DELETED) !== 0,
  }));

/** The name of a campaign in lists: documented reads return its ID and no name. */
export const campaignNameSql = (campaign: string): string => `coalesce(${campaign}.name, ${campaign}.remote_id)`;

/** Campaign names of these rows, by campaign ID. */
export function campaignNames(db: Db, rows: readonly Pick<AnyRow, 'campaignId'>[]): ReadonlyMap<number, string> {
  const ids = JSON.stringify([...new Set(rows.map((row) => row.campaignId))]);
  const found = db.all(
    `SELECT id, ${campaignNameSql('c')} FROM campaign c WHERE id IN (SELECT value FROM json_each(?))`,
    ids,
  );
  return new Map(found.map(([id, name]) => [asNumber(id), asTextOrNull(name) ?? '']));
}
