import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { MARKS, printSearch } from '../../../shared/search/query.ts';
import { choicesOf } from '../../data/use-limits.ts';
import { columnsOf } from '../../grid/columns.ts';
import { enFilter } from '../../messages/en-filter.ts';
import { wordName } from '../../messages/fields.ts';
import { DayInput } from '../../ui/DayInput.tsx';
import {
  BESIDE_FIELDS,
  type Condition,
  conditionsOf,
  fieldKey,
  needsValue,
  OPERATORS,
  operatorsFor,
  ownField,
  queryOf,
} from './filter-form.ts';

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
        <p>{begun.readable ? enFilter.involved : enFilter.unreadable}</p>
        <Button onClick={clear}>{enFilter.clear}</Button>
      </>
    );
  }
  const query = queryOf(lines, kind);
  return (
    <>
      <p className="filter-title">{enFilter.title}</p>
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
      <div className="filter-buttons">
        <Button onClick={() => setLines([...lines, FIRST])}>{enFilter.add}</Button>
        <Button onClick={clear}>{enFilter.clear}</Button>
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
    <div className="filter-line">
      <select
        className="input"
        aria-label={enFilter.field}
        value={line.field}
        onChange={(event) => setField(event.target.value)}
      >
        {BESIDE_FIELDS.map((field) => (
          <option key={field} value={field}>
            {enFilter.beside[field]}
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
        className="input"
        aria-label={enFilter.operator}
        value={line.op}
        onChange={(event) => onChange({ ...line, op: OPERATORS.find((op) => op === event.target.value) ?? line.op })}
      >
        {operatorsFor(kind, line.field).map((op) => (
          <option key={op} value={op}>
            {enFilter.operators[op]}
          </option>
        ))}
      </select>
      {needsValue(line) ? <ValueInput kind={kind} line={line} problem={problem} onChange={onChange} /> : <span />}
      <ActionIcon variant="default" size={24} aria-label={enFilter.remove} title={enFilter.remove} onClick={onRemove}>
        <IconX size={14} stroke={1.5} />
      </ActionIcon>
      {problem !== null && (
        <p className="note-error filter-problem" role="alert">
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
    className: 'input',
    'aria-label': enFilter.value,
    value: line.value,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...line, value: event.target.value }),
  };
  const options =
    line.field === 'is'
      ? MARKS.map((mark) => [mark, enFilter.marks[mark]] as const)
      : type?.is === 'choice'
        ? choicesOf(kind, own ?? '', line.value).map((choice) => [choice, wordName(own ?? '', choice)] as const)
        : null;
  if (options === null) {
    const isInvalid = problem !== null;
    if (type?.is !== 'date') return <input {...shared} type="text" aria-invalid={isInvalid} />;
    const change = (value: string): void => onChange({ ...line, value });
    return <DayInput aria-label={enFilter.value} aria-invalid={isInvalid} value={line.value} onChange={change} />;
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
