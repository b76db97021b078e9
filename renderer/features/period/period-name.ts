import { customSpan, lastDays, type Period } from '../../../shared/reports/period.ts';
import { dayText, plural } from '../../app/locale/numbers.ts';

const texts = {
  last: (days: number) => `Last ${plural(days, 'day')}`,
  month: 'This month',
} as const;

/** The period in words: "Last 30 days", or its two days. */
export function periodName(period: Period): string {
  const span = customSpan(period);
  if (span !== null) return `${dayText(span.from)} – ${dayText(span.to)}`;
  return period === 'this-month' ? texts.month : texts.last(lastDays(period) ?? 0);
}
