/**
 * Characters that take no room or show nothing. Two names can differ by one of them and look the same, and a name of
 * nothing else looks like none.
 *
 * Beside what Unicode lists: the braille cell without dots, the note head without a note, and the marks of notes between
 * the lines.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\u{1D159}\\uFFF9-\\uFFFB';
const NOTHING_SEEN = new RegExp(`^[${UNSEEN}\\p{White_Space}\\uFEFF]*$`, 'u');
const ANY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'u');

/** Scripts in which a joiner or its opposite changes how letters are written. */
const JOINING = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Scripts that put no blanks between words, so that a line is broken at a blank of no width. */
const UNSPACED = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const FROM_RIGHT = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const PICTURE = '\\p{Extended_Pictographic}';

/** Where each of them is used as it is meant. */
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
    // Places to break a line, and directions where letters run from the right.
    `(?<=[${UNSPACED}])\\u200B(?=[${UNSPACED}])`,
    `(?<=[${FROM_RIGHT}][^\\n]*)[\\u200E\\u200F\\u061C]|[\\u200E\\u200F\\u061C](?=[^\\n]*[${FROM_RIGHT}])`,
    // Old Korean syllables, vowels that Khmer writes without a sign, marks that are kept apart, braille.
    '(?<=[\\u1100-\\u11FF])[\\u115F\\u1160]|[\\u115F\\u1160](?=[\\u1100-\\u11FF])',
    '(?<=\\p{Script=Khmer})[\\u17B4\\u17B5]',
    '(?<=\\p{M})\\u034F|\\u034F(?=\\p{M})',
    '(?<=[\\u2801-\\u28FF])\\u2800|\\u2800(?=[\\u2801-\\u28FF])',
  ].join('|'),
  'gu',
);

/** Whether nothing of a text can be seen: no characters at all, blanks of any kind, or characters that show nothing. */
export const isUnseen = (text: string): boolean => NOTHING_SEEN.test(text);

/**
 * The text with each character that nobody sees written out, such as `Summer[U+200B]`; null when there is none. Those that
 * are used as they are meant stay: the joiners of emoji, of Persian and of Indian scripts, and others like them.
 */
export function withUnseenShown(text: string): string | null {
  if (!ANY_UNSEEN.test(text)) return null;
  const meant = new Set(Array.from(text.matchAll(MEANT), ({ index }) => index));
  const shown = text.replace(EACH_UNSEEN, (character: string, at: number) =>
    meant.has(at) ? character : named(character),
  );
  return shown === text ? null : shown;
}

/** As much of it as a message shows, around the first character that is written out. */
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

const named = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
