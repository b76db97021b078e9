/**
 * A spreadsheet program runs a cell that begins with `=`, `+`, `-` or `@` as a formula, also after spaces and quotes, and
 * in full-width letters. Exported text of this form gets a leading apostrophe, and so does a text that means "erase"
 * here. This can be undone exactly: a text that already had apostrophes before such a character gets one more.
 */
const RISKY = /^[\s'"]*(?:[=+\-@\uff1d\uff0b\uff0d\uff20]|\[\]$)/u;

/** The cell that erases a value; a blank cell leaves it unchanged. */
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
 * Decimal formats of different countries. `1,50` is one and a half or a hundred and fifty; the spreadsheet does not
 * tell, so the user is asked once and the reply applies to the whole spreadsheet.
 */
export type DecimalLocale = 'point' | 'comma';

const NUMBERS: Readonly<Record<DecimalLocale, RegExp>> = { point: numberOf('\\.', ','), comma: numberOf(',', '\\.') };

/**
 * Digits, or groups of three after one kind of separator, where the first group does not begin with zero: `0.005` is
 * five thousandths everywhere, and `1 5` is a typing error, not fifteen.
 */
function numberOf(point: string, group: string): RegExp {
  return new RegExp(
    `^([+-]?)([1-9]\\d{0,2}(?:([${group}\\s'’])\\d{3})(?:\\3\\d{3})*|\\d*)(?:${point}(\\d*))?(%?)$`,
    'u',
  );
}

/** Removes currency signs and group separators from a number and sets a decimal point. Any other text stays unchanged. */
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
