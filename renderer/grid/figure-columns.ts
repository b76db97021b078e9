import type { Kind } from '../../shared/model/kinds.ts';
import { figureField } from '../../shared/reports/figure-column.ts';
import { metricOf } from '../../shared/reports/metric.ts';
import { isReported, type ReportedKind } from '../../shared/reports/reported-kinds.ts';
import { enReports } from '../messages/en-reports.ts';
import { figureText } from '../messages/numbers.ts';
import type { Column } from './columns.ts';

/** What is looked at beside a bid or a budget. The screen of reports has every other figure. */
const FIGURES = [
  'impressions',
  'clicks',
  'ctr',
  'adSpend',
  'cpc',
  'attributedOrders14days',
  'attributedSales14days',
  'roas14days',
] as const;

/** The field figures stand behind until the user moves them, so that they are in view beside what they are about. */
const BEHIND: Readonly<Record<ReportedKind, string>> = {
  campaign: 'name',
  adGroup: 'name',
  adItem: 'bid',
  keyword: 'bid',
};

/** Columns with figures of a kept report, hidden until they are wanted; none for kinds nobody reports on. */
const figureColumns = (): readonly Column[] =>
  FIGURES.map((figure): Column => {
    const found = metricOf(figure);
    const name = enReports.names[found?.metric.name ?? ''] ?? figure;
    const window = found?.window ?? null;
    return {
      field: figureField(figure),
      title: window === null ? name : `${name}, ${enReports.windowNames[window]}`,
      cell: null,
      figure,
      spec: null,
      width: 118,
      align: 'right',
      shown: false,
    };
  });

/** The columns of a kind with its figures among them. */
export function withFigures(kind: Kind, columns: readonly Column[]): readonly Column[] {
  if (!isReported(kind)) return columns;
  const at = columns.findIndex(({ field }) => field === BEHIND[kind]) + 1;
  return columns.toSpliced(at, 0, ...figureColumns());
}

/** A figure as it is written in a cell; a dash where the report says nothing. */
export function figureCell(figure: string, figures: Readonly<Record<string, number>> | undefined): string {
  const unit = metricOf(figure)?.metric.unit ?? 'count';
  const value = figures?.[figure];
  return value === undefined ? '–' : figureText(unit, value);
}
