import type { RowRef } from '../../../shared/api/scalars.ts';
import type { RowDetail } from '../../../shared/api/workspace.ts';
import { changeImpact } from '../../../shared/lifecycle/change-impact.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { asNumber, asText, asTextOrNull, type Db } from '../db/db.ts';
import { readRow } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { readWindowRows } from '../rows/window-rows.ts';
import { tableOf } from '../schema/tables.ts';
import { bySeverity, type IssuesReader } from './issues.ts';

/** Files of the library have no service state: their changes stay here until a profile uses them. */
const NOT_SENT = { cost: 'local', message: null } as const;

/** All details of one row; null if no row has that ID. */
export function readDetail(db: Db, issues: IssuesReader, nowMs: number, ref: RowRef): RowDetail | null {
  const table = tableOf(ref.kind);
  const [shown] = readWindowRows(db, table, [ref.id]);
  const row = readRow(db, ref);
  if (shown === undefined || row === null) return null;
  const tree = row.campaignId === null ? null : (readTrees(db, [row.campaignId])[0] ?? null);
  const drafted = tree === null ? issues.ofAccount(nowMs) : issues.ofCampaign(nowMs, tree);
  const all = [...drafted, ...issues.ofMetrics(ref.kind, [ref.id])];
  const own = all.filter((issue) => issue.kind === ref.kind && issue.id === ref.id);
  const base: Readonly<Record<string, string | number | null>> | null = row.base;
  return {
    row: shown,
    kind: ref.kind,
    base: base === null ? null : table.columns.map((column) => base[column.field] ?? null),
    issues: bySeverity(own).map(plainIssue),
    refusal: readRefusal(db, table.code, ref.id),
    impacts: Object.fromEntries(
      table.userColumns.map(({ field }) => [
        field,
        tree === null ? NOT_SENT : changeImpact(ref.kind, field, tree, ref.id),
      ]),
    ),
  };
}

/** The last refusal of the row, with the request it answered; null if there is none. */
function readRefusal(db: Db, kind: number, id: number): RowDetail['refusal'] {
  const said = db.get('SELECT message, at FROM refusal WHERE kind = ? AND id = ?', kind, id);
  if (said === undefined) return null;
  const sent = db.get(
    `SELECT b.correlation_id, b.method || ' ' || b.path FROM outbox_op o JOIN outbox_batch b ON b.id = o.batch_id
     WHERE o.kind = ? AND o.row_id = ? AND o.state = 'REJECTED' ORDER BY o.id DESC LIMIT 1`,
    kind,
    id,
  );
  return {
    message: asText(said[0]),
    at: asNumber(said[1]),
    correlationId: asTextOrNull(sent?.[0]),
    request: asTextOrNull(sent?.[1]) ?? '',
  };
}

/** A copy with mutable params, as the contract's type requires. */
const plainIssue = (issue: Issue): RowDetail['issues'][number] => ({
  ...issue,
  params: { ...issue.params },
  fix: issue.fix === null ? null : { ...issue.fix },
});
