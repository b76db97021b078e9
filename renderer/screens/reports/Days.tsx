import { CompositeChart } from '@mantine/charts';
import type { ReportMetric, ReportView } from '../../../shared/contract/reports.ts';
import { fullDayText } from '../../messages/numbers.ts';
import { chartText, drawn, figureName } from './figures.ts';

interface DaysProps {
  readonly days: ReportView['days'];
  readonly left: ReportMetric;
  readonly right: ReportMetric | null;
  /** How the figure of the left axis is drawn; the other one is always a line, so that both are told apart. */
  readonly form: DayForm;
}

export type DayForm = 'line' | 'bar';

/** One or two figures over the days, each on an axis of its own; told apart by colour, dashes and the legend. */
export function Days({ days, left, right, form }: DaysProps) {
  const both = right === null ? [left] : [left, right];
  const data = days.map(({ day, figures }) => ({
    day: fullDayText(day),
    ...Object.fromEntries(both.map((figure) => [figure.column, drawn(figure, figures[figure.column])])),
  }));
  const second =
    right === null
      ? []
      : [
          {
            name: right.column,
            label: figureName(right),
            color: 'var(--changed)',
            type: 'line' as const,
            yAxisId: 'right',
            strokeDasharray: '5 4',
          },
        ];
  return (
    <CompositeChart
      h={220}
      data={data}
      dataKey="day"
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      withLegend
      withRightYAxis={right !== null}
      series={[{ name: left.column, label: figureName(left), color: 'var(--accent)', type: form }, ...second]}
      curveType="linear"
      withDots={days.length === 1}
      valueFormatter={chartText}
      maxBarWidth={22}
      barProps={{ isAnimationActive: false }}
    />
  );
}
