import {
  afterCampaignWrite,
  afterStatusRead,
  type DerivedState,
  deriveCampaignState,
  NOTHING_REMEMBERED,
  type StatusMemory,
} from '../../../shared/lifecycle/campaign-state.ts';
import type { ServiceStatus } from '../../../shared/lifecycle/states.ts';
import { memo } from '../../../shared/memo.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { type AnyValues, FIELDS as MODEL } from '../../../shared/model/fields.ts';
import type { PlainDate, RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { asNumberOrNull, asText, asTextOrNull, type Db, type DbRow, type DbValue, idList, rowIdOf } from '../db/db.ts';
import { toStored } from '../rows/codec.ts';
import { columnNamed, sqlList, tableOf } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import type { AffectedRows } from '../writer/writer-store.ts';

/** Stored facts about each campaign's status (`CAMPAIGN_STATUS_DDL`), from which its state is derived. */
const COLUMNS = 's.read_at, s.read_on, s.is_current, s.heard_at, s.believed, s.was_live, s.reviews';

function memoryOf(row: DbRow, from: number): StatusMemory {
  const [readAt, readOn, isCurrent, heardAt, believed, wasLive, reviews] = row.slice(from);
  if (isCurrent === null || isCurrent === undefined) return NOTHING_REMEMBERED;
  return {
    readAt: asNumberOrNull(readAt),
    readOn: asTextOrNull(readOn) as PlainDate | null,
    isCurrent: isCurrent === 1,
    heardAt: asNumberOrNull(heardAt),
    believed: asTextOrNull(believed) as StatusMemory['believed'],
    wasLive: wasLive === 1,
    reviews: asTextOrNull(reviews),
  };
}

function remember(db: Db, id: RowId, memory: StatusMemory): void {
  db.run(
    `INSERT OR REPLACE INTO campaign_status VALUES (?, CAST(? AS INTEGER), ?, ?, CAST(? AS INTEGER), ?, ?, ?)`,
    id,
    whole(memory.readAt),
    memory.readOn,
    memory.isCurrent ? 1 : 0,
    whole(memory.heardAt),
    memory.believed,
    memory.wasLive ? 1 : 0,
    memory.reviews,
  );
}
const whole = (ms: number | null): number | null => (ms === null ? null : Math.trunc(ms));

/** Records that a write to a campaign was accepted. The caller checks it again, which derives its state. */
export function noteCampaignWrite(db: Db, id: RowId, sent: AnyValues, nowMs: number): void {
  const row = db.get(`SELECT ${COLUMNS} FROM campaign_status s WHERE s.campaign_id = ?`, id) ?? [];
  remember(db, id, afterCampaignWrite(memoryOf(row, 0), sent['status'], nowMs));
}

const STATUSES: readonly ServiceStatus[] = MODEL.campaign.serviceStatus.type.choices;

/** Records the statuses of campaigns from a read; campaigns whose facts change are checked again. */
export function noteStatusReads(
  db: Db,
  rows: readonly RemoteRow[],
  at: { readonly ms: number; readonly day: PlainDate },
  touched: AffectedRows,
): void {
  const words = new Map<string, ServiceStatus | null>();
  for (const { kind, remoteId, values } of rows) {
    if (kind !== 'campaign' || remoteId === null || values['serviceStatus'] === undefined) continue;
    // An unknown word reports nothing.
    words.set(remoteId, STATUSES.find((word) => word === values['serviceStatus']) ?? null);
  }
  if (words.size === 0) return;
  const found = db.all(
    `SELECT c.id, c.remote_id, ${COLUMNS} FROM campaign c LEFT JOIN campaign_status s ON s.campaign_id = c.id
     WHERE c.remote_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...words.keys()]),
  );
  const same: RowId[] = [];
  for (const row of found) {
    const id = rowIdOf(row[0]);
    const before = memoryOf(row, 2);
    const after = afterStatusRead(before, words.get(asText(row[1])) ?? null, at);
    const isSame =
      before.readAt !== null &&
      before.isCurrent === after.isCurrent &&
      before.believed === after.believed &&
      before.readOn === after.readOn;
    if (isSame) same.push(id);
    else {
      remember(db, id, after);
      touched.campaign(id);
      touched.kinds.add('campaign');
    }
  }
  if (same.length === 0) return;
  // Unchanged statuses only get a newer time, so nothing is checked or reported.
  const list = JSON.stringify(same);
  const inList = 'IN (SELECT value FROM json_each(?2))';
  const ms = Math.trunc(at.ms);
  db.run(
    `UPDATE campaign_status SET read_at = CAST(?1 AS INTEGER), heard_at = CAST(?1 AS INTEGER) WHERE campaign_id ${inList}`,
    ms,
    list,
  );
  db.run(`UPDATE campaign SET "stateAsOf" = ?1 WHERE id ${inList} AND "stateAsOf" IS NOT NULL`, isoOf(ms), list);
}

/** Records that reads have answered for these campaigns: the facts behind their estimates are confirmed as of now. */
export function noteHeard(db: Db, ids: readonly RemoteId[], nowMs: number): void {
  if (ids.length === 0) return;
  const ms = Math.trunc(nowMs);
  const list = JSON.stringify(ids);
  const heard = 'SELECT id FROM campaign WHERE remote_id IN (SELECT value FROM json_each(?2)) AND "stateSource" = ?3';
  const estimated = toStored(MODEL.campaign.stateSource, 'estimated');
  db.run(
    `UPDATE campaign_status SET heard_at = CAST(?1 AS INTEGER) WHERE campaign_id IN (${heard})`,
    ms,
    list,
    estimated,
  );
  db.run(`UPDATE campaign SET "stateAsOf" = ?1 WHERE id IN (${heard})`, isoOf(ms), list, estimated);
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const STATE_COLUMNS = ['campaignState', 'stateSource', 'stateAsOf'].map((field) =>
  columnNamed(tableOf('campaign'), field),
);
const statesSql = memo(
  (which: string) =>
    `SELECT c.id, ${sqlList(STATE_COLUMNS, 'c.')}, ${COLUMNS}
     FROM campaign c LEFT JOIN campaign_status s ON s.campaign_id = c.id WHERE c.id ${which}`,
);

/**
 * Derives the states of campaigns and writes those that differ.
 *
 * @returns the trees with their states, the written campaigns, and whether any state changed
 */
export function deriveStates(
  db: Db,
  trees: readonly CampaignTree[],
  today: PlainDate,
  nowMs: number,
): { readonly trees: readonly CampaignTree[]; readonly written: readonly RowId[]; readonly moved: boolean } {
  if (trees.length === 0) return { trees, written: [], moved: false };
  const list = idList(trees.map(({ campaign }) => campaign.id));
  const known = new Map(db.all(statesSql(list.sql), list.bind).map((row) => [rowIdOf(row[0]), row]));
  /** Campaigns by their new cells: all drafts that were never sent get the same. */
  const writes = new Map<string, { readonly cells: readonly DbValue[]; readonly ids: RowId[] }>();
  let moved = false;
  const derived = trees.map((tree): CampaignTree => {
    const { id } = tree.campaign;
    const row = known.get(id) ?? [];
    const before = memoryOf(row, 1 + STATE_COLUMNS.length);
    const state = deriveCampaignState(tree, before, today, nowMs);
    if (state.source !== 'local' && !isSameMemory(before, state.memory)) remember(db, id, state.memory);
    const values = valuesOf(state);
    const cells = STATE_COLUMNS.map(({ spec, field }) => toStored(spec, values[field] ?? null));
    if (cells.some((cell, at) => cell !== (row[1 + at] ?? null))) {
      const key = JSON.stringify(cells);
      const write = writes.get(key) ?? { cells, ids: [] };
      writes.set(key, write);
      write.ids.push(id);
      // An empty state means a local draft, so a new draft has not changed.
      moved ||= state.source !== 'local' || (row[1] ?? null) !== null;
    }
    return { ...tree, campaign: { ...tree.campaign, values: { ...tree.campaign.values, ...values } } };
  });
  for (const { cells, ids } of writes.values()) {
    const set = STATE_COLUMNS.map(({ sql }, at) => `${sql} = ?${at + 1}`).join(', ');
    db.run(`UPDATE campaign SET ${set} WHERE id IN (SELECT value FROM json_each(?4))`, ...cells, JSON.stringify(ids));
  }
  return { trees: derived, written: [...writes.values()].flatMap(({ ids }) => ids), moved };
}

const valuesOf = ({ state, source, asOf }: DerivedState) =>
  ({
    campaignState: state,
    stateSource: source,
    stateAsOf: isoOf(asOf),
  }) as {
    readonly campaignState: DerivedState['state'];
    readonly stateSource: DerivedState['source'];
    readonly stateAsOf: string | null;
  } & Record<string, string | null>;

const isSameMemory = (a: StatusMemory, b: StatusMemory): boolean =>
  a === b ||
  (a.isCurrent === b.isCurrent &&
    a.heardAt === b.heardAt &&
    a.believed === b.believed &&
    a.wasLive === b.wasLive &&
    a.reviews === b.reviews);
