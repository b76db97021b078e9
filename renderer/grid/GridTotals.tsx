import { memo } from 'react';
import type { ViewTotal } from '../../shared/contract/views.ts';
import { en } from '../messages/en.ts';
import { countText, figureText, totalText } from '../messages/numbers.ts';
import type { Column } from './columns.ts';
import { type Geometry, geometryStyle } from './geometry.ts';

interface GridTotalsProps {
  readonly columns: readonly Column[];
  readonly geometry: Geometry;
  /** The span of unpinned columns that is drawn, and how far they are scrolled sideways. */
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly rows: number;
  readonly totals: readonly ViewTotal[];
}

/**
 * What the columns come to over the whole view, beneath them. It stands outside of the grid, so that it is no row to
 * go to, to copy or to be counted.
 */
export const GridTotals = memo(function GridTotals(props: GridTotalsProps) {
  const { columns, geometry, from, to, left, rows } = props;
  const cell = (column: Column, index: number) => (
    <TotalCell key={column.field} {...props} column={column} index={index} />
  );
  return (
    <section className="grid-totals" aria-label={en.grid.totals.label} style={geometryStyle(geometry)}>
      <div className="grid-totals-row" style={{ transform: `translateX(${-left}px)` }}>
        {columns.slice(from, to).map((column, i) => cell(column, from + i))}
      </div>
      <div className="grid-totals-row grid-totals-pinned">
        <span className="grid-gutter grid-totals-gutter numeric" title={en.grid.rows(rows)}>
          {countText(rows)}
        </span>
        {columns.slice(0, geometry.frozen).map(cell)}
      </div>
    </section>
  );
});

function TotalCell({ column, index, totals }: GridTotalsProps & { readonly column: Column; readonly index: number }) {
  const total = totals.find(({ field }) => field === column.field);
  const classes = column.align === 'right' ? 'grid-cell grid-right' : 'grid-cell';
  const style = { left: `var(--x${index})`, width: `var(--w${index})` };
  if (total === undefined || total.value === null) return <span className={classes} style={style} />;
  const { of, count, value } = total;
  const what = en.grid.totals.what[of](column.title, figureText('money', value), count);
  return (
    <span className={classes} style={style} title={what}>
      <span className="spoken-only">{what}</span>
      <span aria-hidden="true">
        <span className="grid-totals-sign">{en.grid.totals.sign[of]}</span>
        {totalText(value)}
      </span>
    </span>
  );
}
