import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, type PointerEvent } from 'react';
import { en } from '../messages/en.ts';
import type { Sort } from '../store/navigation-slice.ts';
import type { Column } from './columns.ts';

export interface GridHeaderProps {
  readonly columns: readonly Column[];
  readonly from: number;
  readonly to: number;
  readonly sort: Sort;
  readonly activeCol: number;
  readonly onSort: (field: string) => void;
  readonly onResize: (column: Column, width: number) => void;
  readonly onSelectAll: () => void;
}

/** Column titles: click sorts, the right edge resizes. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, from, to } = props;
  const pinned = columns[0];
  return (
    <div role="rowgroup" className="grid-head">
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus. */}
      <div role="row" aria-rowindex={1} className="grid-row grid-head-row">
        <div role="presentation" className="grid-pinned">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Ctrl+A does the same from the grid, which keeps the focus. */}
          <div
            role="columnheader"
            tabIndex={-1}
            className="grid-gutter grid-corner"
            aria-colindex={1}
            onClick={props.onSelectAll}
          >
            <span className="spoken-only">{en.grid.rowState}</span>
          </div>
          {pinned !== undefined && <HeaderCell {...props} column={pinned} index={0} />}
        </div>
        {columns.slice(from, to).map((column, i) => (
          <HeaderCell key={column.field} {...props} column={column} index={from + i} />
        ))}
      </div>
    </div>
  );
});

interface HeaderCellProps extends GridHeaderProps {
  readonly column: Column;
  readonly index: number;
}

function HeaderCell({ column, index, sort, activeCol, onSort, onResize }: HeaderCellProps) {
  const sorted = sort[0]?.column === column.field ? (sort[0].descending ? 'descending' : 'ascending') : 'none';
  const classes = ['grid-cell', 'grid-title', column.align === 'right' ? 'grid-right' : ''];
  if (index === activeCol) classes.push('grid-title-active');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Alt+S sorts by the active column from the keyboard.
    <div
      role="columnheader"
      tabIndex={-1}
      aria-colindex={index + 2}
      aria-sort={sorted}
      className={classes.join(' ')}
      style={{ left: `var(--x${index})`, width: `var(--w${index})` }}
      onClick={() => onSort(column.field)}
    >
      <span className="grid-title-text">{column.title}</span>
      {sorted === 'ascending' && <IconArrowUp size={12} stroke={2} aria-hidden="true" />}
      {sorted === 'descending' && <IconArrowDown size={12} stroke={2} aria-hidden="true" />}
      <span
        className="grid-grip"
        title={en.grid.resizeColumn(column.title)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
        onPointerDown={(event) => startResize(event, (width) => onResize(column, width))}
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
  grip.addEventListener('pointerup', () => grip.removeEventListener('pointermove', onMove), { once: true });
}
