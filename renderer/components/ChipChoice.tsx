import { countText } from '../app/locale/numbers.ts';
import styles from './components.module.css';
import ui from './ui.module.css';

interface Choice<T> {
  readonly value: T;
  readonly name: string;
  /** How many entries the choice shows; not displayed if absent. */
  readonly count?: number | undefined;
}

interface ChipChoiceProps<T> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** A row of a few choices, one of them selected. */
export function ChipChoice<T>({ label, choices, chosen, onChoose }: ChipChoiceProps<T>) {
  return (
    <div role="group" aria-label={label} className={ui['choice']}>
      {choices.map(({ value, name, count }) => (
        <button key={String(value)} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
          {count !== undefined && <span className={styles['chip-count']}> {countText(count)}</span>}
        </button>
      ))}
    </div>
  );
}
