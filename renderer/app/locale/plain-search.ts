import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { METRIC_NAMES } from '../../../shared/reports/account-metrics.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type Token, tokenize } from '../../../shared/search/parse-search.ts';
import { searchField } from '../../../shared/search/query.ts';
import { appTexts } from '../texts.ts';
import { readAmount, readCell } from './cells.ts';
import { locale } from './current.ts';
import type { Locale } from './locale.ts';
import { plainAmount } from './read-amount.ts';

type Term = Extract<Token, { readonly is: 'term' }>;

/**
 * A filter as it is stored and sent: amounts with decimal points, whatever the locale. `bid<1,5` becomes `bid<1.5`. A
 * comma also separates the values of a list, so `bid:1,5` is refused where a comma is the decimal separator.
 *
 * @returns the text, unchanged if it can't be parsed at all (main reports why), or the sentence to show
 */
export function plainSearch(text: string, kind: Kind, by: Locale = locale()): Result<string, string> {
  const tokens = tokenize(text);
  if (by.style.decimal === '.' || !tokens.ok) return ok(text);
  let plain = text;
  // From the end, so that earlier offsets stay valid.
  for (const token of tokens.value.toReversed()) {
    if (token.is !== 'term' || !isAmountTerm(token, kind)) continue;
    const amount = plainTerm(token, text, kind, by);
    if (!amount.ok) return amount;
    const [from, to] = placeOf(token, text);
    plain = plain.slice(0, from) + amount.value + plain.slice(to);
  }
  return ok(plain);
}

function isAmountTerm({ name, values }: Term, kind: Kind): boolean {
  const field = searchField(kind, name);
  const is = isMetricTerm(name, kind) ? 'money' : field === null ? undefined : fieldSpec(kind, field)?.type.is;
  return (is === 'money' || is === 'factor') && !values.some(({ text }) => text === '' || /^none$/i.test(text));
}

const isMetricTerm = (name: string, kind: Kind): boolean =>
  isReported(kind) && METRIC_NAMES.some((metric) => metric.toLowerCase() === name.toLowerCase());

/** The start and end of a term's values in the text, quotes included. */
function placeOf({ values }: Term, text: string): readonly [number, number] {
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return [text.length, text.length];
  return [first.at, last.quoted ? text.indexOf('"', last.at + 1) + 1 : last.at + last.text.length];
}

function plainTerm(term: Term, text: string, kind: Kind, by: Locale): Result<string, string> {
  const { name, op, values } = term;
  const typed = text.slice(...placeOf(term, text));
  const field = searchField(kind, name) ?? name;
  const isList = values.length > 1 && (op === ':' || op === '=' || op === '!=');
  const hasPoints = values.every((value) => value.text.includes('.') || value.quoted);
  if (isList && !hasPoints) {
    return err(appTexts.amounts.listOrAmount(typed, `${name}${op}${typed.replace(',', '.')}`, `${name}${op}1.00,5.00`));
  }
  const amounts = isList ? values.map((value) => value.text) : [typed.replaceAll('"', '')];
  const plain: string[] = [];
  for (const amount of amounts) {
    const read = isMetricTerm(name, kind) ? readAmount(amount, by) : readCell(kind, field, amount, by);
    if (!read.ok) return read;
    const digits = plainAmount(amount, by.style);
    plain.push(digits.ok ? digits.value : amount);
  }
  return ok(plain.join(','));
}
