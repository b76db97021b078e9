import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import type { ImpactView } from '../../../shared/api/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { lengthLimit } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import type { Finding } from '../../../shared/rules/rule.ts';
import { useAppContext } from '../../app/app-context.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { choicesOf, useLimits } from '../../app/locale/limits.ts';
import { DayInput } from '../../components/DayInput.tsx';
import { useEditedText } from '../../components/use-typed-text.ts';
import { type Column, type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../texts/en.ts';
import { enAnnotations } from '../../texts/en-annotations.ts';
import { wordName } from '../../texts/fields.ts';
import { findingText } from '../../texts/findings.ts';

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
  const [text, setText] = useEditedText(stored);
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

interface EndDateProps {
  readonly aria: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
  /** An ISO day, the open end, or nothing yet. */
  readonly value: string;
  readonly onChange: (value: string | null) => void;
}

/** The day a campaign ends, or its going on until somebody stops it. */
function EndDate({ aria, value, onChange }: EndDateProps) {
  const isOpen = value === OPEN_END;
  const stored = isOpen ? '' : value;
  const [day, setDay] = useEditedText(stored);
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

/** What every field of the details has, whatever edits it. */
export interface FieldProps {
  readonly kind: Kind;
  readonly column: Column;
  /** Why it cannot be edited, or null. */
  readonly locked: string | null;
  readonly findings: readonly Finding[];
  /** What the service has, when it differs. */
  readonly before: string | null;
  readonly impact: ImpactView | null;
  readonly onRevert: (() => void) | null;
  /** Open comments on it; null where it stands for several rows, which cannot be commented on at once. */
  readonly openComments: number | null;
}

interface FieldFrameProps extends FieldProps {
  readonly inputId: string;
  readonly problemId: string;
  readonly problem: string | null;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** Label, badge of what a change costs, the input, and below it what is wrong and what the service has. */
export function FieldFrame(props: FieldFrameProps) {
  const { column, locked, findings, before, impact, onRevert, openComments } = props;
  const { inputId, problemId, problem, hint, children } = props;
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={inputId}>{column.title}</label>
        {impact !== null && impact.cost !== 'local' && impact.cost !== 'with-create' && (
          <span className={`badge impact-${impact.cost}`} title={impact.message ?? undefined}>
            {en.inspector.impacts[impact.cost]}
          </span>
        )}
        {openComments !== null && <CommentButton column={column} open={openComments} />}
        <span className="toolbar-gap" />
        {hint}
        {onRevert !== null && (
          <ActionIcon
            size={24}
            className="field-revert"
            variant="subtle"
            aria-label={`${en.inspector.revertField}: ${column.title}`}
            title={en.inspector.revertField}
            onClick={onRevert}
          >
            <IconArrowBackUp size={14} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {children}
      <div id={problemId} className="field-notes">
        {problem !== null && (
          <p className="note-error" role="alert">
            {problem}
          </p>
        )}
        {findings.map((finding) => (
          <p key={finding.rule} className={`note-${finding.severity}`}>
            {findingText(finding)}
          </p>
        ))}
        {before !== null && <p className="note-changed">{before}</p>}
        {locked !== null && column.spec?.owner === 'user-until-sent' && <p className="quiet">{locked}</p>}
      </div>
    </div>
  );
}

interface CommentButtonProps {
  readonly column: Column;
  /** Open comments on the field. */
  readonly open: number;
}

/**
 * The mark beside a field: how many open comments it has, and the way to one more. Without comments it comes with the
 * pointer and is no stop of the Tab key, since the form below offers every field as well.
 */
function CommentButton({ column, open }: CommentButtonProps) {
  const { store } = useAppContext();
  const name = enAnnotations.commentOn(column.title);
  return (
    <button
      type="button"
      className={open > 0 ? 'field-comment field-commented' : 'field-comment'}
      tabIndex={open > 0 ? undefined : -1}
      aria-label={open > 0 ? `${name}: ${enAnnotations.open(open)}` : name}
      title={open > 0 ? enAnnotations.open(open) : name}
      onClick={() => store.getState().beginComment(column.field)}
    >
      <span className="comment-sign" />
      {open > 0 && <span className="numeric">{open}</span>}
    </button>
  );
}
