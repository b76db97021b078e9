import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { figureOfField } from '../../../shared/reports/figure-column.ts';
import { deleteRows } from '../../app/bulk-doings.ts';
import { useAppContext, useViewOf } from '../../app/desk.ts';
import { moveColumn } from '../../app/grid-doings.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { useFigureReport } from '../../data/use-figure-report.ts';
import { useMedia } from '../../data/use-media.ts';
import { useSourceVersion, useWindowSource } from '../../data/use-window-source.ts';
import type { OpenView } from '../../data/window-source.ts';
import { CopyProgress } from '../../grid/CopyProgress.tsx';
import { shownColumns } from '../../grid/columns.ts';
import { Grid } from '../../grid/Grid.tsx';
import { hasMatrix } from '../../grid/has-matrix.ts';
import { type GridSize, SIZE_UNKNOWN } from '../../grid/use-grid-scroll.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { lazyComponent } from '../../ui/later.tsx';
import { ApplyPendingSelection } from '../navigation/RunErrand.tsx';
import { FigureBar } from '../reports/FigureBar.tsx';
import { EmptyRows } from './EmptyRows.tsx';
import { GridMenu } from './GridMenu.tsx';
import { KeepActiveRow } from './KeepActiveRow.tsx';
import { ViewBar } from './ViewBar.tsx';

/** Comes when it is first wanted. */
const MatrixScreen = lazyComponent(async () => (await import('../matrix/MatrixScreen.tsx')).MatrixScreen);

interface RowsScreenProps {
  readonly workspaceId: string;
  readonly onView: (view: OpenView | null) => void;
}

/** The rows of the chosen list or campaign: the bar that narrows them, and the grid. */
export function RowsScreen({ workspaceId, onView }: RowsScreenProps) {
  const { openView } = useAppContext();
  const request = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    filter: s.filter,
    only: s.only,
    sort: s.sort,
  }));
  const byFigure = request.sort.some(({ column }) => figureOfField(column) !== null);
  const { chosen } = useFigureReport(workspaceId, request.kind, byFigure);
  const view = useWindowSource(workspaceId, { ...request, report: byFigure ? (chosen?.id ?? null) : null });
  useEffect(() => {
    openView.current = view;
    onView(view);
    return () => {
      openView.current = null;
    };
  }, [view, onView, openView]);
  const { matrix, kind, campaignId } = useViewOf((s) => ({
    matrix: s.matrix,
    kind: s.kind,
    campaignId: s.campaignId,
  }));
  const gridSize = useRef(SIZE_UNKNOWN);
  const matrixOf = matrix && hasMatrix(kind) ? campaignId : null;
  return (
    <>
      <ViewBar workspaceId={workspaceId} view={view} />
      {view !== null && <ApplyPendingSelection view={view} />}
      {matrixOf === null ? null : <MatrixScreen workspaceId={workspaceId} kind={kind} campaignId={matrixOf} />}
      {matrixOf !== null ? null : view === null ? (
        <div className="empty">{en.grid.loading}</div>
      ) : (
        <Rows workspaceId={workspaceId} view={view} gridSize={gridSize} />
      )}
    </>
  );
}

interface RowsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly gridSize: RefObject<GridSize>;
}

function Rows({ workspaceId, view, gridSize }: RowsProps) {
  const desk = useAppContext();
  const { store } = desk;
  const context = useCommandContext();
  const { source } = view;
  const { kind, campaignId } = source.request;
  useSourceVersion(source);
  const layout = useViewOf((s) => ({ columnShown: s.columnShown, columnOrder: s.columnOrder }));
  const { names, filesFor } = useMedia(workspaceId);
  const columns = useMemo(() => shownColumns(kind, campaignId, layout), [kind, campaignId, layout]);
  const tell = useCallback((text: string) => store.getState().announce(text), [store]);

  const problem = source.problem();
  if (problem !== null) return <Empty title={en.grid.cannotShow} text={errorText(problem)} />;
  if (source.length() === 0) return <EmptyRows request={source.request} />;
  return (
    <>
      <KeepActiveRow view={view} />
      <FigureBar workspaceId={workspaceId} />
      <GridMenu />
      <Grid
        key={`${kind} ${campaignId}`}
        workspaceId={workspaceId}
        view={view}
        columns={columns}
        media={names}
        size={gridSize}
        mediaFor={filesFor}
        tell={tell}
        onDeleteRows={() => deleteRows(context)}
        onMoveColumn={(from, to) => moveColumn(desk, from, to)}
      />
      <CopyProgress />
    </>
  );
}
