import { cellProblemText } from '../model/cell-problem.ts';
import { type ParseLimits, parseCell } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldNames, fieldSpec, LISTED_FIELDS } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { err, ok, type Result } from '../result.ts';
import { MARKS, type Mark, type Query, searchField, WHOLE_ROW } from './query.ts';
import type { SearchProblem, Token, Value } from './tokens.ts';

type Note = Extract<Query, { readonly is: 'note' }>;
type Term = Extract<Token, { readonly is: 'term' }>;
type Read = Result<Query, SearchProblem>;

/** One condition of a search: a name, a sign and values. The grammar stands at `parseSearch`. */
export function readTerm(term: Term, kind: Kind): Read {
  const isPlain = term.op === ':' || term.op === '=';
  const own = isPlain ? readOwnWord(term, kind) : null;
  if (own !== null) return own;
  const field = searchField(kind, term.name);
  return field === null ? unknownField(term.name, kind, term.at) : readField(field, term, kind);
}

/** What the search has names of its own for, which come before fields of the same name; null for any other name. */
function readOwnWord(term: Term, kind: Kind): Read | null {
  const name = term.name.toLowerCase();
  const { text, at } = term.values[0] ?? { text: '', at: term.at };
  if (name === 'is') return readIs(text, at);
  if (name === 'campaign') return ok({ is: 'campaign', text });
  if (name === 'id') return ok({ is: 'id', id: text });
  const [note, about] = name.split('.');
  if (note === 'label' || note === 'comment' || note === 'resolved') return readNotesOn(note, about, term, kind);
  const mark = markNamed(name);
  return mark === null ? null : readMark(mark, text, at);
}

function readIs(text: string, at: number): Read {
  const mark = markNamed(text);
  return mark === null
    ? err({ at, problem: `"${text}" is not one of ${MARKS.join(', ')}.` })
    : ok({ is: 'mark', mark });
}

/** @param about a field, or the row as a whole; undefined for notes on either */
function readNotesOn(what: Note['what'], about: string | undefined, term: Term, kind: Kind): Read {
  if (about === undefined) return readNote({ what }, term);
  if (about === WHOLE_ROW) return readNote({ what, field: null }, term);
  const field = searchField(kind, about);
  return field === null ? unknownField(about, kind, term.at) : readNote({ what, field }, term);
}

/** Several labels stand for any of them; none stands for rows without one. `comment:"open"` looks for the word. */
function readNote(note: Pick<Note, 'what' | 'field'>, term: Term): Read {
  const [first, ...others] = term.values;
  if (first === undefined || first.text === '') return noValue(term);
  const word = others.length === 0 && !first.quoted ? first.text.toLowerCase() : null;
  if (word === 'none') return ok({ is: 'not', part: { is: 'note', ...note, text: '' } });
  if (note.what === 'comment' && word === 'open') return ok({ is: 'note', ...note, text: '' });
  if (note.what === 'comment' && word === 'resolved') return ok({ is: 'note', ...note, what: 'resolved', text: '' });
  const parts = term.values.map((value): Query => ({ is: 'note', ...note, text: value.text }));
  const [only] = parts;
  return ok(only !== undefined && parts.length === 1 ? only : { is: 'or', parts });
}

function readField(field: string, term: Term, kind: Kind): Read {
  const { op } = term;
  const [first, ...others] = term.values;
  if (first === undefined) return noValue(term);
  const isAlone = others.length === 0;
  const asksForOrder = op !== ':' && op !== '=' && op !== '!=';
  if (isAlone && isNone(first) && !asksForOrder) {
    const empty: Query = { is: 'empty', field };
    return ok(op === '!=' ? { is: 'not', part: empty } : empty);
  }
  const type = fieldSpec(kind, field)?.type.is;
  if (isAlone && type === 'text' && op === ':') return ok({ is: 'contains', field, text: first.text });
  const cells = readCells(term.values, kind, field);
  if (!cells.ok) return cells;
  if (asksForOrder && (type === 'choice' || !isAlone)) {
    return err({ at: term.at, problem: `"${op}" needs one number or date. Use : for ${field}.` });
  }
  const [cell] = cells.value;
  if (cell !== undefined && isAlone) return ok({ is: 'compare', field, op: op === ':' ? '=' : op, value: cell });
  const list: Query = { is: 'one-of', field, values: cells.value };
  return ok(op === '!=' ? { is: 'not', part: list } : list);
}

const isNone = ({ text, quoted }: Value): boolean => !quoted && text.toLowerCase() === 'none';

/** Placements and platforms are the deployment's, whatever they are called. */
const listedHere = (kind: Kind, field: string, text: string): ParseLimits | undefined =>
  LISTED_FIELDS.has(field) ? { words: { [kind]: { [field]: [text.trim()] } } } : undefined;

/** The cells that the values stand for; the first that is none of the field's is the problem. */
function readCells(
  values: readonly Value[],
  kind: Kind,
  field: string,
): Result<readonly Exclude<Cell, null>[], SearchProblem> {
  const cells: Exclude<Cell, null>[] = [];
  for (const { at, text } of values) {
    const cell = parseCell(kind, field, text, listedHere(kind, field, text));
    if (!cell.ok) return err({ at, problem: cellProblemText(cell.error) });
    if (cell.value === null) {
      return err({ at, problem: 'Type a value after the sign, or none for the empty cell.' });
    }
    cells.push(cell.value);
  }
  return ok(cells);
}

function readMark(mark: Mark, text: string, at: number): Read {
  if (/^(yes|true|1)$/i.test(text)) return ok({ is: 'mark', mark });
  if (/^(no|false|0)$/i.test(text)) return ok({ is: 'not', part: { is: 'mark', mark } });
  return err({ at, problem: `Type yes or no after ${mark}.` });
}

/** `errors` and `indoubt` mean `error` and `in-doubt`. */
function markNamed(word: string): Mark | null {
  const key = word.toLowerCase().replace(/[-_]/g, '');
  return MARKS.find((mark) => mark.replace('-', '') === key || `${mark}s` === key) ?? null;
}

const noValue = ({ at }: Term): Read => err({ at, problem: 'Type a value after the sign.' });

function unknownField(name: string, kind: Kind, at: number): Read {
  const known = fieldNames(kind).join(', ');
  const problem = `There is no field "${name}" here. Fields are ${known}; put the words in quotes to search for them as text.`;
  return err({ at, problem });
}
