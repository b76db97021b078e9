import { resolve } from 'node:path';

/**
 * Files that the system hands over on a double click: archives and files of changes, and no others. Whoever wrote the
 * file or the words of a start may be anybody, so opening one shows what importing it would do and does nothing.
 */
const OPENED = /[^/\\]\.(adslate|adslate-changes)$/i;

/** Longest path of the systems we run on. */
const PATH_MAX = 32_767;

/**
 * The file among the words of a start, as an absolute path. Only the last word is looked at, as with links; a word that
 * begins like a switch or an address is none.
 *
 * @param folder where the words were said
 */
export function fileInWords(words: readonly string[], folder: string): string | null {
  const word = words.at(-1) ?? '';
  if (word.length > PATH_MAX || word.includes('\0') || /^(-|[a-z][a-z0-9+.-]+:)/i.test(word)) return null;
  return OPENED.test(word) ? resolve(folder, word) : null;
}

/** The same for a path that the system names itself (macOS). */
export const isOpenedFile = (path: string): boolean => !path.includes('\0') && OPENED.test(path);
