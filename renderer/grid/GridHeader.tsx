import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type MouseEvent, memo, type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Sort } from '../app/store/navigation-slice.ts';
import ui from '../components/ui.module.css';
import type { Column } from './columns.ts';
import styles from './grid.module.css';
import { titleAt } from './pointer.ts';
import { gridTexts } from './text.ts';

export interface GridHeaderProps {
  readonly columns: readonly Column[];
  /** Number of pinned columns, and the range of unpinned columns that is drawn. */
  readonly frozen: number;
  readonly from: number;
  readonly to: number;
  readonly sort: Sort;
  readonly activeCol: number;
  /** A reference, so that the header is not drawn again with each edit and each scrolled row. */
  readonly actions: RefObject<HeaderActions>;
}

export interface HeaderActions {
  readonly sort: (field: string, add: boolean) => void;
  readonly resize: (col: number, width: number) => void;
  readonly fit: (col: number) => void;
  readonly move: (from: number, to: number) => void;
  readonly openMenu: (col: number, x: number, y: number) => void;
  readonly selectAll: () => void;
}

/** A press becomes a drag after the pointer has moved this many pixels. */
const DRAG_FROM = 6;

/** Column titles: click sorts, Shift+click adds to the sort, a drag moves the column, the right edge resizes. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, frozen, from, to } = props;
  const [drop, setDrop] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const title = (column: Column, index: number) => (
    <HeaderCell key={column.field} {...props} column={column} index={index} drop={drop} onDrop={setDrop} />
  );
  return (
    <div role="rowgroup" className={styles['grid-head']}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus. */}
      <div role="row" aria-rowindex={1} className={`${styles['grid-row']} ${styles['grid-head-row']}`}>
        <div role="presentation" className={styles['grid-pinned']}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Ctrl+A does the same from the grid, which keeps the focus. */}
          <div
            role="columnheader"
            tabIndex={-1}
            className={`${styles['grid-gutter']} ${styles['grid-corner']}`}
            aria-colindex={1}
            onClick={() => props.actions.current.selectAll()}
          >
            <span className={ui['spoken-only']}>{gridTexts.rowState}</span>
          </div>
          {columns.slice(0, frozen).map(title)}
        </div>
        {columns.slice(from, to).map((column, i) => title(column, from + i))}
      </div>
    </div>
  );
});

interface HeaderCellProps extends GridHeaderProps {
  readonly column: Column;
  readonly index: number;
  readonly drop: { readonly from: number; readonly to: number } | null;
  readonly onDrop: (drop: { readonly from: number; readonly to: number } | null) => void;
}

function HeaderCell(props: HeaderCellProps) {
  const { column, index, sort, activeCol, actions, drop, onDrop } = props;
  const at = sort.findIndex((each) => each.column === column.field);
  const sorted = at < 0 ? 'none' : sort[at]?.descending ? 'descending' : 'ascending';
  const press = useRef<{ readonly x: number; moved: boolean } | null>(null);
  const classes = [styles['grid-cell'], styles['grid-title'], column.align === 'right' ? styles['grid-right'] : ''];
  if (index === activeCol) classes.push(styles['grid-title-active']);
  if (drop?.from === index) classes.push(styles['grid-title-moving']);
  if (drop?.to === index && drop.from !== index) {
    classes.push(drop.to > drop.from ? styles['grid-title-drop-after'] : styles['grid-title-drop-before']);
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    press.current = { x: event.clientX, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const start = press.current;
    if (start === null || event.buttons !== 1) return;
    if (!start.moved && Math.abs(event.clientX - start.x) < DRAG_FROM) return;
    start.moved = true;
    const to = titleAt(event.clientX, event.clientY);
    if (to !== null) onDrop({ from: index, to });
  };
  const onPointerUp = (): void => {
    if (press.current?.moved && drop !== null) actions.current.move(drop.from, drop.to);
    onDrop(null);
  };
  const onClick = (event: MouseEvent): void => {
    const moved = press.current?.moved ?? false;
    press.current = null;
    if (!moved) actions.current.sort(column.field, event.shiftKey);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Alt+S sorts by the active column from the keyboard.
    <div
      role="columnheader"
      tabIndex={-1}
      aria-colindex={index + 2}
      aria-sort={sorted}
      className={classes.join(' ')}
      style={{ left: `var(--x${index})`, width: `var(--w${index})` }}
      onClick={onClick}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => onDrop(null)}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.current.openMenu(index, event.clientX, event.clientY);
      }}
    >
      <span className={styles['grid-title-text']} data-title="">
        {column.title}
      </span>
      {sorted === 'ascending' && <IconArrowUp size={12} stroke={2} aria-hidden="true" />}
      {sorted === 'descending' && <IconArrowDown size={12} stroke={2} aria-hidden="true" />}
      {at >= 0 && sort.length > 1 && (
        <span className={styles['grid-sort-place']} aria-hidden="true">
          {at + 1}
        </span>
      )}
      <span
        className={styles['grid-grip']}
        title={gridTexts.resizeColumn(column.title)}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={() => actions.current.fit(index)}
        onKeyDown={(event) => event.stopPropagation()}
        onPointerDown={(event) => startResize(event, (width) => actions.current.resize(index, width))}
        aria-hidden="true"
      />
    </div>
  );
}

function startResize(event: PointerEvent<HTMLElement>, resize: (width: number) => void): void {
  event.preventDefault();
  event.stopPropagation();
  const grip = event.currentTarget;
  const startX = event.clientX;
  const startWidth = grip.parentElement?.offsetWidth ?? 0;
  const onMove = (move: globalThis.PointerEvent): void => resize(startWidth + move.clientX - startX);
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener('pointermove', onMove);
  // Fires however the drag ends: button released, pointer canceled by the system, or column no longer on screen.
  grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', onMove), { once: true });
}
