import type { Cell, FieldSpec } from '../model/field-types.ts';
import { FIELDS } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';

/**
 * A search as a tree. The text syntax, the form builder, the predicate and the store's SQL compiler meet here.
 *
 * Meaning of each leaf, binding for all of them:
 *  - `text`: the folded text occurs in one of `searchedFields(kind)`, the campaign's name or the service's id;
 *  - `contains`: the folded text occurs in that field;
 *  - `compare`: an empty cell matches `!=` only; text is compared folded, dates as text, numbers as whole steps;
 *  - `one-of`: the cell is one of the values; `empty`: the cell is empty;
 *  - `note`: the folded text occurs in the name of one of the row's labels, in one of its open comments, or in one of
 *    its resolved ones; the empty text stands for any. With `field` only comments on that field count, with null only
 *    those on the row as a whole;
 *  - `mark`: something about the row beside its cells.
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
  | { readonly is: 'mark'; readonly mark: Mark };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** Stands for the row as a whole where a comment's field is named; no field has this name. */
export const WHOLE_ROW = 'row';

/** What users write beside rows; it never leaves the machine. */
export type NoteKind = 'label' | 'comment' | 'resolved';

/** `changed` is new, deleted or edited; `error`, `warning`, `advice` are the worst finding of the row. */
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

/** Fields a search without a field name looks into: texts that a person reads. */
export function searchedFields(kind: Kind): readonly string[] {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return Object.keys(specs).filter((field) => specs[field]?.type.is === 'text' && !UNREAD.has(field));
}

/** Texts that nobody searches by reading: hashes, JSON, addresses of pictures, ids of reviews. */
const UNREAD: ReadonlySet<string> = new Set(['sha256', 'facts', 'logoUrl', 'thumbnailUrl', 'reviewId']);

/** Other words for fields, by what the column is called on screen. */
const ALIASES: Readonly<Record<string, string>> = {
  keyword: 'text',
  type: 'campaignType',
  targeting: 'targetingType',
  budget: 'totalBudget',
  total: 'totalBudget',
  daily: 'dailyBudget',
  start: 'startDate',
  end: 'endDate',
  match: 'matchType',
  url: 'clickUrl',
  item: 'itemId',
  review: 'reviewStatus',
  reason: 'reviewReason',
};

/** The field a word names in a kind, without regard to case, or null. */
export function searchField(kind: Kind, word: string): string | null {
  const key = word.toLowerCase();
  const names = Object.keys(FIELDS[kind]);
  const exact = names.find((name) => name.toLowerCase() === key);
  if (exact !== undefined) return exact;
  const alias = Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
  if (alias !== undefined && names.includes(alias)) return alias;
  // A keyword's switch is called state on the wire and status on screen.
  return key === 'status' && names.includes('state') ? 'state' : null;
}
