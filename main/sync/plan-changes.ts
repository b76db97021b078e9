import { PLAN_CHANGES_MAX, PLAN_LINE_MAX, type PlanChanges } from '../../shared/contract/plan-changes.ts';
import type { PlanLineChange } from '../../shared/plan/plan-difference.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { Workspace } from '../workspace/port.ts';

/** The lines of a difference that are shown, with the rows they are about by their names. */
export async function namedChanges(
  workspace: Pick<Workspace, 'readRow'>,
  changes: readonly PlanLineChange[],
): Promise<PlanChanges> {
  const shown = changes.slice(0, PLAN_CHANGES_MAX);
  const labels = new Map<string, string>();
  for (const { row } of shown) {
    const found = row === null || labels.has(`${row.kind}:${row.id}`) ? null : await workspace.readRow(row);
    if (found !== null) labels.set(`${found.kind}:${found.id}`, rowLabel(found));
  }
  return {
    lines: shown.map(({ sign, line, row }) => ({
      sign,
      line: line.length > PLAN_LINE_MAX ? `${line.slice(0, PLAN_LINE_MAX)}…` : line,
      kind: row?.kind ?? null,
      id: row?.id ?? null,
      label: row === null ? null : (labels.get(`${row.kind}:${row.id}`) ?? null),
    })),
    more: changes.length - shown.length,
  };
}
