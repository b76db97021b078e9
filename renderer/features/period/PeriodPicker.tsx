import { Popover } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { customSpan, lastDays, type Period } from '../../../shared/reports/period.ts';
import { useView } from '../../app/app-context.ts';
import { dayText, plural } from '../../app/locale/numbers.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import styles from './period.module.css';

const texts = {
  label: (period: string) => `Period: ${period}`,
  title: 'Period of the metrics',
  last: (days: number) => `Last ${plural(days, 'day')}`,
  month: 'This month',
} as const;

const PeriodForm = lazyComponent(async () => (await import('./PeriodForm.tsx')).PeriodForm);

/** The period in words: "Last 30 days", or its two days. */
export function periodName(period: Period): string {
  const span = customSpan(period);
  if (span !== null) return `${dayText(span.from)} – ${dayText(span.to)}`;
  return period === 'this-month' ? texts.month : texts.last(lastDays(period) ?? 0);
}

interface PeriodPickerProps {
  readonly workspaceId: string;
  /** The day at the business. */
  readonly today: PlainDate;
}

/** Chooses the days that the metrics of this window are about, and what they are compared with. */
export function PeriodPicker({ workspaceId, today }: PeriodPickerProps) {
  const name = periodName(useView((s) => s.period));
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={styles['button']}
          aria-label={texts.label(name)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={14} aria-hidden="true" />
          {name}
          <IconChevronDown size={12} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.title} className={styles['popover'] ?? ''}>
        {isOpen && <PeriodForm workspaceId={workspaceId} today={today} />}
      </Popover.Dropdown>
    </Popover>
  );
}
