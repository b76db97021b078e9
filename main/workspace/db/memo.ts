/**
 * Remembers what was made for each key, for as long as the program runs; for keys of which there are few. For texts of statements: to put one together
 * again costs as much as to run it for a few rows, and a text that is another object each time has to be compared
 * letter by letter with the one that was prepared.
 */
export function memo<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
