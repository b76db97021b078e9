import { QUICK_FILTERS } from '../../../shared/contract/only.ts';
import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, numberOf } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { checkedRevision, kindState } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import { onlySql } from './filter-sql.ts';

export type ViewCounts = Record<ViewSpec['only'], number>;

type Only = ViewSpec['only'];
/** What checks may change without a row being edited, which they do a few times a second after a large edit. */
const FOUND: readonly Only[] = ['errors', 'warnings'];
const OTHERS = QUICK_FILTERS.filter((only) => !FOUND.includes(only));

/**
 * How many rows each one-click filter would show. Each count walks an index of the few rows it concerns; those of a
 * whole kind are kept until the kind changes, those of findings until a check has changed some.
 */
export function createViewCounts(db: Db): (kind: Kind, campaignId: RowId | null) => ViewCounts {
  const kept = new Map<string, { readonly at: string; readonly counts: Partial<ViewCounts> }>();
  const keptCounts = (kind: Kind, which: readonly Only[], at: string): Partial<ViewCounts> => {
    const key = `${kind} ${which.join()}`;
    const known = kept.get(key);
    if (known?.at === at) return known.counts;
    const counts = countRows(db, kind, null, which);
    kept.set(key, { at, counts });
    return counts;
  };
  return (kind, campaignId) => {
    if (campaignId !== null) return inOrder(countRows(db, kind, campaignId, QUICK_FILTERS));
    const { changed } = kindState(db, tableOf(kind));
    // Sending changes what is in doubt or under way without touching a row.
    const live = db.get(`SELECT count(*), total(id), total(length(state)) FROM outbox_op WHERE ${LIVE}`) ?? [];
    const found = keptCounts(kind, FOUND, `${changed}/${checkedRevision(db)}`);
    return inOrder({ ...keptCounts(kind, OTHERS, [changed, ...live].join('/')), ...found });
  };
}

const inOrder = (counts: Partial<ViewCounts>): ViewCounts =>
  Object.fromEntries(QUICK_FILTERS.map((only) => [only, counts[only] ?? 0])) as ViewCounts;

function countRows(db: Db, kind: Kind, campaignId: RowId | null, which: readonly Only[]): Partial<ViewCounts> {
  const table = tableOf(kind);
  const within = campaignId === null ? 'true' : 'k.campaign_id = ?';
  const bind = campaignId === null ? [] : [campaignId];
  const count = (only: Only): number => {
    const where = only === 'all' ? 'true' : onlySql(table, only);
    return numberOf(db, `SELECT count(*) FROM ${table.name} k WHERE ${where} AND ${within}`, ...bind);
  };
  return Object.fromEntries(which.map((only) => [only, count(only)]));
}
