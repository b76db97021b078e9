import { parseDecimal } from '../model/decimal.ts';
import { err, ok, type Result } from '../result.ts';

/**
 * Expressions typed into a money cell: `+10%`, `-0.05`, `*1.2`, `1.2*1.05`, `=1.50`. A leading operator applies to the
 * present value; anything else sets a new one. Computed in integer millionths, never in binary fractions, and rounded or
 * cut to cents only at the end, so 4.35 stays 4.35.
 */
export interface AmountExpression {
  /** The new amount in cents for the present one; null when the present cell is empty but needed, or the result is no amount. */
  readonly apply: (cents: number | null, rounding?: Rounding) => number | null;
  readonly isRelative: boolean;
}

export interface Rounding {
  /** Rounds to a multiple of this many cents; 0 cuts the result to cents. */
  readonly roundTo: number;
  /** Direction of rounding: nearest, down or up. */
  readonly rounding: 'nearest' | 'down' | 'up';
}

export interface ExpressionProblem {
  readonly at: number;
  readonly problem: string;
}

const PLACES = 6;
const SCALE = 10n ** 6n;
const TO_CENTS = 10n ** 4n;
const LENGTH_MAX = 100;

type Step = { readonly op: '+' | '-' | '*' | '/'; readonly amount: bigint; readonly isPercent: boolean };

export function parseAmountExpression(text: string): Result<AmountExpression, ExpressionProblem> {
  const bare = text.trim().replace(/^=/, '').trim();
  if (bare.length > LENGTH_MAX) return err({ at: 0, problem: 'This formula is too long. Enter a shorter one.' });
  const isRelative = /^[+\-*/x×]/.test(bare) && !text.trim().startsWith('=');
  const steps = readSteps(isRelative ? bare : `+${bare}`, text.indexOf(bare) - (isRelative ? 0 : 1));
  if (!steps.ok) return steps;
  if (!isRelative && steps.value[0]?.isPercent === true) {
    return err({
      at: 0,
      problem: 'A percentage needs an operator. Enter +10% to raise, -10% to lower, or *10% for a tenth.',
    });
  }
  return ok({ isRelative, apply: (cents, rounding = CUT) => evaluate(steps.value, isRelative ? cents : 0, rounding) });
}

function readSteps(text: string, offset: number): Result<readonly Step[], ExpressionProblem> {
  const steps: Step[] = [];
  const pattern = /\s*([+\-*/x×])\s*(\d*\.?\d+|\d+\.)\s*(%?)/y;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    const amount = match === null ? null : parseDecimal(match[2] ?? '', PLACES);
    if (match === null || amount === null || !amount.ok) {
      return err({
        at: Math.max(0, at + offset),
        problem: 'Enter a number, or a formula such as +10%, *1.2 or 1.20+0.05.',
      });
    }
    const sign = match[1] ?? '+';
    const op = sign === '-' || sign === '/' || sign === '+' ? sign : '*';
    steps.push({ op, amount: BigInt(amount.value.units), isPercent: match[3] === '%' });
  }
  const divides = steps.find((step) => step.op === '/' && step.amount < (step.isPercent ? 100n : 1n));
  return divides === undefined ? ok(steps) : err({ at: 0, problem: "A number can't be divided by 0." });
}

/** From left to right, with products before sums within each sum. */
function evaluate(steps: readonly Step[], start: number | null, rounding: Rounding): number | null {
  if (start === null) return null;
  let total = BigInt(start) * TO_CENTS;
  let term: bigint | null = null;
  for (const { op, amount, isPercent } of steps) {
    if (op === '+' || op === '-') {
      total += term ?? 0n;
      const change = isPercent ? (total * amount) / (100n * SCALE) : amount;
      term = op === '+' ? change : -change;
    } else {
      const factor = isPercent ? amount / 100n : amount;
      // A product applies to the term before it, or to the present value if there is none.
      const base: bigint = term ?? total;
      const product = op === '*' ? (base * factor) / SCALE : (base * SCALE) / factor;
      if (term === null) total = product;
      else term = product;
    }
  }
  total += term ?? 0n;
  const cents = inCents(total, rounding);
  return cents < 0n || cents > 10n ** 13n ? null : Number(cents);
}

const CUT: Rounding = { roundTo: 0, rounding: 'down' };

function inCents(millionths: bigint, { roundTo, rounding }: Rounding): bigint {
  if (roundTo === 0 || millionths < 0n) return millionths / TO_CENTS;
  const step = BigInt(roundTo) * TO_CENTS;
  const more = { nearest: step / 2n, down: 0n, up: step - 1n }[rounding];
  return ((millionths + more) / step) * BigInt(roundTo);
}
