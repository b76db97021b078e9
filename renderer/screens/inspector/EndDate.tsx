import { useEffect, useState } from 'react';
import { OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import { en } from '../../messages/en.ts';
import { DayInput } from '../../ui/DayInput.tsx';

interface EndDateProps {
  readonly aria: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
  /** An ISO day, the open end, or nothing yet. */
  readonly value: string;
  readonly onChange: (value: string | null) => void;
}

/** The day a campaign ends, or its going on until somebody stops it. */
export function EndDate({ aria, value, onChange }: EndDateProps) {
  const isOpen = value === OPEN_END;
  const stored = isOpen ? '' : value;
  const [day, setDay] = useState(stored);
  useEffect(() => setDay(stored), [stored]);
  const write = (): void => {
    if (day === stored) return;
    if (day === '') onChange(null);
    else if (plainDate(day) !== null) onChange(day);
  };
  return (
    <div className="end-date">
      <DayInput
        {...aria}
        value={day}
        onChange={setDay}
        onBlur={write}
        onKeyDown={(event) => {
          if (event.key === 'Enter') write();
          if (event.key === 'Escape') setDay(stored);
        }}
      />
      <button type="button" className="chip" aria-pressed={isOpen} onClick={() => onChange(isOpen ? null : OPEN_END)}>
        {en.inspector.noEnd}
      </button>
    </div>
  );
}
