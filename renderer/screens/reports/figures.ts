import type { ReportFigure } from '../../../shared/contract/reports.ts';
import { FUNNEL } from '../../../shared/reports/metric.ts';
import { locale } from '../../locale/current.ts';
import { enReports } from '../../messages/en-reports.ts';
import { figureText } from '../../messages/numbers.ts';

/** What is shown of a report before anybody has chosen: what most people look at first. */
const FIRST_CHOICE = ['impressions', 'clicks', 'ctr', 'adSpend', 'cpc', 'attributedSales', 'attributedOrders', 'roas'];
const FIRST_WINDOW = '14days';
export const SHOWN_MAX = 12;

export const figureName = ({ metric, window }: ReportFigure): string =>
  `${enReports.names[metric] ?? metric}${window === null ? '' : `, ${enReports.windowNames[window]}`}`;

export const groupingName = (column: string): string => enReports.groupings[column] ?? column;

export const firstChoice = (figures: readonly ReportFigure[]): readonly string[] =>
  figures
    .filter(({ metric, window }) => FIRST_CHOICE.includes(metric) && (window === null || window === FIRST_WINDOW))
    .map(({ column }) => column);

/** A figure of a group in words; a dash for one that cannot be told. */
export const shownFigure = (figure: ReportFigure, value: number | null | undefined): string =>
  value === undefined || value === null ? '–' : figureText(figure.unit, value);

/** The number a chart draws: amounts in whole units, percent as percent. */
export const drawn = (figure: ReportFigure, value: number | undefined): number | null =>
  value === undefined ? null : figure.unit === 'count' ? value : value / 100;

export const chartText = (value: number): string => locale().scale(value);

/** The steps of watching a video, each with its share of the first; empty for a report without videos. */
export function funnelOf(
  total: Readonly<Record<string, number>>,
): readonly { readonly step: string; readonly count: number; readonly share: number }[] {
  const first = total[FUNNEL[0]];
  if (first === undefined || first === 0) return [];
  return FUNNEL.flatMap((step) => {
    const count = total[step];
    return count === undefined ? [] : [{ step, count, share: count / first }];
  });
}
