import type { Cell } from '../../shared/model/field-types.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { DELETED, HELD } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { RowFacts, RowsFacts } from '../../shared/suggestions/facts.ts';
import type { DropReason, Effect } from '../../shared/suggestions/suggestion.ts';
import { dayNumber } from '../cube/read-file-days.ts';
import { asNumber, asTextOrNull, type Db, readIds, rowIdOf } from '../store/db/db.ts';
import { LIVE } from '../store/outbox/schema.ts';
import { fromStored } from '../store/rows/codec.ts';
import { calendarAheadMs } from '../store/rows/rule-settings.ts';
import { columnNamed, tableOf } from '../store/schema/tables.ts';

/** For each row of a kind, the first reason why it can't be changed. */
function readMarks(db: Db, kind: Kind): (id: number, dirty: number) => DropReason | null {
  const { code } = tableOf(kind);
  const marked = (sql: string): ReadonlySet<number> => new Set(readIds(db, sql, code));
  const conflicts = marked('SELECT id FROM conflict WHERE kind = ?');
  const live = marked(`SELECT row_id AS id FROM outbox_op WHERE kind = ? AND ${LIVE}`);
  const failed = marked('SELECT id FROM refusal WHERE kind = ?');
  return (id, dirty) => {
    if ((dirty & DELETED) !== 0) return 'deleted';
    if ((dirty & HELD) !== 0) return 'held';
    if (conflicts.has(id)) return 'conflict';
    if (live.has(id)) return 'unconfirmed';
    return failed.has(id) ? 'failed' : null;
  };
}

const SWITCH = { keyword: 'state', adItem: 'status' } as const;
const LABEL = { keyword: 'text', adItem: 'itemName' } as const;

/** Days on which bids were sent, and rows were paused or began, by row. Changes sent by other programs are unknown. */
function readSent(db: Db, kind: keyof typeof SWITCH, zone: string) {
  const ahead = calendarAheadMs(db);
  const latest = (condition: string): ReadonlyMap<number, number> =>
    new Map(
      db
        .all(
          `SELECT o.row_id, max(b.sent_at) FROM outbox_op o JOIN outbox_batch b ON b.id = o.batch_id
           WHERE o.kind = ? AND o.state = 'DONE' AND ${condition} GROUP BY o.row_id`,
          tableOf(kind).code,
        )
        .map(([id, at]) => [asNumber(id), dayNumber(dateInZone(asNumber(at) + ahead, zone))]),
    );
  const field = SWITCH[kind];
  return {
    // A practice account's calendar does not match the time of sending, so its bids in force come from reports only.
    bids:
      ahead === 0
        ? latest("json_extract(o.sent, '$.bid') <> json_extract(o.base, '$.bid')")
        : new Map<number, number>(),
    pauses: latest(
      `json_extract(o.sent, '$.${field}') <> 'enabled' AND json_extract(o.base, '$.${field}') = 'enabled'`,
    ),
    starts: latest(
      `(o.verb = 'create' OR json_extract(o.sent, '$.${field}') = 'enabled' AND json_extract(o.base, '$.${field}') <> 'enabled')`,
    ),
  };
}

/** A row before the position of its campaign is known. */
export type AccountRow = Omit<RowFacts, 'campaign'> & { readonly campaignId: RowId };

/** All items or keywords that are on the service, campaign by campaign. */
export function readSuggestionRows(
  db: Db,
  kind: keyof typeof SWITCH,
  zone: string,
  effect: Effect,
): readonly AccountRow[] {
  const table = tableOf(kind);
  const bidColumn = columnNamed(table, 'bid');
  const switchColumn = columnNamed(table, SWITCH[kind]);
  const extraColumn = columnNamed(table, kind === 'keyword' ? 'matchType' : 'itemId');
  const columns = [bidColumn, switchColumn, columnNamed(table, LABEL[kind]), extraColumn];
  const marks = readMarks(db, kind);
  const sent = readSent(db, kind, zone);
  const list = columns.map(({ sql }) => `k.${sql}`).join(', ');
  return db
    .all(
      `SELECT k.id, k.campaign_id, k.ad_group_id, k.dirty, k.sort_key, ${list}, b.id, b.${bidColumn.sql}, b.${switchColumn.sql}
       FROM ${table.name} k LEFT JOIN ${table.base} b ON b.id = k.id
       WHERE k.remote_id IS NOT NULL ORDER BY k.campaign_id, k.id`,
    )
    .map(([id, campaignId, adGroupId, dirty, folded, ...cells]) => {
      const [bid, state, label, extra] = columns.map(({ spec }, at): Cell => fromStored(spec, cells[at]));
      const [baseId, baseBid, baseState] = cells.slice(columns.length);
      const hasBase = baseId !== null && baseId !== undefined;
      const sentBid = hasBase ? fromStored(bidColumn.spec, baseBid) : (bid ?? null);
      const sentState = hasBase ? fromStored(switchColumn.spec, baseState) : (state ?? null);
      const row = asNumber(id);
      const word = extra ?? '';
      const isOver = sentState === 'archived' || sentState === 'deleted';
      const isEnabled = sentState === null || sentState === 'enabled';
      const isEdited = bid !== sentBid || state !== sentState;
      return {
        id: rowIdOf(id),
        campaignId: rowIdOf(campaignId),
        adGroupId: adGroupId === null ? null : rowIdOf(adGroupId),
        label: typeof label === 'string' && label !== '' ? label : String(word),
        text: kind === 'keyword' ? (asTextOrNull(folded) ?? '') : String(word),
        matchType: asMatchType(word),
        bid: typeof sentBid === 'number' ? sentBid : null,
        isEnabled,
        barred:
          marks(row, 0) === null && isOver
            ? 'archived'
            : marks(row, 0) === null && !isEnabled
              ? 'paused'
              : (marks(row, asNumber(dirty)) ?? (isEdited ? 'edited' : null)),
        effect,
        sentOn: sent.bids.get(row) ?? null,
        pausedOn: sent.pauses.get(row) ?? null,
        startedOn: sent.starts.get(row) ?? null,
      };
    });
}

/** Keywords that are not on the service yet: their ad groups have these texts already. */
export function readUnsentKeywords(db: Db): NonNullable<RowsFacts['unsent']> {
  const table = tableOf('keyword');
  const matchType = columnNamed(table, 'matchType');
  return db
    .all(
      `SELECT ad_group_id, sort_key, ${matchType.sql} FROM ${table.name} WHERE remote_id IS NULL AND NOT dirty & ${DELETED}`,
    )
    .map(([adGroupId, folded, stored]) => {
      const word = fromStored(matchType.spec, stored);
      return {
        adGroupId: adGroupId === null ? null : rowIdOf(adGroupId),
        text: asTextOrNull(folded) ?? '',
        matchType: asMatchType(word),
      };
    });
}

const asMatchType = (word: Cell): RowFacts['matchType'] =>
  word === 'exact' || word === 'phrase' || word === 'broad' ? word : null;

/** Multipliers of campaigns, by campaign and placement or platform. */
export function readMultipliers(db: Db, kind: 'platformMultiplier' | 'placementMultiplier') {
  const table = tableOf(kind);
  const marks = readMarks(db, kind);
  const place = columnNamed(table, kind === 'platformMultiplier' ? 'platform' : 'placement');
  const value = columnNamed(table, 'multiplier');
  return db
    .all(`SELECT id, campaign_id, dirty, ${place.sql}, ${value.sql} FROM ${table.name} ORDER BY id`)
    .map(([id, campaignId, dirty, key, multiplier]) => ({
      id: rowIdOf(id),
      campaignId: rowIdOf(campaignId),
      key: String(fromStored(place.spec, key) ?? ''),
      current: Number(fromStored(value.spec, multiplier) ?? 0),
      barred: marks(asNumber(id), asNumber(dirty)) ?? (asNumber(dirty) === 0 ? null : ('edited' as const)),
    }));
}

/** By campaign: the reason why nothing in it can be changed now. */
export function readCampaignMarks(db: Db): ReadonlyMap<number, DropReason | null> {
  const marks = readMarks(db, 'campaign');
  return new Map(
    db.all('SELECT id, dirty FROM campaign').map(([id, dirty]) => [asNumber(id), marks(asNumber(id), asNumber(dirty))]),
  );
}
