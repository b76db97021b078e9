import { ATTRIBUTION_WINDOWS, type MetricColumn, type MetricUnit } from './metric.ts';

const NUMBER = /^-?\d{1,12}(?:\.\d+)?\s*%?$/;
/** Digits that are a name: item ids, postal codes. */
const LEADING_ZERO = /^-?0\d/;
/** Numbers that say which row it is, or how it is set up. */
const NO_METRIC =
  /(?:^|[a-z0-9_])(?:Ids?|Name|Text|Type|Code|Sku|Upc|Bid|Budget|Rank|Status|Version)$|^(?:ids?|bid|budget|rank|hour|week|month|year)$/;
const SHARE = /rate|percent|share|ctr|acos|roas|average|avg/i;
const MONEY = /sales|revenue|spend|cost/i;

/**
 * A column that is in no table of metrics and holds numbers and nothing else: a metric that the deployment knows. It keeps its
 * wire name; its unit and whether it adds up are told by name and cells.
 *
 * @param cells those that are not empty
 * @returns null for words
 */
export function unknownMetric(column: string, cells: readonly string[]): MetricColumn | null {
  const areNumbers = cells.every((cell) => NUMBER.test(cell) && !LEADING_ZERO.test(cell));
  if (cells.length === 0 || !areNumbers || NO_METRIC.test(column)) return null;
  const window = ATTRIBUTION_WINDOWS.find((each) => column.endsWith(each) && column !== each) ?? null;
  const name = window === null ? column : column.slice(0, -window.length);
  const isShare = SHARE.test(name) || cells.some((cell) => cell.endsWith('%'));
  const unit = unitOf(name, cells, isShare);
  const metric = { name, unit, attributed: window !== null, of: null, derived: false, adds: !isShare, known: false };
  return { metric, window };
}

function unitOf(name: string, cells: readonly string[], isShare: boolean): MetricUnit {
  if (isShare) return cells.some((cell) => cell.endsWith('%')) ? 'percent' : 'ratio';
  if (MONEY.test(name)) return 'money';
  return cells.every((cell) => /^-?\d+$/.test(cell)) ? 'count' : 'ratio';
}
