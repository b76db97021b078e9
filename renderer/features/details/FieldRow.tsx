import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import type { Cell } from '../../../shared/model/field-types.ts';
import { lengthLimit } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { OPEN_END } from '../../../shared/model/plain-date.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { useAppContext } from '../../app/app-context.ts';
import { wordName } from '../../app/field-names.ts';
import { issueText } from '../../app/issue-text.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { choicesOf, useLimits } from '../../app/locale/limits.ts';
import { isSymbolFirst } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { useEditedText } from '../../components/use-typed-text.ts';
import { type Column, type MediaNames, valueText } from '../../grid/columns.ts';
import styles from './details.module.css';

const texts = {
  mixed: 'mixed',
  noEnd: 'No end date',
  notSaved: (field: string, problem: string) => `${field} is not saved. ${problem}`,
  over: (by: number) => `${by} over the limit`,
  commentOn: (field: string) => `Comment on ${field}`,
} as const;

export interface FieldRowProps extends FieldProps {
  readonly value: Cell;
  /** True for several rows with different values. */
  readonly mixed: boolean;
  readonly media: MediaNames;
  /** Answers false if the value was not written. */
  readonly onChange: (value: Cell) => Promise<boolean>;
  /** Called with the text on every keystroke, for previews, and with null once the stored value is shown. */
  readonly onTyping?: (text: string | null) => void;
}

/**
 * A field of the details. Enter, leaving the field, or unmounting it writes the text; Escape restores the stored value,
 * as does text that can't be written.
 */
export function FieldRow(props: FieldRowProps) {
  const { kind, column, value, mixed, locked, media, onChange, onTyping } = props;
  const { toasts } = useAppContext();
  const id = useId();
  const problemId = `${id}-notes`;
  const mayBeOpen = kind === 'campaign' && column.field === 'endDate' && !mixed;
  const isOpen = mayBeOpen && value === OPEN_END;
  const stored = isOpen ? '' : editText(kind, column.field, value);
  const [text, setText] = useEditedText(stored);
  const parsed = readCell(kind, column.field, text);
  const problem = parsed.ok ? null : parsed.error;
  const limits = useLimits();
  const limit = lengthLimit(limits, kind, column.field);
  const type = column.spec?.type;
  const error = problem !== null || props.issues.some((issue) => issue.severity === 'error');
  /** True if text was typed since the last write. */
  const isTyped = useRef(false);

  const write = async (): Promise<void> => {
    isTyped.current = false;
    if (!parsed.ok) return;
    const isWritten = text !== stored && (await onChange(parsed.value));
    if (isTyped.current) return;
    if (!isWritten) setText(null);
    onTyping?.(null);
  };
  const leave = (): void => {
    if (isTyped.current) void write();
  };
  // React sends no blur for an element that is removed.
  const beforeUnmount = useEffectEvent(() => {
    if (isTyped.current && problem !== null) toasts.fail(texts.notSaved(column.title, problem));
    leave();
  });
  useEffect(() => () => beforeUnmount(), []);
  const aria = { id, 'aria-describedby': problemId, 'aria-invalid': error };
  const takeText = (next: string): void => {
    isTyped.current = true;
    setText(next);
    onTyping?.(next);
  };
  const typed = {
    ...aria,
    value: text,
    placeholder: mixed ? texts.mixed : undefined,
    onBlur: leave,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') void write();
      if (event.key !== 'Escape' || text === stored) return;
      // Escape here must not close the pane; the next Escape does.
      event.preventDefault();
      takeText(stored);
    },
  };
  let control =
    type?.is === 'date' ? (
      <DayInput {...typed} onChange={takeText} />
    ) : (
      <input
        {...typed}
        className={ui['input']}
        inputMode={column.align === 'right' ? 'decimal' : 'text'}
        type="text"
        onChange={(event) => takeText(event.target.value)}
      />
    );
  if (type?.is === 'money') {
    control = (
      <span className={isSymbolFirst() ? styles['money'] : `${styles['money']} ${styles['money-last']}`}>
        <span aria-hidden="true">$</span>
        {control}
      </span>
    );
  }
  if (locked !== null) {
    control = (
      // No announcement by screen readers: the value changes with every move of the selection.
      <output {...aria} aria-live="off" className={`${ui['input']} ${styles['input-locked']}`}>
        {valueText(kind, column.field, value, media)}
      </output>
    );
  } else if (mayBeOpen) {
    control = (
      <div className={styles['end-date']}>
        {control}
        <Chip aria-pressed={isOpen} onClick={() => void onChange(isOpen ? null : OPEN_END)}>
          {texts.noEnd}
        </Chip>
      </div>
    );
  } else if (type?.is === 'choice') {
    control = (
      <Choice
        {...aria}
        options={[
          [null, mixed ? texts.mixed : appTexts.grid.none],
          ...choicesOf(kind, column.field, value, limits).map((each) => [each, wordName(column.field, each)] as const),
        ]}
        value={value}
        onChoose={(next) => void onChange(next)}
      />
    );
  }
  const hint = limit === null || locked !== null ? null : <Counter used={codePointLength(text)} max={limit} />;
  return (
    <FieldFrame {...props} inputId={id} problemId={problemId} problem={problem} hint={hint}>
      {control}
    </FieldFrame>
  );
}

/** Characters used and allowed; a text says by how many the limit is exceeded. */
function Counter({ used, max }: { readonly used: number; readonly max: number }) {
  const over = used - max;
  return (
    <span className={over > 0 ? `${ui['counter']} ${ui['counter-over']}` : ui['counter']}>
      {appTexts.inspector.counter(used, max)}
      {over > 0 && ` · ${texts.over(over)}`}
    </span>
  );
}

/** Props of every field of the details, whatever control edits it. */
export interface FieldProps {
  readonly kind: Kind;
  readonly column: Column;
  /** Why the field can't be edited, or null. */
  readonly locked: string | null;
  readonly issues: readonly Issue[];
  /** Number of open comments; null for several rows, which can't be commented on at once. */
  readonly openComments: number | null;
}

interface FieldFrameProps extends FieldProps {
  readonly inputId: string;
  readonly problemId: string;
  readonly problem: string | null;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** Label, control, and issues below it. */
export function FieldFrame(props: FieldFrameProps) {
  const { column, locked, issues, openComments } = props;
  const { inputId, problemId, problem, hint, children } = props;
  return (
    <div className={styles['field']}>
      <div className={styles['field-head']}>
        <label htmlFor={inputId}>{column.title}</label>
        {openComments !== null && <CommentButton column={column} open={openComments} />}
        <span className={ui['toolbar-gap']} />
        {hint}
      </div>
      {children}
      <div id={problemId} className={styles['field-notes']}>
        <Problem of={problem} />
        {issues.map((issue) => (
          <p key={issue.rule} className={ui[`note-${issue.severity}`]}>
            {issueText(issue)}
          </p>
        ))}
        {locked !== null && column.spec?.owner === 'user-until-sent' && <p className={ui['quiet']}>{locked}</p>}
      </div>
    </div>
  );
}

/**
 * A button beside a field with its number of open comments; it begins another one. Without comments it appears on hover
 * and is no Tab stop, because the comment form below offers every field.
 */
function CommentButton({ column, open }: { readonly column: Column; readonly open: number }) {
  const { store } = useAppContext();
  const name = texts.commentOn(column.title);
  return (
    <button
      type="button"
      className={open > 0 ? `${styles['field-comment']} ${styles['field-commented']}` : styles['field-comment']}
      tabIndex={open > 0 ? undefined : -1}
      aria-label={open > 0 ? `${name}: ${appTexts.annotations.open(open)}` : name}
      title={open > 0 ? appTexts.annotations.open(open) : name}
      onClick={() => store.getState().beginComment(column.field)}
    >
      <span className={ui['comment-sign']} />
      {open > 0 && <span className={ui['numeric']}>{open}</span>}
    </button>
  );
}
