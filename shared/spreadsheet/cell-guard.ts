/**
 * A spreadsheet program runs a cell that begins with `=`, `+`, `-` or `@` as a formula, also behind blanks and
 * quotes, and in full-width letters. Exported text is guarded by a leading apostrophe, and so is a text that means
 * "erase" here. Guarding can be undone exactly: a text that had apostrophes before such a sign gets one more.
 */
const RISKY = /^[\s'"]*(?:[=+\-@\uff1d\uff0b\uff0d\uff20]|\[\]$)/u;

/** The cell that erases a value; a blank cell leaves it as it is. */
export const ERASE = '[]';

export const guardCell = (text: string): string => (RISKY.test(text) ? `'${text}` : text);
export const unguardCell = (text: string): string =>
  text.startsWith("'") && RISKY.test(text.slice(1)) ? text.slice(1) : text;
/** True for a cell that a spreadsheet program would run. */
export function isFormula(text: string): boolean {
  const first = text.charAt(0);
  if (first === '=' || first === '@') return true;
  return (first === '+' || first === '-') && /^[+-]\s*[A-Za-z(]/.test(text);
}

/**
 * Numbers as people in different countries write them. `1,50` is one and a half or a hundred and fifty; the
 * sheet does not say which, so the user is asked once and the answer is applied to the whole sheet.
 */
export type DecimalLocale = 'point' | 'comma';

const NUMBERS: Readonly<Record<DecimalLocale, RegExp>> = { point: numberOf('\\.', ','), comma: numberOf(',', '\\.') };

/**
 * Digits, or groups of three behind one kind of mark, the first of which begins with no zero: `0.005` is five thousandths
 * in every country, and `1 5` is a slip and not fifteen.
 */
function numberOf(point: string, group: string): RegExp {
  return new RegExp(
    `^([+-]?)([1-9]\\d{0,2}(?:([${group}\\s'’])\\d{3})(?:\\3\\d{3})*|\\d*)(?:${point}(\\d*))?(%?)$`,
    'u',
  );
}

/** Takes currency signs and group marks out of a number and writes its decimals with a point. Anything else stays as it is. */
export function plainNumber(text: string, locale: DecimalLocale): string {
  const bare = text
    .trim()
    .replace(/^([+-]?)\s*[$€£¥]\s*/u, '$1')
    .replace(/\s*[$€£¥]$/u, '')
    .replace(/\s+%$/u, '%');
  const [all, sign, whole, , fraction = '', percent] = NUMBERS[locale].exec(bare) ?? [];
  if (all === undefined) return bare;
  return `${sign}${whole?.replace(/\D/gu, '')}${fraction === '' ? '' : `.${fraction}`}${percent}`;
}
