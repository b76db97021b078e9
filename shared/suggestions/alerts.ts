import { counted, dollars, type Explanation, percent, plain, roasText, sentences, step } from './explanation.ts';
import { median, rounded } from './statistics.ts';

/** Problems found in the metrics: unusual values, and rows whose spend does not fit their state. */
const MEDIAN_DAYS = 14;
/** Scales the median deviation to a standard deviation. */
const MAD_SCALE = 1.4826;
const MAD_LIMIT = 3;
const SHARE_LIMIT = 0.2;
export const OVER_PLAN = 0.1;
export const RESTATED = 0.05;
export const COVERAGE_MIN = 0.8;
/** A row without impressions in these days stands out, if at least this many of them are known and it is older. */
export const SILENT_DAYS = 14;
export const SILENT_DAYS_KNOWN = 7;

/** Name of an alert, in two or three words. */
export const ALERT_NAMES = {
  'spend-off': 'Unusual spend',
  'impressions-off': 'Unusual impressions',
  'roas-under-target': 'ROAS under target',
  'no-sales': 'Spend without sales',
  'no-impressions': 'No impressions',
  capped: 'Daily budget used up',
  'over-plan': 'Over the monthly plan',
  restated: 'Sales changed by the service',
  gap: 'Missing days',
  coverage: 'Low report coverage',
} as const;
export type AlertCause = keyof typeof ALERT_NAMES;

/** The label of an alert about a campaign or a label, or about the account with null. */
export const alertLabel = (name: string | null, cause: AlertCause): string =>
  name === null ? ALERT_NAMES[cause] : `${name}: ${ALERT_NAMES[cause]}`;

/** What an alert with this label is about; null for the account. */
export const alertedName = (label: string, cause: AlertCause): string | null =>
  label === ALERT_NAMES[cause] ? null : label.slice(0, -alertLabel('', cause).length);

/** Numbers of an alert that are amounts. */
export const ALERT_AMOUNTS: { readonly [C in AlertCause]?: readonly ('value' | 'expected')[] } = {
  'spend-off': ['value', 'expected'],
  'no-sales': ['value'],
  'over-plan': ['value', 'expected'],
  restated: ['value', 'expected'],
};

/** The observed and the expected value; their meaning depends on the cause. Amounts in cents. */
export interface AlertNumbers {
  readonly cause: AlertCause;
  readonly value: number;
  readonly expected: number;
}

/**
 * Finds a day far from the expected value of its weekday.
 *
 * @param days values without the effect of weekdays, newest last; the newest is compared with those before
 */
export function findOutlier(days: readonly number[]): { readonly value: number; readonly expected: number } | null {
  const value = days.at(-1);
  const before = days.slice(-1 - MEDIAN_DAYS, -1);
  if (value === undefined || before.length < MEDIAN_DAYS) return null;
  const expected = median(before);
  const spread = MAD_SCALE * median(before.map((day) => Math.abs(day - expected)));
  const off = Math.abs(value - expected);
  return off > MAD_LIMIT * spread && off > SHARE_LIMIT * expected
    ? { value: rounded(value), expected: rounded(expected) }
    : null;
}

export function explainAlert({ cause, value, expected }: AlertNumbers): Explanation {
  const off = (name: string, text: (value: number) => string): string =>
    `${name} on the last day: ${text(value)}. Typical for this weekday: about ${text(expected)}.`;
  const texts: Record<AlertCause, string> = {
    'spend-off': off('Spend', dollars),
    'impressions-off': off('Impressions', (count) => plain(count, 0)),
    'roas-under-target': `ROAS of the last 7 settled days is ${roasText(value)}. The target is ${roasText(expected)}.`,
    'no-sales': `${dollars(value)} was spent in 7 settled days without a sale. The chance of this is ${percent(expected, 1)}.`,
    'no-impressions': `The campaign is live and had no impressions for ${counted(value, 'day')}.`,
    capped: `The daily budget was used up on ${plain(value, 0)} of the last ${plain(expected, 0)} days. The missed sales are unknown.`,
    'over-plan': `Projected spend of the month is ${dollars(value)}. The plan is ${dollars(expected)}.`,
    restated: `The service changed the sales of a past day from ${dollars(expected)} to ${dollars(value)}.`,
    gap: `Metrics of ${counted(value, 'day')} are missing. The first one is ${counted(expected, 'day')} ago.`,
    coverage: `Item reports cover ${percent(value, 0)} of campaign spend. At least ${percent(expected, 0)} is expected.`,
  };
  return { summary: sentences(texts[cause]), steps: [] };
}

interface AlertRow {
  /** The campaign, or the label of a plan; null for the account. */
  readonly name: string | null;
  readonly value: number;
  readonly expected: number;
}

/** One line for all rows of a cause. */
export function alertNotice(cause: AlertCause, rows: readonly AlertRow[]): string {
  const sum = (part: 'value' | 'expected'): number => rows.reduce((all, row) => all + row[part], 0);
  const [value, expected] = [sum('value'), sum('expected')];
  const only = rows.length === 1;
  const who = only ? (rows[0]?.name ?? 'The account') : counted(rows.length, 'campaign');
  const texts: Record<AlertCause, string> = {
    'spend-off': `${who} spent ${dollars(value)} on the last day, expected about ${dollars(expected)}`,
    'impressions-off': `${who} had ${counted(value, 'impression')} on the last day, expected about ${plain(expected, 0)}`,
    'roas-under-target': only
      ? `${who} has a ROAS of ${roasText(value)}, the target is ${roasText(expected)}`
      : `${who} have a ROAS below their target`,
    'no-sales': `${who} spent ${dollars(value)} in 7 settled days without a sale`,
    'no-impressions': only
      ? `${who} had no impressions for ${counted(value, 'day')}`
      : `${who} are live and had no impressions`,
    capped: only
      ? `${who} used up its daily budget on ${plain(value, 0)} of the last ${counted(expected, 'day')}`
      : `${who} used up their daily budgets on most days`,
    'over-plan': only
      ? `${who} is projected to spend ${dollars(value)} this month, the plan is ${dollars(expected)}`
      : `${counted(rows.length, 'plan')} for this month are projected to be exceeded`,
    restated: `The service changed the sales of a past day from ${dollars(expected)} to ${dollars(value)}`,
    gap: `Metrics of ${counted(value, 'day')} are missing`,
    coverage: `Item reports cover ${percent(value, 0)} of campaign spend, at least ${percent(expected, 0)} is expected`,
  };
  return texts[cause];
}

export const explainSpendAfterPause = (of: { readonly spend: number; readonly days: number }): Explanation => ({
  summary: `Paused, but still spent ${dollars(of.spend)} on ${counted(of.days, 'day')}.`,
  steps: [step('Spend', 'full days after the pause, except the first', dollars(of.spend))],
});

export const explainSilent = (of: { readonly days: number; readonly groupImpressions: number }): Explanation => ({
  summary: sentences(
    `Enabled, but without impressions for ${counted(of.days, 'day')}.`,
    `Its campaign had ${plain(of.groupImpressions, 0)} impressions in that time.`,
  ),
  steps: [step('Impressions', counted(of.days, 'day'), '0')],
});
