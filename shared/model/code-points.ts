/**
 * Lengths as the service counts them: characters a person sees as one code point, not UTF-16 units.
 * An emoji is one, `é` written as letter and accent is two.
 */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      i++;
    }
  }
  return length;
}

/** True when the text has more code points than `max`; cheap for the usual short text. */
export const isLongerThan = (text: string, max: number): boolean => text.length > max && codePointLength(text) > max;

/** The first `max` code points of a text; never half a character pair. */
export function cutToCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let points = 0; points < max && end < text.length; points++) {
    const point = text.codePointAt(end) ?? 0;
    end += point > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Position of the first control character (tabs and line breaks included), or -1. */
export function controlCharacterAt(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f) || unit === 0x2028 || unit === 0x2029) return i;
  }
  return -1;
}
