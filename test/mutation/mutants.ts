/**
 * Faults to plant, one at a time: every condition of the source turned round, every limit moved by one step,
 * severities changed. Works on the text, so it needs no compiler; a mutant that does not compile counts as caught,
 * which is why only changes that always compile are made.
 */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** What was changed into what, for the report. */
  readonly what: string;
  readonly source: string;
}

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly what: string;
}

const BOUNDARY: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const SEVERITY: Readonly<Record<string, string>> = { error: 'warning', warning: 'advice', advice: 'error' };

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const edits = [...turnedConditions(source), ...movedLimits(source), ...firstSeverity(source)];
  return edits
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, end, text, what }) => ({
      file,
      line: source.slice(0, at).split('\n').length,
      what,
      source: source.slice(0, at) + text + source.slice(end),
    }));
}

/** `if (x)` becomes `if (!(x))`. */
function* turnedConditions(source: string): Generator<Edit> {
  for (const match of source.matchAll(/\bif \(/g)) {
    const at = match.index + match[0].length;
    const end = closing(source, at);
    const condition = source.slice(at, end);
    yield { at, end, text: `!(${condition})`, what: `not (${condition.replace(/\s+/g, ' ')})` };
  }
}

/** `a < b` becomes `a <= b`. The blanks keep types (`Map<string>`) and arrows out. */
function* movedLimits(source: string): Generator<Edit> {
  for (const match of source.matchAll(/(?<= )(<=|>=|<|>)(?= )/g)) {
    const other = BOUNDARY[match[0]];
    const line = source.slice(source.lastIndexOf('\n', match.index) + 1, source.indexOf('\n', match.index)).trim();
    if (other === undefined || /^(\*|\/\/|text:)/.test(line)) continue;
    const end = match.index + match[0].length;
    yield { at: match.index, end, text: other, what: `${match[0]} becomes ${other} in ${line}` };
  }
}

/** One severity a file: all are compared with the same list, so one shows that the comparison is awake. */
function* firstSeverity(source: string): Generator<Edit> {
  const match = /severity: '(error|warning|advice)'/.exec(source);
  const other = SEVERITY[match?.[1] ?? ''];
  if (match === null || other === undefined) return;
  const text = `severity: '${other}'`;
  yield { at: match.index, end: match.index + match[0].length, text, what: `${match[0]} becomes ${other}` };
}

/** Position of the parenthesis that closes the one before `from`. Parentheses in texts come in pairs here. */
function closing(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const sign = source.charAt(at);
    if (sign === '(') depth++;
    if (sign === ')' && --depth === 0) return at;
  }
  throw new Error(`A parenthesis is not closed: ${source.slice(from, from + 60)}`);
}
