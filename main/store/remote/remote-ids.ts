import type { RemoteIdEntry } from '../../../shared/api/campaigns.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import {
  type Kind,
  KNOWN_KINDS,
  type KnownKind,
  kindCode,
  REMOTE_ID_SOURCES,
  type RemoteIdSource,
} from '../../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import {
  asNumber,
  asNumberOrNull,
  asText,
  asTextOrNull,
  containsWords,
  type Db,
  type DbRow,
  numberOf,
  rowIdOf,
  rowIdOrNull,
} from '../db/db.ts';
import { isCurrentOwner } from '../outbox/save-intent.ts';
import { tableOf } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { noteHeard } from './campaign-status.ts';

const CAMPAIGN = kindCode('campaign');

/** Each ID with its current row; an ad group has the name of its campaign. */
const KNOWN = `
  SELECT n.kind, n.id, n.source, n.at, n.confirmed_at, coalesce(c.id, g.id) AS row, coalesce(c.name, g.name) AS name,
    coalesce(c.id, g.campaign_id) AS campaign_id, iif(c.id IS NULL, p.name, c.name) AS campaign, p.remote_id AS owner
  FROM known_id n
  LEFT JOIN campaign c ON n.kind = ${CAMPAIGN} AND c.remote_id = n.id
  LEFT JOIN ad_group g ON n.kind = ${kindCode('adGroup')} AND g.remote_id = n.id
  LEFT JOIN campaign p ON p.id = g.campaign_id`;

/**
 * The known IDs, campaigns first and by number.
 *
 * @param words each must occur in the ID, the name, or the campaign's name or ID; case is ignored
 */
export function listRemoteIds(
  db: Db,
  from: number,
  count: number,
  words: string,
): { readonly total: number; readonly ids: readonly RemoteIdEntry[] } {
  const { sql, bind } = containsWords(`fold(concat_ws(' ', id, name, campaign, owner))`, words);
  const total = numberOf(db, `SELECT count(*) FROM (${KNOWN}) WHERE ${sql}`, ...bind);
  const rows = db.all(
    `SELECT kind, id, source, at, confirmed_at, row, name, campaign_id, campaign FROM (${KNOWN}) WHERE ${sql}
     ORDER BY kind, length(id), id LIMIT ? OFFSET ?`,
    ...bind,
    count,
    from,
  );
  return { total, ids: rows.map(knownOf) };
}

/** Those of these campaign IDs that have a row. */
export const localCampaigns = (db: Db, ids: readonly string[]): readonly string[] =>
  db
    .all('SELECT remote_id FROM campaign WHERE remote_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
    .map(([id]) => asText(id));

function knownOf([kind, id, source, at, confirmedAt, row, name, campaignId, campaign]: DbRow): RemoteIdEntry {
  return {
    kind: asNumber(kind) === CAMPAIGN ? 'campaign' : 'adGroup',
    id: asText(id),
    source: REMOTE_ID_SOURCES.find((each) => each === source) ?? 'list',
    at: asNumberOrNull(at),
    confirmedAt: asNumberOrNull(confirmedAt),
    rowId: rowIdOrNull(row),
    campaignId: rowIdOrNull(campaignId),
    name: asTextOrNull(name),
    campaign: asTextOrNull(campaign),
  };
}

const isKnownKind = (kind: Kind): kind is KnownKind => KNOWN_KINDS.some((known) => known === kind);

/** Records an ID. A known ID keeps its source. */
export function recordRemoteId(db: Db, kind: Kind, id: RemoteId, source: RemoteIdSource, nowMs: number): void {
  if (!isKnownKind(kind)) return;
  db.run(
    'INSERT OR IGNORE INTO known_id(kind, id, source, at) VALUES (?, ?, ?, CAST(? AS INTEGER))',
    kindCode(kind),
    id,
    source,
    nowMs,
  );
}

/** Records IDs that the service just returned as known and confirmed; new ones get the source `list`. */
export function recordShownIds(db: Db, kind: Kind, rows: readonly RemoteRow[], nowMs: number): void {
  if (!isKnownKind(kind)) return;
  for (const { remoteId } of rows) {
    if (remoteId === null) continue;
    recordRemoteId(db, kind, remoteId, 'list', nowMs);
    confirm(db, kind, remoteId, nowMs);
  }
}

/** Records that reads by these IDs were just answered. Unknown IDs are skipped. */
export function confirmRemoteIds(
  { db, nowMs }: WriterStore,
  args: { readonly ids: readonly { readonly kind: KnownKind; readonly id: RemoteId }[] },
): void {
  for (const { kind, id } of args.ids) confirm(db, kind, id, nowMs());
  noteHeard(
    db,
    args.ids.flatMap(({ kind, id }) => (kind === 'campaign' ? [id] : [])),
    nowMs(),
  );
}

/** The clock may have been set back: the newest confirmation is kept. */
const confirm = (db: Db, kind: KnownKind, id: RemoteId, nowMs: number): void =>
  void db.run(
    'UPDATE known_id SET confirmed_at = max(coalesce(confirmed_at, 0), CAST(? AS INTEGER)) WHERE kind = ? AND id = ?',
    nowMs,
    kindCode(kind),
    id,
  );

/** A campaign on the service that this workspace lacks completely or in part. */
interface InsertedCampaign {
  readonly epoch: number;
  readonly source: RemoteIdSource;
  readonly campaign: { readonly id: RemoteId; readonly values: Partial<AnyValues> };
  readonly adGroups: readonly { readonly id: RemoteId; readonly values: Partial<AnyValues> }[];
}

/**
 * Creates rows for a campaign and ad groups that are on the service. Fields that are not in `values` are empty and
 * unread, so nothing counts as changed or missing and nothing would be sent. For existing rows only empty fields are
 * filled.
 *
 * @returns the campaign's row; null if another process has taken over the workspace
 */
export function insertCampaign(store: WriterStore, args: InsertedCampaign): { readonly campaignId: RowId | null } {
  const { db } = store;
  const { source, campaign, adGroups } = args;
  if (!isCurrentOwner(db, args.epoch)) return { campaignId: null };
  const nowMs = store.nowMs();
  recordRemoteId(db, 'campaign', campaign.id, source, nowMs);
  merge(store, { kind: 'campaign', remoteId: campaign.id, campaignId: null, adGroupId: null, values: campaign.values });
  const campaignId = rowOf(store, 'campaign', campaign.id);
  for (const { id, values } of adGroups) {
    recordRemoteId(db, 'adGroup', id, source, nowMs);
    merge(store, { kind: 'adGroup', remoteId: id, campaignId, adGroupId: null, values });
  }
  return { campaignId };
}

function merge(store: WriterStore, row: RemoteRow): void {
  const { kind, remoteId } = row;
  const id = remoteId === null ? null : rowOf(store, kind, remoteId);
  const found = id === null ? null : store.readRow({ kind, id });
  const said: AnyValues = found === null ? {} : ((found.base ?? found.values) as AnyValues);
  const values = Object.fromEntries(
    Object.entries(row.values).filter(([field, value]) => value != null && (said[field] ?? null) === null),
  );
  store.mergeRemoteRows([{ ...row, values }]);
}

function rowOf({ db }: WriterStore, kind: RemoteRow['kind'], remoteId: RemoteId): RowId | null {
  const found = db.get(`SELECT id FROM ${tableOf(kind).name} WHERE remote_id = ?`, remoteId);
  return found === undefined ? null : rowIdOf(found[0]);
}
