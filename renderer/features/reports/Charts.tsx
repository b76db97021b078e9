import '@mantine/charts/styles.css';
import { BarChart, ChartTooltip, CompositeChart, LineChart } from '@mantine/charts';
import { useState } from 'react';
import type { ReportMetric, ReportView } from '../../../shared/api/reports.ts';
import { countText, figureText, fullDayText, shortDayText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Choice } from '../../components/Choice.tsx';
import ui from '../../components/ui.module.css';
import { axisEnd, axisText, drawn, drawnText, figureName, figureTexts, funnelOf, rowName } from './figures.ts';
import styles from './reports.module.css';

const texts = {
  days: 'Daily',
  daysHint: 'Get a report with Daily breakdown to see metrics over time.',
  drawnAs: 'Chart type',
  drawnAsNames: { line: 'Line', bar: 'Bar' },
  drawn: 'Left axis',
  drawnRight: 'Right axis',
  nothing: 'None',
  multiples: (figure: string) => `Top campaigns by ${figure}`,
  funnel: 'Video completion',
  top: (figure: string) => `Top rows by ${figure}`,
} as const;

interface ChartsProps {
  readonly view: ReportView;
  readonly figures: readonly ReportMetric[];
  /** The column on the left axis, by which campaigns are compared as well. */
  readonly figure: string;
  readonly onFigure: (column: string) => void;
  /** Names of campaigns in a report that has only their IDs. */
  readonly names: ReadonlyMap<string, string>;
}

/** Grid lines as on the overview. */
const GRID_LINES = { gridColor: 'var(--c-grid)', strokeDasharray: '0', tickLine: 'none' } as const;
const FORMS = (['line', 'bar'] as const).map((value) => ({ value, name: texts.drawnAsNames[value] }));

/** Metrics by day, the largest rows, the largest campaigns side by side, and how long videos are watched. */
export function Charts({ view, figures, figure, onFigure, names }: ChartsProps) {
  const [second, setSecond] = useState('clicks');
  const [form, setForm] = useState<DayForm>('line');
  const left = view.figures.find(({ column }) => column === figure) ?? figures[0];
  if (left === undefined) return null;
  const right = view.figures.find(({ column }) => column === second && column !== left.column);
  const top = view.top.map((group) => ({
    name: group.label === '' ? figureTexts.noName : (names.get(group.label) ?? rowName(group.label)),
    [left.column]: drawn(left, group.figures[left.column]) ?? 0,
  }));
  return (
    <div className={styles['reports-charts']}>
      <section className={`${styles['reports-chart']} ${styles['reports-chart-wide']}`}>
        <header>
          <h2>{texts.days}</h2>
          <ChipChoice label={texts.drawnAs} choices={FORMS} chosen={form} onChoose={setForm} />
          <FigureChoice label={texts.drawn} figures={view.figures} value={left.column} onChange={onFigure} />
          <FigureChoice label={texts.drawnRight} figures={view.figures} value={second} onChange={setSecond} none />
        </header>
        {view.days.length === 0 ? (
          <p className={ui['quiet']}>{texts.daysHint}</p>
        ) : (
          <Days days={view.days} left={left} right={right ?? null} form={form} />
        )}
      </section>
      {top.length > 1 && (
        <section className={styles['reports-chart']}>
          <h2>{texts.top(figureName(left))}</h2>
          <BarChart
            h={40 + 32 * top.length}
            data={top}
            dataKey="name"
            orientation="vertical"
            xAxisProps={{ niceTicks: 'snap125', tickCount: 6, tickFormatter: (value: number) => axisText(left, value) }}
            yAxisProps={{ width: 160, interval: 0 }}
            series={[{ name: left.column, label: figureName(left), color: 'var(--c-sales)' }]}
            valueFormatter={(value) => drawnText(left, value)}
            barProps={{ isAnimationActive: false }}
            maxBarWidth={22}
            gridAxis="y"
            {...GRID_LINES}
          />
        </section>
      )}
      <Funnel total={view.total.figures} />
      {view.multiples.length > 1 && <Multiples campaigns={view.multiples} figure={left} />}
    </div>
  );
}

interface DaysProps {
  readonly days: ReportView['days'];
  readonly left: ReportMetric;
  readonly right: ReportMetric | null;
  /** The form of the left axis's metric. The other one is always a line, to distinguish them. */
  readonly form: DayForm;
}

type DayForm = 'line' | 'bar';

/** A point under the pointer, as the chart describes it. */
interface Point {
  readonly name?: string | number;
  readonly value?: unknown;
}

/** One or two metrics by day, each on its own axis, distinguished by color, dashes and the legend. */
function Days({ days, left, right, form }: DaysProps) {
  const both = right === null ? [left] : [left, right];
  const data = days.map(({ day, figures }) => ({
    day: shortDayText(day),
    ...Object.fromEntries(both.map((figure) => [figure.column, drawn(figure, figures[figure.column])])),
  }));
  const second =
    right === null
      ? []
      : [
          {
            name: right.column,
            label: figureName(right),
            color: 'var(--changed-mark)',
            type: 'line' as const,
            yAxisId: 'right',
            strokeDasharray: '5 4',
          },
        ];
  const series = [{ name: left.column, label: figureName(left), color: 'var(--c-sales)', type: form }, ...second];
  // A chart has one formatter for all its values, but each axis has its own unit.
  const said = (points: readonly Point[]) =>
    points.map((point) => {
      const figure = both.find(({ column }) => column === point.name);
      return figure === undefined
        ? point
        : { ...point, payload: { [figure.column]: drawnText(figure, Number(point.value)) } };
    });
  return (
    <CompositeChart
      h={220}
      data={data}
      dataKey="day"
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ tickFormatter: (value: number) => axisText(left, value) }}
      rightYAxisProps={right === null ? {} : { tickFormatter: (value: number) => axisText(right, value) }}
      withLegend
      withRightYAxis={right !== null}
      series={series}
      curveType="linear"
      withDots={days.length === 1}
      tooltipProps={{
        content: ({ label, payload }) => <ChartTooltip label={label} payload={said(payload)} series={series} />,
      }}
      maxBarWidth={22}
      barProps={{ isAnimationActive: false }}
      {...GRID_LINES}
    />
  );
}

interface FigureChoiceProps {
  readonly label: string;
  readonly figures: readonly ReportMetric[];
  readonly value: string;
  readonly onChange: (column: string) => void;
  readonly none?: boolean;
}

function FigureChoice({ label, figures, value, onChange, none = false }: FigureChoiceProps) {
  return (
    <Choice
      className={`${ui['input']} ${styles['reports-inline']}`}
      aria-label={label}
      title={label}
      options={[
        ...(none ? ([['', texts.nothing]] as const) : []),
        ...figures.map((figure) => [figure.column, figureName(figure)] as const),
      ]}
      value={value}
      onChoose={onChange}
    />
  );
}

/** How many viewers of a video reached each point of it; nothing for a report without videos. */
function Funnel({ total }: { readonly total: Readonly<Record<string, number>> }) {
  const steps = funnelOf(total);
  if (steps.length === 0) return null;
  return (
    <section className={styles['reports-chart']}>
      <h2>{texts.funnel}</h2>
      <ol className={styles['funnel']}>
        {steps.map(({ step, count, share }) => (
          <li key={step}>
            <span>{appTexts.reports.names[step]}</span>
            <span className={styles['funnel-track']} aria-hidden="true">
              <span className={styles['funnel-bar']} style={{ width: `${Math.max(1, share * 100)}%` }} />
            </span>
            <span className={`${ui['numeric']} ${styles['funnel-count']}`}>{countText(count)}</span>
            <span className={`${ui['numeric']} ${ui['quiet']} ${styles['funnel-count']}`}>
              {figureText('percent', Math.round(share * 10_000))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface MultiplesProps {
  readonly campaigns: ReportView['multiples'];
  readonly figure: ReportMetric;
}

/** The largest campaigns, each in a small chart with the same scale, for comparison. */
function Multiples({ campaigns, figure }: MultiplesProps) {
  const values = campaigns.flatMap(({ days }) => days.map(({ value }) => drawn(figure, value ?? undefined) ?? 0));
  const end = axisEnd(Math.max(...values, 0));
  return (
    <section className={`${styles['reports-chart']} ${styles['reports-chart-wide']}`}>
      <h2>{texts.multiples(figureName(figure))}</h2>
      <div className={styles['multiples']}>
        {campaigns.map(({ label, days }) => (
          <figure key={label}>
            <figcaption>{label}</figcaption>
            <LineChart
              h={90}
              data={days.map(({ day, value }) => ({
                day: fullDayText(day),
                [figure.column]: drawn(figure, value ?? undefined),
              }))}
              dataKey="day"
              series={[{ name: figure.column, label: figureName(figure), color: 'var(--c-sales)' }]}
              yAxisProps={{
                domain: [0, end],
                ticks: [0, end / 2, end],
                width: 44,
                tickFormatter: (value: number) => axisText(figure, value),
              }}
              lineChartProps={{ margin: { top: 8 } }}
              withXAxis={false}
              withDots={false}
              curveType="linear"
              valueFormatter={(value) => drawnText(figure, value)}
              {...GRID_LINES}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}
