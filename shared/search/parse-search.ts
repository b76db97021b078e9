import { cellProblemText, type ParseLimits, parseCell } from '../model/cell-text.ts';
import { parseDecimal } from '../model/decimal.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldNames, fieldSpec, LISTED_FIELDS } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { METRIC_NAMES, type MetricName, unitOf } from '../reports/account-metrics.ts';
import { isReported } from '../reports/metric.ts';
import { customSpan, periodIn } from '../reports/period.ts';
import { err, ok, type Result } from '../result.ts';
import {
  asksForMetrics,
  type Comparison,
  MARKS,
  type Mark,
  metricPlaces,
  type Query,
  SIGNALS,
  type SignalName,
  searchField,
  WHOLE_ROW,
} from './query.ts';

/**
 * Parses a search, such as `bid<1.5 reviewStatus:rejected changed:yes -campaign:test "paper towel"`.
 *
 *   search = or of ands       adjacent conditions must all match; OR separates alternatives
 *   part   = -part | (search) | "text" | word | field op value,value
 *   op     = :  contains, or equals for choices    = != < <= > >=
 *   value  = word | "text" | none                  none is the empty cell
 *   notes  = label:urgent comment:"ask Ann" label:none   comment:open comment:resolved resolved:"ask Ann"
 *            comment.bid:open comment.row:"ask Ann"   those on a field, or on the row as a whole
 *   also   = issue:keyword.duplicate failed:"not published" metrics:2026-11-15 metrics:2026-11-01..2026-11-15
 *   rates  = roas<2 spend>20 clicks>=30 orders=0 trend:down evidence:firm suggestion:lower   in whole units, of the days
 *            in view, or of those of period:28d
 *   marks  = changed:yes new:yes deleted:yes held:yes error:yes ...   also `is:changed`
 */
export function parseSearch(text: string, kind: Kind): Result<Query, SearchProblem> {
  const tokens = tokenize(text);
  if (!tokens.ok) return tokens;
  return new Reader(tokens.value, kind, text.length).readAll();
}

/** Maximum nesting of parentheses: the tree is walked by recursion, and no typed search is deeper. */
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
      return err({ at: left.at, problem: 'This parenthesis has no opening parenthesis. Remove it.' });
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
        problem: 'Something is missing here. Enter a word or a condition.',
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
      return err({ at, problem: 'Enter the text to exclude after the minus sign.' });
    if (++this.depth > DEPTH_MAX) return err({ at, problem: 'The filter is nested too deeply. Make it simpler.' });
    const part = this.readPart(token);
    this.depth--;
    return part.ok ? ok({ is: 'not', part: part.value }) : part;
  }

  private readGroup(at: number): Result<Query, SearchProblem> {
    if (++this.depth > DEPTH_MAX) return err({ at, problem: 'The filter is nested too deeply. Make it simpler.' });
    const query = this.readOr();
    this.depth--;
    if (!query.ok) return query;
    if (this.tokens[this.next]?.is !== 'close') return err({ at, problem: 'The parenthesis is not closed. Add ")".' });
    this.next++;
    return query;
  }
}

type Note = Extract<Query, { readonly is: 'note' }>;
type Term = Extract<Token, { readonly is: 'term' }>;
type Read = Result<Query, SearchProblem>;

/** One condition of a search: a name, an operator and values. The grammar is at `parseSearch`. */
function readTerm(term: Term, kind: Kind): Read {
  const isPlain = term.op === ':' || term.op === '=';
  const metric = isReported(kind) ? metricNamed(term.name) : null;
  if (metric !== null) return readMetric(metric, term);
  const own = isPlain ? readOwnWord(term, kind) : null;
  if (own !== null) return own;
  const field = searchField(kind, term.name);
  return field === null ? unknownField(term.name, kind, term.at) : readField(field, term, kind);
}

/** Parses names defined by the search, which come before fields of the same name; null for any other name. */
function readOwnWord(term: Term, kind: Kind): Read | null {
  const name = term.name.toLowerCase();
  const { text, at } = term.values[0] ?? { text: '', at: term.at };
  const own = OWN_WORDS.get(name);
  if (own !== undefined) return readEach(term, own);
  const [note, about] = name.split('.');
  if (note === 'label' || note === 'comment' || note === 'resolved') return readNotesOn(note, about, term, kind);
  const signal = isReported(kind) ? SIGNAL_NAMES.find((each) => each === name) : undefined;
  if (signal !== undefined) return readSignal(signal, term);
  if (name === 'period' && isReported(kind)) return readPeriod(text, at);
  const mark = markNamed(name);
  return mark === null ? null : readMark(mark, text, at);
}

/** Names whose values are read one by one; several match any of them. */
const OWN_WORDS: ReadonlyMap<string, (text: string, at: number) => Read> = new Map(
  Object.entries({
    is: readIs,
    campaign: (text) => ok({ is: 'campaign', text }),
    id: (id) => ok({ is: 'id', id }),
    failed: (text) => ok({ is: 'failed', text }),
    issue: readIssue,
    metrics: readDays,
  }),
);

function readEach(term: Term, read: (text: string, at: number) => Read): Read {
  const parts: Query[] = [];
  for (const { text, at } of term.values) {
    if (text === '' && term.values.length > 1) return noValue(term);
    const part = read(text, at);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return ok(anyOf(parts));
}

const SIGNAL_NAMES = ['trend', 'evidence', 'suggestion'] as const satisfies readonly SignalName[];

const metricNamed = (word: string): MetricName | null =>
  METRIC_NAMES.find((name) => name.toLowerCase() === word.toLowerCase()) ?? null;

/** Parses one number in whole units; a currency or percent sign is ignored. */
function readMetric(name: MetricName, { op, values, at }: Term): Read {
  const [first, ...others] = values;
  if (first === undefined || first.text === '') return err({ at, problem: 'Enter a value after the symbol.' });
  if (others.length > 0) return err({ at, problem: `Compare ${name} with one number, such as ${name}>20.` });
  const asked = op === ':' ? '=' : op;
  if (isNone(first) && (asked === '=' || asked === '!=')) return ok({ is: 'metric', name, op: asked, value: null });
  const number = parseDecimal(first.text.replace(/^[$€£]|%$/g, ''), metricPlaces(name));
  if (number.ok && !number.value.wasCut) return ok({ is: 'metric', name, op: asked, value: number.value.units });
  const example = unitOf(name) === 'count' ? `${name}>=30` : `${name}>2.50`;
  return err({
    at: first.at,
    problem: `"${first.text}" is not a number. Compare ${name} with one, such as ${example}.`,
  });
}

/** Several words match any of them. */
function readSignal(what: SignalName, { values, at }: Term): Read {
  const known: readonly string[] = SIGNALS[what];
  const wrong = values.find(({ text }) => !known.includes(text.toLowerCase()));
  if (wrong !== undefined) {
    return err({ at: wrong.at, problem: `"${wrong.text}" is not one of ${known.join(', ')}.` });
  }
  if (values.length === 0) return err({ at, problem: 'Enter a value after the symbol.' });
  return ok(anyOf(values.map(({ text }): Query => ({ is: 'signal', what, word: text.toLowerCase() }))));
}

function readPeriod(text: string, at: number): Read {
  const period = periodIn(text);
  return period === null
    ? err({ at, problem: 'Enter days such as 28d, mtd for this month, or two days with ".." between them.' })
    : ok({ is: 'period', period });
}

function readIssue(text: string, at: number): Read {
  const isRule = /^[a-z]+\.[a-z0-9-]+$/i.test(text);
  return isRule
    ? ok({ is: 'issue', rule: text.toLowerCase() })
    : err({ at, problem: `"${text}" is not the ID of a rule.` });
}

function readDays(text: string, at: number): Read {
  const span = customSpan(text.includes('..') ? text : `${text}..${text}`);
  return span === null
    ? err({ at, problem: 'Enter a day such as 2026-11-15, or two with ".." between them.' })
    : ok({ is: 'metrics', ...span });
}

function readIs(text: string, at: number): Read {
  const mark = markNamed(text);
  return mark === null
    ? err({ at, problem: `"${text}" is not one of ${MARKS.join(', ')}.` })
    : ok({ is: 'mark', mark });
}

/** @param about a field, or the whole row; undefined for notes on either */
function readNotesOn(what: Note['what'], about: string | undefined, term: Term, kind: Kind): Read {
  if (about === undefined) return readNote({ what }, term);
  if (about === WHOLE_ROW) return readNote({ what, field: null }, term);
  const field = searchField(kind, about);
  return field === null ? unknownField(about, kind, term.at) : readNote({ what, field }, term);
}

/** Several labels match any of them; none matches rows without a label. `comment:"open"` searches for the word. */
function readNote(note: Pick<Note, 'what' | 'field'>, term: Term): Read {
  const [first, ...others] = term.values;
  if (first === undefined || first.text === '') return noValue(term);
  const word = others.length === 0 && !first.quoted ? first.text.toLowerCase() : null;
  if (word === 'none') return ok({ is: 'not', part: { is: 'note', ...note, text: '' } });
  if (note.what === 'comment' && word === 'open') return ok({ is: 'note', ...note, text: '' });
  if (note.what === 'comment' && word === 'resolved') return ok({ is: 'note', ...note, what: 'resolved', text: '' });
  return ok(anyOf(term.values.map((value): Query => ({ is: 'note', ...note, text: value.text }))));
}

function anyOf(parts: readonly Query[]): Query {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { is: 'or', parts };
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

/** Any word is accepted for placements and platforms, because the deployment defines them. */
const listedHere = (kind: Kind, field: string, text: string): ParseLimits | undefined =>
  LISTED_FIELDS.has(field) ? { words: { [kind]: { [field]: [text.trim()] } } } : undefined;

/** The cells of the values; the first value that is not valid for the field is the problem. */
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
      return err({ at, problem: 'Enter a value after the symbol, or "none" for empty cells.' });
    }
    cells.push(cell.value);
  }
  return ok(cells);
}

function readMark(mark: Mark, text: string, at: number): Read {
  if (/^(yes|true|1)$/i.test(text)) return ok({ is: 'mark', mark });
  if (/^(no|false|0)$/i.test(text)) return ok({ is: 'not', part: { is: 'mark', mark } });
  return err({ at, problem: `Enter yes or no after ${mark}.` });
}

/** `errors` and `indoubt` mean `error` and `in-doubt`. */
function markNamed(word: string): Mark | null {
  const key = word.toLowerCase().replace(/[-_]/g, '');
  return MARKS.find((mark) => mark.replace('-', '') === key || `${mark}s` === key) ?? null;
}

const noValue = ({ at }: Term): Read => err({ at, problem: 'Enter a value after the symbol.' });

function unknownField(name: string, kind: Kind, at: number): Read {
  const known = fieldNames(kind).join(', ');
  const problem = `There is no field "${name}" here. Use one of ${known}, or put the words in quotes to search for them as text.`;
  return err({ at, problem });
}

/** Why a search text can't be parsed: the position, and what to do. */
export interface SearchProblem {
  /** Position in the text, from 0. */
  readonly at: number;
  readonly problem: string;
}

export type Token =
  | { readonly is: 'open' | 'close' | 'or' | 'minus'; readonly at: number }
  | { readonly is: 'text'; readonly text: string; readonly at: number }
  | {
      readonly is: 'term';
      readonly name: string;
      readonly op: ':' | Comparison;
      readonly values: readonly Value[];
      readonly at: number;
    };

export interface Value {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

/** Only comments can be followed by a field, so that `shop.example:8080` stays a word. */
const NAME_AND_OP = /^((?:(?:comment|resolved)\.)?[A-Za-z][A-Za-z0-9]*)(:|<=|>=|!=|<|>|=)/i;
const END_OF_WORD = /[\s()]/;

/** Cuts a search text into words, quoted texts and `field op value` terms. */
export function tokenize(text: string): Result<readonly Token[], SearchProblem> {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (/\s/.test(sign)) at++;
    else if (sign === '(' || sign === ')') tokens.push({ is: sign === '(' ? 'open' : 'close', at: at++ });
    else if (sign === '-' && at + 1 < text.length && !/\s/.test(text.charAt(at + 1)))
      tokens.push({ is: 'minus', at: at++ });
    else {
      const read = readWord(text, at);
      if (!read.ok) return read;
      tokens.push(read.value.token);
      at = read.value.end;
    }
  }
  return ok(tokens);
}

function readWord(text: string, at: number): Result<{ readonly token: Token; readonly end: number }, SearchProblem> {
  const named = NAME_AND_OP.exec(text.slice(at, at + 60));
  const [, name, op] = named ?? [];
  if (named === null || name === undefined || op === undefined) {
    const value = readValue(text, at, false);
    if (!value.ok) return value;
    const isOr = !value.value.value.quoted && value.value.value.text === 'OR';
    const token: Token = isOr ? { is: 'or', at } : { is: 'text', text: value.value.value.text, at };
    return ok({ token, end: value.value.end });
  }
  const values: Value[] = [];
  let end = at + named[0].length;
  for (;;) {
    const value = readValue(text, end, true);
    if (!value.ok) return value;
    values.push(value.value.value);
    end = value.value.end;
    if (text.charAt(end) !== ',') break;
    end++;
  }
  return ok({ token: { is: 'term', name, op: op as ':' | Comparison, values, at }, end });
}

/** A word up to the next blank, parenthesis or, in a list, comma; or a text in quotes, in which `\"` is a quote. */
function readValue(
  text: string,
  at: number,
  isInList: boolean,
): Result<{ readonly value: Value; readonly end: number }, SearchProblem> {
  if (text.charAt(at) !== '"') {
    let end = at;
    while (end < text.length && !END_OF_WORD.test(text.charAt(end)) && !(isInList && text.charAt(end) === ',')) end++;
    return ok({ value: { text: text.slice(at, end), at, quoted: false }, end });
  }
  let value = '';
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') {
    const isEscape = text.charAt(end) === '\\' && end + 1 < text.length;
    value += text.charAt(isEscape ? end + 1 : end);
    end += isEscape ? 2 : 1;
  }
  if (end >= text.length)
    return err({ at, problem: 'The quotation mark is not closed. Add a " at the end of the text.' });
  return ok({ value: { text: value, at, quoted: true }, end: end + 1 });
}

/** Whether the rows that a search finds depend on metrics, such as the matches of a custom rule. */
export function usesMetrics({ kind, query }: { readonly kind: Kind; readonly query: string }): boolean {
  const parsed = parseSearch(query, kind);
  return parsed.ok && asksForMetrics(parsed.value);
}
