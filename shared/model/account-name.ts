/** Longest name of an account, in characters as people count them, so that an emoji is one. */
export const ACCOUNT_NAME_MAX = 60;

/** Why a text cannot be the name of an account, as a sentence; null when it can. Blanks around it do not count. */
export function accountNameProblem(name: string): string | null {
  const text = name.trim();
  if (text === '') return 'The account name is empty. Type one.';
  if (HIDDEN.test(withoutJoined(text))) {
    return `The account name holds a character that cannot be seen: "${shownName(text)}". Type it without that.`;
  }
  const length = [...text].length;
  if (length <= ACCOUNT_NAME_MAX) return null;
  return `The account name has ${length} characters, and ${ACCOUNT_NAME_MAX} is the most. Choose a shorter one.`;
}

/** Controls, what turns the direction of reading, what has no width, halves of characters, and blanks that pass for letters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const HIDDEN_EACH = new RegExp(HIDDEN.source, 'gu');

/** What joins the parts of one emoji is part of what is seen. */
const withoutJoined = (text: string): string =>
  text
    .replace(/\uFE0F/gu, '')
    .replace(/(\p{Extended_Pictographic}\p{Emoji_Modifier}?)\u200D(?=\p{Extended_Pictographic})/gu, '$1');

const SHOWN_MAX = 80;

/** The name with what cannot be seen written out, such as A[U+200B]B. */
function shownName(text: string): string {
  const characters = [...withoutJoined(text)];
  const shown = characters.slice(0, SHOWN_MAX).join('').replace(HIDDEN_EACH, codePoint);
  return characters.length > SHOWN_MAX ? `${shown}...` : shown;
}

const codePoint = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
