import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { totalOf } from '../../shared/model/decimal.ts';
import { useAppContext, useViewOf } from '../app/desk.ts';
import { useRowFindings } from '../data/use-row-findings.ts';
import { useViewTotals } from '../data/use-view-totals.ts';
import { useSourceVersion } from '../data/use-window-source.ts';
import type { OpenView } from '../data/window-source.ts';
import { en } from '../messages/en.ts';
import { KIND_NAMES } from '../messages/fields.ts';
import { type Column, cellText, type MediaNames } from './columns.ts';
import { fitWidth, measureIn } from './fit-width.ts';
import { GridBody } from './GridBody.tsx';
import { GridHeader } from './GridHeader.tsx';
import { ACTIVE_CELL_ID } from './GridRow.tsx';
import { GridTotals } from './GridTotals.tsx';
import { columnSpan, geometryOf, geometryStyle } from './geometry.ts';
import { intentOf } from './keys.ts';
import { placeUnder } from './pointer.ts';
import { useCellEditing } from './use-cell-editing.tsx';
import { useGridDoor } from './use-grid-door.ts';
import { useGridEdit } from './use-grid-edit.ts';
import { useGridMenus } from './use-grid-menus.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { type GridSize, useGridScroll } from './use-grid-scroll.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { useReveal } from './use-reveal.ts';
import { useShownFigures } from './use-shown-figures.ts';

export interface GridProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly media: MediaNames;
  /** How large the grid before this one was. */
  readonly size: RefObject<GridSize>;
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
  const { workspaceId, view, columns, media, size, mediaFor, tell, onDeleteRows, onMoveColumn } = props;
  const { store } = useAppContext();
  const { source } = view;
  const { kind } = source.request;
  const version = useSourceVersion(source);
  const length = source.length();
  const layout = useViewOf((s) => ({ widths: s.columnWidths, frozen: s.frozen[kind] ?? 1, sort: s.sort }));
  // The most rows there have been: columns do not move sideways while a filter is typed.
  const [most, setMost] = useState(length);
  if (length > most) setMost(length);
  const scroll = useGridScroll(length, size);
  const { element, frame } = scroll;
  const geometry = useMemo(
    () =>
      geometryOf(
        columns,
        (column) => layout.widths[`${kind}.${column.field}`] ?? column.width,
        layout.frozen,
        frame.width,
        most,
      ),
    [columns, layout.widths, layout.frozen, frame.width, most, kind],
  );
  const span = columnSpan(geometry, frame.left, frame.width);
  // An editor has the focus inside of the grid; as it loses it to the grid, it writes what was typed.
  const endEditing = useCallback(() => {
    if (element.current?.contains(document.activeElement)) element.current.focus();
  }, [element]);
  const selection = useGridSelection(length, columns.length, geometry, scroll, endEditing);
  const { active, range, select, selectRange } = selection;
  const menus = useGridMenus(element, selection);
  const findings = useRowFindings(workspaceId, kind, source, version, frame);
  const figures = useShownFigures(workspaceId, columns, source, version, frame);
  const totalled = columns.some(({ field }) => totalOf(kind, field) !== null);
  const totals = useViewTotals(workspaceId, source, totalled);
  const edit = useGridEdit(view, columns, figures, tell);
  const editing = useCellEditing({ element, view, columns, selection, edit, mediaFor, tell });

  useEffect(() => {
    source.want(frame.from, frame.to, frame.fast);
  });

  useReveal(element, source, columns, select);

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

  useGridDoor(element, columns, edit, { openEditor: () => editing.open(false), fit });

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
    if (intent.do === 'move') {
      select(intent.to.row, intent.to.col, intent.extend);
      // The first column is always in view; whoever goes to it wants to be at the beginning.
      if (intent.to.col === 0 && (active.col > 0 || event.key === 'Home')) scroll.showStart();
    } else if (intent.do === 'edit') editing.open(intent.typed);
    else if (intent.do === 'select-all') store.getState().selectRows(0, length - 1);
    else if (intent.do === 'select-rows') store.getState().selectRows(range.top, range.bottom);
    else if (intent.do === 'fill-down') void edit.fillDown(range);
    else if (intent.do === 'delete-rows' || selection.wholeRows) onDeleteRows();
    else void edit.clear(range);
  };

  const rowIsDrawn = length > 0 && active.row >= frame.from && active.row < frame.to;
  const columnIsDrawn =
    active.col < geometry.frozen || (!frame.fast && active.col >= span.from && active.col < span.to);
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
        aria-activedescendant={rowIsDrawn && columnIsDrawn ? ACTIVE_CELL_ID : undefined}
        onKeyDown={onKeyDown}
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onPointerCancel={pointer.onPointerCancel}
        onContextMenu={(event) => {
          if (editing.editor === null) menus.onContextMenu(event);
        }}
        onDoubleClick={(event) => {
          if ((placeUnder(event.target)?.col ?? -1) >= 0) editing.open(false);
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
          editor={editing.editor}
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
