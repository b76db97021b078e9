/**
 * The entries that contain every typed word, best first: the one whose name is the text, then those whose name starts
 * with it, then those with a word that starts with it, then the rest; ties keep their order.
 */
export function rank<T>(entries: readonly T[], text: string, nameOf: (entry: T) => string): readonly T[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return entries;
  const words = typed.split(/\s+/);
  const scored = entries.flatMap((entry) => {
    const name = nameOf(entry).toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    return [{ entry, score: scoreOf(name, typed, words[0] ?? '') }];
  });
  return scored.sort((a, b) => a.score - b.score).map(({ entry }) => entry);
}

/** A name that was typed whole is meant, though another one begins with it; its dots are no part of it. */
function scoreOf(name: string, typed: string, firstWord: string): number {
  if (name.replace(/…$/u, '') === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(` ${firstWord}`) ? 2 : 3;
}
