import type { ImportRow } from '../../../shared/contract/exchange.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { type ColumnSet, columnBit, NEEDED } from '../../../shared/sheet/column-choice.ts';
import { FIELD_OF } from '../../../shared/sheet/columns.ts';
import { notesWithout } from '../../../shared/sheet/row-carrier.ts';
import { missingNotes, type RowNotes } from '../../../shared/sheet/row-notes.ts';
import type { SheetRow } from '../../../shared/sheet/sheet-row.ts';
import type { LineProblem } from '../line-problem.ts';

/**
 * A row of a file beside the row of the workspace it means.
 *
 * @param here what is noted beside the row of the workspace
 * @param out columns that are left out; their cells are not shown, but for those that a new row needs
 */
export function previewRow(
  row: SheetRow,
  outcome: Exclude<ImportRow['outcome'], 'error'>,
  known: AnyRow | null,
  here: RowNotes,
  out: ColumnSet,
): ImportRow {
  const hidden = outcome === 'added' ? out & ~NEEDED[row.kind] : out;
  const cells = Object.entries(FIELD_OF[row.kind]).flatMap(([column, field]) => {
    const after = row.kind === 'adGroup' && field === 'name' ? row.adGroup.name : row.cells[field];
    if (after === undefined || (columnBit(column) & hidden) !== 0) return [];
    const before = known === null ? null : cellOf(known, field);
    return [{ column, before, after, base: row.base?.[field] ?? null }];
  });
  return {
    line: row.line,
    kind: row.kind,
    campaign: row.campaign.name ?? row.campaign.remoteId ?? '',
    outcome,
    cells: [
      ...(outcome === 'changed' ? cells.filter(({ before, after }) => before !== after) : cells),
      ...notedCells(row, here, out),
    ],
    message: null,
  };
}

/** Notes that the row does not have yet, as cells of columns that a sheet has only for people. */
function notedCells({ kind, notes }: SheetRow, here: RowNotes, out: ColumnSet): ImportRow['cells'] {
  const all = notes === undefined ? null : missingNotes(here, notes);
  const missing = all === null ? null : notesWithout(all, out);
  const cell = (column: string, after: string) => ({ column, before: null, after, base: null });
  return [
    ...(missing?.comments ?? []).map((comment) => cell('Comment', commentText(kind, comment))),
    ...(missing?.labels ?? []).map(({ name }) => cell('Label', name)),
  ];
}

/** Who says it, about which column where it is about one, and what: `Ada on Bid: Too dear?`. */
function commentText(kind: SheetRow['kind'], { author, field, text }: RowNotes['comments'][number]): string {
  const column = Object.entries(FIELD_OF[kind]).find(([, named]) => named === field)?.[0] ?? field;
  const head = [author, column === null ? '' : `on ${column}`].filter((part) => part !== '').join(' ');
  return head === '' ? text : `${head}: ${text}`;
}

export const previewProblem = ({ line, column, message }: LineProblem): ImportRow => ({
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
