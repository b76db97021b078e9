import { GROUPINGS_OF_METRICS, type MetricsGrouping, NOT_IN_REPORT } from '../../../../shared/api/metrics.ts';
import {
  FIRST_WINDOW,
  isMetricName,
  type MetricName,
  unitOf,
  WINDOW_DAYS,
} from '../../../../shared/reports/account-metrics.ts';
import type { MetricUnit } from '../../../../shared/reports/metric.ts';
import { COMPARISONS, type Comparison, periodIn } from '../../../../shared/reports/period.ts';
import { usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted } from '../output.ts';

/** The columns of the table for people; `--json` has all metrics. */
const SHOWN = [
  'impressions',
  'clicks',
  'spend',
  'cpc',
  'orders',
  'sales',
  'roas',
] as const satisfies readonly MetricName[];
const HEADINGS = ['Impressions', 'Clicks', 'Spend', 'CPC', 'Orders', 'Sales', 'ROAS'];

type Values = Readonly<Record<string, number>>;

const showMetrics: Command = {
  name: 'metrics',
  takes: '--group GROUP',
  purpose: 'Shows saved metrics, summed by campaign, keyword, day or another group.',
  parameters: {
    '--group GROUP': 'campaign, adGroup, item, keyword, label, brand, day, week, month and others.',
    '--period PERIOD': 'Days such as 28d, mtd or 2026-05-01..2026-05-31. The default is 30d.',
    '--compare': 'Also shows the days before.',
    '--compare-with DAYS': 'Compares with before, 4-weeks or year instead.',
    '--window DAYS': 'Attribution window: 3, 14 or 30. The default is 14.',
    '--settled': 'Leaves out days that still receive orders.',
    '--type TYPE': 'Report to sum, such as keyword, instead of the usual one of the group.',
  },
  example: 'adslate metrics --group campaign --period 28d --compare',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const period = periodIn(context.text('period') ?? '30d');
    if (period === null) throw usageError('--period must be days such as 28d, mtd or 2026-05-01..2026-05-31.');
    const group = wordIn('group', GROUPINGS_OF_METRICS, context.need('group'));
    const reportType = context.text('type');
    const { span, previousSpan, groups, total, previousTotal, coverage, notSettledDays, unknownDays } =
      await client.metrics.grouped({
        workspaceId,
        group,
        ...(reportType === null ? {} : { reportType }),
        look: {
          period,
          comparison: comparisonIn(context),
          window: windowIn(context),
          settledOnly: context.flag('settled'),
        },
      });
    const units = await (await (await context.account()).cube()).units();
    const numbers = (values: Values): Values =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWholeUnits(name, value, units)]));
    const { output } = context;
    const texts = (values: Values): readonly string[] => SHOWN.map((name) => textOf(name, values[name]));
    const rows = groups.flatMap((one) => [
      [nameOf(one, group), ...texts(one.metrics)],
      ...(one.previous === null ? [] : [['  before', ...texts(one.previous)]]),
    ]);
    output.say(
      `${span.from} to ${span.to}${previousSpan === null ? '' : `, before: ${previousSpan.from} to ${previousSpan.to}`}`,
    );
    output.table([group, ...HEADINGS], rows, 'No metrics. Run "adslate cube fetch" to request them.');
    if (rows.length > 0)
      output.table(['Total', ...texts(total)], previousTotal === null ? [] : [['  before', ...texts(previousTotal)]]);
    if (unknownDays > 0)
      output.say(`${counted(unknownDays, 'day')} without metrics. Run "adslate cube fetch" to request them.`);
    if (notSettledDays > 0) output.say(`${counted(notSettledDays, 'day')} may still receive orders.`);
    output.result({
      period: span,
      previous: previousSpan,
      groups: groups.map(({ key, label, metrics, previous }) => ({
        key,
        label,
        metrics: numbers(metrics),
        previous: previous === null ? null : numbers(previous),
      })),
      total: numbers(total),
      previousTotal: previousTotal === null ? null : numbers(previousTotal),
      ...(coverage === null ? {} : { coverage: coverage / 100 }),
    });
  },
};

function wordIn<Word extends string>(option: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw usageError(`--${option} must be one of ${words.join(', ')}.`);
  return found;
}

function comparisonIn(context: Context): Comparison {
  const text = context.text('compare-with');
  if (text !== null) return wordIn('compare-with', COMPARISONS, text);
  return context.flag('compare') ? 'before' : 'none';
}

function windowIn(context: Context): (typeof WINDOW_DAYS)[number] {
  const text = context.text('window');
  const found = WINDOW_DAYS.find((days) => String(days) === (text ?? String(FIRST_WINDOW)));
  if (found === undefined) throw usageError('--window must be 3, 14 or 30.');
  return found;
}

/** Currency units, percent and ratios with two decimals; counts as they are. */
function inWholeUnits(name: string, value: number, units: Readonly<Record<string, string>>): number {
  const unit: string | undefined = isMetricName(name) ? unitOf(name) : units[name];
  return unit === ('count' satisfies MetricUnit) || unit === undefined ? value : value / 100;
}

const textOf = (name: MetricName, value: number | undefined): string => {
  if (value === undefined) return '-';
  return unitOf(name) === 'count' ? String(value) : (value / 100).toFixed(2);
};

function nameOf({ key, label }: { readonly key: string; readonly label: string }, group: MetricsGrouping): string {
  if (key === NOT_IN_REPORT) return 'not in this report';
  if (label !== '') return label;
  return key === '' ? `no ${group}` : key;
}

export const metricsCommands: readonly Command[] = [showMetrics];
