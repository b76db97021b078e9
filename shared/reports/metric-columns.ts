import { metricField, metricOfField } from './account-metrics.ts';

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
