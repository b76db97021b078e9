import type { PointerEvent, ReactNode } from 'react';
import type { ViewGroup } from '../../shared/api/views.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { CellPlace, CellRange } from '../app/store/selection-slice.ts';
import type { Column, MediaNames } from './columns.ts';
import { GridRow } from './GridRow.tsx';
import { GroupRow } from './GroupRow.tsx';
import type { Geometry } from './geometry.ts';
import styles from './grid.module.css';
import type { ImpactsOf } from './ImpactLens.tsx';
import type { Lines } from './lines.ts';
import { canvasHeight } from './scrolling.ts';
import { gridTexts } from './text.ts';
import type { GhostOf } from './use-ghosts.ts';
import type { GridPointer } from './use-grid-pointer.ts';
import { type GridFrame, HEADER_HEIGHT } from './use-grid-scroll.ts';
import type { MetricsSource } from './use-row-metrics.ts';
import type { SuggestionOf } from './use-suggestions.tsx';
import type { useRowIssues } from './use-window.ts';
import type { WindowSource } from './window.ts';

/** Smallest number of recycled row elements: a few more than fit in a tall window. */
const POOL_MIN = 64;

interface GridBodyProps {
  readonly kind: Kind;
  readonly source: WindowSource;
  readonly lines: Lines;
  /** The line of the active cell, or of the header of its folded group. */
  readonly activeLine: number;
  readonly groups: ReadonlyMap<number, ViewGroup>;
  readonly activeGroup: number | null;
  readonly onFold: (group: number, fold: boolean) => void;
  readonly columns: readonly Column[];
  readonly geometry: Geometry;
  readonly frame: GridFrame;
  /** The unpinned columns that are drawn. */
  readonly span: { readonly from: number; readonly to: number };
  readonly active: CellPlace;
  readonly range: CellRange;
  readonly media: MediaNames;
  readonly picture: { readonly workspaceId: string; readonly size: number } | null;
  readonly issueText: ReturnType<typeof useRowIssues>;
  readonly figures: MetricsSource;
  readonly suggestionOf: SuggestionOf;
  readonly target: number | null;
  readonly ghostOf: GhostOf;
  readonly impactsOf: ImpactsOf;
  readonly pointer: GridPointer;
  readonly editor: ReactNode;
}

/**
 * The visible rows of a view, on a canvas as high as all rows. Row elements are recycled while scrolling. The line of the
 * active cell is always drawn, for screen readers: out of view, it has a place above the grid, where it does not scroll.
 */
export function GridBody(props: GridBodyProps) {
  const { kind, source, columns, geometry, frame, span, active, range, media, figures, pointer, lines } = props;
  const { activeLine } = props;
  const { length } = lines;
  const last = source.length() - 1;
  const onLines = (rows: CellRange): CellRange => ({
    ...rows,
    top: lines.ofRow(rows.top),
    bottom: lines.ofRow(Math.min(rows.bottom, Math.max(0, last))),
  });
  const pool = Math.max(POOL_MIN, frame.to - frame.from);
  const end = Math.min(frame.to, length);
  const draw = (at: number): ReactNode => {
    const line = lines.at(at);
    const isOutside = at < frame.from || at >= end;
    const top = isOutside ? -HEADER_HEIGHT - frame.row : at * frame.row - frame.offset;
    const key = isOutside ? 'active' : at % pool;
    if (line.is === 'group') {
      const { group } = line;
      const { group: by = null } = source.request;
      return (
        <GroupRow
          key={key}
          group={group}
          line={at}
          top={top}
          by={by ?? 'campaign'}
          count={lines.countOf(group)}
          isFolded={lines.isFolded(group)}
          isActive={at === activeLine}
          known={props.groups.get(group)}
          campaignName={by === 'campaign' ? source.rowAt(lines.rowsOf(group).from)?.campaignName : undefined}
          columns={columns}
          frozen={geometry.frozen}
          from={span.from}
          to={span.to}
          picture={props.picture}
          onFold={props.onFold}
        />
      );
    }
    const index = line.row;
    const row = source.rowAt(index);
    const selected = index >= range.top && index <= range.bottom;
    const isActive = index === active.row && props.activeGroup === null;
    const above = source.rowAt(index - 1);
    return (
      <GridRow
        key={key}
        line={at}
        isNested={lines.groups > 0}
        kind={kind}
        row={row}
        index={index}
        top={top}
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
        picture={props.picture}
        issues={row === undefined ? undefined : source.issuesOf(row)}
        issueText={props.issueText}
        suggestion={row === undefined ? undefined : props.suggestionOf(row.id)}
        offersTarget={above?.remoteId == null || above.campaignId !== row?.campaignId}
        target={props.target}
        figures={row === undefined ? undefined : figures.of(row)}
        impacts={row === undefined ? undefined : props.impactsOf(row.id)}
        ghost={row === undefined ? undefined : props.ghostOf(row, index)}
        editor={isActive && !isOutside ? props.editor : null}
      />
    );
  };
  const shown = Array.from({ length: Math.max(0, end - frame.from) }, (_, i) => frame.from + i);
  if (length > 0 && activeLine < frame.from) shown.unshift(activeLine);
  else if (length > 0 && activeLine >= end) shown.push(activeLine);
  return (
    <div
      role="rowgroup"
      className={styles['grid-canvas']}
      style={{ height: canvasHeight({ rows: length, row: frame.row }), width: geometry.total }}
    >
      {shown.map(draw)}
      {!frame.fast && props.editor === null && length > 0 && props.activeGroup === null && (
        <FillHandle
          geometry={geometry}
          range={onLines(range)}
          filling={pointer.filling === null ? null : onLines(pointer.filling)}
          from={frame.from}
          to={Math.min(frame.to, length)}
          row={frame.row}
          offset={frame.offset}
          left={frame.left}
          onStart={pointer.startFill}
        />
      )}
    </div>
  );
}

interface FillHandleProps {
  readonly geometry: Geometry;
  readonly range: CellRange;
  /** The target range of a fill while it is dragged. */
  readonly filling: CellRange | null;
  /** The range of drawn rows, and the offset subtracted from each row's top so that it is inside the canvas. */
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly offset: number;
  /** Horizontal scroll offset. */
  readonly left: number;
  readonly onStart: (event: PointerEvent) => void;
}

/** The square at the corner of the selection that is dragged to fill; on the keyboard, Ctrl+D fills. */
function FillHandle({ geometry, range, filling, from, to, row, offset, left, onStart }: FillHandleProps) {
  const { lefts, widths, frozen, pinned } = geometry;
  // Frozen columns do not scroll, so their position is relative to the viewport.
  const xOf = (col: number): number => (lefts[col] ?? 0) + (col < frozen ? left : 0);
  const right = xOf(range.right) + (widths[range.right] ?? 0);
  const beneath = range.right >= frozen && right < left + pinned;
  const drawn = range.bottom >= from && range.bottom < to;
  const x = xOf(range.left);
  // The canvas covers only the drawn rows.
  const top = Math.max(from, filling?.top ?? 0);
  const bottom = Math.min(to - 1, filling?.bottom ?? 0);
  return (
    <>
      {filling !== null && (
        <div
          className={styles['grid-filling']}
          style={{
            transform: `translate(${x}px, ${top * row - offset}px)`,
            width: right - x,
            height: Math.max(0, bottom - top + 1) * row,
          }}
        />
      )}
      {drawn && !beneath && (
        <div
          className={styles['grid-fill']}
          title={gridTexts.fillHandle}
          style={{ transform: `translate(${right - 10}px, ${(range.bottom + 1) * row - offset - 10}px)` }}
          onPointerDown={onStart}
        />
      )}
    </>
  );
}
