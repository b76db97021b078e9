/** Success or a typed failure. Plain data, so it crosses threads, ports and sockets unchanged. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** A failure with a code and its facts; only those that an operation declares reach its caller. */
export const fail = <const C extends string, const D>(
  code: C,
  data: D,
): { readonly ok: false; readonly error: { readonly code: C; readonly data: D } } => ({
  ok: false,
  error: { code, data },
});

/** Closes a `switch` over a union: a member added later becomes a compile error at the call. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}

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
