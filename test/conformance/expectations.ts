import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** "HTTP-level errors use a body with a single field error holding a message string." */
export function expectRefusal(answer: Answer, status: number, message: string): void {
  expect([answer.status, answer.body]).toEqual([status, { error: message }]);
}

/** Elements of a batch answer, each as `success` or as the details of its failure. */
export function outcomes(answer: Answer): readonly unknown[] {
  const elements: unknown = answer.body;
  if (answer.status !== 200 || !Array.isArray(elements)) return [answer.status, answer.body];
  return elements.map((element: { code?: unknown; details?: unknown }) =>
    element.code === 'success' && element.details === '' ? 'success' : element.details,
  );
}

/** A case of ours, without a documented text: only the code counts. */
export function codes(answer: Answer): readonly unknown[] {
  const elements: unknown = answer.body;
  return Array.isArray(elements)
    ? elements.map((element: { code?: unknown }) => element.code)
    : [answer.status, elements];
}
