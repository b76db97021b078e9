import { skipToken, useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Kind } from '../../shared/model/kinds.ts';
import { unitOf } from '../../shared/reports/account-metrics.ts';
import { isReported } from '../../shared/reports/metric.ts';
import { useApi, useAppContext, useView, useViewOf } from '../app/app-context.ts';
import { errorText } from '../app/error-text.ts';
import { KIND_NAMES, rowsText } from '../app/field-names.ts';
import { useLook } from '../app/shared-queries.ts';
import { DENSITIES } from '../app/store/grid-slice.ts';
import { rangeOf } from '../app/store/selection-slice.ts';
import ui from '../components/ui.module.css';
import { useCellEditing } from './CellEditor.tsx';
import {
  type Column,
  cellText,
  columnsOf,
  isAmount,
  type MediaNames,
  metricText,
  totalCell,
  valueText,
  windowsIn,
} from './columns.ts';
import { useGridEdit } from './edits.ts';
import { GridBody } from './GridBody.tsx';
import { GridHeader, type HeaderActions } from './GridHeader.tsx';
import { ACTIVE_CELL_ID } from './GridRow.tsx';
import { columnSpan, type Geometry, geometryOf, geometryStyle } from './geometry.ts';
import styles from './grid.module.css';
import type { GridApi, GridEdit } from './grid-api.ts';
import { LensLegend, useImpacts } from './ImpactLens.tsx';
import { intentOf } from './keys.ts';
import type { Lines } from './lines.ts';
import { type PlaceUnder, placeUnder } from './pointer.ts';
import { Amount } from './RowMark.tsx';
import { gridTexts } from './text.ts';
import { useGhosts } from './use-ghosts.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { type GridScroll, type GridSize, HEADER_HEIGHT, useGridScroll } from './use-grid-scroll.ts';
import { type GridSelection, useActiveRow, useGridSelection } from './use-grid-selection.ts';
import { useReveal } from './use-reveal.ts';
import { type MetricsSource, useRowMetrics } from './use-row-metrics.ts';
import { useSuggestionCard, useSuggestions, useTargetRoas } from './use-suggestions.tsx';
import { type ShownMetrics, spansOf, type Totals, useGroups, useRowIssues, useViewTotals } from './use-window.ts';
import type { OpenView, WindowSource } from './window.ts';

export interface GridProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly media: MediaNames;
  /** Size of the grid that was on screen before this one. */
  readonly size: RefObject<GridSize>;
  /** Files that a reference field may refer to. */
  readonly mediaFor: (field: string) => readonly { readonly id: number; readonly name: string }[];
  readonly tell: (text: string) => void;
  readonly onDeleteRows: () => void;
  readonly onMoveColumn: (from: number, to: number) => void;
}

/**
 * The spreadsheet of Adslate. The scroll container has the role `grid` and keeps the focus; `aria-activedescendant`
 * refers to the active cell, so that recycling row elements never moves the focus.
 */
export function Grid(props: GridProps) {
  const { workspaceId, view, columns, media, size, mediaFor, tell, onDeleteRows, onMoveColumn } = props;
  const { store } = useAppContext();
  const { source } = view;
  const { kind } = source.request;
  const version = useSyncExternalStore(source.subscribe, source.version);
  const length = source.length();
  const layout = useViewOf((s) => ({ widths: s.columnWidths, frozen: s.frozen[kind] ?? 1, sort: s.sort }));
  // Column widths depend on the largest number of rows so far, so that columns do not move while the user types a
  // filter.
  const [most, setMost] = useState(length);
  if (length > most) setMost(length);
  const look = useViewOf((s) => ({ density: s.density, itemPictures: s.itemPictures, metricColors: s.metricColors }));
  const { row: rowHeight, picture } = DENSITIES[look.density];
  const lines = source.lines();
  /** False until the groups of the whole view have loaded; the first rows are shown before that. */
  const areGroupsKnown = lines.countOf(lines.groups - 1) !== null;
  const scroll = useLines(useGridScroll(lines.length, rowHeight, size), lines);
  const { element, frame } = scroll;
  // Columns with new values between frozen columns are frozen too, without counting toward the limit.
  const frozen = columns.reduce((n, { ghost }, at) => (ghost !== undefined && at < n ? n + 1 : n), layout.frozen);
  const geometry = useMemo(
    () => geometryOf(columns, (column) => layout.widths[`${kind}.${column.field}`], frozen, frame.width, most),
    [columns, layout.widths, frozen, frame.width, most, kind],
  );
  const pictured = useMemo(
    () => (look.itemPictures ? { workspaceId, size: picture } : null),
    [look.itemPictures, workspaceId, picture],
  );
  const span = columnSpan(geometry, frame.left, frame.width);
  // Focusing the grid takes the focus from an open editor, which then writes the typed value.
  const endEditing = useCallback(() => {
    if (element.current?.contains(document.activeElement)) element.current.focus();
  }, [element]);
  const selection = useGridSelection(length, columns.length, geometry, scroll, endEditing);
  const { active, range, select, selectRange } = selection;
  useActiveRow(source, version, active.row, scroll.showRow);
  const menus = useGridMenus(element, selection, lines);
  const inSight = useMemo(() => linesInSight(lines, frame.from, frame.to), [lines, frame.from, frame.to]);
  const visible = useSame(inSight.rows);
  const visibleGroups = useSame(inSight.groups);
  const issueText = useRowIssues(source, version, visible);
  const { figures, metrics } = useShownMetrics(workspaceId, columns, source, version, visible);
  const target = useTargetRoas(workspaceId);
  const groups = useGroups(workspaceId, source, version, metrics, visibleGroups);
  const fold = useCallback((group: number, isFolded: boolean) => source.foldGroups([group], isFolded), [source]);
  const bottom = Math.min(range.bottom, length - 1);
  const totaled = bottom > range.top ? { top: range.top, bottom } : null;
  const totals = useViewTotals(workspaceId, source, metrics, totaled);
  const impactsOf = useImpacts(workspaceId, source, visible);
  const ghostOf = useGhosts(workspaceId, source, {
    from: visible[0] ?? 0,
    to: (visible.at(-1) ?? -1) + 1,
    fast: frame.fast,
  });
  const shown = { workspaceId, source, columns, visible };
  const suggestionOf = useSuggestions(shown);
  const edit = useGridEdit(workspaceId, view, columns, figures, suggestionOf, tell);
  const suggestions = useSuggestionCard({
    ...shown,
    element,
    suggestionOf,
    range,
    activeRow: active.row,
    tell,
  });
  const editing = useCellEditing({ element, view, columns, selection, edit, mediaFor, tell });

  useEffect(() => {
    for (const [i, { from, to }] of spansOf(visible).entries()) {
      if (i === 0) source.want(from, to, frame.fast);
      else if (!frame.fast) source.wantBeside(from, to);
    }
    // Screen readers read the active cell wherever the grid is scrolled to.
    if (!frame.fast) source.wantBeside(active.row, active.row + 1);
  });

  /** Shows the column of a field, if it is hidden. */
  const showColumn = (field: string): void => {
    const isHidden = columns.every((column) => column.field !== field);
    if (isHidden && columnsOf(kind, false).some((column) => column.field === field))
      store.getState().showColumn(`${kind}.${field}`, true);
  };
  const showCell = (row: number, field: string | null): void => {
    // The user is typing a value: its cell stays active.
    if ((element.current?.querySelector('input:not([type="checkbox"]):focus, select:focus') ?? null) !== null) return;
    const col = columns.findIndex((column) => column.field === field);
    select(row, Math.max(0, col), false);
    // A link opened in another tab may show rows behind a dialog; the dialog keeps the focus.
    if (store.getState().dialog === null) element.current?.focus();
  };
  useReveal(source, showCell, showColumn);

  const pointer = useGridPointer({
    element,
    length,
    range,
    activeRow: active.row,
    placeAt: (target) => rowUnder(target, lines),
    select,
    selectRows: selection.selectRows,
    showRow: scroll.showRow,
    onFill: (from, target) => {
      void edit.fillTo(from, target);
      selectRange({ ...from, top: Math.min(from.top, target.top), bottom: Math.max(from.bottom, target.bottom) });
    },
  });

  const widthOf = (at: number): number =>
    (geometry.widths[at] ?? 0) - (at === columns.length - 1 ? geometry.stretch : 0);
  // Stores the widths of all columns when one is resized, so that the others do not change during the drag.
  const resize = (col: number, width: number): void => {
    const shown = columns.map(({ field }, at) => [`${kind}.${field}`, at === col ? width : widthOf(at)] as const);
    store.getState().resizeColumns(Object.fromEntries(shown.filter((_, at) => columns[at]?.ghost === undefined)));
  };
  const fit = (col: number): void => {
    const column = columns[col];
    const grid = element.current;
    if (column === undefined || grid === null) return;
    const texts: string[] = [];
    for (const at of visible) {
      const row = source.rowAt(at);
      if (row !== undefined) texts.push(cellText(kind, column, row, media, figures.of(row)));
    }
    resize(col, fitWidth(column.title, texts, measureIn(grid)));
  };

  const widen = (col: number, by: number): void => resize(col, widthOf(col) + by);

  useGridApi(element, columns, edit, {
    openEditor: () => editing.open(false),
    explainBid: suggestions.explain,
    fit,
    widen,
  });

  const activeGroup = lines.groups > 0 ? selection.activeGroup : null;
  const activeLine = activeGroup === null ? lines.ofRow(active.row) : lines.ofGroup(activeGroup);
  const endOfActive = activeGroup === null ? null : lines.countOf(activeGroup);
  /** The group whose header became active before its end had loaded. */
  const openGroup = useRef<number | null>(null);
  /** Selects the rows of a group; until its end has loaded only the first, because others could belong to the next. */
  const selectGroup = (group: number, col = active.col): void => {
    const count = lines.countOf(group);
    openGroup.current = count === null ? group : null;
    selection.selectGroup(group, { from: lines.rowsOf(group).from, count: count ?? 1 }, col);
  };
  const completeGroup = useEffectEvent((): void => {
    if (activeGroup !== null && activeGroup === openGroup.current) selectGroup(activeGroup);
  });
  useEffect(() => {
    if (endOfActive !== null) completeGroup();
  }, [endOfActive]);
  /** Makes the row or group header on a line active; extending a range skips group headers. */
  const goTo = (line: number, col: number, extend: boolean, isUp: boolean): void => {
    const found = lines.at(line);
    if (found.is === 'row') select(found.row, col, extend);
    else if (!extend) selectGroup(found.group, col);
    else {
      const { from, count } = lines.rowsOf(found.group);
      const past = isUp ? from - 1 : lines.isFolded(found.group) ? from + count - 1 : from;
      select(Math.max(0, past), col, true);
    }
  };
  /** Left, Right, Enter and Space on a group header. */
  const foldByKey = (event: KeyboardEvent, group: number): boolean => {
    const isFolded = lines.isFolded(group);
    const wanted = { ArrowLeft: true, ArrowRight: false, Enter: !isFolded, ' ': !isFolded }[event.key];
    if (wanted === undefined || event.ctrlKey || event.shiftKey || event.altKey) return false;
    event.preventDefault();
    fold(group, wanted);
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // A dialog or filter form that is opening has no focus yet; keys typed meanwhile must not edit a cell.
    const { dialog, filterForm, openFilterForm } = store.getState();
    if (event.target !== element.current || dialog !== null) return;
    if (filterForm === 'new') {
      if (event.key === 'Escape') openFilterForm(null);
      return;
    }
    const intent = intentOf(
      { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey },
      {
        active: { row: activeLine, col: active.col },
        isGroup: activeGroup !== null,
        rows: lines.length,
        columns: columns.length,
        page: frame.page,
      },
    );
    if (activeGroup !== null && foldByKey(event, activeGroup)) return;
    if (intent === null || intent.do === 'leave') return;
    // Only a key that opens the editor keeps its default action, so that its character reaches the editor.
    if (!(intent.do === 'edit' && intent.typed)) event.preventDefault();
    if (intent.do === 'move') {
      goTo(intent.to.row, intent.to.col, intent.extend, intent.to.row < activeLine);
      // The first column is pinned and always visible; moving to it also scrolls to the start.
      if (intent.to.col === 0 && (active.col > 0 || event.key === 'Home')) scroll.showStart();
    } else if (activeGroup !== null && intent.do !== 'select-all' && intent.do !== 'delete-rows') return;
    else if (intent.do === 'edit') editing.open(intent.typed);
    else if (intent.do === 'select-all') store.getState().selectAll(length);
    else if (intent.do === 'select-rows') store.getState().selectRows(range.top, range.bottom);
    else if (intent.do === 'fill-down') void edit.fillDown(range);
    else if (intent.do === 'delete-rows' || selection.wholeRows) onDeleteRows();
    else void edit.clear(range);
  };

  const actions: HeaderActions = {
    sort: (field, add) => {
      if (columns.every((column) => column.ghost === undefined || column.field !== field))
        store.getState().sortBy(field, add);
    },
    resize,
    fit,
    move: onMoveColumn,
    openMenu: menus.onColumnMenu,
    selectAll: () => store.getState().selectAll(length),
  };
  const headerActions = useRef(actions);
  useLayoutEffect(() => {
    headerActions.current = actions;
  });

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a grid or a treegrid. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: see above. */}
      <div
        ref={element}
        role={lines.groups > 0 ? 'treegrid' : 'grid'}
        tabIndex={0}
        className={styles['grid']}
        style={geometryStyle(geometry, rowHeight)}
        aria-label={gridTexts.label(KIND_NAMES[kind].many)}
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={length > 0 ? ACTIVE_CELL_ID : undefined}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const head = event.target instanceof Element ? event.target.closest('[data-group]') : null;
          const group = Number(head?.getAttribute('data-group') ?? -1);
          if (head === null) pointer.onPointerDown(event);
          else if (event.target instanceof Element && event.target.closest('button') === null) {
            selectGroup(group);
          }
        }}
        onPointerMove={pointer.onPointerMove}
        onPointerOver={(event) => suggestions.onPointerOver(event.target)}
        onPointerUp={pointer.onPointerUp}
        onPointerCancel={pointer.onPointerCancel}
        onClick={(event) => {
          const goal = event.target instanceof Element ? event.target.closest('[data-set-target]') : null;
          if (goal !== null) {
            store.getState().openSuggestions(null, `campaign:${goal.getAttribute('data-set-target')}`);
            return;
          }
          const isMark = event.target instanceof Element && event.target.closest('[data-issue]') !== null;
          if (isMark) store.getState().openMenu({ of: 'issue', x: event.clientX, y: event.clientY });
        }}
        onContextMenu={(event) => {
          if (editing.editor === null) menus.onContextMenu(event);
        }}
        onDoubleClick={(event) => {
          const place = rowUnder(event.target, lines);
          if (place !== null && place.col >= 0) editing.open(false);
          else if (place !== null && store.getState().hidden.inspector) store.getState().togglePane('inspector');
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
          actions={headerActions}
        />
        <GridBody
          kind={kind}
          source={source}
          lines={lines}
          activeLine={activeLine}
          groups={groups}
          activeGroup={activeGroup}
          onFold={fold}
          columns={columns}
          geometry={geometry}
          frame={frame}
          span={span}
          active={active}
          range={range}
          media={media}
          picture={pictured}
          figures={figures}
          suggestionOf={suggestionOf}
          issueText={issueText}
          target={look.metricColors ? target : null}
          ghostOf={ghostOf}
          impactsOf={impactsOf}
          pointer={pointer}
          editor={editing.editor}
        />
      </div>
      {suggestions.card}
      <LensLegend />
      <GridTotals
        kind={kind}
        columns={columns}
        geometry={geometry}
        from={span.from}
        to={span.to}
        left={frame.left}
        rows={totaled === null ? length : totaled.bottom - totaled.top + 1}
        isSelection={totaled !== null}
        all={length}
        campaigns={source.request.group === 'campaign' && totaled === null && areGroupsKnown ? lines.groups : 0}
        totals={totals}
      />
    </>
  );
}

interface GridTotalsProps {
  readonly kind: Kind;
  readonly columns: readonly Column[];
  readonly geometry: Geometry;
  /** The range of unpinned columns that is drawn, and their horizontal scroll offset. */
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly rows: number;
  /** The totals are of the selected rows, not of the whole view. */
  readonly isSelection: boolean;
  /** Number of rows in the view. */
  readonly all: number;
  /** Number of campaigns the rows are grouped by; 0 without groups. */
  readonly campaigns: number;
  readonly totals: Totals;
}

/**
 * Totals of the columns over the whole view, below the grid. The totals are outside the `grid` element, so that they
 * are not counted, copied or reached as a row.
 */
const GridTotals = memo(function GridTotals(props: GridTotalsProps) {
  const { columns, geometry, from, to, left, rows, isSelection } = props;
  const cell = (column: Column, index: number) => (
    <TotalCell key={column.field} {...props} column={column} index={index} />
  );
  return (
    <section
      className={styles['grid-totals']}
      aria-label={isSelection ? gridTexts.totals.selection(rows) : gridTexts.totals.label}
      style={geometryStyle(geometry, HEADER_HEIGHT)}
    >
      <div className={styles['grid-totals-row']} style={{ transform: `translateX(${-left}px)` }}>
        {columns.slice(from, to).map((column, i) => cell(column, from + i))}
      </div>
      <div className={`${styles['grid-totals-row']} ${styles['grid-totals-pinned']}`}>
        <span className={`${styles['grid-gutter']} ${styles['grid-totals-gutter']}`} />
        {columns.slice(0, geometry.frozen).map(cell)}
      </div>
    </section>
  );
});

/** The number of rows in the totals. */
function RowsTotal({ kind, rows, isSelection, all, campaigns }: GridTotalsProps) {
  const { selected, ofAll, within } = gridTexts.totals;
  return (
    <span className={styles['grid-cell']} style={{ left: 'var(--x0)', width: 'var(--w0)' }}>
      <b>{isSelection ? selected(rows) : rowsText(rows, kind)}</b> {isSelection && <span>{ofAll(all)}</span>}
      {campaigns > 0 && <span>{within(campaigns)}</span>}
    </span>
  );
}

function TotalCell(props: GridTotalsProps & { readonly column: Column; readonly index: number }) {
  const { kind, column, index, rows, totals } = props;
  const average = useView((s) => s.ghostAverage);
  if (index === 0) return <RowsTotal {...props} />;
  const classes = column.align === 'right' ? `${styles['grid-cell']} ${styles['grid-right']}` : styles['grid-cell'];
  const style = { left: `var(--x${index})`, width: `var(--w${index})` };
  const [text, what, cents] =
    column.ghost === undefined ? totalOf(column, totals) : newAverage(kind, column, average, rows);
  if (text === '') return <span className={classes} style={style} />;
  return (
    <span className={classes} style={style} title={what}>
      <span className={ui['spoken-only']}>{what}</span>
      <span aria-hidden="true">
        <Amount text={text} cents={cents} />
      </span>
    </span>
  );
}

const NO_MEDIA: MediaNames = new Map();

/** The average of the new values of a column, as cell text and as a spoken text. */
function newAverage(
  kind: Kind,
  { ghost, title }: Column,
  average: number | null,
  rows: number,
): readonly [string, string, number | null] {
  if (ghost === undefined || average === null) return ['', '', null];
  const text = valueText(kind, ghost, average, NO_MEDIA);
  return [text, gridTexts.totals.what.average(title, text, rows), average];
}

/**
 * The total of a column, as cell text and as a spoken text, both empty for a column without a total, and in cents if it
 * is an amount.
 */
function totalOf(column: Column, { totals, metrics }: Totals): readonly [string, string, number | null] {
  const { figure, title } = column;
  if (figure !== null) {
    if (typeof figure === 'string' || metrics === null || figure.window !== null) return ['', '', null];
    const text = metricText(figure, metrics.metrics, metrics.previous);
    const of = figure.isChange || unitOf(figure.name) === 'percent' || figure.name === 'roas' ? 'ratio' : 'sum';
    if (text === gridTexts.noMetric) return ['', '', null];
    const cents = isAmount(column) && !figure.isChange ? metrics.metrics[figure.name] : undefined;
    return [text, gridTexts.totals.what[of](title, text, metrics.rows), cents ?? null];
  }
  const total = totals.find(({ field }) => field === column.field);
  if (total === undefined || total.value === null) return ['', '', null];
  const text = totalCell(column, total.value);
  return [text, gridTexts.totals.what[total.of](title, text, total.count), total.value];
}

/** Extra width in CSS pixels: the cell's padding on both sides, and the sort arrow in the title. */
const PADDING = 18;
const TITLE_EXTRA = 22;

/**
 * The width in CSS pixels at which the widest text fits.
 *
 * @param measure the width of a text in the font of the grid
 */
function fitWidth(title: string, texts: readonly string[], measure: (text: string) => number): number {
  const widest = texts.reduce((most, text) => Math.max(most, measure(text)), 0);
  return Math.ceil(Math.max(widest, measure(title) + TITLE_EXTRA) + PADDING);
}

function measureIn(element: Element): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 7;
  context.font = getComputedStyle(element).font;
  return (text) => context.measureText(text).width;
}

/** Publishes the grid's commands while it is on screen; each command runs with the latest props. */
function useGridApi(
  element: RefObject<HTMLDivElement | null>,
  columns: readonly Column[],
  edit: GridEdit,
  handlers: Pick<GridApi, 'openEditor' | 'explainBid' | 'fit' | 'widen'>,
): void {
  const { store, openGrid } = useAppContext();
  const newest = useRef(handlers);
  newest.current = handlers;
  // While rows load, `main` has the focus. The grid takes it on mount and returns it on unmount.
  useLayoutEffect(() => {
    const grid = element.current;
    if (document.activeElement?.localName === 'main') grid?.focus();
    return () => {
      if (grid?.contains(document.activeElement) === true) grid.closest('main')?.focus({ preventScroll: true });
    };
  }, [element]);
  useEffect(() => {
    openGrid.current = {
      edit,
      columns,
      range: () => rangeOf(store.getState(), columns.length),
      openEditor: () => newest.current.openEditor(),
      explainBid: () => newest.current.explainBid(),
      fit: (col) => newest.current.fit(col),
      widen: (col, by) => newest.current.widen(col, by),
      focus: () => element.current?.focus(),
    };
    return () => {
      openGrid.current = null;
    };
  }, [openGrid, edit, columns, store, element]);
}

/** The context menus of the grid; opening one selects its cells. */
function useGridMenus(element: RefObject<HTMLDivElement | null>, selection: GridSelection, lines: Lines) {
  const { store } = useAppContext();
  const { active, range, select } = selection;
  return {
    /** Opens the menu for the selection if clicked inside it, else for the clicked cell; by key, for the active cell. */
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      const place = rowUnder(event.target, lines);
      if (place === null) {
        const cell = document.getElementById(ACTIVE_CELL_ID)?.getBoundingClientRect();
        if (event.target !== element.current || cell === undefined) return;
        store.getState().openMenu({ of: 'cells', x: cell.left + 8, y: cell.bottom });
        return;
      }
      const { row, col } = place;
      const inside = row >= range.top && row <= range.bottom && (col < 0 || (col >= range.left && col <= range.right));
      if (!inside && col < 0) store.getState().selectRows(row, row);
      else if (!inside) select(row, col, false);
      store.getState().openMenu({ of: 'cells', x: event.clientX, y: event.clientY });
    },
    onColumnMenu: (col: number, x: number, y: number) => {
      store.getState().select({ row: active.row, col }, false);
      store.getState().openMenu({ of: 'column', x, y });
    },
  };
}

/** Metrics of the visible rows and their period; requested only while a column shows metrics. */
function useShownMetrics(
  workspaceId: string,
  columns: readonly Column[],
  source: WindowSource,
  version: number,
  visible: readonly number[],
): { readonly figures: MetricsSource; readonly metrics: ShownMetrics | null } {
  const { toasts } = useAppContext();
  const { kind } = source.request;
  const look = useLook();
  const isWanted = isReported(kind) && columns.some(({ figure }) => figure !== null);
  const known = useQuery(useApi().metrics.settings.queryOptions({ input: isWanted ? { workspaceId } : skipToken }));
  const isKnown = known.data?.sources.some(({ days }) => days > 0) === true;
  const at = String(known.dataUpdatedAt);
  const windows = windowsIn(columns).join();
  const fail = useCallback((error: unknown) => toasts.fail(errorText(error)), [toasts]);
  const reported = isWanted && isReported(kind) && isKnown ? kind : null;
  const figuresOptions = useMemo(
    () => ({
      workspaceId,
      kind: reported,
      look,
      version: at,
      windows: windows === '' ? [] : windows.split(',').map(Number),
    }),
    [workspaceId, reported, look, at, windows],
  );
  const figures = useRowMetrics(figuresOptions, source, version, visible, fail);
  const metrics = useMemo(
    () => (reported === null ? null : { kind: reported, look, version: at }),
    [reported, look, at],
  );
  return { figures, metrics };
}

/** The rows and group headers on these lines. */
function linesInSight(lines: Lines, from: number, to: number) {
  const rows: number[] = [];
  const groups: number[] = [];
  for (let at = from; at < Math.min(to, lines.length); at += 1) {
    const line = lines.at(at);
    if (line.is === 'row') rows.push(line.row);
    else groups.push(line.group);
  }
  return { rows, groups };
}

/** Returns the previous array while the numbers in it are the same. */
function useSame(list: readonly number[]): readonly number[] {
  const kept = useRef(list);
  if (kept.current.length !== list.length || kept.current.some((each, i) => each !== list[i])) kept.current = list;
  return kept.current;
}

/** The cell that contains an element, with the row's index in the view; null on a group header. */
function rowUnder(target: EventTarget | null, lines: Lines): PlaceUnder | null {
  const place = placeUnder(target);
  if (place === null || place.row >= lines.length) return null;
  const line = lines.at(place.row);
  return line.is === 'row' ? { ...place, row: line.row } : null;
}

/** Scrolling by the row's index in the view instead of its line. */
function useLines(scroll: GridScroll, lines: Lines): GridScroll & { readonly showGroup: (group: number) => void } {
  const { showRow } = scroll;
  const newest = useRef(lines);
  newest.current = lines;
  const shown = useCallback(
    (row: number) => {
      // The header of the first group is shown with its first row: no key goes further up.
      if (row === 0) showRow(0);
      showRow(newest.current.ofRow(row));
    },
    [showRow],
  );
  const showGroup = useCallback((group: number) => showRow(newest.current.ofGroup(group)), [showRow]);
  return { ...scroll, showRow: shown, showGroup };
}
