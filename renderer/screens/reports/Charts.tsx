import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useState } from 'react';
import type { ReportMetric, ReportView } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { type DayForm, Days } from './Days.tsx';
import { FigureChoice } from './FigureChoice.tsx';
import { Funnel } from './Funnel.tsx';
import { chartText, drawn, figureName, rowName } from './figures.ts';
import { Multiples } from './Multiples.tsx';

interface ChartsProps {
  readonly view: ReportView;
  readonly figures: readonly ReportMetric[];
  /** The column on the left axis, by which campaigns are compared as well. */
  readonly figure: string;
  readonly onFigure: (column: string) => void;
}

const TOP = 8;
const FORMS = (['line', 'bar'] as const).map((value) => ({ value, name: enReports.drawnAsNames[value] }));

/** Figures over the days, the biggest rows, the biggest campaigns side by side, and how far videos are watched. */
export function Charts({ view, figures, figure, onFigure }: ChartsProps) {
  const [second, setSecond] = useState('clicks');
  const [form, setForm] = useState<DayForm>('line');
  const left = view.figures.find(({ column }) => column === figure) ?? figures[0];
  if (left === undefined) return null;
  const right = view.figures.find(({ column }) => column === second && column !== left.column);
  const top = view.page.slice(0, TOP).map((group) => ({
    name: group.label === '' ? enReports.noName : rowName(group.label),
    [left.column]: drawn(left, group.figures[left.column]) ?? 0,
  }));
  return (
    <div className="reports-charts">
      <section className="reports-chart reports-chart-wide">
        <header>
          <h2>{enReports.days}</h2>
          <ChipChoice label={enReports.drawnAs} choices={FORMS} chosen={form} onChoose={setForm} />
          <FigureChoice label={enReports.drawn} figures={view.figures} value={left.column} onChange={onFigure} />
          <FigureChoice label={enReports.drawnRight} figures={view.figures} value={second} onChange={setSecond} none />
        </header>
        {view.days.length === 0 ? (
          <p className="quiet">{enReports.daysHint}</p>
        ) : (
          <Days days={view.days} left={left} right={right ?? null} form={form} />
        )}
      </section>
      {top.length > 1 && (
        <section className="reports-chart">
          <h2>{enReports.top(figureName(left))}</h2>
          <BarChart
            h={200}
            data={top}
            dataKey="name"
            orientation="vertical"
            xAxisProps={{ niceTicks: 'snap125', tickCount: 6 }}
            yAxisProps={{ width: 160, interval: 0 }}
            series={[{ name: left.column, label: figureName(left), color: 'var(--accent)' }]}
            valueFormatter={chartText}
            barProps={{ isAnimationActive: false }}
            maxBarWidth={22}
            gridAxis="y"
          />
        </section>
      )}
      <Funnel total={view.total.figures} />
      {view.multiples.length > 1 && <Multiples campaigns={view.multiples} figure={left} />}
    </div>
  );
}
