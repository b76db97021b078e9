import { Button, Popover } from '@mantine/core';
import { IconFilter, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { formatDecimal } from '../../../shared/model/decimal.ts';
import { fieldLabel, fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isMetricName, METRIC_NAMES, unitOf } from '../../../shared/reports/account-metrics.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import {
  MARKS,
  metricPlaces,
  printSearch,
  type Query,
  SIGNALS,
  type SignalName,
} from '../../../shared/search/query.ts';
import {
  CAMPAIGN_COLUMN,
  joinParts,
  partsOf,
  queryOfValues,
  type ValueFilter,
  valueFilterOf,
} from '../../../shared/search/value-filter.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { ONLY_NAMES, wordName } from '../../app/field-names.ts';
import { ruleName } from '../../app/issue-text.ts';
import { editText, readAmount, readCell } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { choicesOf } from '../../app/locale/limits.ts';
import { figureText, moneyText, periodName } from '../../app/locale/numbers.ts';
import { plainSearch } from '../../app/locale/plain-search.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { Problem } from '../../app/Problem.tsx';
import { useMedia } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Choice, type Option } from '../../components/Choice.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { columnsOf, type MediaNames, valueText } from '../../grid/columns.ts';
import styles from './grid-bar.module.css';
import { isHidden, useSaveView } from './save-view.ts';
import { ValueList } from './ValueList.tsx';

const texts = {
  filters: 'Filters',
  form: 'Filter',
  field: 'Field',
  operator: 'Condition',
  value: 'Value',
  add: 'Add filter',
  apply: 'Apply',
  remove: (filter: string) => `Remove filter: ${filter}`,
  text: 'Filter as text',
  saveTo: 'Save to this view',
  saveView: 'Save view',
  clear: 'Clear',
  show: 'Show',
  empty: '(empty)',
  issue: 'Issue',
  campaign: 'Campaign',
  period: 'Metrics of',
  metrics: 'Metrics',
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

/** The filters of the rows, each as a chip that opens its form. A filter without a form is a chip with its text. */
export function FilterRow({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const saved = useQuery(useApi().views.saved.queryOptions({ input: { workspaceId } })).data ?? [];
  const save = useSaveView(saved);
  const { kind, filter, only, savedView, form } = useViewOf((s) => ({
    kind: s.kind,
    filter: s.filter,
    only: s.only,
    savedView: s.savedView,
    form: s.filterForm,
  }));
  const media = useMedia(workspaceId).names;
  const query = parseSearch(filter, kind);
  const parts = query.ok ? partsOf(query.value) : null;
  const write = (next: readonly Query[]): void => store.getState().setFilter(printSearch(joinParts(next), kind));
  const opened = saved.find(({ id }) => id === savedView);
  const isAsSaved = opened?.view.filter === filter && opened.view.only === only;
  const clear = (): void => {
    store.getState().setFilter('');
    store.getState().setOnly('all');
  };
  return (
    <section className={styles['row']} aria-label={texts.filters}>
      {isHidden(only) && (
        <FilterChip
          id={-1}
          label={texts.show}
          value={ONLY_NAMES.find(([each]) => each === only)?.[1] ?? ''}
          onRemove={() => store.getState().setOnly('all')}
        >
          {() => <OnlyForm />}
        </FilterChip>
      )}
      {parts === null && (
        <FilterChip
          id={form === 'new' ? form : 0}
          label=""
          value={filter}
          isBad
          onRemove={() => store.getState().setFilter('')}
        >
          {(close) => <TextForm kind={kind} value={filter} onWrite={(next) => write([next])} close={close} />}
        </FilterChip>
      )}
      {parts?.map((part, i) => (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: a filter is its place in the row.
          key={i}
          id={i}
          {...describe(part, kind, media)}
          onRemove={() => write(parts.toSpliced(i, 1))}
        >
          {(close) => (
            <PartForm
              workspaceId={workspaceId}
              kind={kind}
              part={part}
              others={parts.toSpliced(i, 1)}
              media={media}
              onWrite={(next) => write(next === null ? parts.toSpliced(i, 1) : parts.with(i, next))}
              close={close}
            />
          )}
        </FilterChip>
      ))}
      {parts !== null && (
        <FormPopover id="new">
          <button
            type="button"
            className={styles['add']}
            aria-expanded={form === 'new'}
            onClick={() => store.getState().openFilterForm('new')}
          >
            <IconPlus size={12} stroke={1.5} aria-hidden="true" />
            {texts.add}
          </button>
          {(close) => (
            <ConditionForm kind={kind} value={FIRST} onWrite={(next) => write([...parts, next])} close={close} />
          )}
        </FormPopover>
      )}
      <span className={ui['toolbar-gap']} />
      {!isAsSaved && (filter !== '' || only !== 'all') && (
        <button type="button" className={styles['link']} onClick={() => save(opened?.name)}>
          {opened === undefined ? texts.saveView : texts.saveTo}
        </button>
      )}
      {(filter !== '' || only !== 'all') && (
        <button type="button" className={styles['link']} onClick={clear}>
          {texts.clear}
        </button>
      )}
    </section>
  );
}

type Form = (close: () => void) => ReactNode;
/** The place of a filter in the row, or -1 of the quick filter; a filter without a form is also what a new one would be. */
type FormId = number | 'new';

/** A form below its chip or button. The store holds which form is open, so that shortcuts can open one. */
function FormPopover({
  id,
  children: [target, form],
}: {
  readonly id: FormId;
  readonly children: readonly [ReactNode, Form];
}) {
  const { store, openGrid } = useAppContext();
  const isOpen = useView((s) => s.filterForm === id);
  const close = (): void => {
    if (store.getState().filterForm !== id) return;
    store.getState().openFilterForm(null);
    openGrid.current?.focus();
  };
  return (
    <Popover
      withRoles={false}
      opened={isOpen}
      onDismiss={close}
      position="bottom-start"
      trapFocus
      // Closing gives the focus to the grid, because the filter's chip may no longer exist.
      returnFocus={false}
      shadow="md"
    >
      <Popover.Target>
        <span>{target}</span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.form}>
        {isOpen && form(close)}
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChipProps {
  readonly id: FormId;
  readonly label: string;
  readonly value: string;
  readonly isBad?: boolean;
  readonly onRemove: () => void;
  readonly children: Form;
}

function FilterChip({ id, label, value, isBad = false, onRemove, children }: ChipProps) {
  const { store } = useAppContext();
  const isOpen = useView((s) => s.filterForm === id);
  const name = `${label} ${value}`.trim();
  const open = (): void => store.getState().openFilterForm(isOpen ? null : id);
  return (
    <FormPopover id={id}>
      <span className={isBad ? `${styles['chip']} ${styles['chip-bad']}` : styles['chip']}>
        <button type="button" title={name} aria-expanded={isOpen} onClick={open}>
          {(id === 'new' || id < 1) && <IconFilter size={12} stroke={1.5} aria-hidden="true" />}
          {label} <b>{value}</b>
        </button>
        <button type="button" aria-label={texts.remove(name)} title={texts.remove(name)} onClick={onRemove}>
          <IconX size={12} stroke={1.5} aria-hidden="true" />
        </button>
      </span>
      {children}
    </FormPopover>
  );
}

/** A filter as text: its field and operator, then its values. */
function describe(part: Query, kind: Kind, media: MediaNames): Pick<ChipProps, 'label' | 'value'> {
  const wanted = valueFilterOf(part);
  const inner = part.is === 'not' ? part.part : part;
  if (wanted !== null) {
    const title = wanted.field === CAMPAIGN_COLUMN ? texts.campaign : fieldLabel(wanted.field, kind);
    const op = wanted.field === CAMPAIGN_COLUMN ? (wanted.isNot ? 'has-not' : 'has') : wanted.isNot ? '!=' : '=';
    const values = wanted.values.map((value) =>
      value === null
        ? texts.empty
        : wanted.field === CAMPAIGN_COLUMN
          ? String(value)
          : valueText(kind, wanted.field, value, media),
    );
    return { label: `${title} ${texts.operators[op]}`, value: values.join(', ') };
  }
  if (inner.is === 'issue') {
    return {
      label: `${texts.issue} ${texts.operators[part.is === 'not' ? '!=' : '=']}`,
      value: ruleName(inner.rule, []),
    };
  }
  if (inner.is === 'period') return { label: texts.period, value: periodName(inner.period) };
  const line = conditionOf(part, kind);
  if (line === null) return { label: '', value: printSearch(part, kind) };
  if (line.field.startsWith(METRIC)) {
    const name = line.field.slice(METRIC.length);
    const label = `${titleOf(name)} ${texts.operators[line.op]}`;
    if (inner.is !== 'metric') return { label, value: appTexts.metrics.words[line.value] ?? line.value };
    const amount = inner.value ?? 0;
    const unit = unitOf(inner.name);
    return { label, value: !needsValue(line) ? '' : unit === 'money' ? moneyText(amount) : figureText(unit, amount) };
  }
  const own = ownField(line);
  const title = own === null ? texts.beside[line.field as Beside] : fieldLabel(own, kind);
  const mark = MARKS.find((each) => each === line.value);
  const value = line.field === 'is' && mark !== undefined ? texts.marks[mark] : line.value;
  return { label: `${title} ${texts.operators[line.op]}`, value };
}

interface PartFormProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly part: Query;
  /** The other filters: the counts of values are of the rows that match these. */
  readonly others: readonly Query[];
  readonly media: MediaNames;
  /** Null removes the filter. */
  readonly onWrite: (part: Query | null) => void;
  readonly close: () => void;
}

function PartForm({ workspaceId, kind, part, others, media, onWrite, close }: PartFormProps) {
  const [wanted] = useState(() => valueFilterOf(part));
  const isListed = wanted !== null && (wanted.values.length > 1 || isChoice(kind, wanted.field));
  if (isListed || wanted?.field === CAMPAIGN_COLUMN) {
    const change = (next: ValueFilter | null): void => onWrite(next === null ? null : queryOfValues(next));
    return (
      <ValueList
        workspaceId={workspaceId}
        field={wanted.field}
        rest={printSearch(joinParts(others), kind)}
        wanted={valueFilterOf(part)}
        media={media}
        onChange={change}
      />
    );
  }
  const line = conditionOf(part, kind);
  if (line === null) return <TextForm kind={kind} value={printSearch(part, kind)} onWrite={onWrite} close={close} />;
  return <ConditionForm kind={kind} value={line} onWrite={onWrite} close={close} />;
}

const isChoice = (kind: Kind, field: string): boolean => fieldSpec(kind, field)?.type.is === 'choice';

/** A choice of the quick filters that have no tab. */
function OnlyForm() {
  const { store } = useAppContext();
  const only = useView((s) => s.only);
  return (
    <Choice
      aria-label={texts.show}
      options={ONLY_NAMES}
      value={only}
      onChoose={(next) => store.getState().setOnly(next)}
    />
  );
}

interface FormProps<T> {
  readonly kind: Kind;
  readonly value: T;
  readonly onWrite: (part: Query) => void;
  readonly close: () => void;
}

/** A filter that only its text can express. */
function TextForm({ kind, value, onWrite, close }: FormProps<string>) {
  const [text, setText] = useState(value);
  const plain = plainSearch(text, kind);
  const query = plain.ok ? parseSearch(plain.value, kind) : null;
  const problem = plain.ok ? (query?.ok === false ? query.error.problem : null) : plain.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (query?.ok !== true) return;
    onWrite(query.value);
    close();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <input
        className={ui['input']}
        style={{ gridColumn: '1 / 4' }}
        aria-label={texts.text}
        aria-invalid={problem !== null}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{texts.apply}</Button>
      <Problem of={problem} />
    </form>
  );
}

const FIRST: Condition = { field: 'text', op: 'has', value: '' };

/** What a condition can be about: labels and the like, fields, and metrics. */
const fieldOptions = (kind: Kind): readonly Option<string>[] => [
  ...BESIDE_FIELDS.map((field) => [field, texts.beside[field]] as const),
  ...columnsOf(kind, false).flatMap(({ spec, field, title }) =>
    spec === null ? [] : [[fieldKey(field), title] as const],
  ),
  ...(isReported(kind)
    ? METRIC_FIELDS.map((field) => [field, titleOf(field.slice(METRIC.length)), texts.metrics] as const)
    : []),
];

/** A condition: a field, an operator and a value. */
function ConditionForm({ kind, value, onWrite, close }: FormProps<Condition>) {
  const [line, setLine] = useState(value);
  const part = isFinished(line) ? leafOf(line, kind) : null;
  const problem = part?.ok === false ? part.error : null;
  const setField = (field: string): void => {
    const [first = 'has', ...others] = operatorsFor(kind, field);
    const op = others.includes(line.op) ? line.op : first;
    setLine({ field, op, value: ownField({ field }) === ownField(line) ? line.value : '' });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (part?.ok !== true) return;
    onWrite(part.value);
    close();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Choice aria-label={texts.field} options={fieldOptions(kind)} value={line.field} onChoose={setField} />
      <Choice
        aria-label={texts.operator}
        options={operatorsFor(kind, line.field).map((op) => [op, texts.operators[op]])}
        value={line.op}
        onChoose={(op) => setLine({ ...line, op })}
      />
      {needsValue(line) ? <ValueInput kind={kind} line={line} isBad={problem !== null} onChange={setLine} /> : <span />}
      <Button type="submit">{texts.apply}</Button>
      <Problem of={problem} />
    </form>
  );
}

interface ValueInputProps {
  readonly kind: Kind;
  readonly line: Condition;
  readonly isBad: boolean;
  readonly onChange: (line: Condition) => void;
}

function ValueInput({ kind, line, isBad, onChange }: ValueInputProps) {
  const own = ownField(line);
  const type = own === null ? undefined : fieldSpec(kind, own)?.type;
  const signal = signalOf(line.field);
  const shared = { 'aria-label': texts.value, value: line.value };
  const change = (value: string): void => onChange({ ...line, value });
  const options: readonly Option<string>[] | null =
    line.field === 'is'
      ? MARKS.map((mark) => [mark, texts.marks[mark]])
      : signal !== null
        ? SIGNALS[signal].map((word) => [word, appTexts.metrics.words[word] ?? word])
        : type?.is === 'choice'
          ? choicesOf(kind, own ?? '', line.value).map((choice) => [choice, wordName(own ?? '', choice)])
          : null;
  if (options !== null) return <Choice {...shared} options={[['', ''], ...options]} onChoose={change} />;
  if (type?.is === 'date') return <DayInput {...shared} aria-invalid={isBad} onChange={change} />;
  return (
    <input
      {...shared}
      className={ui['input']}
      type="text"
      aria-invalid={isBad}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** Operators of a condition. `has` searches for words in a field; `empty` and `filled` need no value. */
const OPERATORS = ['has', 'has-not', '=', '!=', '<', '<=', '>', '>=', 'empty', 'filled'] as const;
type Operator = (typeof OPERATORS)[number];

/** Search keys that are no fields of a row: words anywhere, campaign name, labels, comments, service ID, marks. */
export const BESIDE_FIELDS = ['text', 'campaign', 'label', 'comment', 'resolved', 'id', 'is'] as const;
type Beside = (typeof BESIDE_FIELDS)[number];

/** Metrics of the rows, and signals computed from them. */
const METRIC = 'metric.';
export const METRIC_FIELDS: readonly string[] = [...METRIC_NAMES, ...Object.keys(SIGNALS)].map(
  (name) => `${METRIC}${name}`,
);
const signalOf = (field: string): SignalName | null =>
  Object.keys(SIGNALS).find((name): name is SignalName => field === `${METRIC}${name}`) ?? null;
const titleOf = (name: string): string =>
  isMetricName(name) ? appTexts.metrics.names[name] : (appTexts.metrics.signals[name as SignalName] ?? name);

/**
 * One line of the form. `field` is a field of the kind with a colon before it, one of `BESIDE_FIELDS`, or one of
 * `METRIC_FIELDS`.
 */
export interface Condition {
  readonly field: string;
  readonly op: Operator;
  readonly value: string;
}

export const fieldKey = (field: string): string => `:${field}`;
/** The row field of a condition; null for other search keys and metrics. */
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

/** The operators for a field; the first is the default. */
export function operatorsFor(kind: Kind, field: string): readonly Operator[] {
  const own = ownField({ field });
  const beside = BESIDE_FIELDS.find((each) => each === field);
  if (signalOf(field) !== null) return ['=', '!='];
  if (field.startsWith(METRIC)) return isReported(kind) ? ORDERED : [];
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

export const needsValue = ({ op }: Pick<Condition, 'op'>): boolean => op !== 'empty' && op !== 'filled';
const isFinished = (condition: Condition): boolean => !needsValue(condition) || condition.value.trim() !== '';

/** The query of a complete condition, or why its value is not valid. */
export function leafOf(condition: Condition, kind: Kind): Result<Query, string> {
  const { op } = condition;
  const own = ownField(condition);
  const value = condition.value.trim();
  const not = (part: Query, isNot: boolean): Result<Query, string> => ok(isNot ? { is: 'not', part } : part);
  if (condition.field.startsWith(METRIC)) return metricLeaf(condition, kind);
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

/** Parsed like a search, so that both accept the same numbers. */
function metricLeaf({ field, op, value }: Condition, kind: Kind): Result<Query, string> {
  const name = field.slice(METRIC.length);
  const signal = signalOf(field);
  const plain = signal === null && needsValue({ op }) ? readAmount(value.trim()) : ok(value);
  if (!plain.ok) return plain;
  const text =
    signal !== null
      ? `${op === '!=' ? '-' : ''}${name}:${plain.value}`
      : `${name}${needsValue({ op }) ? `${op}"${plain.value}"` : op === 'empty' ? '=none' : '!=none'}`;
  const read = parseSearch(text, kind);
  return read.ok ? read : err(read.error.problem);
}

/**
 * The condition that equals a query; null if a condition can't express it: alternatives, lists, nested parts, comments
 * on one field.
 */
export function conditionOf(query: Query, kind: Kind): Condition | null {
  // "Has a note" is stored as the negation of "has no note".
  if (query.is === 'not' && query.part.is === 'not') return conditionOf(query.part.part, kind);
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
    case 'signal':
      return { field: `${METRIC}${part.what}`, op: equals, value: part.word };
    case 'metric': {
      if (isNot) return null;
      const field = `${METRIC}${part.name}`;
      if (part.value === null) return { field, op: part.op === '=' ? 'empty' : 'filled', value: '' };
      const digits = formatDecimal(part.value, metricPlaces(part.name));
      return { field, op: part.op, value: typedAmount(digits, locale().style) };
    }
    case 'empty':
      return { field: fieldKey(part.field), op: isNot ? 'filled' : 'empty', value: '' };
    case 'compare':
      if (isNot) return null;
      return { field: fieldKey(part.field), op: part.op, value: editText(kind, part.field, part.value) };
    default:
      return null;
  }
}
