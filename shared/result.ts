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
