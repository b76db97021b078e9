import { Button, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { enPendingSync as texts } from '../../messages/en-pending-sync.ts';
import { MomentInput } from '../../ui/MomentInput.tsx';
import { useNow } from '../../ui/use-now.ts';

export interface Health {
  /** In milliseconds since 1970; 0 for at once. */
  readonly after: number;
  readonly healthyMinutes: number;
}

interface SendTimesProps {
  /** In milliseconds since 1970; null for none. */
  readonly deadline: number | null;
  readonly onDeadline: (deadline: number | null) => void;
  readonly onSchedule: (health: Health) => void;
}

/** Until when the plan may be sent, and whether it waits until the service is healthy. */
export function SendTimes({ deadline, onDeadline, onSchedule }: SendTimesProps) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const [after, setAfter] = useState<number | null>(null);
  const [minutes, setMinutes] = useState(5);
  return (
    <section className="send-times" aria-label={texts.deadline}>
      <Group gap="xs" align="end">
        <MomentInput label={texts.deadline} help={texts.deadlineHelp} onChange={onDeadline} />
        {!isOpen && <Button onClick={() => setOpen(true)}>{texts.open}</Button>}
      </Group>
      {isOpen && (
        <>
          <p className="quiet">{texts.explain}</p>
          <Group gap="xs" align="end">
            <MomentInput label={texts.after} onChange={setAfter} />
            <NumberInput
              size="xs"
              w={190}
              label={texts.minutes}
              min={1}
              max={1440}
              allowDecimal={false}
              value={minutes}
              onChange={(value) => setMinutes(Number(value))}
            />
            <Button
              variant="filled"
              disabled={minutes < 1 || (deadline !== null && Math.max(after ?? 0, now) >= deadline)}
              onClick={() => onSchedule({ after: after ?? 0, healthyMinutes: minutes })}
            >
              {texts.schedule}
            </Button>
            <Button onClick={() => setOpen(false)}>{texts.back}</Button>
          </Group>
        </>
      )}
    </section>
  );
}
