/**
 * Result elements ("Batch result element"): the shape every write answers with, one per request element and in its
 * order. The field that holds the id differs by resource.
 */
export type Result = Readonly<Record<string, unknown>> & {
  readonly code: 'success' | 'failure';
  readonly details: string;
};

export function success(idField: string, id: number, more: Readonly<Record<string, unknown>> = {}): Result {
  return { code: 'success', details: '', [idField]: id, ...more };
}

/** A failed element; the samples of the document give it the id 0. */
export function failure(idField: string, details: string, more: Readonly<Record<string, unknown>> = {}): Result {
  return { code: 'failure', details, [idField]: 0, ...more };
}

/** The codes of an answer's elements, for the request log and the count of changed elements. */
export function codesOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer)) return answer.flatMap((element: unknown) => codesOf(element));
  if (typeof answer !== 'object' || answer === null) return [];
  if ('results' in answer && Array.isArray(answer.results)) return codesOf(answer.results);
  return 'code' in answer && typeof answer.code === 'string' ? [answer.code] : [];
}
