import { type ReactNode, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import type { WindowRow } from '../../shared/contract/workspace.ts';
import type { OpenView } from '../data/window-source.ts';
import { type After, CellEditor } from './CellEditor.tsx';
import type { CellInput } from './cell-input.ts';
import { type Column, lockOf, lockOfAll } from './columns.ts';
import type { GridEdit } from './grid-door.ts';
import type { GridSelection } from './use-grid-selection.ts';

interface CellEditingOptions {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly selection: GridSelection;
  readonly edit: GridEdit;
  /** Files a reference field may point at. */
  readonly mediaFor: (field: string) => readonly { readonly id: number; readonly name: string }[];
  readonly tell: (text: string) => void;
}

export interface CellEditing {
  /** What stands in the active cell while it is edited, else null. */
  readonly editor: ReactNode;
  /** @param typed the key that opened it is the first of the new value */
  readonly open: (typed: boolean) => void;
}

/** Cells from the active one, down and to the right, that become active after a commit. */
const STEPS: Readonly<Record<After, readonly [rows: number, columns: number] | null>> = {
  down: [1, 0],
  up: [-1, 0],
  left: [0, -1],
  right: [0, 1],
  stay: null,
  all: null,
  leave: null,
};

/**
 * The one editor of the grid.
 *
 *   open -> typing -- Enter, Tab, the focus goes elsewhere --> written
 *             \------ Escape, or a text that does not fit ---> as it was
 */
export function useCellEditing(options: CellEditingOptions): CellEditing {
  const { element, view, columns, selection, edit, mediaFor, tell } = options;
  const { source } = view;
  const { kind } = source.request;
  const { active, range, select } = selection;
  /** The row is remembered, for another may stand in its place before the value is written. */
  const [opened, setOpened] = useState<{ readonly typed: boolean; readonly row: WindowRow | undefined } | null>(null);

  const close = (): void => {
    setOpened(null);
    element.current?.focus();
  };
  const leave = (problem: string | null): void => {
    setOpened(null);
    if (problem !== null) tell(problem);
  };

  const write = (column: Column, input: CellInput, after: After): void => {
    const inPlace = source.rowAt(active.row);
    const row = opened?.row === undefined || opened.row.id === inPlace?.id ? inPlace : opened.row;
    if (after === 'all') void edit.setCells(range, column, input);
    else if (row !== undefined) void edit.setCell(active.row, row, column, input);
    else {
      const here = { top: active.row, bottom: active.row, left: active.col, right: active.col };
      void edit.setCells(here, column, input);
    }
  };
  const commit = (input: CellInput, after: After): void => {
    const column = columns[active.col];
    if (after === 'leave') leave(null);
    else close();
    if (column === undefined) return;
    write(column, input, after);
    const step = STEPS[after];
    if (step === null) return;
    const row = Math.min(source.length() - 1, Math.max(0, active.row + step[0]));
    select(row, Math.min(columns.length - 1, Math.max(0, active.col + step[1])), false);
  };

  const open = (typed: boolean): void => {
    const row = source.rowAt(active.row);
    const column = columns[active.col];
    if (column === undefined) return;
    // What is typed onto a row that is still being read is not lost; there is nothing yet to open otherwise.
    if (row === undefined && !typed) return;
    const lock = row === undefined ? lockOfAll(column) : lockOf(column, row);
    if (lock !== null) tell(lock);
    else flushSync(() => setOpened({ typed, row }));
  };

  const column = columns[active.col];
  const isOpen = opened !== null && column !== undefined && column.cell !== null;
  const editor = isOpen ? (
    <CellEditor
      kind={kind}
      column={column}
      value={source.rowAt(active.row)?.cells[column.cell ?? 0] ?? null}
      typed={opened.typed}
      options={mediaFor(column.field)}
      onCommit={commit}
      onCancel={close}
      onLeave={leave}
    />
  ) : null;
  return { editor, open };
}
