import type { ReportMetric } from '../../../shared/api/reports.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { ATTRIBUTION_WINDOWS, type AttributionWindow, FUNNEL } from '../../../shared/reports/metric.ts';
import { locale } from '../../app/locale/current.ts';
import { figureText, fullDayText, moneyText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';

export const figureTexts = {
  groupings: {
    campaignName: 'Campaign',
    campaignId: 'Campaign ID',
    adGroupId: 'Ad group ID',
    adItemId: 'Ad item ID',
    keywordId: 'Keyword ID',
    keyword: 'Keyword',
    keywordText: 'Keyword',
    matchType: 'Match type',
    itemId: 'Item ID',
    itemName: 'Item',
    bid: 'Bid',
    date: 'Day',
    platform: 'Platform',
    pageType: 'Page type',
    brand: 'Brand',
    category: 'Category',
  } as Readonly<Record<string, string>>,
  noName: '(no name)',
  meanings: {
    impressions: 'Number of times an ad was shown.',
    clicks: 'Number of clicks on an ad.',
    ctr: 'Clicks divided by impressions. Calculated by Adslate.',
    adSpend: 'Cost of the clicks, in USD.',
    cpc: 'Spend divided by clicks. Calculated by Adslate.',
    attributedSales: 'Sales attributed to the ad, in USD.',
    attributedOrders: 'Orders attributed to the ad.',
    attributedUnits: 'Units in attributed orders.',
    roas: 'Return on ad spend: sales divided by spend. Calculated by Adslate.',
    conversionRate: 'Orders divided by clicks. Calculated by Adslate.',
    videoImpressions: 'Number of times a video ad was shown.',
    viewableImpressions: 'Impressions with at least half of the video in view for two seconds.',
    viewThroughRate: 'Views divided by video impressions.',
    ctrForViews: 'Clicks divided by viewable impressions.',
    video5SecondViews: 'Views of at least 5 seconds.',
    video5SecondViewRate: '5-second views divided by impressions.',
    videoFirstQuartileViews: 'Views of at least a quarter of the video.',
    videoMidpointViews: 'Views of at least half of the video.',
    videoThirdQuartileViews: 'Views of at least three quarters of the video.',
    videoCompleteViews: 'Views of the entire video.',
    videoUnmutes: 'Number of times the sound was turned on.',
    viewThroughSales: 'Sales of the advertised item after a view of the ad.',
    viewThroughOrders: 'Orders of the advertised item after a view of the ad.',
    viewThroughUnitsSold: 'Units of the advertised item sold after a view of the ad.',
    totalCompleteViewAttributedSales: 'Sales of any item after a complete view.',
    completeViewRevenue: 'Sales of the advertised item after a complete view.',
    haloCompleteViewRevenue: 'Sales of other items after a complete view.',
    totalCompleteViewOrders: 'Orders of any item after a complete view.',
    totalCompleteViewUnits: 'Units of any item sold after a complete view.',
  } as Readonly<Record<string, string>>,
} as const;

/** The metrics shown at first, which most users need. */
const FIRST_CHOICE = ['impressions', 'clicks', 'ctr', 'adSpend', 'cpc', 'attributedSales', 'attributedOrders', 'roas'];
const FIRST_WINDOW = '14days';
export const SHOWN_MAX = 18;

export const figureName = ({ metric, window }: ReportMetric): string =>
  `${appTexts.reports.names[metric] ?? metric}${window === null ? '' : `, ${appTexts.reports.windowNames[window]}`}`;

export const groupingName = (column: string): string => figureTexts.groupings[column] ?? column;

export const firstChoice = (figures: readonly ReportMetric[]): readonly string[] =>
  figures
    .filter(({ metric, window }) => FIRST_CHOICE.includes(metric) && (window === null || window === FIRST_WINDOW))
    .map(({ column }) => column);

/** The attribution windows of a report, shortest first. */
export const windowsOf = (figures: readonly ReportMetric[]): readonly AttributionWindow[] =>
  ATTRIBUTION_WINDOWS.filter((window) => figures.some((figure) => figure.window === window));

export const showsWindow = (figures: readonly ReportMetric[], shown: readonly string[], window: string): boolean =>
  figures.some((figure) => figure.window === window && shown.includes(figure.column));

/**
 * The columns shown after an attribution window was switched on or off for all metrics. When switched on, every metric
 * shown in another window is shown in this one too; without any, the default metrics are.
 */
export function withWindow(
  figures: readonly ReportMetric[],
  shown: readonly string[],
  window: AttributionWindow,
): readonly string[] {
  const inWindow = figures.filter((figure) => figure.window === window);
  if (showsWindow(figures, shown, window)) {
    return shown.filter((column) => !inWindow.some((figure) => figure.column === column));
  }
  const counted = figures.filter((figure) => figure.window !== null && shown.includes(figure.column));
  const metrics = counted.length === 0 ? FIRST_CHOICE : counted.map(({ metric }) => metric);
  return [...shown, ...inWindow.filter(({ metric }) => metrics.includes(metric)).map(({ column }) => column)];
}

/** A metric of a group as text; a dash if it is unknown. */
export const shownFigure = (figure: ReportMetric, value: number | null | undefined): string =>
  value === undefined || value === null
    ? '–'
    : figure.unit === 'money'
      ? moneyText(value)
      : figureText(figure.unit, value);

/** The number for a chart: amounts in whole units, percentages as percent. */
export const drawn = (figure: ReportMetric, value: number | undefined): number | null =>
  value === undefined ? null : figure.unit === 'count' ? value : value / 100;

/** A number of a chart as text, as the tables show it. */
export const drawnText = (figure: ReportMetric, value: number): string =>
  shownFigure(figure, figure.unit === 'count' ? value : Math.round(value * 100));

/** The name of a row: a day in the format of the locale, other text unchanged. */
export const rowName = (label: string): string => (plainDate(label) === null ? label : fullDayText(label));

/** The end of a small axis: the next round number whose half is round too; 1 without a value. */
export function axisEnd(most: number): number {
  if (most <= 0) return 1;
  const step = 10 ** Math.floor(Math.log10(most));
  return (ROUND.find((round) => round * step >= most) ?? 10) * step;
}
const ROUND = [1, 2, 4, 5, 6, 8, 10];

const chartText = (value: number): string => locale().scale(value);

/** A value on the axis of a metric, with its unit. */
export function axisText({ unit }: ReportMetric, value: number): string {
  if (unit === 'percent') return `${chartText(value)}%`;
  if (unit !== 'money') return chartText(value);
  // Small amounts on an axis have cents.
  return Math.abs(value) < 10 && !Number.isInteger(value)
    ? locale().money(value * 100)
    : locale().axisMoney(value * 100);
}

/** The steps of a watched video, each with its share of the first one; empty for a report without videos. */
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
