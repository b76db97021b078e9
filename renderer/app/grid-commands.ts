import { formatCell } from '../../shared/model/cell-text.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { printSearch, type Query } from '../../shared/search/query.ts';
import {
  type Column,
  columnCell,
  movedColumn,
  orderedColumns,
  ownColumn,
  shownColumns,
  withGhosts,
} from '../grid/columns.ts';
import type { GridApi } from '../grid/grid-api.ts';
import { type AppContext, type CommandContext, onState } from './app-context.ts';
import type { AppState } from './store/app-store.ts';
import { appTexts } from './texts.ts';

/** Commands on the visible grid: its cells, and the order, width and position of its columns. */
export const editCell = ({ app }: CommandContext): void => app.openGrid.current?.openEditor();

/** Selects all rows of the view, whichever part of the window has the focus. */
export function selectAllRows({ app }: CommandContext): void {
  const length = app.openView.current?.source.length() ?? 0;
  if (length === 0 || app.openGrid.current === null) return;
  app.store.getState().selectAll(length);
  app.openGrid.current.focus();
}

const onGrid =
  (use: (grid: GridApi, state: AppState) => void) =>
  ({ app }: CommandContext): void => {
    if (app.openGrid.current !== null) use(app.openGrid.current, app.store.getState());
  };

export const copyCells = onGrid((grid) => void grid.edit.copyNow(grid.range()));
export const pasteCells = onGrid((grid) => void grid.edit.pasteNow(grid.range()));
export const clearCells = onGrid((grid) => void grid.edit.clear(grid.range()));
export const fillCellsDown = onGrid((grid) => void grid.edit.fillDown(grid.range()));
export const explainBid = onGrid((grid) => grid.explainBid());
export const resizeActiveColumn = (by: number) => onGrid((grid, { active }) => grid.widen(active.col, by));
export const fitActiveColumn = onGrid((grid, { active }) => grid.fit(active.col));

/** The column of the active cell; for a column of new values, the column of its field; undefined without a grid. */
export function activeColumn({ store, openGrid }: AppContext): Column | undefined {
  const columns = openGrid.current?.columns ?? [];
  return ownColumn(columns, Math.min(store.getState().active.col, columns.length - 1));
}

/** Index of a column among the shown columns, which exclude those of new values; -1 if it is not one of them. */
function chosenPlace({ store }: AppContext, column: Column | undefined): number {
  const state = store.getState();
  return shownColumns(state.kind, state.campaignId, state).findIndex(({ field }) => field === column?.field);
}

const onActiveColumn =
  (use: (column: Column, state: AppState, app: AppContext) => void) =>
  ({ app }: CommandContext): void => {
    const column = activeColumn(app);
    if (column !== undefined) use(column, app.store.getState(), app);
  };

export const sortByActiveColumn = onActiveColumn(({ field }, { sortBy }) => sortBy(field));
export const sortAlsoByActiveColumn = onActiveColumn(({ field }, { sortBy }) => sortBy(field, true));
export const sortActiveColumn = (descending: boolean) =>
  onActiveColumn(({ field }, { setSort }) => setSort([{ column: field, descending }]));

/** Moves a column to the position of another; both are indexes in the grid. */
export function moveColumn(app: AppContext, from: number, to: number): void {
  const columns = app.openGrid.current?.columns ?? [];
  const place = (at: number): number => chosenPlace(app, ownColumn(columns, at));
  moveChosen(app, place(from), place(to));
}

function moveChosen(app: AppContext, from: number, to: number): void {
  const { store, openGrid } = app;
  const state = store.getState();
  const { kind, campaignId } = state;
  const shown = shownColumns(kind, campaignId, state);
  const column = shown[from];
  if (column === undefined || shown[to] === undefined || from === to) return;
  state.orderColumns(kind, movedColumn(orderedColumns(kind, campaignId, state), shown, from, to));
  const changing = openGrid.current?.columns.flatMap(({ ghost = [] }) => ghost) ?? [];
  const next = withGhosts(kind, shownColumns(kind, campaignId, store.getState()), changing);
  state.select({ row: state.active.row, col: next.findIndex(({ field }) => field === column.field) }, false);
  state.announce(appTexts.grid.columnMoved(column.title, to + 1));
}

export const moveActiveColumn =
  (by: -1 | 1) =>
  ({ app }: CommandContext): void => {
    const from = chosenPlace(app, activeColumn(app));
    moveChosen(app, from, from + by);
  };

export function freezeToActiveColumn({ app }: CommandContext): void {
  const { kind, freezeColumns } = app.store.getState();
  freezeColumns(kind, chosenPlace(app, activeColumn(app)) + 1);
}

export const unfreezeColumns = onState(({ kind, freezeColumns }) => freezeColumns(kind, 1));

/** Keeps the last column: a grid without columns has no menu to show one again. */
export const hideActiveColumn = onActiveColumn(({ field }, state) => {
  if (shownColumns(state.kind, state.campaignId, state).length > 1) state.showColumn(`${state.kind}.${field}`, false);
});

export const filterByActiveCell = onActiveColumn((column, state, app) => {
  const row = app.openView.current?.source.rowAt(state.active.row);
  if (row === undefined) return;
  // Filtering by the exact value of a metric is rarely useful, so the form of a condition opens.
  if (column.figure !== null) {
    state.openFilterForm('new');
    return;
  }
  const cell = column.cell === null ? row.campaignName : columnCell(column, row);
  const text = formatCell(state.kind, column.field, cell);
  state.setFilter(withCell(state.filter, state.kind, column.cell === null ? null : column.field, text));
});

/**
 * A filter narrowed to the rows with this text in a cell.
 *
 * @param field null for the name of the campaign
 */
export function withCell(filter: string, kind: Kind, field: string | null, text: string): string {
  const own: Query =
    field === null ? { is: 'campaign', text } : text === '' ? { is: 'empty', field } : { is: 'contains', field, text };
  // OR would otherwise separate its last alternative, with the cell, from the others.
  const others = /\sOR\s/.test(filter) ? `(${filter})` : filter;
  return `${others} ${printSearch(own, kind)}`.trim();
}

/**
 * Shows each metric beside the rows, or hides all metric columns. Changes and other windows are only hidden:
 * showing them would add dozens of columns.
 */
export function toggleFigures({ app }: CommandContext): void {
  const state = app.store.getState();
  const { kind, campaignId } = state;
  if (!isReported(kind)) {
    app.toasts.tell(appTexts.figures.noReports);
    return;
  }
  const figures = orderedColumns(kind, campaignId, state).filter(({ figure }) => figure !== null);
  const shown = shownColumns(kind, campaignId, state).some(({ figure }) => figure !== null);
  for (const { field, figure } of figures) {
    const isMore = figure !== null && typeof figure !== 'string' && (figure.isChange || figure.window !== null);
    if (shown || !isMore) state.showColumn(`${kind}.${field}`, !shown);
  }
}
