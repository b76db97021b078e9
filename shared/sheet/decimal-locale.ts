/**
 * Numbers as people in different countries write them. `1,50` is one and a half or a hundred and fifty; the
 * sheet does not say which, so the user is asked once and the answer is applied to the whole sheet.
 */
export type DecimalLocale = 'point' | 'comma';

/** Takes currency signs and group marks out of a number and writes its decimals with a point. Anything else stays as it is. */
export function plainNumber(text: string, locale: DecimalLocale): string {
  const bare = text.replace(/[\s\u00a0\u202f'’]/gu, '').replace(/^([+-]?)[$€£¥]|[$€£¥]$/gu, '$1');
  const [point, group] = locale === 'point' ? ['.', ','] : [',', '.'];
  const escaped = (sign: string): string => `\\${sign}`;
  const grouped = new RegExp(`^([+-]?\\d{1,3}(?:${escaped(group)}\\d{3})+)(?:${escaped(point)}(\\d*))?(%?)$`);
  const plain = new RegExp(`^([+-]?\\d*)(?:${escaped(point)}(\\d*))?(%?)$`);
  const match = grouped.exec(bare) ?? plain.exec(bare);
  if (match === null) return bare;
  const whole = (match[1] ?? '').replaceAll(group, '');
  const fraction = match[2] === undefined || match[2] === '' ? '' : `.${match[2]}`;
  return whole + fraction + (match[3] ?? '');
}
