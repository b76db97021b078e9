import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { MARKS, type Query } from '../../../shared/search/query.ts';
import { editText, readCell } from '../../locale/cells.ts';

/** What may be asked of a field; `has` looks for words in it, `empty` and `filled` need no value. */
export const OPERATORS = ['has', 'has-not', '=', '!=', '<', '<=', '>', '>=', 'empty', 'filled'] as const;
export type Operator = (typeof OPERATORS)[number];

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
export const ownField = ({ field }: Pick<Condition, 'field'>): string | null =>
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
