import { ONLY } from '../../../shared/contract/only.ts';
import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, numberOf } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { checkedRevision, kindState } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import { onlySql } from './filter-sql.ts';

export type ViewCounts = Record<ViewSpec['only'], number>;

/**
 * How many rows each one-click filter would show. Each count walks an index of the few rows it concerns; those of a
 * whole kind are kept until the kind changes.
 */
export function createViewCounts(db: Db): (kind: Kind, campaignId: RowId | null) => ViewCounts {
  const kept = new Map<Kind, { readonly at: string; readonly counts: ViewCounts }>();
  return (kind, campaignId) => {
    if (campaignId !== null) return countAll(db, kind, campaignId);
    // Sending changes what is in doubt or under way without touching a row.
    const live = `SELECT count(*), total(id), total(length(state)) FROM outbox_op WHERE ${LIVE}`;
    const at = [kindState(db, tableOf(kind)).changed, checkedRevision(db), ...(db.get(live) ?? [])].join('/');
    const known = kept.get(kind);
    if (known?.at === at) return known.counts;
    const counts = countAll(db, kind, null);
    kept.set(kind, { at, counts });
    return counts;
  };
}

function countAll(db: Db, kind: Kind, campaignId: RowId | null): ViewCounts {
  const table = tableOf(kind);
  const within = campaignId === null ? 'true' : 'k.campaign_id = ?';
  const bind = campaignId === null ? [] : [campaignId];
  const count = (only: ViewSpec['only']): number => {
    const where = only === 'all' ? 'true' : onlySql(table, only);
    return numberOf(db, `SELECT count(*) FROM ${table.name} k WHERE ${where} AND ${within}`, ...bind);
  };
  return Object.fromEntries(ONLY.map((only) => [only, count(only)])) as ViewCounts;
}
