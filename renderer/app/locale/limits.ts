import { useSyncExternalStore } from 'react';
import { DOCUMENT_LIMITS, listedWords, type ShownLimits } from '../../../shared/deployment/limits.ts';
import { type Cell, type FieldSpec, isUnknownWord } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

/**
 * The limits of the account that is open, as its deployment settings have them; before one is open, those of the document.
 * Counters, lists of choices and what is typed ask for them, so they are one value of the window, as the locale is.
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

/** The limits of the open account; the component is drawn again when they change. */
export const useLimits = (): ShownLimits => useSyncExternalStore(onLimits, limits);

/**
 * The words that can be chosen for a field: the deployment's list where it has one, and the word that is there though
 * this version does not know it, so that looking at it does not lose it.
 */
export function choicesOf(kind: Kind, field: string, value: Cell, of: ShownLimits = limits()): readonly string[] {
  const spec: FieldSpec | undefined = fieldSpec(kind, field);
  if (spec?.type.is !== 'choice') return [];
  const words = listedWords(of, kind, field) ?? spec.type.choices;
  const isThere = typeof value === 'string' && (isUnknownWord(spec, value) || spec.type.choices.includes(value));
  return isThere && !words.includes(value) ? [...words, value] : words;
}
