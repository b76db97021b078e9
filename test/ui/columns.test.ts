import { expect, test } from 'vitest';
import { sortedBy } from '../../renderer/app/store/navigation-slice.ts';
import { readInput } from '../../renderer/grid/cell-input.ts';
import {
  cellText,
  columnsOf,
  groupingOf,
  metricCell,
  movedColumn,
  orderedColumns,
  type RowMetrics,
  shownColumns,
  stateOf,
  stillExpected,
} from '../../renderer/grid/columns.ts';
import { columnSpan, geometryOf } from '../../renderer/grid/geometry.ts';
import { metricOfField } from '../../shared/reports/account-metrics.ts';
import { aWindowRow } from './a-window-row.ts';

const plain = { columnShown: {}, columnOrder: {}, groupBy: {}, hasMetrics: false };
const fields = (columns: readonly { readonly field: string }[]) => columns.map(({ field }) => field);

test('a moved column takes the place of another and hidden columns keep their neighbours', () => {
  const all = orderedColumns('keyword', 1, plain);
  const shown = shownColumns('keyword', 1, { ...plain, columnShown: { 'keyword.matchType': false } });
  expect(fields(shown).slice(0, 2)).toEqual(['text', 'bid']);
  const order = movedColumn(all, shown, 0, 1);
  expect(order.slice(0, 3)).toEqual(['matchType', 'bid', 'text']);
  expect(order).toHaveLength(all.length);
});

test('keywords and multipliers of all campaigns are grouped by campaign, until the user says otherwise', () => {
  for (const kind of ['keyword', 'placementMultiplier', 'platformMultiplier'] as const) {
    expect(groupingOf(kind, null, {})).toBe('campaign');
    expect(groupingOf(kind, 1, {})).toBeNull();
    expect(groupingOf(kind, null, { [kind]: null })).toBeNull();
  }
  expect(groupingOf('sbaProfile', null, {})).toBeNull();
});

test('a field that a stored order does not know is still shown', () => {
  const ordered = orderedColumns('keyword', 1, { ...plain, columnOrder: { keyword: ['bid', 'text'] } });
  expect(fields(ordered)).toEqual(expect.arrayContaining([...fields(columnsOf('keyword', false))]));
  expect(fields(ordered)[0]).toBe('bid');
});

test('metrics are in view with a report, others when they are wanted, for kinds that are reported on', () => {
  expect(fields(shownColumns('keyword', 1, plain)).filter((field) => field.startsWith('metric.'))).toEqual([]);
  const shown = { ...plain, hasMetrics: true, columnShown: { 'keyword.metric.ctr': true } };
  expect(fields(shownColumns('keyword', 1, shown))).toEqual([
    'text',
    'matchType',
    'bid',
    'metric.suggestedBid',
    'rowState',
    'metric.clicks',
    'metric.spend',
    'metric.sales',
    'metric.roas',
    'metric.trend',
    'metric.ctr',
  ]);
  expect(fields(orderedColumns('sbaProfile', 1, plain))).toEqual(fields(columnsOf('sbaProfile', false)));
});

test('a metric is written by its unit, its change as a percentage, and its absence is no nought', () => {
  const metrics: RowMetrics = {
    ...{ notSettled: 1234, trend: [], metrics: { spend: 123_456, ctr: 120, impressions: 0, sales: 150 } },
    previous: { spend: 100_000, impressions: 0, sales: 200 },
    windows: { 30: { metrics: { sales: 900 }, previous: null, notSettled: 0 } },
  };
  const cell = (field: string): string => {
    const key = metricOfField(field);
    if (key === null) throw new Error(`${field} is no metric`);
    return metricCell(key, metrics);
  };
  expect(['spend', 'ctr', 'impressions', 'clicks'].map((name) => cell(`metric.${name}`))).toEqual([
    ...['$1,234.56', '1.20%', '0', '–'],
  ]);
  expect(['spend', 'sales', 'impressions', 'ctr'].map((name) => cell(`metric.${name}.change`))).toEqual([
    ...['+23%', '−25%', '–', '–'],
  ]);
  expect([cell('metric.sales.30'), cell('metric.sales.3')]).toEqual(['$9.00', '–']);
  expect(metricCell({ name: 'impressions', window: null, isChange: false }, undefined)).toBe('–');
  const columns = columnsOf('keyword', false).filter(({ field }) => /^metric\.(spend|roas|sales\.30)$/.test(field));
  expect(columns.map((column) => stillExpected(column, metrics))).toEqual([0, 1234, 0]);
});

test('frozen columns are left out of the sideways span, and a narrow grid freezes fewer of them', () => {
  const columns = columnsOf('keyword', true);
  const wide = geometryOf(columns, () => 100, 3, 2000, 100);
  expect(wide.frozen).toBe(3);
  expect(wide.pinned).toBe(40 + 300);
  expect(columnSpan(wide, 0, 2000).from).toBe(3);
  expect(geometryOf(columns, () => 100, 3, 300, 100).frozen).toBe(1);
});

test('a first column as wide as the grid is not frozen, so that the numbers of the rows stay in view', () => {
  const columns = columnsOf('keyword', true);
  const narrow = geometryOf(columns, () => 500, 1, 550, 100);
  expect(narrow.frozen).toBe(0);
  expect(narrow.pinned).toBe(narrow.gutter);
  expect(columnSpan(narrow, 0, 550).from).toBe(0);
  expect(geometryOf(columns, () => 400, 1, 550, 100).frozen).toBe(1);
});

test('the row head is 40 px, and wider where the numbers of the rows need it', () => {
  const gutterOf = (rows: number): number => geometryOf([], () => 100, 1, 2000, rows).gutter;
  expect(gutterOf(0)).toBe(40);
  expect(gutterOf(999)).toBe(40);
  const [thousands, more] = [gutterOf(9_999), gutterOf(99_999)];
  // Two digits and a comma more.
  expect(gutterOf(1_000_000) - more).toBe(3 * (more - thousands));
});

test('what the last column is wider than it should be is known, so that its numbers do not go along', () => {
  const columns = shownColumns('placementMultiplier', 1, plain);
  const { stretch, widths } = geometryOf(columns, ({ width }) => width, 1, 1068, 2);
  expect([stretch, widths]).toEqual([1068 - 40 - 340 - 120, [340, 1068 - 40 - 340]]);
  expect(geometryOf(columns, () => 700, 1, 1068, 2).stretch).toBe(0);
});

test('columns share the room of a wide window, until a width is chosen', () => {
  const columns = shownColumns('campaign', null, { ...plain, hasMetrics: true });
  const line = columns.findIndex(({ figure }) => figure === 'trend');
  const own = columns.map(({ width }) => width);
  const taken = own.reduce((sum, width) => sum + width, 40);
  const grown = (more: number) => {
    const { widths } = geometryOf(columns, () => undefined, 1, taken + more, 6);
    return widths.map((width, at) => width - (own[at] ?? 0));
  };
  const [name = 0, type = 0] = grown(100);
  expect(name).toBeGreaterThan(type);
  expect(type).toBeGreaterThan(0);
  expect(grown(100).reduce((sum, more) => sum + more, 0)).toBe(100);
  // Nothing grows without end but the last one, which reaches the edge of the grid.
  expect(grown(2000).slice(0, -1)).toEqual(grown(1000).slice(0, -1));
  expect(grown(2000)[line]).toBe(120);
  const chosen = geometryOf(columns, ({ figure, width }) => (figure === 'trend' ? 70 : width), 1, taken + 500, 6);
  expect(chosen.widths.slice(0, -1)).toEqual(own.slice(0, -1).with(line, 70));
});

test('default columns fit a window of 1280 px beside the sidebar, and the last one ends at the edge of the grid', () => {
  const shown = { ...plain, hasMetrics: true, groupBy: { keyword: 'campaign' } } as const;
  for (const kind of ['campaign', 'adItem', 'keyword', 'sbaProfile', 'videoProfile', 'media'] as const) {
    const columns = shownColumns(kind, null, shown);
    for (const width of [1067, 1700]) {
      for (const rows of [500, 200_000]) {
        const { lefts, widths } = geometryOf(columns, () => undefined, 1, width, rows);
        expect((lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0)).toBe(width);
      }
    }
  }
});

test('a column is sorted up, down and not at all, alone or beside others', () => {
  const up = sortedBy([], 'bid', false);
  expect(up).toEqual([{ column: 'bid', descending: false }]);
  expect(sortedBy(up, 'bid', false)).toEqual([{ column: 'bid', descending: true }]);
  expect(sortedBy([{ column: 'bid', descending: true }], 'bid', false)).toEqual([]);
  const both = sortedBy(up, 'text', true);
  expect(both.map(({ column }) => column)).toEqual(['bid', 'text']);
  expect(sortedBy(sortedBy(both, 'text', true), 'text', true)).toEqual(up);
  const most = sortedBy([], 'metric.clicks', false);
  expect(most).toEqual([{ column: 'metric.clicks', descending: true }]);
  expect(sortedBy(most, 'metric.clicks', false)).toEqual([{ column: 'metric.clicks', descending: false }]);
  expect(sortedBy([{ column: 'metric.clicks', descending: false }], 'metric.clicks', false)).toEqual([]);
  let many = up;
  for (const column of ['a', 'b', 'c', 'd', 'e', 'f']) many = sortedBy(many, column, true);
  expect(many).toHaveLength(5);
});

test('a money cell reads plain amounts and sums; other cells read text only', () => {
  const value = (text: string, before: number | null) => {
    const read = readInput('keyword', 'bid', text);
    return read.ok ? read.value.valueFor(before) : read.error;
  };
  expect(value('1.50', 99)).toBe(150);
  expect(value('', 99)).toBe(null);
  expect(value('+10%', 150)).toBe(165);
  expect(value('1.2*1.05', 7)).toBe(126);
  expect(value('-0.05', 150)).toBe(145);
  expect(value('+0.05', 150)).toBe(155);
  expect(value('-2', 150)).toBeUndefined();
  expect(value('+10%', null)).toBeUndefined();
  expect(value('1,50', 99)).toContain('can mean two amounts');
  const text = readInput('campaign', 'name', '+10%');
  expect(text.ok && text.value.valueFor(null)).toBe('+10%');
});

test('a campaign shows its state, and says where that is an estimate; the word of the service stays hidden', () => {
  const [column] = shownColumns('campaign', null, plain).filter(({ field }) => field === 'campaignState');
  if (column === undefined) throw new Error('the state has no column');
  const row = (values: Readonly<Record<string, string>>) => aWindowRow('campaign', 1, values);
  const text = (values: Readonly<Record<string, string>>) => cellText('campaign', column, row(values), new Map());
  expect(text({ campaignState: 'live', stateSource: 'service', serviceStatus: 'live' })).toBe('Live');
  expect(text({ campaignState: 'live', stateSource: 'estimated', serviceStatus: 'enabled' })).toBe('Live (estimated)');
  expect(text({ campaignState: 'in-review', stateSource: 'estimated' })).toBe('In review (estimated)');
  expect(text({})).toBe('Draft');
  const asOf = '2030-05-01T08:00:00.000Z';
  expect(stateOf(row({ campaignState: 'ended', stateSource: 'estimated', stateAsOf: asOf }))).toMatchObject({
    isEstimated: true,
    asOf,
  });
  expect(fields(shownColumns('campaign', null, plain))).not.toContain('serviceStatus');
});
