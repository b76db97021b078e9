import { cellProblemText } from '../model/cell-problem.ts';
import { parseCell } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldNames, fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { err, ok, type Result } from '../result.ts';
import { MARKS, type Mark, type Query, searchField, WHOLE_ROW } from './query.ts';
import { type SearchProblem, type Token, tokenize, type Value } from './tokens.ts';

/**
 * Reads a search, such as `bid<1.5 reviewStatus:rejected changed:yes -campaign:test "paper towel"`.
 *
 *   search = or of ands       words beside each other must all match; OR stands between alternatives
 *   part   = -part | (search) | "text" | word | field op value,value
 *   op     = :  contains, or equals for choices    = != < <= > >=
 *   value  = word | "text" | none                  none is the empty cell
 *   notes  = label:urgent comment:"ask Ann" label:none   comment:open comment:resolved resolved:"ask Ann"
 *            comment.bid:open comment.row:"ask Ann"   those on a field, or on the row as a whole
 *   marks  = changed:yes new:yes deleted:yes held:yes error:yes ...   also `is:changed`
 */
export function parseSearch(text: string, kind: Kind): Result<Query, SearchProblem> {
  const tokens = tokenize(text);
  if (!tokens.ok) return tokens;
  return new Reader(tokens.value, kind, text.length).readAll();
}

/** Deepest nesting of parentheses; a search is typed by a person, and the tree is walked by recursion. */
const DEPTH_MAX = 40;

class Reader {
  private next = 0;
  private depth = 0;
  private readonly tokens: readonly Token[];
  private readonly kind: Kind;
  private readonly end: number;

  constructor(tokens: readonly Token[], kind: Kind, end: number) {
    this.tokens = tokens;
    this.kind = kind;
    this.end = end;
  }

  readAll(): Result<Query, SearchProblem> {
    if (this.tokens.length === 0) return ok({ is: 'all' });
    const query = this.readOr();
    const left = this.tokens[this.next];
    if (query.ok && left !== undefined)
      return err({ at: left.at, problem: 'This parenthesis was never opened. Remove it.' });
    return query;
  }

  private readOr(): Result<Query, SearchProblem> {
    const parts: Query[] = [];
    for (;;) {
      const part = this.readAnd();
      if (!part.ok) return part;
      parts.push(part.value);
      if (this.tokens[this.next]?.is !== 'or') break;
      this.next++;
    }
    const [first, ...others] = parts;
    return ok(first !== undefined && others.length === 0 ? first : { is: 'or', parts });
  }

  private readAnd(): Result<Query, SearchProblem> {
    const parts: Query[] = [];
    for (;;) {
      const token = this.tokens[this.next];
      if (token === undefined || token.is === 'or' || token.is === 'close') break;
      const part = this.readPart(token);
      if (!part.ok) return part;
      parts.push(part.value);
    }
    const [first, ...others] = parts;
    if (first === undefined)
      return err({
        at: this.tokens[this.next]?.at ?? this.end,
        problem: 'Something is missing here. Type a word or a condition.',
      });
    return ok(others.length === 0 ? first : { is: 'and', parts });
  }

  private readPart(token: Token): Result<Query, SearchProblem> {
    this.next++;
    switch (token.is) {
      case 'text':
        return ok({ is: 'text', text: token.text });
      case 'term':
        return readTerm(token, this.kind);
      case 'minus':
        return this.readNot(token.at);
      default:
        return this.readGroup(token.at);
    }
  }

  private readNot(at: number): Result<Query, SearchProblem> {
    const token = this.tokens[this.next];
    if (token === undefined || token.is === 'close' || token.is === 'or')
      return err({ at, problem: 'Type what must not match after the minus sign.' });
    if (++this.depth > DEPTH_MAX) return err({ at, problem: 'The search is nested too deeply. Make it simpler.' });
    const part = this.readPart(token);
    this.depth--;
    return part.ok ? ok({ is: 'not', part: part.value }) : part;
  }

  private readGroup(at: number): Result<Query, SearchProblem> {
    if (++this.depth > DEPTH_MAX) return err({ at, problem: 'The search is nested too deeply. Make it simpler.' });
    const query = this.readOr();
    this.depth--;
    if (!query.ok) return query;
    if (this.tokens[this.next]?.is !== 'close') return err({ at, problem: 'The parenthesis is not closed. Add a ).' });
    this.next++;
    return query;
  }
}

type Note = Extract<Query, { readonly is: 'note' }>;
type Term = Extract<Token, { readonly is: 'term' }>;

function readTerm(term: Term, kind: Kind): Result<Query, SearchProblem> {
  const [first] = term.values;
  const name = term.name.toLowerCase();
  const text = first?.text ?? '';
  const isPlain = term.op === ':' || term.op === '=';
  if (name === 'is' && isPlain) {
    const mark = markNamed(text);
    return mark === null
      ? err({ at: first?.at ?? term.at, problem: `"${text}" is not one of ${MARKS.join(', ')}.` })
      : ok({ is: 'mark', mark });
  }
  if (name === 'campaign' && isPlain) return ok({ is: 'campaign', text });
  const [note, about] = name.split('.');
  if ((note === 'label' || note === 'comment' || note === 'resolved') && isPlain) {
    const field = about === undefined || about === WHOLE_ROW ? null : searchField(kind, about);
    if (field === null && about !== undefined && about !== WHOLE_ROW)
      return err({ at: term.at, problem: unknownField(about, kind) });
    return readNote(about === undefined ? { what: note } : { what: note, field }, term);
  }
  if (name === 'id' && isPlain) return ok({ is: 'id', id: text });
  const mark = markNamed(name);
  if (mark !== null && isPlain) return readMark(mark, text, first?.at ?? term.at);
  const field = searchField(kind, term.name);
  if (field === null) return err({ at: term.at, problem: unknownField(term.name, kind) });
  return readField(field, term, kind);
}

/** Several labels stand for any of them; none stands for rows without one. `comment:"open"` looks for the word. */
function readNote(note: Pick<Note, 'what' | 'field'>, term: Term): Result<Query, SearchProblem> {
  const [first, ...others] = term.values;
  if (first === undefined || first.text === '') return err({ at: term.at, problem: 'Type a value after the sign.' });
  const isNone = !first.quoted && others.length === 0 && /^none$/i.test(first.text);
  if (isNone) return ok({ is: 'not', part: { is: 'note', ...note, text: '' } });
  const state = note.what === 'comment' && !first.quoted && others.length === 0 ? first.text.toLowerCase() : null;
  if (state === 'open' || state === 'resolved')
    return ok({ is: 'note', ...note, what: state === 'open' ? 'comment' : 'resolved', text: '' });
  const parts = term.values.map((value): Query => ({ is: 'note', ...note, text: value.text }));
  const [only] = parts;
  return ok(only !== undefined && parts.length === 1 ? only : { is: 'or', parts });
}

function readField(field: string, term: Term, kind: Kind): Result<Query, SearchProblem> {
  const type = fieldSpec(kind, field)?.type.is;
  const [first, ...others] = term.values;
  if (first === undefined) return err({ at: term.at, problem: 'Type a value after the sign.' });
  const isNone = !first.quoted && /^none$/i.test(first.text);
  if (isNone && others.length === 0 && (term.op === ':' || term.op === '=')) return ok({ is: 'empty', field });
  if (isNone && others.length === 0 && term.op === '!=') return ok({ is: 'not', part: { is: 'empty', field } });
  if (type === 'text' && term.op === ':' && others.length === 0) return ok({ is: 'contains', field, text: first.text });
  const cells: Exclude<Cell, null>[] = [];
  for (const value of term.values) {
    const cell = readValue(value, kind, field);
    if (!cell.ok) return cell;
    cells.push(cell.value);
  }
  const [cell, ...more] = cells;
  if (cell === undefined) return err({ at: term.at, problem: 'Type a value after the sign.' });
  const isOrder = term.op !== ':' && term.op !== '=' && term.op !== '!=';
  if (isOrder && (type === 'choice' || more.length > 0)) {
    return err({ at: term.at, problem: `"${term.op}" needs one number or date. Use : for ${field}.` });
  }
  if (more.length > 0) {
    const list: Query = { is: 'one-of', field, values: cells };
    return ok(term.op === '!=' ? { is: 'not', part: list } : list);
  }
  return ok({ is: 'compare', field, op: term.op === ':' ? '=' : term.op, value: cell });
}

function readValue(value: Value, kind: Kind, field: string): Result<Exclude<Cell, null>, SearchProblem> {
  const cell = parseCell(kind, field, value.text);
  if (!cell.ok) return err({ at: value.at, problem: cellProblemText(cell.error) });
  if (cell.value === null)
    return err({ at: value.at, problem: 'Type a value after the sign, or none for the empty cell.' });
  return ok(cell.value);
}

function readMark(mark: Mark, text: string, at: number): Result<Query, SearchProblem> {
  if (/^(yes|true|1)$/i.test(text)) return ok({ is: 'mark', mark });
  if (/^(no|false|0)$/i.test(text)) return ok({ is: 'not', part: { is: 'mark', mark } });
  return err({ at, problem: `Type yes or no after ${mark}.` });
}

/** `errors` and `indoubt` mean `error` and `in-doubt`. */
function markNamed(word: string): Mark | null {
  const key = word.toLowerCase().replace(/[-_]/g, '');
  return MARKS.find((mark) => mark.replace('-', '') === key || `${mark}s` === key) ?? null;
}

function unknownField(name: string, kind: Kind): string {
  const known = fieldNames(kind).join(', ');
  return `There is no field "${name}" here. Fields are ${known}; put the words in quotes to search for them as text.`;
}
