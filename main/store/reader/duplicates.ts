import type { DuplicateGroup, DuplicateKind, DuplicateRow, Duplicates } from '../../../shared/api/views.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { DELETED } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { normalizedText } from '../../../shared/model/text.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, type DbRow, rowIdOf, rowsInTurns } from '../db/db.ts';
import { campaignNameSql } from '../rows/campaign-ids.ts';
import { fromStored, toStored } from '../rows/codec.ts';
import { choiceCode, columnNamed, columnOf, sqlList, type Table, tableOf } from '../schema/tables.ts';

/** Maximum of groups in one answer; `total` has their number. */
const GROUPS_MAX = 200;

/** Number of hash buckets. With a million rows one key in sixteen shares its bucket with another. */
const PLACES = 1 << 24;
const ROWS_SHOWN = 100;

export interface DuplicateSearch {
  readonly kind: DuplicateKind;
  readonly within: 'adGroup' | 'account';
  readonly campaignId: RowId | null;
}

const TEXT = { keyword: 'text', adItem: 'itemId' } as const;
const STATE = { keyword: 'state', adItem: 'status' } as const;
/** The final state of a row, which can be added again: the service keeps both. */
const OFF = { keyword: 'archived', adItem: 'deleted' } as const;

/**
 * Finds duplicate rows. A million keys would take too much memory, so the first pass only counts them by hash, one byte
 * each, and the second keeps the texts of keys whose bucket was hit twice.
 */
export async function findDuplicates(
  db: Db,
  profile: DeploymentSettings,
  search: DuplicateSearch,
): Promise<Duplicates> {
  const counts = new Uint8Array(PLACES);
  for await (const { key } of keys(db, search)) {
    const place = placeOf(key);
    counts[place] = Math.min(2, (counts[place] ?? 0) + 1);
  }
  const idsByKey = new Map<string, RowId[]>();
  for await (const { key, id } of keys(db, search)) {
    if ((counts[placeOf(key)] ?? 0) < 2) continue;
    const ids = idsByKey.get(key);
    if (ids === undefined) idsByKey.set(key, [id]);
    else ids.push(id);
  }
  const same = [...idsByKey.values()].filter((ids) => ids.length > 1).sort((a, b) => b.length - a.length);
  const shown = same.slice(0, GROUPS_MAX);
  const groups = shown.map((ids) => readGroup(db, search.kind, ids));
  return {
    total: same.length,
    rows: same.reduce((sum, ids) => sum + ids.length, 0),
    groups,
    fullness: search.kind === 'keyword' ? fullness(db, groups) : [],
    distinctMax: profile.keywords.maxDistinctEnabled,
  };
}

/** Every row without a final status, with its comparison key. */
async function* keys(
  db: Db,
  { kind, within, campaignId }: DuplicateSearch,
): AsyncGenerator<{ readonly key: string; readonly id: RowId }> {
  const table = tableOf(kind);
  const match = kind === 'keyword' ? `k.${columnNamed(table, 'matchType').sql}` : '0';
  const here = campaignId === null ? 'true' : `k.campaign_id = ${campaignId}`;
  const sql = `SELECT k.id, k.ad_group_id, ${match}, k.${columnNamed(table, TEXT[kind]).sql} FROM ${table.name} k
    WHERE k.id > ?1 AND ${here} AND k.dirty & ${DELETED} = 0
      AND k.${columnNamed(table, STATE[kind]).sql} IS NOT ${choiceCode(kind, STATE[kind], OFF[kind])} ORDER BY k.id LIMIT ?2`;
  for await (const [id, group, matchType, text] of rowsInTurns(db, sql)) {
    const loose = normalizedText(asTextOrNull(text) ?? '');
    if (loose === '') continue;
    yield { key: `${within === 'adGroup' ? group : ''}/${matchType}/${loose}`, id: rowIdOf(id) };
  }
}

/** FNV-1a over the code units, folded to the number of buckets. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return ((hash >>> 24) ^ hash) & (PLACES - 1);
}

function readGroup(db: Db, kind: DuplicateKind, ids: readonly RowId[]): DuplicateGroup {
  const table = tableOf(kind);
  const match = kind === 'keyword' ? `k.${columnNamed(table, 'matchType').sql}` : 'NULL';
  const name = kind === 'adItem' ? `k.${columnNamed(table, 'itemName').sql}` : 'NULL';
  const fields = sqlList(
    [TEXT[kind], 'bid', STATE[kind]].map((field) => columnNamed(table, field)),
    'k.',
  );
  const rows = db.all(
    `SELECT k.id, k.campaign_id, ${campaignNameSql('c')}, k.ad_group_id, g.name, k.remote_id, ${fields}, ${match}, ${name}
      FROM json_each(?) j JOIN ${table.name} k ON k.id = j.value
      JOIN campaign c ON c.id = k.campaign_id JOIN ad_group g ON g.id = k.ad_group_id ORDER BY k.id`,
    JSON.stringify(ids.slice(0, ROWS_SHOWN)),
  );
  const matchType = rows[0]?.[9];
  const column = columnOf(table, 'matchType');
  const word = matchType == null || column === undefined ? null : fromStored(column.spec, matchType);
  return {
    matchType: word === 'exact' || word === 'phrase' || word === 'broad' ? word : null,
    rows: rows.map((row) => toRow(table, kind, row)),
    count: ids.length,
  };
}

function toRow(table: Table, kind: DuplicateKind, row: DbRow): DuplicateRow {
  return {
    id: rowIdOf(row[0]),
    campaignId: rowIdOf(row[1]),
    campaignName: asTextOrNull(row[2] ?? null) ?? '',
    adGroupId: rowIdOf(row[3]),
    adGroupName: asTextOrNull(row[4] ?? null) ?? '',
    remoteId: asTextOrNull(row[5] ?? null),
    text: asText(row[6]),
    name: asTextOrNull(row[10] ?? null),
    bid: asNumberOrNull(row[7] ?? null),
    state: String(fromStored(columnNamed(table, STATE[kind]).spec, row[8]) ?? ''),
  };
}

/** Distinct texts with at least one enabled keyword, by ad group (wire shapes, section 5, "Keywords"). */
function fullness(db: Db, groups: readonly DuplicateGroup[]): Duplicates['fullness'] {
  const state = columnNamed(tableOf('keyword'), 'state');
  const ids = new Set(groups.flatMap(({ rows }) => rows.map(({ adGroupId }) => adGroupId)));
  const found = db.all(
    `SELECT k.ad_group_id, count(DISTINCT k.sort_key) FROM keyword k
      WHERE k.ad_group_id IN (SELECT value FROM json_each(?)) AND k.dirty & ${DELETED} = 0 AND k.${state.sql} IS ?
      GROUP BY k.ad_group_id`,
    JSON.stringify([...ids]),
    toStored(state.spec, 'enabled'),
  );
  return found.map(([id, distinct]) => ({ adGroupId: rowIdOf(id), distinct: asNumber(distinct) }));
}
