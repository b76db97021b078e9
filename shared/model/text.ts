/**
 * Length as the service counts it: in code points, not UTF-16 units. An emoji is one, `é` written as letter and accent
 * is two.
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

/** A line of a file within a sentence: `line 12,000`. */
export const lineText = (line: number): string => `line ${line.toLocaleString('en-US')}`;

/** The first `max` code points of a text; never splits a surrogate pair. */
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

/**
 * The key by which two keywords count as equal, and two names as easily confused: NFKC, lower case, spaces collapsed
 * and trimmed (wire shapes, section 5, "Keywords"). Stored beside the text, so a change here needs a migration.
 */
export function textKey(text: string): string {
  if (isFolded(text)) return text;
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/gu, ' ').trim();
}

/** Most keywords are lower-case ASCII with single spaces; those are their own key, without a copy. */
function isFolded(text: string): boolean {
  let previous = 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7e || unit < 0x20 || (unit >= 0x41 && unit <= 0x5a)) return false;
    if (unit === 0x20 && previous === 0x20) return false;
    previous = unit;
  }
  return previous !== 0x20 || text === '';
}

/**
 * A key whose plain order is that of the numbers in a text: "campaign 2" comes before "campaign 10". Each run of
 * digits is prefixed with its length; a nine means that the length continues.
 */
export const naturalKey = (text: string): string =>
  text.replace(/0*(\d+)/gu, (_, digits: string) => {
    const more = digits.length - 1;
    return `${'9'.repeat(Math.floor(more / 8))}${1 + (more % 8)}${digits}`;
  });

/** The order of names in lists for people: by letters, and by the numbers in them. */
export const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/**
 * The key by which two texts are equal for a shopper: case, spaces and symbols do not count, so "Red-Pot" is "red
 * pot". Coarser than `textKey`, which follows the service. A text of symbols only keeps them.
 */
export function normalizedText(text: string): string {
  const key = textKey(text);
  const plain = key
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? key : plain;
}

/**
 * Characters without width or visible form. Two names that differ only by one of them look the same, and a name of only
 * such characters looks empty.
 *
 * Besides those that Unicode lists: the braille cell without dots, the note head without a note, and interlinear
 * annotation marks.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\u{1D159}\\uFFF9-\\uFFFB';
const NOTHING_SEEN = new RegExp(`^[${UNSEEN}\\p{White_Space}\\uFEFF]*$`, 'u');
const ANY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'u');

/** Scripts in which a joiner or its opposite changes how letters are written. */
const JOINING = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Scripts without spaces between words, where a line breaks at a zero-width space. */
const UNSPACED = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const FROM_RIGHT = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const PICTURE = '\\p{Extended_Pictographic}';

/** Legitimate uses of each of them. */
const MEANT = new RegExp(
  [
    // Letters that join or do not, as in Persian; pictures that are joined to one.
    `(?<=[${JOINING}\\p{M}])[\\u200C\\u200D](?=[${JOINING}\\p{M}]|$|[^\\p{L}])`,
    `(?<=(?:${PICTURE}|\\p{Emoji_Modifier})\\uFE0F?)\\u200D(?=${PICTURE})`,
    // A sign shown as a picture or as text, a key with its number, a flag of a region.
    '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]',
    '(?<=\\u{1F3F4}[\\u{E0020}-\\u{E007E}]*)[\\u{E0020}-\\u{E007F}]',
    // Forms of one character.
    '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
    '(?<=\\p{Script=Mongolian})[\\u180B-\\u180F]',
    // Line breaks in scripts without spaces, and direction marks near right-to-left letters.
    `(?<=[${UNSPACED}])\\u200B(?=[${UNSPACED}])`,
    `(?<=[${FROM_RIGHT}][^\\n]*)[\\u200E\\u200F\\u061C]|[\\u200E\\u200F\\u061C](?=[^\\n]*[${FROM_RIGHT}])`,
    // Old Korean syllables, inherent vowels of Khmer, separated marks, braille.
    '(?<=[\\u1100-\\u11FF])[\\u115F\\u1160]|[\\u115F\\u1160](?=[\\u1100-\\u11FF])',
    '(?<=\\p{Script=Khmer})[\\u17B4\\u17B5]',
    '(?<=\\p{M})\\u034F|\\u034F(?=\\p{M})',
    '(?<=[\\u2801-\\u28FF])\\u2800|\\u2800(?=[\\u2801-\\u28FF])',
  ].join('|'),
  'gu',
);

/** Whether a text has nothing visible: it is empty, or has only spaces or invisible characters. */
export const isUnseen = (text: string): boolean => NOTHING_SEEN.test(text);

/**
 * The text with each invisible character written out, such as `Summer[U+200B]`; null without any. Legitimate uses are
 * kept: the joiners of emoji, of Persian and of Indian scripts, and similar.
 */
export function withUnseenShown(text: string): string | null {
  if (!ANY_UNSEEN.test(text)) return null;
  const meant = new Set(Array.from(text.matchAll(MEANT), ({ index }) => index));
  const shown = text.replace(EACH_UNSEEN, (character: string, at: number) =>
    meant.has(at) ? character : codePointText(character),
  );
  return shown === text ? null : shown;
}

/** A part of that text short enough for a message, around the first character that is written out. */
export function unseenExcerpt(text: string): string | null {
  const shown = withUnseenShown(text);
  if (shown === null || shown.length <= EXCERPT_CHARACTERS) return shown;
  const at = Math.max(0, shown.search(/\[U\+[0-9A-F]{4,6}\]/u) - EXCERPT_CHARACTERS / 2);
  return `${at === 0 ? '' : '...'}${shown.slice(at, at + EXCERPT_CHARACTERS).toWellFormed()}...`;
}
const EXCERPT_CHARACTERS = 50;

/** Without the characters that `withUnseenShown` writes out. */
export function withoutUnseen(text: string): string {
  if (!ANY_UNSEEN.test(text)) return text;
  const meant = new Set(Array.from(text.matchAll(MEANT), ({ index }) => index));
  return text.replace(EACH_UNSEEN, (character: string, at: number) => (meant.has(at) ? character : ''));
}

const EACH_UNSEEN = new RegExp(ANY_UNSEEN, 'gu');

/** A character by its number, as in [U+200B]. */
export const codePointText = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Text for HTML, also within an attribute. */
export const htmlText = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
