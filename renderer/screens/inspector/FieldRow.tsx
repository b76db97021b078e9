import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { codePointLength } from '../../../shared/model/code-points.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { lengthLimit } from '../../../shared/model/fields.ts';
import { choicesOf, useLimits } from '../../data/use-limits.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { editText, readCell } from '../../locale/cells.ts';
import { en } from '../../messages/en.ts';
import { wordName } from '../../messages/fields.ts';
import { DayInput } from '../../ui/DayInput.tsx';
import { EndDate } from './EndDate.tsx';
import { FieldFrame, type FieldProps } from './FieldFrame.tsx';

export interface FieldRowProps extends FieldProps {
  readonly value: Cell;
  /** True when several rows are edited and they differ. */
  readonly mixed: boolean;
  readonly media: MediaNames;
  readonly onChange: (value: Cell) => void;
  /** Hears the text as it is typed, for what shows it at once. */
  readonly onTyping?: (text: string) => void;
}

/** One field of the details. Text is written when the field is left or Enter is pressed; Escape takes it back. */
export function FieldRow(props: FieldRowProps) {
  const { kind, column, value, mixed, locked, media, onChange, onTyping } = props;
  const id = useId();
  const problemId = `${id}-notes`;
  const stored = editText(kind, column.field, value);
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const parsed = readCell(kind, column.field, text);
  const problem = parsed.ok ? null : parsed.error;
  const limits = useLimits();
  const limit = lengthLimit(limits, kind, column.field);
  const type = column.spec?.type;
  const error = problem !== null || props.findings.some((finding) => finding.severity === 'error');

  const write = (): void => {
    if (parsed.ok && text !== stored) onChange(parsed.value);
  };
  const aria = { id, 'aria-describedby': problemId, 'aria-invalid': error };
  const takeText = (next: string): void => {
    setText(next);
    onTyping?.(next);
  };
  const typed = {
    ...aria,
    value: text,
    placeholder: mixed ? en.inspector.mixed : undefined,
    onBlur: write,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') write();
      if (event.key === 'Escape') takeText(stored);
    },
  };
  let control =
    type?.is === 'date' ? (
      <DayInput {...typed} onChange={takeText} />
    ) : (
      <input
        {...typed}
        className="input"
        inputMode={column.align === 'right' ? 'decimal' : 'text'}
        type="text"
        onChange={(event) => takeText(event.target.value)}
      />
    );
  if (locked !== null) {
    control = (
      // Not spoken by itself: it changes with every move of the selection.
      <output {...aria} aria-live="off" className="input input-locked">
        {valueText(kind, column.field, value, media)}
      </output>
    );
  } else if (kind === 'campaign' && column.field === 'endDate' && !mixed) {
    control = <EndDate aria={aria} value={value === null ? '' : String(value)} onChange={onChange} />;
  } else if (type?.is === 'choice') {
    control = (
      <select
        {...aria}
        className="input"
        value={value === null ? '' : String(value)}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{mixed ? en.inspector.mixed : en.grid.none}</option>
        {choicesOf(kind, column.field, value, limits).map((choice) => (
          <option key={choice} value={choice}>
            {wordName(column.field, choice)}
          </option>
        ))}
      </select>
    );
  }
  const hint = limit === null || locked !== null ? null : <Counter used={codePointLength(text)} max={limit} />;
  return (
    <FieldFrame {...props} inputId={id} problemId={problemId} problem={problem} hint={hint}>
      {control}
    </FieldFrame>
  );
}

/** Characters used of those the service takes; words say so when there are too many. */
function Counter({ used, max }: { readonly used: number; readonly max: number }) {
  const over = used - max;
  return (
    <span className={over > 0 ? 'counter counter-over' : 'counter'}>
      {en.inspector.counter(used, max)}
      {over > 0 && ` · ${en.inspector.over(over)}`}
    </span>
  );
}
