import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { totalOf } from '../../shared/model/column-sums.ts';
import { useDesk, useViewOf } from '../app/desk.ts';
import { useRowFindings } from '../data/use-row-findings.ts';
import { useViewTotals } from '../data/use-view-totals.ts';
import { type OpenView, useSourceVersion } from '../data/use-window-source.ts';
import { en } from '../messages/en.ts';
import { KIND_NAMES } from '../messages/fields.ts';
import { type After, CellEditor } from './CellEditor.tsx';
import type { CellInput } from './cell-input.ts';
import { type Column, cellText, lockOf, lockOfAll, type MediaNames } from './columns.ts';
import { fitWidth, measureIn } from './fit-width.ts';
import { GridBody } from './GridBody.tsx';
import { GridHeader } from './GridHeader.tsx';
import { ACTIVE_CELL_ID } from './GridRow.tsx';
import { GridTotals } from './GridTotals.tsx';
import { columnSpan, geometryOf, geometryStyle } from './geometry.ts';
import { intentOf } from './keys.ts';
import { placeUnder } from './pointer.ts';
import { useGridDoor } from './use-grid-door.ts';
import { useGridEdit } from './use-grid-edit.ts';
import { useGridMenus } from './use-grid-menus.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { useReveal } from './use-reveal.ts';
import { useShownFigures } from './use-shown-figures.ts';

export interface GridProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly media: MediaNames;
  /** Files a reference field may point at. */
  readonly mediaFor: (field: string) => readonly { readonly id: number; readonly name: string }[];
  readonly tell: (text: string) => void;
  readonly onDeleteRows: () => void;
  readonly onMoveColumn: (from: number, to: number) => void;
}

/**
 * The spreadsheet of the desk. One scroll container is the `grid` and keeps the focus; the active cell is named
 * by `aria-activedescendant`, so that recycled rows never take the focus away with them.
 */
export function Grid(props: GridProps) {
  const { workspaceId, view, columns, media, mediaFor, tell, onDeleteRows, onMoveColumn } = props;
  const { store } = useDesk();
  const { source } = view;
  const { kind } = source.request;
  const version = useSourceVersion(source);
  const length = source.length();
  const layout = useViewOf((s) => ({ widths: s.columnWidths, frozen: s.frozen[kind] ?? 1, sort: s.sort }));
  const [editing, setEditing] = useState<{ readonly typed: boolean } | null>(null);
  const scroll = useGridScroll(length);
  const { element, frame } = scroll;
  const geometry = useMemo(
    () =>
      geometryOf(
        columns,
        (column) => layout.widths[`${kind}.${column.field}`] ?? column.width,
        layout.frozen,
        frame.width,
      ),
    [columns, layout.widths, layout.frozen, frame.width, kind],
  );
  const span = columnSpan(geometry, frame.left, frame.width);
  const stopEditing = useCallback(() => setEditing(null), []);
  const selection = useGridSelection(length, columns.length, geometry, scroll, stopEditing);
  const { active, range, select, selectRange } = selection;
  const menus = useGridMenus(element, selection);
  const findings = useRowFindings(workspaceId, kind, source, version, frame);
  const figures = useShownFigures(workspaceId, columns, source, version, frame);
  const totalled = columns.some(({ field }) => totalOf(kind, field) !== null);
  const totals = useViewTotals(workspaceId, source, totalled);
  const edit = useGridEdit(view, columns, figures, tell);

  useEffect(() => {
    source.want(frame.from, frame.to, frame.fast);
  });

  useReveal(element, source, columns, select);
  useLayoutEffect(() => {
    if (element.current !== null) element.current.scrollLeft = 0;
  }, [element]);

  const pointer = useGridPointer({
    element,
    length,
    range,
    activeRow: active.row,
    select,
    selectRows: selection.selectRows,
    showRow: scroll.showRow,
    onFill: (from, target) => {
      void edit.fillTo(from, target);
      selectRange({ ...from, top: Math.min(from.top, target.top), bottom: Math.max(from.bottom, target.bottom) });
    },
  });

  const openEditor = (typed: boolean): void => {
    const row = source.rowAt(active.row);
    const column = columns[active.col];
    if (column === undefined) return;
    // What is typed onto a row that is still being read is not lost; there is nothing yet to open otherwise.
    if (row === undefined && !typed) return;
    const lock = row === undefined ? lockOfAll(column) : lockOf(column, row);
    if (lock !== null) tell(lock);
    else flushSync(() => setEditing({ typed }));
  };

  const close = (): void => {
    setEditing(null);
    element.current?.focus();
  };

  const commit = (input: CellInput, after: After): void => {
    const column = columns[active.col];
    close();
    if (column === undefined) return;
    const here = { top: active.row, bottom: active.row, left: active.col, right: active.col };
    void edit.setCells(after === 'all' ? range : here, column, input);
    if (after === 'down') select(Math.min(length - 1, active.row + 1), active.col, false);
    if (after === 'up') select(Math.max(0, active.row - 1), active.col, false);
    if (after === 'left') select(active.row, Math.max(0, active.col - 1), false);
    if (after === 'right') select(active.row, Math.min(columns.length - 1, active.col + 1), false);
  };

  const fit = (col: number): void => {
    const column = columns[col];
    const grid = element.current;
    if (column === undefined || grid === null) return;
    const texts: string[] = [];
    for (let i = frame.from; i < frame.to; i += 1) {
      const row = source.rowAt(i);
      if (row !== undefined) texts.push(cellText(kind, column, row, media, figures.of(row)));
    }
    store.getState().resizeColumn(`${kind}.${column.field}`, fitWidth(column.title, texts, measureIn(grid)));
  };

  useGridDoor(element, columns, edit, { openEditor: () => openEditor(false), fit });

  const onKeyDown = (event: KeyboardEvent): void => {
    // A dialog that is opening has not taken the focus yet; what is typed meanwhile is not meant for a cell.
    if (event.target !== element.current || store.getState().dialog !== null) return;
    const intent = intentOf(
      { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey },
      { active, rows: length, columns: columns.length, page: frame.page },
    );
    if (intent === null || intent.do === 'leave') return;
    // A typed key must still reach the editor it opens, so only that one keeps its default.
    if (!(intent.do === 'edit' && intent.typed)) event.preventDefault();
    if (intent.do === 'move') select(intent.to.row, intent.to.col, intent.extend);
    else if (intent.do === 'edit') openEditor(intent.typed);
    else if (intent.do === 'select-all') store.getState().selectRows(0, length - 1);
    else if (intent.do === 'select-rows') store.getState().selectRows(range.top, range.bottom);
    else if (intent.do === 'fill-down') void edit.fillDown(range);
    else if (intent.do === 'delete-rows' || selection.wholeRows) onDeleteRows();
    else void edit.clear(range);
  };

  const editedColumn = columns[active.col];
  const editor =
    editing !== null && editedColumn !== undefined && editedColumn.cell !== null ? (
      <CellEditor
        kind={kind}
        column={editedColumn}
        value={source.rowAt(active.row)?.cells[editedColumn.cell] ?? null}
        typed={editing.typed}
        options={mediaFor(editedColumn.field)}
        onCommit={commit}
        onCancel={close}
      />
    ) : null;
  const activeIsDrawn = length > 0 && active.row >= frame.from && active.row < frame.to;
  return (
    <>
      <div
        ref={element}
        role="grid"
        tabIndex={0}
        className="grid"
        style={geometryStyle(geometry)}
        aria-label={en.grid.label(KIND_NAMES[kind].many)}
        aria-rowcount={length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={activeIsDrawn ? ACTIVE_CELL_ID : undefined}
        onKeyDown={onKeyDown}
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onContextMenu={(event) => {
          if (editing === null) menus.onContextMenu(event);
        }}
        onDoubleClick={(event) => {
          if ((placeUnder(event.target)?.col ?? -1) >= 0) openEditor(false);
        }}
        onCopy={(event) => {
          if (event.target === element.current) edit.copy(event, range);
        }}
        onPaste={(event) => {
          if (event.target !== element.current) return;
          const pasted = edit.paste(event, range);
          if (pasted !== null) selectRange(pasted);
        }}
      >
        <GridHeader
          columns={columns}
          frozen={geometry.frozen}
          from={span.from}
          to={span.to}
          sort={layout.sort}
          activeCol={active.col}
          onSort={(field, add) => store.getState().sortBy(field, add)}
          onResize={(column, width) => store.getState().resizeColumn(`${kind}.${column.field}`, width)}
          onFit={fit}
          onMove={onMoveColumn}
          onMenu={menus.onColumnMenu}
          onSelectAll={() => store.getState().selectRows(0, length - 1)}
        />
        <GridBody
          kind={kind}
          source={source}
          columns={columns}
          geometry={geometry}
          frame={frame}
          span={span}
          active={active}
          range={range}
          media={media}
          findings={findings}
          figures={figures}
          pointer={pointer}
          editor={editor}
        />
      </div>
      {totalled && (
        <GridTotals
          columns={columns}
          geometry={geometry}
          from={span.from}
          to={span.to}
          left={frame.left}
          rows={length}
          totals={totals}
        />
      )}
    </>
  );
}
