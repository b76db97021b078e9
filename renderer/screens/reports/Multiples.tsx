import { LineChart } from '@mantine/charts';
import type { ReportMetric, ReportView } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { fullDayText } from '../../messages/numbers.ts';
import { axisEnd, chartText, drawn, figureName } from './figures.ts';

interface MultiplesProps {
  readonly campaigns: ReportView['multiples'];
  readonly figure: ReportMetric;
}

/** The biggest campaigns, each in a small chart of its own on the same scale, so that they can be compared. */
export function Multiples({ campaigns, figure }: MultiplesProps) {
  const values = campaigns.flatMap(({ days }) => days.map(({ value }) => drawn(figure, value ?? undefined) ?? 0));
  const end = axisEnd(Math.max(...values, 0));
  return (
    <section className="reports-chart reports-chart-wide">
      <h2>{enReports.multiples(figureName(figure))}</h2>
      <div className="multiples">
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
              series={[{ name: figure.column, label: figureName(figure), color: 'var(--accent)' }]}
              yAxisProps={{ domain: [0, end], ticks: [0, end / 2, end], width: 44 }}
              lineChartProps={{ margin: { top: 8 } }}
              withXAxis={false}
              withDots={false}
              curveType="linear"
              valueFormatter={chartText}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}
