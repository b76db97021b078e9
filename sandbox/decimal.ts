/**
 * Decimal amounts without binary arithmetic: the digits are cut, never rounded ("Placement multiplier": digits
 * beyond two decimals are truncated). A hundredth is a cent for money, a hundredth of a percent for multipliers.
 */
export interface Hundredths {
  readonly negative: boolean;
  /** The amount in hundredths after the cut; never negative. */
  readonly hundredths: number;
  /** True when digits were cut that were not all zero: 50000.009 is above 50000. */
  readonly cutDigits: boolean;
}

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a JSON number or its text. Null when it is no decimal number. */
export function parseHundredths(value: unknown): Hundredths | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = decimalText.exec(String(value).trim());
  if (match === null) return null;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? '';
  if (whole === '' && fraction === '') return null;
  const digits = whole + fraction;
  const pointAt = whole.length + Number(match[4] ?? '0');
  const keep = pointAt + 2;
  const kept = keep <= 0 ? '0' : digits.slice(0, keep).padEnd(keep, '0');
  const cut = keep <= 0 ? digits : digits.slice(keep);
  const amount = Number(kept);
  const hundredths = amount <= Number.MAX_SAFE_INTEGER ? amount : Number.MAX_SAFE_INTEGER;
  const cutDigits = /[1-9]/.test(cut);
  return { negative: match[1] === '-' && (hundredths > 0 || cutDigits), hundredths, cutDigits };
}

/** True when the amount, before the cut, is above the given number of hundredths. */
export function isAbove(amount: Hundredths, limit: number): boolean {
  return !amount.negative && (amount.hundredths > limit || (amount.hundredths === limit && amount.cutDigits));
}

/** Hundredths as the JSON number that prints with the same digits: 150050 is 1500.5. */
export function toNumber(hundredths: number): number {
  return hundredths / 100;
}

/** Hundredths as text with two decimals, for messages: 150 is "1.50". */
export function toText(hundredths: number): string {
  const text = String(hundredths).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
