import { countText } from '../app/locale/numbers.ts';
import { Chip } from './Chip.tsx';
import styles from './components.module.css';
import ui from './ui.module.css';

interface Choice<T> {
  readonly value: T;
  readonly name: string;
  /** How many there would be to see; not said when not given. */
  readonly count?: number | undefined;
}

interface ChipChoiceProps<T> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

export function ChipChoice<T>({ label, choices, chosen, onChoose }: ChipChoiceProps<T>) {
  return (
    <div role="group" aria-label={label} className={ui['chips']}>
      {choices.map(({ value, name, count }) => (
        <Chip key={String(value)} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
          {count !== undefined && <span className={styles['chip-count']}> {countText(count)}</span>}
        </Chip>
      ))}
    </div>
  );
}
