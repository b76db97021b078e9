import { formatCell } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpecs } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type MetricName, unitOf } from '../reports/account-metrics.ts';
import { type DaySpan, type Period, periodWord } from '../reports/period.ts';
import { unreachable } from '../result.ts';

/**
 * A search as a tree, for the text syntax, the form builder, the predicate and the store's SQL compiler.
 *
 * The leaves, with one meaning everywhere:
 *  - `text`: the folded text occurs in one of `searchedFields(kind)`, the campaign's name or the service's ID;
 *  - `contains`: the folded text occurs in that field;
 *  - `compare`: an empty cell matches `!=` only; text is compared folded, dates as text, numbers as integers;
 *  - `one-of`: the cell is one of the values; `empty`: the cell is empty;
 *  - `note`: the folded text occurs in the name of one of the row's labels, in one of its open comments, or in one of
 *    its resolved ones; the empty text matches any. With `field` only comments on that field count, with null only
 *    those on the whole row;
 *  - `issue`: that rule reports an issue of the row; `user.` and a severity match the custom rules of that severity;
 *  - `failed`: the folded text occurs in the message with which the service refused the row;
 *  - `metrics`: stored reports have metrics of the row on one of the days;
 *  - `metric`: compares a metric of the row in the period, in the smallest unit; an unknown one matches `!=` only,
 *    and null matches it;
 *  - `signal`: computed from the metrics of the row: trend of spend, amount of evidence, suggestion;
 *  - `period`: matches every row; the metrics of the search are those of its days instead of the days in view;
 *  - `mark`: a property of the row besides its cells.
 */
export type Query =
  | { readonly is: 'all' }
  | { readonly is: 'and'; readonly parts: readonly Query[] }
  | { readonly is: 'or'; readonly parts: readonly Query[] }
  | { readonly is: 'not'; readonly part: Query }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'contains'; readonly field: string; readonly text: string }
  | { readonly is: 'compare'; readonly field: string; readonly op: Comparison; readonly value: Exclude<Cell, null> }
  | { readonly is: 'one-of'; readonly field: string; readonly values: readonly Exclude<Cell, null>[] }
  | { readonly is: 'empty'; readonly field: string }
  | { readonly is: 'campaign'; readonly text: string }
  | { readonly is: 'id'; readonly id: string }
  | { readonly is: 'note'; readonly what: NoteKind; readonly text: string; readonly field?: string | null }
  | { readonly is: 'issue'; readonly rule: string }
  | { readonly is: 'failed'; readonly text: string }
  | ({ readonly is: 'metrics' } & DaySpan)
  | { readonly is: 'metric'; readonly name: MetricName; readonly op: Comparison; readonly value: number | null }
  | { readonly is: 'signal'; readonly what: SignalName; readonly word: string }
  | { readonly is: 'period'; readonly period: Period }
  | { readonly is: 'mark'; readonly mark: Mark };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** The whole row in place of a comment's field; no field has this name. */
export const WHOLE_ROW = 'row';

/** Signals computed from the metrics of a row, and their words. The trend is that of spend: the last 7 days against the 7 before. */
export const SIGNALS = {
  trend: ['up', 'down', 'flat'],
  evidence: ['firm', 'fair', 'none'],
  suggestion: ['higher', 'lower', 'pause', 'none'],
} as const;
export type SignalName = keyof typeof SIGNALS;

/** Whether a search needs metrics, which are read separately from the rows. */
export function asksForMetrics(query: Query): boolean {
  if (query.is === 'not') return asksForMetrics(query.part);
  if (query.is === 'and' || query.is === 'or') return query.parts.some(asksForMetrics);
  return query.is === 'metric' || query.is === 'signal' || query.is === 'period';
}

/** The days that a search names for its metrics; null where it names none. */
export function periodNamedIn(query: Query): Period | null {
  if (query.is === 'period') return query.period;
  if (query.is === 'not') return periodNamedIn(query.part);
  if (query.is !== 'and' && query.is !== 'or') return null;
  return query.parts.map(periodNamedIn).find((period) => period !== null) ?? null;
}

/** Notes of users on rows; they are never sent to the service. */
export type NoteKind = 'label' | 'comment' | 'resolved';

/** `changed` is new, deleted or edited; `error`, `warning`, `advice` are the worst issue of the row. */
export const MARKS = [
  'changed',
  'new',
  'deleted',
  'held',
  'error',
  'warning',
  'advice',
  'conflict',
  'in-doubt',
  'question',
  'refused',
] as const;
export type Mark = (typeof MARKS)[number];

/** Fields of a search without a field name: texts for people. */
export const searchedFields = (kind: Kind): readonly string[] =>
  Object.entries(fieldSpecs(kind)).flatMap(([field, { type, search }]) =>
    type.is === 'text' && search !== false ? [field] : [],
  );

/** The field with this name in a kind, ignoring case, or null. Names come before other words. */
export function searchField(kind: Kind, word: string): string | null {
  const key = word.toLowerCase();
  const specs = Object.entries(fieldSpecs(kind));
  const found =
    specs.find(([field]) => field.toLowerCase() === key) ?? specs.find(([, { aliases }]) => aliases?.includes(key));
  return found?.[0] ?? null;
}

/** A search as the text that `parseSearch` parses to the same search. */
export function printSearch(query: Query, kind: Kind): string {
  switch (query.is) {
    case 'all':
      return '';
    case 'and':
      return query.parts.map((part) => grouped(part, kind)).join(' ');
    case 'or':
      return query.parts
        .map((part) => (part.is === 'or' ? `(${printSearch(part, kind)})` : printSearch(part, kind)))
        .join(' OR ');
    case 'not':
      if (query.part.is === 'note' && query.part.text === '' && query.part.what !== 'resolved')
        return `${noteName(query.part)}:none`;
      return `-${grouped(query.part, kind)}`;
    case 'text':
      return quoted(query.text, isSafeText);
    case 'contains':
      return `${query.field}:${quoted(query.text, isSafeValue)}`;
    case 'compare':
      return `${query.field}${query.op}${quoted(formatCell(kind, query.field, query.value), isSafeValue)}`;
    case 'one-of':
      return `${query.field}:${query.values.map((value) => quoted(formatCell(kind, query.field, value), isSafeValue)).join(',')}`;
    case 'empty':
      return `${query.field}:none`;
    case 'campaign':
      return `campaign:${quoted(query.text, isSafeValue)}`;
    case 'id':
      return `id:${quoted(query.id, isSafeValue)}`;
    case 'note':
      if (query.text === '')
        return query.what === 'label' ? '-label:none' : `comment${about(query)}:${STATES[query.what]}`;
      return `${noteName(query)}:${quoted(query.text, query.what === 'comment' ? isSafeComment : isSafeValue)}`;
    case 'issue':
      return `issue:${query.rule}`;
    case 'failed':
      return `failed:${quoted(query.text, isSafeValue)}`;
    case 'metrics':
      return query.from === query.to ? `metrics:${query.from}` : `metrics:${query.from}..${query.to}`;
    case 'metric':
      return `${query.name}${query.op}${query.value === null ? 'none' : metricText(query.name, query.value)}`;
    case 'signal':
      return `${query.what}:${query.word}`;
    case 'period':
      return `period:${periodWord(query.period)}`;
    case 'mark':
      return `is:${query.mark}`;
    default:
      return unreachable(query);
  }
}

/** Number of decimals of a metric. */
export const metricPlaces = (name: MetricName): 0 | 2 => (unitOf(name) === 'count' ? 0 : 2);

/** In whole units, as typed. */
const metricText = (name: MetricName, value: number): string => String(value / 10 ** metricPlaces(name));

/** The empty text matches every comment in its state. */
const STATES = { comment: 'open', resolved: 'resolved' } as const;

type Note = Extract<Query, { readonly is: 'note' }>;
const about = ({ field }: Note): string => (field === undefined ? '' : `.${field ?? WHOLE_ROW}`);
const noteName = (note: Note): string => note.what + about(note);

const grouped = (part: Query, kind: Kind): string =>
  part.is === 'and' || part.is === 'or' ? `(${printSearch(part, kind)})` : printSearch(part, kind);

const isSafeValue = (text: string): boolean => /^[^\s()",\\]+$/.test(text) && !/^none$/i.test(text);
const isSafeComment = (text: string): boolean => isSafeValue(text) && !/^(open|resolved)$/i.test(text);
const isSafeText = (text: string): boolean => isSafeValue(text) && text !== 'OR' && !/^-|[:=<>!]/.test(text);

const quoted = (text: string, isSafe: (text: string) => boolean): string =>
  isSafe(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
