import { IconCalendar } from '@tabler/icons-react';
import { type InputHTMLAttributes, useLayoutEffect, useRef, useState } from 'react';
import { plainDate } from '../../shared/model/plain-date.ts';
import { locale } from '../app/locale/current.ts';
import { plainDay } from '../app/locale/read-amount.ts';
import styles from './components.module.css';
import ui from './ui.module.css';

const texts = {
  dayHint: 'YYYY-MM-DD',
  calendar: 'Choose from the calendar',
} as const;

interface DayInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'onFocus' | 'type'> {
  /** Year-month-day, or typed text that is no day yet. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Typed text as year-month-day if it can mean only one day; otherwise unchanged. */
const asDay = (text: string): string => {
  const day = plainDay(text);
  return day.ok ? day.value : text;
};

/**
 * A calendar day in the format of the window's locale. The browser's own field would follow the locale of the browser,
 * and could show another order than the cells beside it. During input it shows the typed text, as a cell does:
 *
 *   at rest (May 4, 2030) --focus--> typed (2030-05-04, 4.5.2030 ...) --leave--> at rest
 *
 * The calendar is the browser's, opened by its button or with Alt and arrow down.
 */
export function DayInput({ value, onChange, onBlur, onKeyDown, placeholder, ...others }: DayInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [isTyped, setTyped] = useState(false);
  const [text, setText] = useState(value);
  const isDay = plainDate(value) !== null;
  // The typed text stays until the day is changed elsewhere: by Escape, or in the calendar.
  const inField = asDay(text) === value ? text : value;
  // Tab selects the content of a field, and typing replaces it. The text changes on focus, so it is selected again.
  useLayoutEffect(() => {
    if (isTyped) field.current?.select();
  }, [isTyped]);
  const choose = (): void => picker.current?.showPicker();
  return (
    <span className={styles['day-input']}>
      <input
        {...others}
        ref={field}
        className={ui['input']}
        type="text"
        value={isTyped || !isDay ? inField : locale().day(value)}
        placeholder={placeholder ?? texts.dayHint}
        autoComplete="off"
        onFocus={() => {
          setText(value);
          setTyped(true);
        }}
        onChange={(event) => {
          setText(event.target.value);
          onChange(asDay(event.target.value));
        }}
        onBlur={(event) => {
          setTyped(false);
          onBlur?.(event);
        }}
        onKeyDown={(event) => {
          if (event.altKey && event.key === 'ArrowDown') {
            event.preventDefault();
            choose();
          }
          onKeyDown?.(event);
        }}
      />
      <input
        ref={picker}
        className={styles['day-picker']}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={isDay ? value : ''}
        onChange={(event) => {
          onChange(event.target.value);
          // With the focus here, the day is written when the field is left.
          field.current?.focus();
        }}
      />
      <button
        type="button"
        className={styles['day-button']}
        tabIndex={-1}
        aria-label={texts.calendar}
        title={texts.calendar}
        onClick={choose}
      >
        <IconCalendar size={14} stroke={1.5} aria-hidden="true" />
      </button>
    </span>
  );
}
