/**
 * The entries that contain every typed word, best first: those whose name starts with the text, then those with
 * a word that starts with it, then the rest; ties keep their order.
 */
export function rank<T>(entries: readonly T[], text: string, nameOf: (entry: T) => string): readonly T[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return entries;
  const words = typed.split(/\s+/);
  const scored = entries.flatMap((entry) => {
    const name = nameOf(entry).toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    const score = name.startsWith(typed) ? 0 : name.includes(` ${words[0] ?? ''}`) ? 1 : 2;
    return [{ entry, score }];
  });
  return scored.sort((a, b) => a.score - b.score).map(({ entry }) => entry);
}
