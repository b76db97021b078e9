import type { RemoteIdEntry } from '../../../shared/api/campaigns.ts';
import { kindCode, REMOTE_ID_SOURCES } from '../../../shared/model/kinds.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, type DbRow, numberOf } from '../db/db.ts';

const CAMPAIGN = kindCode('campaign');

/** Each id beside the row that stands for it now; an ad group carries the name of its campaign. */
const KNOWN = `
  SELECT n.kind, n.id, n.source, n.at, n.confirmed_at, coalesce(c.id, g.id) AS row, coalesce(c.name, g.name) AS name,
    coalesce(c.id, g.campaign_id) AS campaign_id, iif(c.id IS NULL, p.name, c.name) AS campaign, p.remote_id AS owner
  FROM known_id n
  LEFT JOIN campaign c ON n.kind = ${CAMPAIGN} AND c.remote_id = n.id
  LEFT JOIN ad_group g ON n.kind = ${kindCode('adGroup')} AND g.remote_id = n.id
  LEFT JOIN campaign p ON p.id = g.campaign_id`;

/**
 * The known ids, campaigns first and by number.
 *
 * @param words each of them stands in the id, the name or the campaign's name or id; capitals do not count
 */
export function listRemoteIds(
  db: Db,
  from: number,
  count: number,
  words: string,
): { readonly total: number; readonly ids: readonly RemoteIdEntry[] } {
  const wanted = words.split(/\s+/u).filter((word) => word !== '');
  const text = `fold(concat_ws(' ', id, name, campaign, owner))`;
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map(() => `instr(${text}, fold(?)) > 0`).join(' AND ')}`;
  const total = numberOf(db, `SELECT count(*) FROM (${KNOWN}) ${where}`, ...wanted);
  const rows = db.all(
    `SELECT kind, id, source, at, confirmed_at, row, name, campaign_id, campaign FROM (${KNOWN}) ${where}
     ORDER BY kind, length(id), id LIMIT ? OFFSET ?`,
    ...[...wanted, count, from],
  );
  return { total, ids: rows.map(knownOf) };
}

/** Those of these campaign ids for which there is a row. */
export const localCampaigns = (db: Db, ids: readonly string[]): readonly string[] =>
  db
    .all('SELECT remote_id FROM campaign WHERE remote_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
    .map(([id]) => asText(id));

function knownOf([kind, id, source, at, confirmedAt, row, name, campaignId, campaign]: DbRow): RemoteIdEntry {
  const rowId = asNumberOrNull(row);
  const owner = asNumberOrNull(campaignId);
  return {
    kind: asNumber(kind) === CAMPAIGN ? 'campaign' : 'adGroup',
    id: asText(id),
    source: REMOTE_ID_SOURCES.find((each) => each === source) ?? 'list',
    at: asNumberOrNull(at),
    confirmedAt: asNumberOrNull(confirmedAt),
    rowId: rowId === null ? null : asRowId(rowId),
    campaignId: owner === null ? null : asRowId(owner),
    name: asTextOrNull(name),
    campaign: asTextOrNull(campaign),
  };
}
