import { KINDS, type Kind } from '../../../shared/model/kinds.ts';

/**
 * Links that lead into the program: `adslate://open/<account>/<kind>/<row>`. A link can only show something: it edits,
 * sends and imports nothing and names no file and no host. Whoever wrote it may be anybody.
 */
export const LINK_SCHEME = 'adslate';
const LINK_BYTES_MAX = 512;
const LINK = /^adslate:\/\/open\/([a-z0-9][a-z0-9-]{0,63})\/([a-z][A-Za-z]{0,31})\/([1-9][0-9]{0,14})$/;

export interface DeepLink {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly id: number;
}

/** @returns null for everything that is not exactly such a link */
export function readDeepLink(text: string): DeepLink | null {
  if (text.length > LINK_BYTES_MAX) return null;
  const [, workspaceId, kindText, id] = LINK.exec(text) ?? [];
  const kind = KINDS.find((known) => known === kindText);
  if (workspaceId === undefined || kind === undefined || id === undefined) return null;
  return { workspaceId, kind, id: Number(id) };
}

/**
 * The link among the words that a second start was given. Only the last word is looked at: the system puts a link there,
 * and whatever stands before it are switches that somebody may have smuggled into the link.
 */
export const linkInWords = (words: readonly string[]): DeepLink | null => readDeepLink(words.at(-1) ?? '');
