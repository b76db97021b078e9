import type { PastedTable, PastePreview } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ParseLimits } from '../../../shared/model/cell-text.ts';
import { rowKey } from '../../../shared/model/row.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { FIELD_OF, KEY_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import { type PasteLine, type PastePlace, type PastePlan, planPaste } from '../../../shared/spreadsheet/paste-table.ts';
import { sheetProblemText } from '../../../shared/spreadsheet/sheet-row.ts';
import type { Db } from '../db/db.ts';
import { readRow, readRowsOf } from '../rows/read-rows.ts';
import { currentRevision } from '../rows/revision.ts';
import { lookupInTables } from '../rows/sheet-lookup.ts';
import type { RowNotFound } from '../types.ts';

/** The effects of a pasted table on the current workspace. */
export function planOf(
  db: Db,
  paste: PastedTable,
  limits: ParseLimits,
  skip: ReadonlySet<number>,
): Result<PastePlan, RowNotFound> {
  const { parent } = paste;
  const place = parent === null ? null : placeOf(db, parent);
  if (place === null && parent !== null) return fail('NO_ROW', parent);
  return ok(planPaste(paste, place, lookupInTables(db), limits, skip));
}

/** The place of a parent; null if it no longer exists or can't have rows. */
function placeOf(db: Db, parent: RowRef): PastePlace | null {
  const row = readRow(db, parent);
  if (row?.kind === 'campaign') return { campaign: row, adGroup: null };
  if (row?.kind !== 'adGroup' || row.campaignId === null) return null;
  const campaign = readRow(db, { kind: 'campaign', id: row.campaignId });
  return campaign?.kind === 'campaign' ? { campaign, adGroup: row } : null;
}

/** The preview of a paste: counts of all lines, and some of them in full. */
export function previewPaste(
  db: Db,
  paste: PastedTable,
  limits: ParseLimits,
  from: number,
  count: number,
): Result<PastePreview, RowNotFound> {
  const revision = currentRevision(db);
  const plan = planOf(db, paste, limits, new Set());
  if (!plan.ok) return plan;
  const { hasHeader, columns, choices, needsDecimals, needsDates, lines } = plan.value;
  const counts = { add: 0, update: 0, unchanged: 0, error: 0 };
  for (const { outcome } of lines) counts[outcome]++;
  return ok({
    revision,
    hasHeader,
    columns: columns.map((column) => ({ ...column })),
    choices: [...choices],
    needsDecimals,
    needsDates,
    ...counts,
    rows: shown(db, paste, plan.value, lines.slice(from, from + count)),
  });
}

function shown(db: Db, paste: PastedTable, { changes }: PastePlan, lines: readonly PasteLine[]): PastePreview['rows'] {
  const wanted = new Set(lines.map(({ at }) => at));
  const updates = changes.updates.filter(({ line }) => wanted.has(line));
  const creates = changes.creates.filter(({ line }) => wanted.has(line));
  const before = readRowsOf(db, updates);
  return lines.map(({ at, outcome, row, problems }) => {
    const kind = row?.kind ?? paste.kind;
    const changed = updates.filter(({ line }) => line === at);
    const [first] = changed;
    const known = first === undefined ? undefined : before.get(rowKey(first.kind, first.id));
    const values: Readonly<Record<string, string | number | null>> = known?.values ?? {};
    const made = outcome === 'add' ? creates.find((create) => create.line === at && create.kind === kind) : undefined;
    const cells =
      made === undefined
        ? changed.map(({ field, value }) => ({ field, before: values[field] ?? null, value }))
        : Object.entries(made.values).map(([field, value]) => ({ field, before: null, value }));
    return {
      at,
      outcome,
      kind,
      id: known?.id ?? null,
      label: known === undefined ? nameOf(row) : rowLabel(known),
      cells,
      problems: problems.map((problem) => ({ column: String(problem.column), message: sheetProblemText(problem) })),
    };
  });
}

/** The name of a row in the table, from its key columns. */
function nameOf(row: PasteLine['row']): string {
  if (row === null) return '';
  if (row.kind === 'campaign') return row.campaign.name ?? '';
  if (row.kind === 'adGroup') return row.adGroup.name ?? '';
  const fields = KEY_COLUMNS[row.kind].map((column) => FIELD_OF[row.kind][column] ?? '');
  return fields
    .map((field) => row.cells[field])
    .filter((cell) => cell !== undefined && cell !== null)
    .join(', ');
}
