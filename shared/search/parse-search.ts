import type { Kind } from '../model/kinds.ts';
import { err, ok, type Result } from '../result.ts';
import type { Query } from './query.ts';
import { readTerm } from './read-term.ts';
import { type SearchProblem, type Token, tokenize } from './tokens.ts';

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
