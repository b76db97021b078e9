import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useDesk, useViewOf } from '../app/desk.ts';
import { useRowFindings } from '../data/use-row-findings.ts';
import { type OpenView, useSourceVersion } from '../data/use-window-source.ts';
import { en } from '../messages/en.ts';
import { KIND_NAMES } from '../messages/fields.ts';
import { type CellRange, rangeOf } from '../store/selection-slice.ts';
import { type After, CellEditor } from './CellEditor.tsx';
import type { CellInput } from './cell-input.ts';
import { type Column, cellText, lockOf, lockOfAll, type MediaNames } from './columns.ts';
import { FillHandle } from './FillHandle.tsx';
import { fitWidth, measureIn } from './fit-width.ts';
import { GridHeader } from './GridHeader.tsx';
import { ACTIVE_CELL_ID, GridRow } from './GridRow.tsx';
import { columnSpan, geometryOf, geometryStyle } from './geometry.ts';
import { intentOf } from './keys.ts';
import { placeUnder } from './pointer.ts';
import { canvasHeight, ROW_HEIGHT } from './scrolling.ts';
import { useGridEdit } from './use-grid-edit.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useGridScroll } from './use-grid-scroll.ts';
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
  const { store, openGrid } = useDesk();
  const { source } = view;
  const { kind } = source.request;
  const version = useSourceVersion(source);
  const length = source.length();
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows }));
  const layout = useViewOf((s) => ({ widths: s.columnWidths, frozen: s.frozen[kind] ?? 1, sort: s.sort }));
  const [editing, setEditing] = useState<{ readonly typed: boolean } | null>(null);
  const { element, frame, showRow, showColumn } = useGridScroll(length);
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
  const findings = useRowFindings(workspaceId, kind, source, version, frame);
  const figures = useShownFigures(workspaceId, columns, source, version, frame);
  const edit = useGridEdit(view, columns, figures, tell);
  const active = {
    row: Math.min(selection.active.row, Math.max(0, length - 1)),
    col: Math.min(selection.active.col, Math.max(0, columns.length - 1)),
  };
  const range = rangeOf(selection, columns.length);

  useEffect(() => {
    source.want(frame.from, frame.to, frame.fast);
  });

  const select = useCallback(
    (row: number, col: number, extend: boolean) => {
      store.getState().select({ row, col }, extend);
      setEditing(null);
      showRow(row);
      if (col >= geometry.frozen) showColumn(geometry.lefts[col] ?? 0, geometry.widths[col] ?? 0, geometry.pinned);
    },
    [store, showRow, showColumn, geometry],
  );
  const selectRange = (to: CellRange): void => {
    store.getState().select({ row: to.top, col: to.left }, false);
    const corner = { row: Math.min(to.bottom, length - 1), col: Math.min(to.right, columns.length - 1) };
    store.getState().select(corner, true);
  };
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
    selectRows: (row, extend) => {
      store.getState().selectRows(extend ? store.getState().anchor.row : row, row);
      setEditing(null);
      showRow(row);
    },
    showRow,
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

  const door = useRef({ openEditor, fit });
  door.current = { openEditor, fit };
  useEffect(() => {
    openGrid.current = {
      edit,
      columns,
      range: () => rangeOf(store.getState(), columns.length),
      openEditor: () => door.current.openEditor(false),
      fit: (col) => door.current.fit(col),
      focus: () => element.current?.focus(),
    };
    return () => {
      openGrid.current = null;
    };
  }, [openGrid, edit, columns, store, element]);

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

  /** The menu opens on the selection when it is clicked, else on the cell that is; the menu key opens it at the active cell. */
  const onContextMenu = (event: MouseEvent): void => {
    if (editing !== null) return;
    event.preventDefault();
    const place = placeUnder(event.target);
    const cell = document.getElementById(ACTIVE_CELL_ID)?.getBoundingClientRect();
    if (place === null) {
      if (event.target !== element.current || cell === undefined) return;
      store.getState().openMenu({ of: 'cells', x: cell.left + 8, y: cell.bottom });
      return;
    }
    const { row, col } = place;
    const inside = row >= range.top && row <= range.bottom && (col < 0 || (col >= range.left && col <= range.right));
    if (!inside && col < 0) store.getState().selectRows(row, row);
    else if (!inside) select(row, col, false);
    store.getState().openMenu({ of: 'cells', x: event.clientX, y: event.clientY });
  };
  const onColumnMenu = (col: number, x: number, y: number): void => {
    store.getState().select({ row: active.row, col }, false);
    store.getState().openMenu({ of: 'column', x, y });
  };

  const rows = [];
  const pool = Math.max(64, frame.to - frame.from);
  for (let index = frame.from; index < Math.min(frame.to, length); index += 1) {
    const row = source.rowAt(index);
    const selected = index >= range.top && index <= range.bottom;
    const isActive = index === active.row;
    const column = columns[active.col];
    rows.push(
      <GridRow
        key={index % pool}
        kind={kind}
        row={row}
        index={index}
        top={index * ROW_HEIGHT - frame.offset}
        columns={columns}
        frozen={geometry.frozen}
        from={span.from}
        to={span.to}
        activeCol={isActive ? active.col : -1}
        left={selected ? range.left : 1}
        right={selected ? range.right : 0}
        edgeTop={index === range.top}
        edgeBottom={index === range.bottom}
        fast={frame.fast}
        media={media}
        findings={row === undefined ? undefined : findings.get(row.id)}
        figures={row === undefined ? undefined : figures.of(row)}
        editor={
          isActive && editing !== null && column !== undefined && column.cell !== null ? (
            <CellEditor
              kind={kind}
              column={column}
              value={row?.cells[column.cell] ?? null}
              typed={editing.typed}
              options={mediaFor(column.field)}
              onCommit={commit}
              onCancel={close}
            />
          ) : null
        }
      />,
    );
  }

  const activeIsDrawn = length > 0 && active.row >= frame.from && active.row < frame.to;
  return (
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
      onContextMenu={onContextMenu}
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
        onMenu={onColumnMenu}
        onSelectAll={() => store.getState().selectRows(0, length - 1)}
      />
      <div
        role="rowgroup"
        className="grid-canvas"
        style={{ height: canvasHeight({ rows: length, viewport: 0 }), width: geometry.total }}
      >
        {rows}
        {!frame.fast && editing === null && length > 0 && (
          <FillHandle
            geometry={geometry}
            range={{ ...range, bottom: Math.min(range.bottom, length - 1) }}
            filling={pointer.filling}
            from={frame.from}
            to={Math.min(frame.to, length)}
            offset={frame.offset}
            left={frame.left}
            onStart={pointer.startFill}
          />
        )}
      </div>
    </div>
  );
}
