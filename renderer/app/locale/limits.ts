import { useSyncExternalStore } from 'react';
import { DOCUMENT_LIMITS, listedWords, type ShownLimits } from '../../../shared/deployment/limits.ts';
import { type Cell, type FieldSpec, isUnknownWord } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

/**
 * The limits of the open account from its deployment settings; without an account, those of the documentation.
 * Counters, choice lists and input checks read them, so they are one module variable, like the locale.
 */
let current: ShownLimits = DOCUMENT_LIMITS;
const listeners = new Set<() => void>();

export const limits = (): ShownLimits => current;

export function changeLimits(next: ShownLimits): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

function onLimits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The limits of the open account. A change renders the component again. */
export const useLimits = (): ShownLimits => useSyncExternalStore(onLimits, limits);

/**
 * The choices of a field: the list of the deployment if it has one, plus the present value if the list lacks it, so
 * that opening the field does not lose it.
 */
export function choicesOf(kind: Kind, field: string, value: Cell, of: ShownLimits = limits()): readonly string[] {
  const spec: FieldSpec | undefined = fieldSpec(kind, field);
  if (spec?.type.is !== 'choice') return [];
  const words = listedWords(of, kind, field) ?? spec.type.choices;
  const isThere = typeof value === 'string' && (isUnknownWord(spec, value) || spec.type.choices.includes(value));
  return isThere && !words.includes(value) ? [...words, value] : words;
}
