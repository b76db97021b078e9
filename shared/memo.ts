/**
 * Caches the result for each key permanently; for few keys. Also for statement texts: building one costs as much as
 * running it for a few rows, and a new string has to be compared character by character with the prepared one.
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
