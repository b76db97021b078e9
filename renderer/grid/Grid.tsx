import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Cell } from '../../shared/model/field-types.ts';
import { useDesk, useViewOf } from '../app/desk.ts';
import { useRowFindings } from '../data/use-row-findings.ts';
import { type OpenView, useSourceVersion } from '../data/use-window-source.ts';
import { en } from '../messages/en.ts';
import { KIND_NAMES } from '../messages/fields.ts';
import { rangeOf } from '../store/selection-slice.ts';
import { type After, CellEditor } from './CellEditor.tsx';
import { type Column, lockOf, type MediaNames } from './columns.ts';
import { GridHeader } from './GridHeader.tsx';
import { ACTIVE_CELL_ID, GridRow } from './GridRow.tsx';
import { columnSpan, geometryOf, geometryStyle } from './geometry.ts';
import { intentOf } from './keys.ts';
import { placeUnder } from './pointer.ts';
import { canvasHeight, ROW_HEIGHT } from './scrolling.ts';
import { useGridEdit } from './use-grid-edit.ts';
import { useGridScroll } from './use-grid-scroll.ts';

export interface GridProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly media: MediaNames;
  /** Files a reference field may point at. */
  readonly mediaFor: (field: string) => readonly { readonly id: number; readonly name: string }[];
  readonly tell: (text: string) => void;
  readonly onDeleteRows: () => void;
}

/**
 * The spreadsheet of the desk. One scroll container is the `grid` and keeps the focus; the active cell is named
 * by `aria-activedescendant`, so that recycled rows never take the focus away with them.
 */
export function Grid({ workspaceId, view, columns, media, mediaFor, tell, onDeleteRows }: GridProps) {
  const { store } = useDesk();
  const { source } = view;
  const { kind } = source.request;
  const version = useSourceVersion(source);
  const length = source.length();
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows }));
  const widths = useViewOf((s) => s.columnWidths);
  const { sort, target } = useViewOf((s) => ({ sort: s.sort, target: s.target }));
  const [editing, setEditing] = useState<{ readonly typed: boolean } | null>(null);
  const { element, frame, showRow, showColumn } = useGridScroll(length);
  const geometry = useMemo(
    () => geometryOf(columns, (column) => widths[`${kind}.${column.field}`] ?? column.width),
    [columns, widths, kind],
  );
  const span = columnSpan(geometry, frame.left, frame.width);
  const findings = useRowFindings(workspaceId, kind, source, version, frame);
  const edit = useGridEdit(view, columns, tell);
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
      if (col > 0) showColumn(geometry.lefts[col] ?? 0, geometry.widths[col] ?? 0, geometry.pinned);
    },
    [store, showRow, showColumn, geometry],
  );

  // A finding or a search result asked for a row: find it, show it, make it active.
  useEffect(() => {
    const { kind: wanted, campaignId } = store.getState();
    // The old view stays on screen until the new one has rows; the target is in the new one.
    const here = source.request.kind === wanted && source.request.campaignId === campaignId;
    if (target === null || !here) return;
    let over = false;
    void source.indexOf(target.id).then((row) => {
      if (over) return;
      store.getState().arrived();
      if (row === null) return;
      const col = columns.findIndex((column) => column.field === target.field);
      select(row, Math.max(0, col), false);
      element.current?.focus();
    });
    return () => {
      over = true;
    };
  }, [target, source, columns, select, store, element]);

  // A new order moves the active row; selection follows the row when it is still near, see data/README.
  useLayoutEffect(() => {
    if (element.current !== null) element.current.scrollLeft = 0;
  }, [element]);

  const openEditor = (typed: boolean): void => {
    const row = source.rowAt(active.row);
    const column = columns[active.col];
    if (row === undefined || column === undefined) return;
    const lock = lockOf(column, row);
    if (lock !== null) tell(lock);
    else flushSync(() => setEditing({ typed }));
  };

  const close = (): void => {
    setEditing(null);
    element.current?.focus();
  };

  const commit = (value: Cell, after: After): void => {
    const column = columns[active.col];
    const row = source.rowAt(active.row);
    close();
    if (column === undefined || row === undefined) return;
    const here = { top: active.row, bottom: active.row, left: active.col, right: active.col };
    void edit.setCells(after === 'all' ? range : here, column, value);
    if (after === 'down') select(Math.min(length - 1, active.row + 1), active.col, false);
    if (after === 'up') select(Math.max(0, active.row - 1), active.col, false);
    if (after === 'left') select(active.row, Math.max(0, active.col - 1), false);
    if (after === 'right') select(active.row, Math.min(columns.length - 1, active.col + 1), false);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== element.current) return;
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

  const onPointer = (event: PointerEvent, extend: boolean): void => {
    const place = placeUnder(event.target);
    if (place === null || place.row >= length) return;
    if (place.col < 0) {
      store.getState().selectRows(extend ? selection.anchor.row : place.row, place.row);
      setEditing(null);
    } else if (!(editing !== null && place.row === active.row && place.col === active.col)) {
      select(place.row, place.col, extend);
    }
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
        editor={
          isActive && editing !== null && row !== undefined && column !== undefined && column.cell !== null ? (
            <CellEditor
              kind={kind}
              column={column}
              value={row.cells[column.cell] ?? null}
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
      onPointerDown={(event) => {
        if (event.button === 0) onPointer(event, event.shiftKey);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1 && editing === null && event.target !== element.current) onPointer(event, true);
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
        if (pasted === null) return;
        store.getState().select({ row: pasted.top, col: pasted.left }, false);
        const bottom = Math.min(pasted.bottom, length - 1);
        store.getState().select({ row: bottom, col: Math.min(pasted.right, columns.length - 1) }, true);
      }}
    >
      <GridHeader
        columns={columns}
        from={span.from}
        to={span.to}
        sort={sort}
        activeCol={active.col}
        onSort={store.getState().sortBy}
        onResize={(column, width) => store.getState().resizeColumn(`${kind}.${column.field}`, width)}
        onSelectAll={() => store.getState().selectRows(0, length - 1)}
      />
      <div
        role="rowgroup"
        className="grid-canvas"
        style={{ height: canvasHeight({ rows: length, viewport: 0 }), width: geometry.total }}
      >
        {rows}
      </div>
    </div>
  );
}
