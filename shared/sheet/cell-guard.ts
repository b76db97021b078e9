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
