import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import type { GroupBy } from '../../shared/api/choices.ts';
import type { ViewGroup } from '../../shared/api/views.ts';
import { choiceName } from '../app/field-names.ts';
import { countText } from '../app/locale/numbers.ts';
import { StatusShape } from '../components/StatusShape.tsx';
import { type Column, isAmount, totalCell } from './columns.ts';
import { ACTIVE_CELL_ID } from './GridRow.tsx';
import styles from './grid.module.css';
import { ItemPicture } from './ItemPicture.tsx';
import { Amount } from './RowMark.tsx';
import { gridTexts } from './text.ts';

export interface GroupRowProps {
  /** Index among the groups of the view, and the line of this header. */
  readonly group: number;
  readonly line: number;
  readonly top: number;
  readonly by: GroupBy;
  /** Number of rows; null until it has loaded. */
  readonly count: number | null;
  readonly isFolded: boolean;
  readonly isActive: boolean;
  /** Name and totals; undefined until they have loaded. */
  readonly known: ViewGroup | undefined;
  /** Campaign of the first row, shown until the totals have loaded: for a large view they take seconds. */
  readonly campaignName: string | undefined;
  readonly columns: readonly Column[];
  readonly frozen: number;
  readonly from: number;
  readonly to: number;
  readonly picture: { readonly workspaceId: string; readonly size: number } | null;
  readonly onFold: (group: number, fold: boolean) => void;
}

/** The header of a group: its name, its number of rows, and the totals of its columns. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { group, line, top, by, count, isFolded, isActive, known, columns, frozen, from, to } = props;
  const name = known === undefined ? (props.campaignName ?? '') : groupName(by, known);
  const Chevron = isFolded ? IconChevronRight : IconChevronDown;
  const cell = (column: Column, col: number) =>
    col === 0 ? null : (
      // biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus and names the active cell.
      <div
        key={column.field}
        role="gridcell"
        aria-colindex={col + 2}
        className={`${styles['grid-cell']} ${column.align === 'right' ? styles['grid-right'] : ''}`}
        style={{ left: `var(--x${col})`, width: `var(--w${col})` }}
      >
        {known !== undefined && <Sum column={column} known={known} />}
      </div>
    );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus and names the active cell.
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={1}
      aria-expanded={!isFolded}
      aria-selected={isActive}
      data-group={group}
      className={`${styles['grid-row']} ${styles['grid-group']} ${isActive ? styles['grid-group-active'] : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="presentation" className={styles['grid-pinned']}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: see above. */}
        <div role="rowheader" aria-colindex={1} className={styles['grid-gutter']}>
          <button
            type="button"
            tabIndex={-1}
            className={styles['grid-chevron']}
            aria-label={gridTexts.fold(isFolded, name)}
            onClick={() => props.onFold(group, !isFolded)}
          >
            <Chevron size={14} stroke={1.75} aria-hidden="true" />
          </button>
        </div>
        {/* biome-ignore lint/a11y/useFocusableInteractive: see above. */}
        <div
          role="gridcell"
          aria-colindex={2}
          id={isActive ? ACTIVE_CELL_ID : undefined}
          className={`${styles['grid-cell']} ${styles['grid-group-name']}`}
          style={{ left: 'var(--x0)', width: 'var(--w0)' }}
        >
          {by === 'campaign' && props.picture !== null && known !== undefined && (
            <ItemPicture key={known.picture} {...props.picture} itemId={known.picture} name={name} />
          )}
          <b>{name}</b>
          {count !== null && <span>{countText(count)}</span>}
        </div>
        {columns.slice(0, frozen).map(cell)}
      </div>
      {columns.slice(from, to).map((column, i) => cell(column, from + i))}
    </div>
  );
});

/** The value that a group's rows share, as text. */
function groupName(by: GroupBy, { name }: ViewGroup): string {
  if (name === '') return gridTexts.noGroup[by];
  if (by === 'match') return choiceName(name);
  if (by !== 'type') return name;
  const [type = '', targeting = ''] = name.split(' ');
  return gridTexts.types[type]?.(targeting) ?? choiceName(type);
}

function Sum({ column, known }: { readonly column: Column; readonly known: ViewGroup }) {
  if (known.state !== null && (column.field === 'rowState' || column.field === 'campaignState')) {
    return <StatusShape state={known.state} text={choiceName(known.state)} />;
  }
  const total = known.totals.find(({ field }) => field === column.field);
  if (total === undefined) return null;
  if (total.value === null) return column.figure === null ? null : '–';
  return <Amount text={totalCell(column, total.value)} cents={isAmount(column) ? total.value : null} />;
}
