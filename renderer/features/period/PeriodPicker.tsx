import { Popover } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { useView } from '../../app/app-context.ts';
import { periodName } from '../../app/locale/numbers.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import styles from './period.module.css';

const texts = {
  label: (period: string) => `Period: ${period}`,
  title: 'Period of the metrics',
} as const;

const PeriodForm = lazyComponent(async () => (await import('./PeriodForm.tsx')).PeriodForm);

interface PeriodPickerProps {
  readonly workspaceId: string;
  /** Today in the time zone of the account. */
  readonly today: PlainDate;
}

/** Selects the period of the metrics in this window, and the period to compare it with. */
export function PeriodPicker({ workspaceId, today }: PeriodPickerProps) {
  const name = periodName(useView((s) => s.period));
  const [isOpen, setOpen] = useState(false);
  /** The focus moves into the form once there is one. */
  const [isReady, setReady] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      withRoles={false}
      trapFocus={isReady}
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
        {isOpen && <PeriodForm workspaceId={workspaceId} today={today} onReady={setReady} />}
      </Popover.Dropdown>
    </Popover>
  );
}
