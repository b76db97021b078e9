import { ATTRIBUTION_WINDOWS, type AttributionWindow, columnOf, type MetricUnit, quotient } from './metric.ts';

/**
 * The metrics of an account over any days, by their names in columns, groups and the command line. The first six are
 * summed; the others are quotients of sums, never of quotients.
 */
export const SUMMED = ['impressions', 'clicks', 'spend', 'orders', 'units', 'sales'] as const;
export type Summed = (typeof SUMMED)[number];

/** Name and unit of each in a report; an attributed one has one column per window. */
const WIRE: Readonly<Record<Summed, { readonly name: string; readonly unit: MetricUnit; readonly attributed?: true }>> =
  {
    impressions: { name: 'impressions', unit: 'count' },
    clicks: { name: 'clicks', unit: 'count' },
    spend: { name: 'adSpend', unit: 'money' },
    orders: { name: 'attributedOrders', unit: 'count', attributed: true },
    units: { name: 'attributedUnits', unit: 'count', attributed: true },
    sales: { name: 'attributedSales', unit: 'money', attributed: true },
  };

interface Rate {
  readonly unit: MetricUnit;
  readonly above: Summed;
  readonly below: Summed;
}
const RATES = {
  ctr: { unit: 'percent', above: 'clicks', below: 'impressions' },
  cpc: { unit: 'money', above: 'spend', below: 'clicks' },
  conversion: { unit: 'percent', above: 'orders', below: 'clicks' },
  roas: { unit: 'ratio', above: 'sales', below: 'spend' },
  acos: { unit: 'percent', above: 'spend', below: 'sales' },
  averageOrder: { unit: 'money', above: 'sales', below: 'orders' },
} as const satisfies Readonly<Record<string, Rate>>;

/** In the order of columns. Shares are of the spend of all campaigns on the same days. */
export const METRIC_NAMES = [
  'impressions',
  'clicks',
  'ctr',
  'spend',
  'cpc',
  'orders',
  'units',
  'sales',
  'conversion',
  'roas',
  'acos',
  'averageOrder',
  'spendShare',
  'coverage',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

/** Days after the ad in which a purchase counts for it. */
export const WINDOW_DAYS = [3, 14, 30] as const;
export type WindowDays = (typeof WINDOW_DAYS)[number];
export const FIRST_WINDOW: WindowDays = 14;
const wireWindow = (window: WindowDays): AttributionWindow => `${window}days`;

export const isMetricName = (text: string): text is MetricName => METRIC_NAMES.some((name) => name === text);
const isSummed = (name: string): name is Summed => SUMMED.some((each) => each === name);
const isRate = (name: string): name is keyof typeof RATES => Object.hasOwn(RATES, name);

export function unitOf(name: MetricName): MetricUnit {
  if (isSummed(name)) return WIRE[name].unit;
  return isRate(name) ? RATES[name].unit : 'percent';
}

/** Whether a metric differs by attribution window. */
export const isAttributed = (name: MetricName): boolean =>
  isSummed(name)
    ? WIRE[name].attributed === true
    : isRate(name) && (WIRE[RATES[name].above].attributed === true || WIRE[RATES[name].below].attributed === true);

/**
 * Possible names of a sum in a report, the best first: of the wanted window, without one, and of the others, for a
 * deployment where only another window was requested.
 */
export function wireNames(name: Summed, window: WindowDays): readonly string[] {
  const { name: wire, attributed } = WIRE[name];
  if (attributed !== true) return [wire];
  const wanted = wireWindow(window);
  const others = ATTRIBUTION_WINDOWS.filter((each) => each !== wanted);
  return [columnOf(wire, wanted), wire, ...others.map((other) => columnOf(wire, other))];
}

/** Sums in the smallest step of their unit; one that no report has is absent. */
export type Sums = Readonly<Partial<Record<Summed, number>>>;
/** Metrics in the smallest unit: cents, hundredths of a percent, hundredths of a ratio, whole counts. */
export type Metrics = Readonly<Partial<Record<MetricName, number>>>;

/** One metric from some sums; null if it can't be computed. */
export function metricFrom(name: MetricName, sums: Sums): number | null {
  if (isSummed(name)) return sums[name] ?? null;
  if (!isRate(name)) return null;
  const { unit, above, below } = RATES[name];
  const [part, whole] = [sums[above], sums[below]];
  return part === undefined || whole === undefined ? null : quotient(unit, part, whole);
}

/** The sums that a metric is computed from. */
export function partsOf(name: MetricName): readonly Summed[] {
  if (isSummed(name)) return [name];
  if (isRate(name)) return [RATES[name].above, RATES[name].below];
  return ['spend'];
}

/** All metrics of some sums. */
export function metricsFrom(sums: Sums): Metrics {
  const told = METRIC_NAMES.map((name) => [name, metricFrom(name, sums)] as const);
  return Object.fromEntries(told.filter(([, value]) => value !== null));
}

/** The column of a grid that shows a metric: of the days in view, or as the change against those before. */
export interface MetricColumnKey {
  readonly name: MetricName;
  /** Null for the window that the period is shown with. */
  readonly window: WindowDays | null;
  readonly isChange: boolean;
}

/** `metric.roas`, `metric.roas.14`, `metric.roas.14.change`. */
export const metricField = ({ name, window, isChange }: MetricColumnKey): string =>
  `metric.${name}${window === null ? '' : `.${window}`}${isChange ? '.change' : ''}`;

const COLUMN = /^metric\.(\w+)(?:\.(3|14|30))?(\.change)?$/;
/** Columns were named after the wire before: `report.attributedSales14days`. */
const EARLIER: Readonly<Record<string, MetricName>> = {
  adSpend: 'spend',
  attributedOrders: 'orders',
  attributedUnits: 'units',
  attributedSales: 'sales',
  conversionRate: 'conversion',
};

/** The metric of a column; null for other columns. */
export function metricOfField(field: string): MetricColumnKey | null {
  const [, name = '', window, change] = COLUMN.exec(field) ?? [];
  if (isMetricName(name)) {
    return {
      name,
      window: WINDOW_DAYS.find((days) => String(days) === window) ?? null,
      isChange: change !== undefined,
    };
  }
  if (!field.startsWith('report.')) return null;
  const wire = field.slice('report.'.length).replace(/(?:3|14|30)days$/, '');
  const earlier = EARLIER[wire] ?? wire;
  return isMetricName(earlier) ? { name: earlier, window: null, isChange: false } : null;
}

/** Change in hundredths of a percent, cut; null without an earlier value. */
export const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : quotient('percent', now - before, Math.abs(before));

/** Further columns beside the metrics of a row: a trend line, and values computed from all stored metrics. */
export const METRIC_EXTRAS = ['trend', 'suggestedBid', 'evidence'] as const;
export type MetricExtra = (typeof METRIC_EXTRAS)[number];

export const extraField = (extra: MetricExtra): string => `metric.${extra}`;

/** The key of a column today; earlier versions named those of metrics after the wire: `report.roas14days`. */
export function currentKey(field: string): string {
  if (!field.startsWith('report.')) return field;
  const metric = metricOfField(field);
  return metric === null ? field.replace('report.', 'metric.') : metricField(metric);
}
