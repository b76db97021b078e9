import type { Kind } from '../model/kinds.ts';

/** The kinds with reports of the service; each has its own type of report. */
export const REPORTED_KINDS = ['campaign', 'adGroup', 'adItem', 'keyword'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

export const isReported = (kind: Kind): kind is ReportedKind => REPORTED_KINDS.some((reported) => reported === kind);

/**
 * The metrics of performance reports (document, "Video measurement metrics"), by their names on the wire. A column of
 * a report is a metric, or an attributed metric followed by its window: `viewThroughSales14days`.
 */
export type MetricUnit = 'count' | 'money' | 'percent' | 'ratio';

/** Days after the ad in which a purchase still counts for it. */
export const ATTRIBUTION_WINDOWS = ['3days', '14days', '30days'] as const;
export type AttributionWindow = (typeof ATTRIBUTION_WINDOWS)[number];

export interface Metric {
  readonly name: string;
  readonly unit: MetricUnit;
  /** True for one column per attribution window. */
  readonly attributed: boolean;
  /** For a rate: its numerator and denominator. An attributed one has the same window. */
  readonly of: { readonly above: string; readonly below: string } | null;
  /** True when the service does not send it and it is computed here. */
  readonly derived: boolean;
  /** False for a rate: the values of several rows can't be summed. */
  readonly adds: boolean;
  /** False for a metric of the deployment that is in no table. */
  readonly known: boolean;
}

const figure = (name: string, unit: MetricUnit = 'count', attributed = false): Metric => ({
  name,
  unit,
  attributed,
  of: null,
  derived: false,
  adds: true,
  known: true,
});
const rate = (name: string, above: string, below: string, more: Partial<Metric> = {}): Metric => ({
  name,
  unit: 'percent',
  attributed: false,
  of: { above, below },
  derived: false,
  adds: false,
  known: true,
  ...more,
});

export const METRICS: readonly Metric[] = [
  figure('impressions'),
  figure('clicks'),
  rate('ctr', 'clicks', 'impressions', { derived: true }),
  figure('adSpend', 'money'),
  rate('cpc', 'adSpend', 'clicks', { derived: true, unit: 'money' }),
  figure('attributedSales', 'money', true),
  figure('attributedOrders', 'count', true),
  figure('attributedUnits', 'count', true),
  rate('roas', 'attributedSales', 'adSpend', { derived: true, unit: 'ratio', attributed: true }),
  rate('conversionRate', 'attributedOrders', 'clicks', { derived: true, attributed: true }),
  figure('videoImpressions'),
  figure('viewableImpressions'),
  rate('viewThroughRate', 'viewableImpressions', 'videoImpressions'),
  rate('ctrForViews', 'clicks', 'viewableImpressions'),
  figure('video5SecondViews'),
  rate('video5SecondViewRate', 'video5SecondViews', 'videoImpressions'),
  figure('videoFirstQuartileViews'),
  figure('videoMidpointViews'),
  figure('videoThirdQuartileViews'),
  figure('videoCompleteViews'),
  figure('videoUnmutes'),
  figure('viewThroughSales', 'money', true),
  figure('viewThroughOrders', 'count', true),
  figure('viewThroughUnitsSold', 'count', true),
  figure('totalCompleteViewAttributedSales', 'money', true),
  figure('completeViewRevenue', 'money', true),
  figure('haloCompleteViewRevenue', 'money', true),
  figure('totalCompleteViewOrders', 'count', true),
  figure('totalCompleteViewUnits', 'count', true),
];

const byName: ReadonlyMap<string, Metric> = new Map(METRICS.map((metric) => [metric.name, metric]));

/** The steps from the first quartile to the end of a video, in the order they can only fall. */
export const FUNNEL = [
  'videoImpressions',
  'viewableImpressions',
  'videoFirstQuartileViews',
  'videoMidpointViews',
  'videoThirdQuartileViews',
  'videoCompleteViews',
] as const;

/** A metric in one column: with its window when it is attributed. */
export interface MetricColumn {
  readonly metric: Metric;
  readonly window: AttributionWindow | null;
}

export const columnOf = (metric: string, window: AttributionWindow | null): string => `${metric}${window ?? ''}`;

/** Every column on the wire. A deployment where one window was requested may omit it in the names. */
const COLUMNS: readonly MetricColumn[] = METRICS.flatMap((metric) => [
  { metric, window: null },
  ...(metric.attributed ? ATTRIBUTION_WINDOWS.map((window) => ({ metric, window })) : []),
]);
const byColumn = new Map(COLUMNS.map((column) => [columnOf(column.metric.name, column.window), column]));
const byHeading = new Map([...byColumn].map(([name, column]) => [name.toLowerCase(), column]));

/** The metric of a column by its name on the wire; null for a column that is no known metric. */
export const metricOf = (column: string): MetricColumn | null => byColumn.get(column) ?? null;

/** The metric under a heading of a file, in any case: files may come from a spreadsheet program. */
export const metricUnder = (heading: string): MetricColumn | null => byHeading.get(heading.toLowerCase()) ?? null;

/**
 * The columns of a rate's numerator and denominator; one that is not attributed has no window.
 *
 * @returns null for a metric that is no rate
 */
export function partsOf({ metric, window }: MetricColumn): { readonly above: string; readonly below: string } | null {
  if (metric.of === null) return null;
  const part = (name: string): string => columnOf(name, byName.get(name)?.attributed === true ? window : null);
  return { above: part(metric.of.above), below: part(metric.of.below) };
}

/**
 * The quotient of two sums in the smallest step of its unit: hundredths of a percent, cents, hundredths of a ratio;
 * cut, as the service cuts decimals. Money divided by money is a ratio, by a count it is money.
 *
 * @returns null when there is nothing to divide by
 */
export function quotient(unit: MetricUnit, above: number, below: number): number | null {
  if (below === 0) return null;
  const scale = unit === 'percent' ? 10_000 : unit === 'ratio' ? 100 : 1;
  const scaled = above * scale;
  if (Math.abs(scaled) > Number.MAX_SAFE_INTEGER) return Number((BigInt(above) * BigInt(scale)) / BigInt(below));
  // The remainder of integers is exact, so the division leaves no fraction.
  return (scaled - (scaled % below)) / below + 0;
}
