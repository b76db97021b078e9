import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { MARKS, printSearch, type Query } from '../../../shared/search/query.ts';
import { wordName } from '../../app/field-names.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { choicesOf } from '../../app/locale/limits.ts';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { columnsOf } from '../../grid/columns.ts';
import styles from './shell.module.css';

const texts = {
  title: 'Show rows that match all conditions',
  field: 'Field',
  operator: 'Condition',
  value: 'Value',
  add: 'Add condition',
  remove: 'Remove condition',
  clear: 'Clear',
  involved: "The form can't show this filter. Clear it to start over, or edit it as text.",
  unreadable: 'This filter has an error. Clear it to start over, or fix it as text.',
  beside: {
    text: 'Any text',
    campaign: 'Campaign',
    label: 'Label',
    comment: 'Open comment',
    resolved: 'Resolved comment',
    id: 'Service ID',
    is: 'Row status',
  },
  operators: {
    has: 'contains',
    'has-not': 'does not contain',
    '=': 'is',
    '!=': 'is not',
    '<': 'less than',
    '<=': 'at most',
    '>': 'more than',
    '>=': 'at least',
    empty: 'is empty',
    filled: 'is not empty',
  },
  marks: {
    changed: 'changed',
    new: 'new',
    deleted: 'deleted',
    held: 'on hold',
    error: 'with an error',
    warning: 'with a warning',
    advice: 'with a suggestion',
    conflict: 'in conflict',
    'in-doubt': 'unconfirmed',
    question: 'needs your answer',
    refused: 'failed',
  },
} as const;

export interface FilterLinesProps {
  readonly kind: Kind;
  /** The filter as text: the form reads it when it opens and writes it with every change. */
  readonly filter: string;
  readonly onChange: (filter: string) => void;
}

const FIRST: Condition = { field: 'text', op: 'has', value: '' };

/** One line for each condition; what is finished of them is the filter at once. */
export function FilterLines({ kind, filter, onChange }: FilterLinesProps) {
  const [begun] = useState(() => {
    const query = parseSearch(filter, kind);
    return { readable: query.ok, lines: query.ok ? conditionsOf(query.value, kind) : null };
  });
  const [lines, setLines] = useState<readonly Condition[] | null>(
    begun.lines !== null && begun.lines.length === 0 ? [FIRST] : begun.lines,
  );
  const write = (next: readonly Condition[]): void => {
    setLines(next);
    const query = queryOf(next, kind);
    if (query.ok) onChange(printSearch(query.value, kind));
  };
  const clear = (): void => write([FIRST]);
  if (lines === null) {
    return (
      <>
        <p>{begun.readable ? texts.involved : texts.unreadable}</p>
        <Button onClick={clear}>{texts.clear}</Button>
      </>
    );
  }
  const query = queryOf(lines, kind);
  return (
    <>
      <p className={styles['filter-title']}>{texts.title}</p>
      {lines.map((line, i) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the form.
          key={i}
          kind={kind}
          line={line}
          problem={!query.ok && query.error.line === i ? query.error.problem : null}
          onChange={(next) => write(lines.with(i, next))}
          onRemove={lines.length === 1 ? clear : () => write(lines.toSpliced(i, 1))}
        />
      ))}
      <div className={styles['filter-buttons']}>
        <Button onClick={() => setLines([...lines, FIRST])}>{texts.add}</Button>
        <Button onClick={clear}>{texts.clear}</Button>
      </div>
    </>
  );
}

interface LineProps {
  readonly kind: Kind;
  readonly line: Condition;
  readonly problem: string | null;
  readonly onChange: (line: Condition) => void;
  readonly onRemove: () => void;
}

function Line({ kind, line, problem, onChange, onRemove }: LineProps) {
  const setField = (field: string): void => {
    const [first = 'has', ...others] = operatorsFor(kind, field);
    const op = others.includes(line.op) ? line.op : first;
    onChange({ field, op, value: ownField({ field }) === ownField(line) ? line.value : '' });
  };
  return (
    <div className={styles['filter-line']}>
      <select
        className={ui['input']}
        aria-label={texts.field}
        value={line.field}
        onChange={(event) => setField(event.target.value)}
      >
        {BESIDE_FIELDS.map((field) => (
          <option key={field} value={field}>
            {texts.beside[field]}
          </option>
        ))}
        {columnsOf(kind, false)
          .filter(({ spec }) => spec !== null)
          .map(({ field, title }) => (
            <option key={field} value={fieldKey(field)}>
              {title}
            </option>
          ))}
      </select>
      <select
        className={ui['input']}
        aria-label={texts.operator}
        value={line.op}
        onChange={(event) => onChange({ ...line, op: OPERATORS.find((op) => op === event.target.value) ?? line.op })}
      >
        {operatorsFor(kind, line.field).map((op) => (
          <option key={op} value={op}>
            {texts.operators[op]}
          </option>
        ))}
      </select>
      {needsValue(line) ? <ValueInput kind={kind} line={line} problem={problem} onChange={onChange} /> : <span />}
      <ActionIcon variant="default" size={24} aria-label={texts.remove} title={texts.remove} onClick={onRemove}>
        <IconX size={14} stroke={1.5} />
      </ActionIcon>
      {problem !== null && (
        <p className={`${ui['note-error']} ${styles['filter-problem']}`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function ValueInput({ kind, line, problem, onChange }: Omit<LineProps, 'onRemove'>) {
  const own = ownField(line);
  const type = own === null ? undefined : fieldSpec(kind, own)?.type;
  const shared = {
    className: ui['input'],
    'aria-label': texts.value,
    value: line.value,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...line, value: event.target.value }),
  };
  const options =
    line.field === 'is'
      ? MARKS.map((mark) => [mark, texts.marks[mark]] as const)
      : type?.is === 'choice'
        ? choicesOf(kind, own ?? '', line.value).map((choice) => [choice, wordName(own ?? '', choice)] as const)
        : null;
  if (options === null) {
    const isInvalid = problem !== null;
    if (type?.is !== 'date') return <input {...shared} type="text" aria-invalid={isInvalid} />;
    const change = (value: string): void => onChange({ ...line, value });
    return <DayInput aria-label={texts.value} aria-invalid={isInvalid} value={line.value} onChange={change} />;
  }
  return (
    <select {...shared}>
      <option value="" />
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** What may be asked of a field; `has` looks for words in it, `empty` and `filled` need no value. */
const OPERATORS = ['has', 'has-not', '=', '!=', '<', '<=', '>', '>=', 'empty', 'filled'] as const;
type Operator = (typeof OPERATORS)[number];

/** What is no field of the rows: words anywhere, the campaign's name, notes, the service's id, marks. */
export const BESIDE_FIELDS = ['text', 'campaign', 'label', 'comment', 'resolved', 'id', 'is'] as const;
type Beside = (typeof BESIDE_FIELDS)[number];

/** One line of the form. `field` is a field of the kind with a colon before it, or one of `BESIDE_FIELDS`. */
export interface Condition {
  readonly field: string;
  readonly op: Operator;
  readonly value: string;
}

export const fieldKey = (field: string): string => `:${field}`;
/** The field of the kind that a condition is about, or null for what is none. */
const ownField = ({ field }: Pick<Condition, 'field'>): string | null =>
  field.startsWith(':') ? field.slice(1) : null;

const ORDERED: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>=', 'empty', 'filled'];
const BESIDE_OPERATORS: Readonly<Record<Beside, readonly Operator[]>> = {
  text: ['has', 'has-not'],
  campaign: ['has', 'has-not'],
  label: ['has', 'has-not', 'filled', 'empty'],
  comment: ['has', 'has-not', 'filled', 'empty'],
  resolved: ['has', 'has-not', 'filled', 'empty'],
  id: ['=', '!='],
  is: ['=', '!='],
};

/** The operators that fit what a condition is about; the first is the one to begin with. */
export function operatorsFor(kind: Kind, field: string): readonly Operator[] {
  const own = ownField({ field });
  const beside = BESIDE_FIELDS.find((each) => each === field);
  if (own === null) return beside === undefined ? [] : BESIDE_OPERATORS[beside];
  switch (fieldSpec(kind, own)?.type.is) {
    case 'text':
      return ['has', 'has-not', '=', '!=', 'empty', 'filled'];
    case 'choice':
      return ['=', '!=', 'empty', 'filled'];
    case 'ref':
      return ['empty', 'filled'];
    default:
      return ORDERED;
  }
}

export const needsValue = ({ op }: Condition): boolean => op !== 'empty' && op !== 'filled';
const isFinished = (condition: Condition): boolean => !needsValue(condition) || condition.value.trim() !== '';

/** The search that the finished lines of the form stand for; the error names the line. */
export function queryOf(
  conditions: readonly Condition[],
  kind: Kind,
): Result<Query, { readonly line: number; readonly problem: string }> {
  const parts: Query[] = [];
  for (const [line, condition] of conditions.entries()) {
    if (!isFinished(condition)) continue;
    const part = leafOf(condition, kind);
    if (!part.ok) return err({ line, problem: part.error });
    parts.push(part.value);
  }
  const [only, second] = parts;
  if (only === undefined) return ok({ is: 'all' });
  return ok(second === undefined ? only : { is: 'and', parts });
}

function leafOf(condition: Condition, kind: Kind): Result<Query, string> {
  const { op } = condition;
  const own = ownField(condition);
  const value = condition.value.trim();
  const not = (part: Query, isNot: boolean): Result<Query, string> => ok(isNot ? { is: 'not', part } : part);
  if (own === null) {
    const isNot = op === 'has-not' || op === '!=' || op === 'empty';
    const mark = MARKS.find((each) => each === value);
    const text = op === 'empty' || op === 'filled' ? '' : value;
    if (condition.field === 'text') return not({ is: 'text', text }, isNot);
    if (condition.field === 'campaign') return not({ is: 'campaign', text }, isNot);
    if (condition.field === 'id') return not({ is: 'id', id: value }, isNot);
    if (condition.field === 'is') return mark === undefined ? ok({ is: 'all' }) : not({ is: 'mark', mark }, isNot);
    const what = condition.field === 'label' || condition.field === 'resolved' ? condition.field : 'comment';
    return not({ is: 'note', what, text }, isNot);
  }
  if (op === 'empty' || op === 'filled') return not({ is: 'empty', field: own }, op === 'filled');
  if (op === 'has' || op === 'has-not') return not({ is: 'contains', field: own, text: value }, op === 'has-not');
  const cell = readCell(kind, own, value);
  if (!cell.ok) return cell;
  return cell.value === null ? ok({ is: 'all' }) : ok({ is: 'compare', field: own, op, value: cell.value });
}

/** The lines that stand for a search, or null when it says more than lines can: alternatives, lists, nested parts, comments on one field. */
export function conditionsOf(query: Query, kind: Kind): readonly Condition[] | null {
  if (query.is === 'all') return [];
  const lines = (query.is === 'and' ? query.parts : [query]).map((part) => lineOf(part, kind));
  return lines.every((line) => line !== null) ? lines : null;
}

function lineOf(query: Query, kind: Kind): Condition | null {
  // "Has a note" is written as not having none.
  if (query.is === 'not' && query.part.is === 'not') return lineOf(query.part.part, kind);
  const isNot = query.is === 'not';
  const part = isNot ? query.part : query;
  const has = isNot ? 'has-not' : 'has';
  const equals = isNot ? '!=' : '=';
  switch (part.is) {
    case 'text':
      return { field: 'text', op: has, value: part.text };
    case 'campaign':
      return { field: 'campaign', op: has, value: part.text };
    case 'contains':
      return { field: fieldKey(part.field), op: has, value: part.text };
    case 'note':
      if (part.field !== undefined) return null;
      return part.text === ''
        ? { field: part.what, op: isNot ? 'empty' : 'filled', value: '' }
        : { field: part.what, op: has, value: part.text };
    case 'id':
      return { field: 'id', op: equals, value: part.id };
    case 'mark':
      return { field: 'is', op: equals, value: part.mark };
    case 'empty':
      return { field: fieldKey(part.field), op: isNot ? 'filled' : 'empty', value: '' };
    case 'compare':
      if (isNot) return null;
      return { field: fieldKey(part.field), op: part.op, value: editText(kind, part.field, part.value) };
    default:
      return null;
  }
}
