import { expect, test } from 'vitest';
import {
  axisEnd,
  axisText,
  drawn,
  drawnText,
  rowName,
  shownFigure,
  showsWindow,
  windowsOf,
  withWindow,
} from '../../renderer/features/reports/figures.ts';
import type { ReportMetric } from '../../shared/api/reports.ts';

const figure = (metric: string, window: ReportMetric['window'] = null): ReportMetric => ({
  column: `${metric}${window ?? ''}`,
  metric,
  window,
  unit: 'count',
  derived: false,
  known: true,
});
const counted = (metric: string) => (['3days', '14days', '30days'] as const).map((window) => figure(metric, window));
const FIGURES = [figure('clicks'), ...counted('attributedSales'), ...counted('attributedUnits')];

test('a window is switched on for every metric that is shown in another one, and off for all of them', () => {
  const shown = ['clicks', 'attributedUnits14days'];
  const both = withWindow(FIGURES, shown, '30days');
  expect(both).toEqual(['clicks', 'attributedUnits14days', 'attributedUnits30days']);
  expect(showsWindow(FIGURES, both, '30days')).toBe(true);
  expect(withWindow(FIGURES, both, '14days')).toEqual(['clicks', 'attributedUnits30days']);
});

test('where nothing counted is shown, a window brings what is shown at first', () => {
  expect(withWindow(FIGURES, ['clicks'], '3days')).toEqual(['clicks', 'attributedSales3days']);
});

test('only windows of the report are offered', () => {
  expect(windowsOf(FIGURES)).toEqual(['3days', '14days', '30days']);
  expect(windowsOf([figure('clicks')])).toEqual([]);
});

test('a small axis ends at a round number above what it shows', () => {
  expect([0, 0.07, 1, 58.9, 60, 61, 990, 1000, 120_000].map(axisEnd)).toEqual([
    1, 0.08, 1, 60, 60, 80, 1000, 1000, 200_000,
  ]);
});

test('an axis says the unit of its metric, and cents only between small steps', () => {
  const said = (unit: ReportMetric['unit'], ...values: readonly number[]) =>
    values.map((value) => axisText({ ...figure('spend'), unit }, value));
  expect(said('money', 0, 0.25, 36, 2000)).toEqual([
    expect.stringMatching(/^\D*0\D*$/),
    expect.stringMatching(/0[.,]25/),
    expect.stringMatching(/^\D*36\D*$/),
    expect.stringContaining('2'),
  ]);
  expect(said('money', 36)[0]).toContain('$');
  expect(said('percent', 25)).toEqual(['25%']);
  expect(said('count', 25)).toEqual(['25']);
});

test('a value of a chart is said as in the tables, with its unit', () => {
  const said = (unit: ReportMetric['unit'], value: number): readonly string[] => {
    const metric = { ...figure('spend'), unit };
    return [drawnText(metric, drawn(metric, value) ?? 0), shownFigure(metric, value)];
  };
  expect(said('money', 2667)).toEqual(['$26.67', '$26.67']);
  expect(said('percent', 134)).toEqual(['1.34%', '1.34%']);
  expect(said('ratio', 320)).toEqual(['3.20', '3.20']);
  expect(said('count', 1234)).toEqual(['1,234', '1,234']);
});

test('rows that are days are called as days are everywhere, all others as the report calls them', () => {
  expect(rowName('2030-05-04')).not.toBe('2030-05-04');
  expect(rowName('2030-13-04')).toBe('2030-13-04');
  expect(rowName('Spring video')).toBe('Spring video');
});
