import type { ImportRow } from '../../../shared/contract/exchange.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { FIELD_OF } from '../../../shared/sheet/columns.ts';
import type { SheetRow } from '../../../shared/sheet/sheet-row.ts';

/** One line of a preview that cannot come in. */
export interface LineProblem {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

/** A row of a file beside the row of the workspace it means. */
export function shownRow(
  row: SheetRow,
  outcome: Exclude<ImportRow['outcome'], 'error'>,
  known: AnyRow | null,
): ImportRow {
  const cells = Object.entries(FIELD_OF[row.kind]).flatMap(([column, field]) => {
    const after = row.kind === 'adGroup' && field === 'name' ? row.adGroup.name : row.cells[field];
    if (after === undefined) return [];
    const before = known === null ? null : cellOf(known, field);
    return [{ column, before, after, base: row.base?.[field] ?? null }];
  });
  return {
    line: row.line,
    kind: row.kind,
    campaign: row.campaign.name ?? row.campaign.remoteId ?? '',
    outcome,
    cells: outcome === 'changed' ? cells.filter(({ before, after }) => before !== after) : cells,
    message: null,
  };
}

export const shownProblem = ({ line, column, message }: LineProblem): ImportRow => ({
  line,
  kind: null,
  campaign: '',
  outcome: 'error',
  cells: [],
  message: column === '' ? message : `${column}: ${message}`,
});

function cellOf(row: AnyRow, field: string): Cell {
  const values: Readonly<Record<string, Cell>> = row.values;
  return values[field] ?? null;
}
