/**
 * For `.catch` of a file operation: nothing under that name is an answer, null; every other failure goes on.
 *
 * @throws the failure it was given unless that is ENOENT
 */
export function nullIfNotFound(failure: unknown): null {
  if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return null;
  throw failure;
}
