import type { KeyboardEvent } from 'react';
import { editText } from '../../app/locale/cells.ts';
import ui from '../../components/ui.module.css';
import { useEditedText } from '../../components/use-typed-text.ts';
import { type CellInput, readInput, sumProblem } from '../../grid/cell-input.ts';
import styles from './matrix.module.css';

interface BidCellProps {
  /** Kind and field that say how the text is read: a bid in cents or a multiplier in hundredths of a percent. */
  readonly kind: 'keyword' | 'placementMultiplier' | 'platformMultiplier';
  readonly field: 'bid' | 'multiplier';
  readonly label: string;
  readonly value: number | null;
  readonly changed: boolean;
  readonly onWrite: (input: CellInput) => void;
}

/** One amount of a matrix. Enter and arrow keys walk the column; Escape takes the text back. */
export function BidCell({ kind, field, label, value, changed, onWrite }: BidCellProps) {
  const stored = editText(kind, field, value);
  const [text, setText] = useEditedText(stored);
  const read = readInput(kind, field, text);
  const problem = read.ok ? sumProblem(read.value, value) : read.error;

  const write = (): void => {
    if (text !== stored && read.ok && problem === null) onWrite(read.value);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') setText(stored);
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    write();
    neighbour(event.currentTarget, by)?.focus();
  };
  const sign = field === 'bid' && text !== '' && text === stored;
  return (
    <span className={styles['matrix-amount']}>
      {sign && (
        <span className={ui['quiet']} aria-hidden="true">
          $
        </span>
      )}
      <input
        className={changed ? `${styles['matrix-input']} ${styles['matrix-changed']}` : styles['matrix-input']}
        inputMode="decimal"
        aria-label={label}
        aria-invalid={problem !== null}
        title={problem ?? undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={write}
        onKeyDown={onKeyDown}
      />
    </span>
  );
}

/** The input in the same column of the row before or after. */
function neighbour(input: HTMLInputElement, by: number): HTMLInputElement | null {
  const cell = input.closest('td');
  const row = cell?.closest('tr');
  const next = by > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  return next?.children[cell?.cellIndex ?? 0]?.querySelector('input') ?? null;
}
