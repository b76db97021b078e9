export type MetricUnit = 'count' | 'money' | 'percent' | 'ratio';

/**
 * Metrics of rows by the names they have in columns, searches and on the command line. A column of a grid is
 * `metric.<name>[.<window>][.change]`: in the window of the period when it names none, and with `change` by how much it
 * differs from the comparison.
 */
export const ROW_METRICS = {
  impressions: { unit: 'count', of: null, isAttributed: false },
  clicks: { unit: 'count', of: null, isAttributed: false },
  ctr: { unit: 'percent', of: ['clicks', 'impressions'], isAttributed: false },
  spend: { unit: 'money', of: null, isAttributed: false },
  cpc: { unit: 'money', of: ['spend', 'clicks'], isAttributed: false },
  orders: { unit: 'count', of: null, isAttributed: true },
  units: { unit: 'count', of: null, isAttributed: true },
  sales: { unit: 'money', of: null, isAttributed: true },
  conversion: { unit: 'percent', of: ['orders', 'clicks'], isAttributed: true },
  roas: { unit: 'ratio', of: ['sales', 'spend'], isAttributed: true },
  acos: { unit: 'percent', of: ['spend', 'sales'], isAttributed: true },
  averageOrder: { unit: 'money', of: ['sales', 'orders'], isAttributed: true },
  /** Of the spend of all rows of the view. */
  spendShare: { unit: 'percent', of: null, isAttributed: false },
  /** How much of the clicks of its campaign the rows have. */
  coverage: { unit: 'percent', of: null, isAttributed: false },
} as const satisfies Readonly<Record<string, RowMetric>>;

export type MetricName = keyof typeof ROW_METRICS;

interface RowMetric {
  readonly unit: MetricUnit;
  /** For a ratio the two sums it is computed from. */
  readonly of: readonly [string, string] | null;
  /** It counts orders of an attribution window. */
  readonly isAttributed: boolean;
}

/** Days after a click in which an order still counts for it. */
export const WINDOW_DAYS = [3, 14, 30] as const;
export type WindowDays = (typeof WINDOW_DAYS)[number];
export const FIRST_WINDOW: WindowDays = 14;

/** What has a column beside the metrics themselves: a line of days, and what is computed from all of them. */
export const METRIC_EXTRAS = ['trend', 'suggestedBid', 'evidence'] as const;
export type MetricExtra = (typeof METRIC_EXTRAS)[number];

export interface MetricColumnKey {
  readonly name: MetricName | MetricExtra;
  /** Null takes the window of the period. */
  readonly window: WindowDays | null;
  readonly isChange: boolean;
}

const PREFIX = 'metric.';

export const isMetricName = (name: string): name is MetricName => Object.hasOwn(ROW_METRICS, name);

export const metricKey = (name: MetricColumnKey['name'], { window = null, isChange = false } = {} as Rest): string =>
  `${PREFIX}${name}${window === null ? '' : `.${window}`}${isChange ? '.change' : ''}`;
type Rest = Partial<Pick<MetricColumnKey, 'window' | 'isChange'>>;

/** Null for a column that is none of a metric. */
export function readMetricKey(field: string): MetricColumnKey | null {
  if (!field.startsWith(PREFIX)) return null;
  const [name = '', ...rest] = field.slice(PREFIX.length).split('.');
  const extra = METRIC_EXTRAS.find((each) => each === name);
  if (extra !== undefined) return rest.length === 0 ? { name: extra, window: null, isChange: false } : null;
  if (!isMetricName(name)) return null;
  const isChange = rest.at(-1) === 'change';
  const windows = isChange ? rest.slice(0, -1) : rest;
  if (windows.length === 0) return { name, window: null, isChange };
  const window = WINDOW_DAYS.find((days) => String(days) === windows[0]);
  if (window === undefined || windows.length > 1 || !ROW_METRICS[name].isAttributed) return null;
  return { name, window, isChange };
}

/** Metrics as reports, and columns of earlier versions such as `report.roas14days`, name them where they are named otherwise. */
export const WIRE_NAMES: Readonly<Record<string, MetricName>> = {
  adSpend: 'spend',
  attributedOrders14days: 'orders',
  attributedUnits14days: 'units',
  attributedSales14days: 'sales',
  conversionRate14days: 'conversion',
  roas14days: 'roas',
};

/** The column's key of today; keys that have not changed stay as they are. */
export function currentKey(field: string): string {
  if (!field.startsWith('report.')) return field;
  const former = field.slice('report.'.length);
  return `${PREFIX}${WIRE_NAMES[former] ?? former}`;
}
