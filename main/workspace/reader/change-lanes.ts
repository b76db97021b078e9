import type { ChangeStatus } from '../../../shared/contract/change-lane.ts';
import { isLockedByReview } from '../../../shared/lifecycle/review-lock.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, HELD, isHeld } from '../../../shared/model/row.ts';
import { issueMask } from '../check.ts';
import { asNumber, type Db } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { readRows } from '../rows/read-rows.ts';
import { tableOf } from '../schema/tables.ts';

/** What the lane of a changed row depends on, as the list of changes has it. */
export interface ChangedRow {
  readonly kind: Kind;
  readonly id: number;
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  readonly dirty: number;
  readonly hasError: boolean;
}

/**
 * Says of each changed row where it stands. What goes before tells first: what is on its way is no longer held back by
 * anything, and what the user holds is asked nothing else. A row below a new campaign or ad group that stays, stays with it.
 */
export function createChangeStatusReader(db: Db, rows: readonly ChangedRow[]): (row: ChangedRow) => ChangeStatus {
  const live = pairs(db, `SELECT kind, row_id FROM outbox_op WHERE ${LIVE}`);
  const disputed = pairs(db, 'SELECT kind, id FROM conflict');
  const locked = lockedRows(db, rows);
  const heldParents = newParents(db, `dirty & ${HELD}`);
  const brokenParents = {
    campaign: newParents(db, errorSql('campaign')).campaign,
    adGroup: newParents(db, errorSql('adGroup')).adGroup,
  };
  const isBelow = (row: ChangedRow, parents: Parents): boolean =>
    (row.campaignId !== null && parents.campaign.has(row.campaignId)) ||
    (row.adGroupId !== null && parents.adGroup.has(row.adGroupId));
  return (row) => {
    const key = keyOf(tableOf(row.kind).code, row.id);
    if (live.has(key)) return 'queued';
    if (isHeld(row) || isBelow(row, heldParents)) return 'held';
    if (row.hasError || disputed.has(key) || isBelow(row, brokenParents)) return 'blocked';
    return locked.has(key) ? 'after-review' : 'ready';
  };
}

interface Parents {
  readonly campaign: ReadonlySet<number>;
  readonly adGroup: ReadonlySet<number>;
}

const errorSql = (kind: Kind): string => `issues <> 0 AND issues & ${issueMask(kind, 'error')}`;

/** Campaigns and ad groups that the service does not know yet and that meet a condition. */
function newParents(db: Db, condition: string): Parents {
  const of = (kind: 'campaign' | 'adGroup'): ReadonlySet<number> =>
    new Set(
      db
        .all(`SELECT id FROM ${tableOf(kind).name} WHERE dirty <> 0 AND remote_id IS NULL AND ${condition}`)
        .map(([id]) => asNumber(id)),
    );
  return { campaign: of('campaign'), adGroup: of('adGroup') };
}

/** Changed rows of campaigns under review whose change the review does not let through. */
function lockedRows(db: Db, rows: readonly ChangedRow[]): ReadonlySet<string> {
  const reviewed = campaignsUnderReview(db);
  const near =
    reviewed.size === 0 ? [] : rows.filter(({ campaignId }) => campaignId !== null && reviewed.has(campaignId));
  const locked = new Set<string>();
  for (const kind of KINDS) {
    const ids = near.filter((row) => row.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const where = 'k.id IN (SELECT value FROM json_each(?))';
    for (const row of readRows(db, kind, where, JSON.stringify(ids))) {
      if (isLockedByReview(row as AnyRow)) locked.add(keyOf(tableOf(kind).code, row.id));
    }
  }
  return locked;
}

function campaignsUnderReview(db: Db): ReadonlySet<number> {
  const type = fieldSpec('adGroup', 'reviewStatus')?.type;
  const codes = type?.is === 'choice' ? ['pending', 'in-progress'].map((word) => type.choices.indexOf(word)) : [];
  const sql = `SELECT DISTINCT campaign_id FROM ad_group WHERE "reviewStatus" IN (SELECT value FROM json_each(?))`;
  return new Set(db.all(sql, JSON.stringify(codes)).map(([id]) => asNumber(id)));
}

const keyOf = (code: number, id: number): string => `${code}:${id}`;
const pairs = (db: Db, sql: string): ReadonlySet<string> =>
  new Set(db.all(sql).map(([code, id]) => keyOf(asNumber(code), asNumber(id))));
