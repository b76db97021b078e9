import { useQuery } from '@tanstack/react-query';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { ReportedKind } from '../../../shared/reports/metric.ts';
import { useApi, useView } from '../../app/app-context.ts';
import { countText, dayText, moneyText, shortDayText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { metricText } from '../../grid/columns.ts';
import { Trend } from '../../grid/Trend.tsx';
import styles from './details.module.css';

const texts = {
  daily: 'Spend, last 14 days',
  beforeThat: (change: string, spend: string) => `${change} from ${spend} in the 14 days before`,
  budget: (isTotal: boolean) => (isTotal ? 'Total budget used' : 'Budget used this month'),
  used: (spent: string, budget: string) => `${spent} of ${budget}`,
  share: (percent: number) => `${countText(percent)}%`,
  runsOut: (day: string) => `Runs out on ${day} at the pace of the last week.`,
  leftOver: (left: string) => `${left} remains at the end, at the pace of the last week.`,
  onPace: 'On pace.',
} as const;

interface DailySpendProps {
  readonly workspaceId: string;
  readonly kind: ReportedKind;
  readonly rowId: WindowRow['id'];
}

const CHART_PERIOD = 'last-14';
const SPEND_CHANGE = { name: 'spend', window: null, isChange: true } as const;

/** Spend of a row in the last 14 days and the 14 before; nothing if no report covers them. */
export function DailySpend({ workspaceId, kind, rowId }: DailySpendProps) {
  const input = { workspaceId, kind, ids: [rowId], look: { period: CHART_PERIOD } };
  const { data } = useQuery(useApi().metrics.ofRows.queryOptions({ input }));
  const [row] = data?.rows ?? [];
  const spend = row?.metrics['spend'];
  if (data === undefined || row === undefined || spend === undefined) return null;
  const before = row.previous?.['spend'];
  return (
    <section className={styles['chart']} aria-label={texts.daily}>
      <h3 className={ui['section-title']}>{texts.daily}</h3>
      <p className={styles['chart-sum']}>
        <strong className={ui['numeric']}>{moneyText(spend)}</strong>
        {before !== undefined && before > 0 && (
          <span className={ui['quiet']}>
            {texts.beforeThat(metricText(SPEND_CHANGE, row.metrics, row.previous), moneyText(before))}
          </span>
        )}
      </p>
      <div className={styles['chart-line']}>
        <Trend values={row.trend} />
      </div>
      <p className={`${ui['quiet']} ${styles['chart-days']}`}>
        <span>{shortDayText(data.span.from)}</span>
        <span>{shortDayText(data.span.to)}</span>
      </p>
    </section>
  );
}

interface BudgetProps {
  readonly workspaceId: string;
  readonly campaignId: WindowRow['id'];
}

/** Used part of a live campaign's budget, and whether the rest lasts; nothing without a report. */
export function Budget({ workspaceId, campaignId }: BudgetProps) {
  const period = useView((s) => s.period);
  const seen = useQuery(useApi().overview.get.queryOptions({ input: { workspaceId, period } })).data;
  const pace = seen?.pacing.campaigns.find((each) => each.campaignId === campaignId);
  if (pace === undefined) return null;
  const { spent, budget, isTotal, is, day, left } = pace;
  const title = texts.budget(isTotal);
  return (
    <section className={styles['section']} aria-label={title}>
      <h3 className={ui['section-title']}>{title}</h3>
      <p className={`${ui['numeric']} ${styles['used']}`}>
        <span>{texts.used(moneyText(spent), moneyText(budget))}</span>
        <span className={ui['quiet']}>{texts.share(Math.round((100 * spent) / Math.max(1, budget)))}</span>
      </p>
      <meter min={0} max={budget} value={spent} aria-label={title} />
      <span className={ui['quiet']}>
        {is === 'runs-out' && day !== null
          ? texts.runsOut(dayText(day))
          : is === 'left-over' && left !== null
            ? texts.leftOver(moneyText(left))
            : texts.onPace}
      </span>
    </section>
  );
}
