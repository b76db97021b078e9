import { useMemo } from 'react';
import type { BulkTool } from '../../shared/api/bulk.ts';
import { CHANGES_MAX } from '../../shared/api/limits.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { parseTsv } from '../../shared/spreadsheet/tsv.ts';
import type { CellChange } from '../app/actions.ts';
import { useAppContext } from '../app/app-context.ts';
import { fieldName } from '../app/field-names.ts';
import { type CellRange, cellCount } from '../app/store/selection-slice.ts';
import { appTexts } from '../app/texts.ts';
import { readInput } from './cell-input.ts';
import { type Column, columnCell, lockOf } from './columns.ts';
import type { GridEdit } from './grid-api.ts';
import { gridTexts } from './text.ts';
import { isKept, useGridCopy } from './use-grid-copy.ts';
import type { MetricsSource } from './use-row-metrics.ts';
import type { SuggestionOf } from './use-suggestions.tsx';
import type { OpenView } from './window.ts';

/** Longer ranges are edited in main, which gets them by index instead of reading them here. */
const READ_MAX = 2000;

export function useGridEdit(
  workspaceId: string,
  view: OpenView,
  columns: readonly Column[],
  figures: MetricsSource,
  suggestionOf: SuggestionOf,
  tell: (text: string) => void,
): GridEdit {
  const { actions, toasts, store } = useAppContext();
  const copying = useGridCopy(view, columns, figures, suggestionOf, tell);
  return useMemo(() => {
    const { source, inPlace } = view;
    const { kind } = source.request;
    const inRange = (range: CellRange): readonly Column[] => columns.slice(range.left, range.right + 1);
    const cellOf = (row: WindowRow, column: Column): Cell =>
      column.cell === null ? row.campaignName : columnCell(column, row);

    /** Rows from loaded pages, or read for this call. */
    const rowsOf = async ({ top, bottom }: CellRange): Promise<readonly WindowRow[]> =>
      source.rowsHere(top, Math.min(bottom + 1, source.length())) ?? source.readRows(top, bottom + 1);

    /** Shows new values at once; the result from main replaces them. */
    async function write(label: string, changes: readonly CellChange[]): Promise<boolean> {
      if (changes.length === 0) return false;
      const fields = fieldNames(kind);
      const painted = changes.map(({ id, field, value }) => ({ id, cell: fields.indexOf(field), value }));
      // Another account may be open once the rows are read.
      return inPlace(() => actions.edit(label, changes, workspaceId), painted);
    }

    const isLong = (range: CellRange): boolean => range.bottom - range.top >= READ_MAX;

    async function applyTool(label: string, range: CellRange, tool: BulkTool): Promise<void> {
      const ranges = [{ from: range.top, count: Math.min(range.bottom, source.length() - 1) - range.top + 1 }];
      const scope = { viewId: source.viewId(), ranges };
      let cells = 0;
      await inPlace(async () => {
        const done = await actions.applyTool(scope, tool, label);
        cells = done?.cells ?? 0;
        return done;
      });
      if (cells > 0) tell(appTexts.bulk.done(cells));
    }

    /** The fields of a range that a tool may write, without columns of the service. */
    const fieldsIn = (range: CellRange): readonly string[] =>
      inRange(range).flatMap(({ field, spec }) => (spec === null || spec.owner === 'service' ? [] : [field]));

    async function paste(text: string, target: CellRange, into: Promise<readonly WindowRow[]>): Promise<void> {
      const table = parseTsv(text);
      const rows = await into;
      const pasted = pasteChanges(kind, widen(table, target), columns, target.left, rows);
      if (pasted.changes.length > CHANGES_MAX) {
        toasts.tell(gridTexts.pasteTooLarge(CHANGES_MAX));
        return;
      }
      const written = await write(gridTexts.pasteLabel(pasted.changes.length), pasted.changes);
      if (written) tell(gridTexts.pasted(pasted.changes.length));
      if (pasted.misfits > 0) toasts.tell(appTexts.grid.pasteBad(pasted.misfits));
      else if (!written && pasted.locked > 0) toasts.tell(gridTexts.pasteReadOnly);
    }

    /** Pastes, or opens a confirmation first. Null for a confirmation: nothing is written yet. */
    function pasteOrAsk(
      text: string,
      range: CellRange,
    ): { readonly target: CellRange; readonly done: Promise<void> } | null {
      const table = parseTsv(text);
      const target = pasteRange(table, range);
      const doubt = pasteDoubt(table, columns, target, source.length());
      // The rows are read before the confirmation: their positions may have changed when it is answered.
      const rows = rowsOf({ ...target, bottom: Math.min(target.bottom, source.length() - 1) });
      if (doubt === null) return { target, done: paste(text, target, rows) };
      const { title, tooTall, headed, keep, button, addRows } = gridTexts.pasteOver;
      const left = Math.min(table.length, source.length() - target.top);
      store.getState().show({
        name: 'confirm',
        title: title(left),
        text: doubt === 'too-tall' ? tooTall(table.length, left) : headed,
        keep,
        button: button(left),
        run: () => void paste(text, target, rows),
        ...(kind === 'media'
          ? {}
          : { other: { button: addRows, run: () => store.getState().show({ name: 'paste', text }) } }),
      });
      return null;
    }

    return {
      ...copying,
      setCell: async (row, column, input) => {
        const changes = fillChanges(kind, [column], [row], (_, before) => input.valueFor(before));
        await write(appTexts.grid.editLabel(column.title), changes);
      },
      setCells: async (range, column, input) => {
        if (isLong(range)) {
          const { field, title } = column;
          const value = input.isSum ? null : (input.valueFor(null) ?? null);
          await applyTool(
            appTexts.grid.editLabel(title),
            range,
            input.isSum
              ? { tool: 'amount', field, expression: input.plain, min: null, max: null, roundTo: 0 }
              : { tool: 'set', values: { [field]: value } },
          );
          return;
        }
        const rows = await rowsOf(range);
        const changes = fillChanges(kind, [column], rows, (_, before) => input.valueFor(before));
        await write(appTexts.grid.editLabel(column.title), changes);
        const left = input.isSum ? rows.filter((row) => input.valueFor(cellOf(row, column)) === undefined).length : 0;
        if (left > 0) toasts.tell(gridTexts.sumLeft(left));
      },
      clear: async (range) => {
        const fields = fieldsIn(range);
        if (isLong(range) && fields.length > 0) {
          const values = Object.fromEntries(fields.map((field) => [field, null]));
          await applyTool(gridTexts.clearLabel(cellCount(range)), range, { tool: 'set', values });
          return;
        }
        const changes = fillChanges(kind, inRange(range), await rowsOf(range), () => null);
        await write(gridTexts.clearLabel(changes.length), changes);
      },
      fillDown: async (range) => {
        const fields = fieldsIn(range);
        if (isLong(range) && fields.length > 0) {
          await applyTool(gridTexts.fillLabel(cellCount(range)), range, { tool: 'fill-down', fields: [...fields] });
          return;
        }
        const rows = await rowsOf(range);
        const first = rows[0];
        if (first === undefined) return;
        const changes = fillChanges(kind, inRange(range), rows.slice(1), (column) => cellOf(first, column));
        await write(gridTexts.fillLabel(changes.length), changes);
      },
      fillTo: async (from, target) => {
        const pattern = await rowsOf(from);
        // Above the source the pattern ends at the source; below, it begins there.
        const shift = target.top < from.top ? pattern.length - ((target.bottom - target.top + 1) % pattern.length) : 0;
        const changes = fillChanges(kind, inRange(from), await rowsOf(target), (column, _, at) => {
          const row = pattern[(at + shift) % pattern.length];
          return row === undefined ? undefined : cellOf(row, column);
        });
        await write(gridTexts.fillLabel(changes.length), changes);
      },
      paste: (event, range) => {
        const text = event.clipboardData.getData('text/plain');
        if (text === '') return null;
        event.preventDefault();
        return pasteOrAsk(text, range)?.target ?? null;
      },
      pasteNow: async (range) => {
        const text = await readClipboard();
        if (text === null) toasts.tell(gridTexts.pasteByKey);
        if (text === null || text === '') return null;
        const pasted = pasteOrAsk(text, range);
        await pasted?.done;
        return pasted?.target ?? null;
      },
    };
  }, [workspaceId, view, columns, copying, actions, toasts, store, tell]);
}

/** Null if the browser denies access to the clipboard. */
async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch (error) {
    if (!isKept(error)) throw error;
    return null;
  }
}

/** Repeats a narrow table sideways until it fills the target, as a spreadsheet does. */
function widen(table: readonly (readonly string[])[], target: CellRange): readonly (readonly string[])[] {
  const width = target.right - target.left + 1;
  return table.map((row) =>
    row.length > 0 && row.length < width && width % row.length === 0
      ? Array.from({ length: width }, (_, i) => row[i % row.length] ?? '')
      : row,
  );
}

export interface Pasted {
  readonly changes: readonly CellChange[];
  /** Values that are not valid for their field. */
  readonly misfits: number;
  readonly locked: number;
}

/** The most cells of a row. A table may have more rows than a call can have arguments. */
const widest = (table: readonly (readonly string[])[]): number =>
  table.reduce((most, { length }) => Math.max(most, length), 0);

/**
 * The range that a pasted table covers, as in spreadsheets: the whole selection if the table repeats evenly in it both
 * ways, where one row or column of the selection stands for the table's own; else the size of the table.
 */
export function pasteRange(table: readonly (readonly string[])[], range: CellRange): CellRange {
  const height = table.length;
  const width = widest(table);
  const tall = repeatedSize(range.bottom - range.top + 1, height);
  const wide = repeatedSize(range.right - range.left + 1, width);
  const [rows, cols] = tall === null || wide === null ? [height, width] : [tall, wide];
  return { ...range, bottom: range.top + rows - 1, right: range.left + cols - 1 };
}

const repeatedSize = (selected: number, size: number): number | null =>
  selected === 1 ? size : selected % size === 0 ? selected : null;

/**
 * Why a table may not be meant for these rows: it is longer than the rows from the target on, or its first row contains
 * column names. Null if neither is the case.
 *
 * @param length rows of the list
 */
export function pasteDoubt(
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  target: CellRange,
  length: number,
): 'too-tall' | 'headed' | null {
  if (table.length > length - target.top) return 'too-tall';
  const names = new Set(
    columns.flatMap(({ field, title }) => [title, fieldName(field)].map((name) => name.toLowerCase())),
  );
  const first = table[0] ?? [];
  const isHead = table.length > 1 && first.every((text) => names.has(text.trim().toLowerCase()));
  return isHead ? 'headed' : null;
}

/** The changes of a paste: one per editable cell whose text is valid. */
export function pasteChanges(
  kind: Kind,
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  left: number,
  rows: readonly WindowRow[],
): Pasted {
  const changes: CellChange[] = [];
  let misfits = 0;
  let locked = 0;
  const width = Math.max(1, widest(table));
  for (const [down, row] of rows.entries()) {
    const source = table[down % table.length] ?? [];
    const until = Math.min(columns.length, left + width);
    for (let col = left; col < until; col += 1) {
      const column = columns[col];
      const text = source[(col - left) % width];
      if (column === undefined || text === undefined) continue;
      if (lockOf(column, row) !== null) {
        locked += 1;
        continue;
      }
      const read = readInput(kind, column.field, text);
      const before = columnCell(column, row);
      const value = read.ok ? read.value.valueFor(before) : undefined;
      if (value === undefined || fieldSpec(kind, column.field)?.type.is === 'ref') misfits += 1;
      else changes.push({ kind, id: row.id, field: column.field, value });
    }
  }
  return { changes, misfits, locked };
}

/**
 * The changes that give the cells of a range the results of `valueFor`: clearing, filling, and calculations. Cells that
 * have the value already, cannot be edited, or get undefined are skipped.
 *
 * @param valueFor called with the column, the current value, and the row's index in `rows`
 */
export function fillChanges(
  kind: Kind,
  columns: readonly Column[],
  rows: readonly WindowRow[],
  valueFor: (column: Column, before: Cell, at: number) => Cell | undefined,
): readonly CellChange[] {
  return rows.flatMap((row, at) =>
    columns.flatMap((column) => {
      if (column.cell === null) return [];
      const before = columnCell(column, row);
      const value = valueFor(column, before, at);
      return value === undefined || value === before || lockOf(column, row) !== null
        ? []
        : [{ kind, id: row.id, field: column.field, value }];
    }),
  );
}
