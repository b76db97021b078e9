/**
 * The key under which two keywords count as the same: NFKC, lower case, blanks collapsed and trimmed
 * (wire shapes, section 5, "Keywords"). Stored beside the text, so a change here needs a migration.
 */
export function keywordKey(text: string): string {
  if (isFolded(text)) return text;
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/gu, ' ').trim();
}

/** Most keywords are plain lower-case ASCII with single blanks; those are their own key, without a copy. */
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

/** The key under which two names are easily mistaken for one another. */
export const nameKey = keywordKey;

/**
 * The key under which two texts are the same for a shopper: case, blanks and signs do not count, so "Red-Pot" is "red
 * pot". Coarser than `keywordKey`, which is how the service counts. A text of signs alone keeps them.
 */
export function normalizedText(text: string): string {
  const key = keywordKey(text);
  const plain = key
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? key : plain;
}
