import { Popover } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import {
  customPeriod,
  customSpan,
  isPeriod,
  PERIODS,
  type Period,
  periodSpan,
} from '../../../shared/reports/period.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { dayText } from '../../app/locale/numbers.ts';
import { Chip } from '../../components/Chip.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import styles from './period.module.css';

const texts = {
  label: (period: string) => `Period: ${period}`,
  names: {
    'last-7': 'Last 7 days',
    'last-14': 'Last 14 days',
    'last-30': 'Last 30 days',
    'last-60': 'Last 60 days',
    'last-90': 'Last 90 days',
    'this-month': 'This month',
  } as Readonly<Record<string, string>>,
  custom: 'Custom',
  from: 'Start date',
  to: 'End date',
  apply: 'Show these days',
} as const;

/** The period in words: "Last 30 days", or its two days. */
export function periodName(period: Period): string {
  const span = customSpan(period);
  return span === null ? (texts.names[period] ?? period) : `${dayText(span.from)} – ${dayText(span.to)}`;
}

/** Chooses the days that the metrics of this window are about. */
export function PeriodPicker({ today }: { readonly today: PlainDate }) {
  const { store } = useAppContext();
  const period = useView((s) => s.period);
  const [isOpen, setOpen] = useState(false);
  const choose = (chosen: Period): void => {
    store.getState().choosePeriod(chosen);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={styles['button']}
          aria-label={texts.label(periodName(period))}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={14} aria-hidden="true" />
          {periodName(period)}
          <IconChevronDown size={12} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles['choices'] ?? ''}>
        {PERIODS.map((each) => (
          <button
            key={each}
            type="button"
            className={styles['choice']}
            aria-pressed={each === period}
            onClick={() => choose(each)}
          >
            {texts.names[each]}
          </button>
        ))}
        <CustomDays first={periodSpan(period, today)} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface CustomDaysProps {
  readonly first: { readonly from: string; readonly to: string };
  readonly onChoose: (period: Period) => void;
}

function CustomDays({ first, onChoose }: CustomDaysProps) {
  const [{ from, to }, setDays] = useState(first);
  const [start, end] = [plainDate(from), plainDate(to)];
  const chosen = start === null || end === null ? '' : customPeriod({ from: start, to: end });
  const isWhole = isPeriod(chosen);
  return (
    <form
      className={styles['custom']}
      aria-label={texts.custom}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onChoose(chosen);
      }}
    >
      <DayInput
        aria-label={texts.from}
        aria-invalid={!isWhole}
        value={from}
        onChange={(value) => setDays({ from: value, to })}
      />
      <DayInput
        aria-label={texts.to}
        aria-invalid={!isWhole}
        value={to}
        onChange={(value) => setDays({ from, to: value })}
      />
      <Chip disabled={!isWhole} onClick={() => isWhole && onChoose(chosen)}>
        {texts.apply}
      </Chip>
    </form>
  );
}
