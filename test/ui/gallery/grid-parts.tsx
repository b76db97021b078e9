import type { ViewRequest } from '../../../renderer/data/window-source.ts';
import { CellEditor, type CellEditorProps } from '../../../renderer/grid/CellEditor.tsx';
import { CopyProgress } from '../../../renderer/grid/CopyProgress.tsx';
import { type Column, columnsOf } from '../../../renderer/grid/columns.ts';
import { FillHandle } from '../../../renderer/grid/FillHandle.tsx';
import { Grid } from '../../../renderer/grid/Grid.tsx';
import { GridHeader } from '../../../renderer/grid/GridHeader.tsx';
import { GridRow, type GridRowProps } from '../../../renderer/grid/GridRow.tsx';
import { GridTotals } from '../../../renderer/grid/GridTotals.tsx';
import { geometryOf, geometryStyle } from '../../../renderer/grid/geometry.ts';
import { SIZE_UNKNOWN } from '../../../renderer/grid/use-grid-scroll.ts';
import { EmptyRows } from '../../../renderer/screens/frame/EmptyRows.tsx';
import type { ViewTotal } from '../../../shared/contract/views.ts';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import { A_MILLION_ROWS } from './a-million-rows.ts';
import { aRow, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged, Viewed } from './Stage.tsx';

const COLUMNS = columnsOf('keyword', false).slice(0, 4);
const GEOMETRY = geometryOf(COLUMNS, ({ width }) => width, 1, 800, 12);
const nothing = () => {};

/** A piece of the grid stands where the grid would have it. */
const inGrid = (height: number, part: React.ReactNode) => (
  <div
    role="grid"
    aria-label="A piece of the grid"
    style={{ ...geometryStyle(GEOMETRY), position: 'relative', height, overflow: 'auto' }}
  >
    {part}
  </div>
);

const header = (part: Partial<Parameters<typeof GridHeader>[0]>) =>
  inGrid(
    32,
    <GridHeader
      columns={COLUMNS}
      frozen={1}
      from={1}
      to={COLUMNS.length}
      sort={[]}
      activeCol={-1}
      onSort={nothing}
      onResize={nothing}
      onFit={nothing}
      onMove={nothing}
      onMenu={nothing}
      onSelectAll={nothing}
      {...part}
    />,
  );

const KEYWORD = aRow('keyword', { text: 'steel kettle', matchType: 'exact', bid: 165, state: 'enabled' });
const row = (part: Partial<GridRowProps>, changes: Partial<WindowRow> = {}) =>
  inGrid(
    30,
    <GridRow
      kind="keyword"
      row={{ ...KEYWORD, ...changes }}
      index={0}
      top={0}
      columns={COLUMNS}
      frozen={1}
      from={1}
      to={COLUMNS.length}
      activeCol={-1}
      left={1}
      right={0}
      edgeTop={false}
      edgeBottom={false}
      fast={false}
      media={new Map()}
      findings={undefined}
      figures={undefined}
      editor={null}
      {...part}
    />,
  );

function columnOf(kind: Kind, field: string): Column {
  const column = columnsOf(kind, false).find((each) => each.field === field);
  if (column === undefined) throw new Error(`${kind} has no column ${field}.`);
  return column;
}
const editor = (kind: Kind, field: string, value: CellEditorProps['value'], typed = false) => (
  <div style={{ position: 'relative', height: 28, width: 220 }}>
    <CellEditor
      kind={kind}
      column={columnOf(kind, field)}
      value={value}
      typed={typed}
      options={[{ id: 41, name: 'kettle-spot.mp4' }]}
      onCommit={nothing}
      onCancel={nothing}
      onLeave={nothing}
    />
  </div>
);

const RANGE = { top: 0, bottom: 1, left: 1, right: 2 };
const handle = (filling: typeof RANGE | null) => (
  <div style={{ ...geometryStyle(GEOMETRY), position: 'relative', height: 120, overflow: 'hidden' }}>
    <FillHandle
      geometry={GEOMETRY}
      range={RANGE}
      filling={filling}
      from={0}
      to={4}
      offset={0}
      left={0}
      onStart={nothing}
    />
  </div>
);

const totals = (total: Partial<ViewTotal>) => (
  <GridTotals
    columns={COLUMNS}
    geometry={GEOMETRY}
    from={1}
    to={COLUMNS.length}
    left={0}
    rows={1200}
    totals={[{ field: 'bid', of: 'average', count: 1180, value: 152, ...total }]}
  />
);

const selectSome: Parameters<typeof staged>[0]['arrange'] = (s) => {
  s.select({ row: 0, col: 1 }, false);
  s.select({ row: 2, col: 3 }, true);
};
const grid = (kind: Kind, filter = '') => (
  <div style={{ height: 220, display: 'flex', flexDirection: 'column' }}>
    <Viewed request={{ kind, filter }}>
      {(view) => (
        <Grid
          size={{ current: SIZE_UNKNOWN }}
          workspaceId={WORKSPACE}
          view={view}
          columns={columnsOf(kind, true)}
          media={new Map()}
          mediaFor={() => []}
          tell={nothing}
          onDeleteRows={nothing}
          onMoveColumn={nothing}
        />
      )}
    </Viewed>
  </div>
);

const NO_ROWS: ViewRequest = { kind: 'campaign', campaignId: null, filter: '', only: 'all', sort: [] };

/** The spreadsheet and its pieces. */
export const GRID_PARTS: readonly Part[] = [
  {
    name: 'Grid',
    isWide: true,
    states: {
      rows: staged({}, grid('keyword')),
      'a range': staged({ arrange: selectSome }, grid('adItem')),
      'no rows': staged({}, grid('keyword', 'no such text')),
      'a million rows': staged({ answers: A_MILLION_ROWS }, grid('keyword')),
    },
  },
  {
    name: 'CopyProgress',
    isWide: true,
    states: {
      'half way': staged(
        { arrange: (s) => s.noteCopying({ done: 95_000, total: 200_000, stop: nothing }) },
        <CopyProgress />,
      ),
    },
  },
  {
    name: 'GridHeader',
    isWide: true,
    states: {
      plain: header({}),
      'sorted by two': header({
        sort: [
          { column: 'bid', descending: true },
          { column: 'text', descending: false },
        ],
      }),
      'active column': header({ activeCol: 1 }),
    },
  },
  {
    name: 'GridRow',
    isWide: true,
    states: {
      clean: row({}),
      reading: row({ row: undefined }),
      active: row({ activeCol: 1, left: 1, right: 1 }),
      'in a range': row({ activeCol: 1, left: 1, right: 3, edgeTop: true, edgeBottom: true }),
      new: row({}, { dirty: NEW }),
      changed: row({}, { dirty: 1 }),
      deleted: row({}, { dirty: DELETED }),
      held: row({}, { dirty: HELD }),
      error: row({}, { severity: 'error' }),
      'in doubt': row({}, { outbox: 'in-doubt' }),
      'passing quickly': row({ fast: true }),
    },
  },
  {
    name: 'CellEditor',
    states: {
      text: editor('campaign', 'name', 'Kettles'),
      money: editor('keyword', 'bid', 165),
      'a key was typed': editor('keyword', 'bid', 165, true),
      choice: editor('keyword', 'matchType', 'exact'),
      file: editor('videoProfile', 'video', 41),
    },
  },
  {
    name: 'GridTotals',
    isWide: true,
    states: {
      average: totals({}),
      sum: totals({ of: 'sum', value: 540_000 }),
      'a long sum': totals({ of: 'sum', value: 1_234_567_890 }),
      'of nothing': totals({ count: 0, value: null }),
    },
  },
  { name: 'FillHandle', states: { 'at rest': handle(null), dragged: handle({ ...RANGE, bottom: 3 }) } },
  {
    name: 'EmptyRows',
    states: {
      'no campaign': staged({}, <EmptyRows request={NO_ROWS} />),
      'of an open campaign': staged({}, <EmptyRows request={{ ...NO_ROWS, kind: 'keyword', campaignId: 1 }} />),
      'of no campaign': staged({}, <EmptyRows request={{ ...NO_ROWS, kind: 'keyword' }} />),
      files: staged({}, <EmptyRows request={{ ...NO_ROWS, kind: 'media' }} />),
      narrowed: staged({}, <EmptyRows request={{ ...NO_ROWS, filter: 'bid>5' }} />),
    },
  },
];
