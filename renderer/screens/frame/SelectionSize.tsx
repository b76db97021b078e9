import { sumsOf } from '../../../shared/model/decimal.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useViewOf } from '../../app/desk.ts';
import { useSourceVersion } from '../../data/use-window-source.ts';
import type { OpenView } from '../../data/window-source.ts';
import { shownColumns } from '../../grid/columns.ts';
import { shownCell } from '../../locale/cells.ts';
import { en } from '../../messages/en.ts';
import { rangeOf } from '../../store/selection-slice.ts';

/** Rows that are added up at most; more are not all here. */
const SUMMED_MAX = 2000;

/** How many cells are selected, and what amounts among them come to, as in any spreadsheet. */
export function SelectionSize({ view }: { readonly view: OpenView }) {
  const { source } = view;
  const state = useViewOf((s) => ({
    active: s.active,
    anchor: s.anchor,
    wholeRows: s.wholeRows,
    columnShown: s.columnShown,
    columnOrder: s.columnOrder,
  }));
  useSourceVersion(source);
  const { kind, campaignId } = source.request;
  const columns = shownColumns(kind, campaignId, state);
  const range = rangeOf(state, columns.length);
  const bottom = Math.min(range.bottom, source.length() - 1);
  const rows = bottom - range.top + 1;
  const across = state.wholeRows ? 1 : range.right - range.left + 1;
  if (rows * across <= 1) return null;
  const column = range.left === range.right ? columns[range.left] : undefined;
  const isMoney = column?.spec?.type.is === 'money';
  const cells: Cell[] = [];
  if (column !== undefined && column.cell !== null && isMoney && rows <= SUMMED_MAX) {
    for (let i = range.top; i <= bottom; i += 1) cells.push(source.rowAt(i)?.cells[column.cell] ?? null);
  }
  const { count, sum, average } = sumsOf(cells);
  return (
    <span className="status-item numeric">
      {en.status.selected(rows, across)}
      {column !== undefined && count > 1 && average !== null && (
        <span>{en.status.sums(shownCell(kind, column.field, sum), shownCell(kind, column.field, average))}</span>
      )}
    </span>
  );
}
