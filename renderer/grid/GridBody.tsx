import type { ReactNode } from 'react';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RowFigures } from '../data/use-row-figures.ts';
import type { RowFindings } from '../data/use-row-findings.ts';
import type { WindowSource } from '../data/window-source.ts';
import type { CellPlace, CellRange } from '../store/selection-slice.ts';
import type { Column, MediaNames } from './columns.ts';
import { FillHandle } from './FillHandle.tsx';
import { GridRow } from './GridRow.tsx';
import type { Geometry } from './geometry.ts';
import { canvasHeight, ROW_HEIGHT } from './scrolling.ts';
import type { GridPointer } from './use-grid-pointer.ts';
import type { GridFrame } from './use-grid-scroll.ts';

/** Rows that are recycled at least: a few more than a tall window shows. */
const POOL_MIN = 64;

interface GridBodyProps {
  readonly kind: Kind;
  readonly source: WindowSource;
  readonly columns: readonly Column[];
  readonly geometry: Geometry;
  readonly frame: GridFrame;
  /** The unpinned columns that are drawn. */
  readonly span: { readonly from: number; readonly to: number };
  readonly active: CellPlace;
  readonly range: CellRange;
  readonly media: MediaNames;
  readonly findings: RowFindings;
  readonly figures: RowFigures;
  readonly pointer: GridPointer;
  /** What stands in the active cell while it is edited. */
  readonly editor: ReactNode;
}

/** The rows of a view that are in sight, on a canvas as tall as all of them. Elements are recycled while it scrolls. */
export function GridBody(props: GridBodyProps) {
  const { kind, source, columns, geometry, frame, span, active, range, media, findings, figures, pointer } = props;
  const length = source.length();
  const pool = Math.max(POOL_MIN, frame.to - frame.from);
  const rows: ReactNode[] = [];
  for (let index = frame.from; index < Math.min(frame.to, length); index += 1) {
    const row = source.rowAt(index);
    const selected = index >= range.top && index <= range.bottom;
    const isActive = index === active.row;
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
        editor={isActive ? props.editor : null}
      />,
    );
  }
  return (
    <div
      role="rowgroup"
      className="grid-canvas"
      style={{ height: canvasHeight({ rows: length, viewport: 0 }), width: geometry.total }}
    >
      {rows}
      {!frame.fast && props.editor === null && length > 0 && (
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
  );
}
