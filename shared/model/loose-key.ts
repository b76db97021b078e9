import { keywordKey } from './keyword-key.ts';

/**
 * The key under which two texts are the same for a shopper: case, blanks and signs do not count, so "Red-Pot" is "red
 * pot". Coarser than `keywordKey`, which is how the service counts. A text of signs alone keeps them.
 */
export function looseKey(text: string): string {
  const key = keywordKey(text);
  const plain = key
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? key : plain;
}
