import { useEffect, useSyncExternalStore } from 'react';
import { DOCUMENT_LIMITS, listedWords, type ShownLimits } from '../../shared/deployment/limits.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type FieldSpec, isUnknownWord } from '../../shared/model/field-types.ts';
import { fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { changeLimits, limits, onLimits } from '../app/locale/limits.ts';
import { accountProfile } from './account-questions.ts';
import { useQuery } from './use-query.ts';

/** The limits of the open account; the component is drawn anew when they change. */
export const useLimits = (): ShownLimits => useSyncExternalStore(onLimits, limits);

/** Has the window go by the limits of this account for as long as it is open. */
export function useLimitsOf(workspaceId: string): void {
  const found = useQuery(accountProfile(workspaceId)).data?.limits;
  useEffect(() => {
    if (found !== undefined) changeLimits(found);
  }, [found]);
  useEffect(() => () => changeLimits(DOCUMENT_LIMITS), []);
}

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
