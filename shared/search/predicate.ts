import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, cellOf, isChanged, isDeleted, isHeld, isNew } from '../model/row.ts';
import { textKey } from '../model/text.ts';
import type { Metrics } from '../reports/account-metrics.ts';
import { unreachable } from '../result.ts';
import type { Severity } from '../rules/rule.ts';
import { type Comparison, type Mark, type NoteKind, type Query, type SignalName, searchedFields } from './query.ts';

/** A row with the data that a search may need besides its cells. */
export interface SearchRow {
  readonly row: AnyRow;
  readonly campaignName: string | null;
  /** Worst issue. */
  readonly severity: Severity | null;
  /** Ids of the rules that report something of it. */
  readonly rules?: readonly string[];
  /** The service's message when it refused the row. */
  readonly failure?: string;
  /** Days with metrics of the row in stored reports. */
  readonly metricDays?: readonly string[];
  /** Its metrics in the period of the search, and the signals computed from them. */
  readonly metrics?: Metrics;
  readonly signals?: Readonly<Partial<Record<SignalName, string>>>;
  /** Names of the row's labels, texts of its open and of its resolved comments; absent for none. */
  readonly notes?: Readonly<Partial<Record<NoteKind, readonly NoteText[]>>>;
  readonly outbox: 'sent' | 'in-doubt' | 'question' | 'conflict' | 'refused' | null;
}

interface NoteText {
  readonly text: string;
  /** The field of a comment; null for the whole row, and for labels. */
  readonly field: string | null;
}

export type Predicate = (candidate: SearchRow) => boolean;

/** Compiles a search for rows in memory. The store compiles the same tree to SQL; a test compares the two. */
export function compilePredicate(query: Query, kind: Kind): Predicate {
  switch (query.is) {
    case 'all':
      return () => true;
    case 'and': {
      const parts = query.parts.map((part) => compilePredicate(part, kind));
      return (row) => parts.every((matches) => matches(row));
    }
    case 'or': {
      const parts = query.parts.map((part) => compilePredicate(part, kind));
      return (row) => parts.some((matches) => matches(row));
    }
    case 'not': {
      const matches = compilePredicate(query.part, kind);
      return (row) => !matches(row);
    }
    case 'text':
      return anyText(query.text, kind);
    case 'contains': {
      const wanted = textKey(query.text);
      return ({ row }) => holds(cellOf(row.values, query.field), wanted);
    }
    case 'compare': {
      const { field, op, value } = query;
      // The words of a choice have one spelling, so equality needs no folding.
      if (isChoice(kind, field) && op === '=') return ({ row }) => cellOf(row.values, field) === value;
      if (isChoice(kind, field) && op === '!=') return ({ row }) => cellOf(row.values, field) !== value;
      return ({ row }) => compare(cellOf(row.values, field), op, value);
    }
    case 'one-of':
      if (isChoice(kind, query.field))
        return ({ row }) => query.values.some((value) => cellOf(row.values, query.field) === value);
      return ({ row }) => query.values.some((value) => compare(cellOf(row.values, query.field), '=', value));
    case 'empty':
      return ({ row }) => cellOf(row.values, query.field) === null;
    case 'campaign': {
      const wanted = textKey(query.text);
      return (row) => holds(row.campaignName, wanted);
    }
    case 'id':
      return ({ row }) => row.remoteId === query.id;
    case 'note': {
      const wanted = textKey(query.text);
      const { what, field } = query;
      return ({ notes }) =>
        (notes?.[what] ?? []).some(
          (note) => (field === undefined || note.field === field) && textKey(note.text).includes(wanted),
        );
    }
    case 'issue':
      return ({ rules }) => rules?.includes(query.rule) === true;
    case 'failed': {
      const wanted = textKey(query.text);
      return ({ failure }) => failure !== undefined && textKey(failure).includes(wanted);
    }
    case 'metrics':
      return ({ metricDays }) => metricDays?.some((day) => day >= query.from && day <= query.to) === true;
    case 'metric': {
      const { name, op, value } = query;
      if (value === null) return ({ metrics }) => (metrics?.[name] === undefined) === (op === '=');
      return ({ metrics }) => compare(metrics?.[name] ?? null, op, value);
    }
    case 'signal':
      return ({ signals }) => (signals?.[query.what] ?? 'none') === query.word;
    case 'period':
      return () => true;
    case 'mark':
      return (row) => hasMark(row, query.mark);
    default:
      return unreachable(query);
  }
}

function anyText(text: string, kind: Kind): Predicate {
  const wanted = textKey(text);
  const fields = searchedFields(kind);
  return (candidate) =>
    fields.some((field) => holds(cellOf(candidate.row.values, field), wanted)) ||
    holds(candidate.campaignName, wanted) ||
    (candidate.row.remoteId !== null && candidate.row.remoteId === text);
}

const isChoice = (kind: Kind, field: string): boolean => fieldSpec(kind, field)?.type.is === 'choice';

const holds = (cell: Cell, wanted: string): boolean => typeof cell === 'string' && textKey(cell).includes(wanted);

function compare(cell: Cell, op: Comparison, value: Exclude<Cell, null>): boolean {
  if (cell === null) return op === '!=';
  const [left, right] =
    typeof cell === 'string' && typeof value === 'string' ? [textKey(cell), textKey(value)] : [cell, value];
  switch (op) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function hasMark({ row, severity, outbox }: SearchRow, mark: Mark): boolean {
  switch (mark) {
    case 'changed':
      return isChanged(row);
    case 'new':
      return isNew(row);
    case 'deleted':
      return isDeleted(row);
    case 'held':
      return isHeld(row);
    case 'error':
    case 'warning':
    case 'advice':
      return severity === mark;
    default:
      return outbox === mark;
  }
}
