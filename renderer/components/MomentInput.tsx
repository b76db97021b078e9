import { useId, useState } from 'react';
import styles from './components.module.css';
import { DayInput } from './DayInput.tsx';
import ui from './ui.module.css';
import { useNow } from './use-now.ts';

const texts = {
  day: (name: string) => `${name}: date`,
  time: (name: string) => `${name}: time`,
  past: 'This time has passed. Enter a later one.',
} as const;

interface MomentInputProps {
  readonly label: string;
  readonly help?: string;
  /** Called with milliseconds since 1970 by this computer's clock, also for past times; null if incomplete. */
  readonly onChange: (moment: number | null) => void;
}

/** A future day and time. Without a time it means the end of the day. */
export function MomentInput({ label, help, onChange }: MomentInputProps) {
  const [day, setDay] = useState('');
  const [time, setTime] = useState('');
  const now = useNow();
  const helpId = useId();
  const moment = momentOf(day, time);
  const isPast = moment !== null && moment <= now;
  const tell = (nextDay: string, nextTime: string): void => {
    setDay(nextDay);
    setTime(nextTime);
    onChange(momentOf(nextDay, nextTime));
  };
  return (
    <fieldset className={styles['moment-input']} aria-describedby={help === undefined ? undefined : helpId}>
      <legend>{label}</legend>
      <DayInput aria-label={texts.day(label)} value={day} onChange={(value) => tell(value, time)} />
      <input
        type="time"
        className={ui['input']}
        aria-label={texts.time(label)}
        value={time}
        onChange={({ currentTarget: { value } }) => tell(day, value)}
      />
      {help !== undefined && (
        <span id={helpId} className={ui['spoken-only']}>
          {help}
        </span>
      )}
      {isPast && (
        <span className={ui['note-error']} role="alert">
          {texts.past}
        </span>
      )}
    </fieldset>
  );
}

function momentOf(day: string, time: string): number | null {
  const moment = Date.parse(`${day}T${time === '' ? '23:59' : time}`);
  return day === '' || Number.isNaN(moment) ? null : moment;
}
