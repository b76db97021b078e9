import type { ListedSuggestion } from '../../../shared/api/suggestions.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { choiceName } from '../../app/field-names.ts';
import { figureText, moneyText } from '../../app/locale/numbers.ts';

export type Listed = ListedSuggestion;

/** Only these change a row here: for the others there is a table to take elsewhere, or rows to look at. */
export const isEdit = ({ effect }: Pick<Listed, 'effect'>): boolean =>
  effect === 'immediate' || effect === 'needs-review';

/** A value of the field that is suggested, in words. */
export function shownValue({ type, field }: Pick<Listed, 'type' | 'field'>, value: Listed['current']): string {
  if (value === null) return '';
  if (typeof value === 'string') return choiceName(value);
  const isMoney = field === null || fieldSpec(type, field)?.type.is === 'money';
  // Intervals are not whole cents.
  return isMoney ? moneyText(Math.round(value)) : figureText('percent', Math.round(value));
}

/** By how much it differs, as a share of what is there now; null where there is nothing to compare. */
export const changeIn = ({ current, suggested }: Pick<Listed, 'current' | 'suggested'>): number | null =>
  typeof current === 'number' && typeof suggested === 'number' && current !== 0 ? suggested / current - 1 : null;

/** `+12%`, `−15%`. */
export function percentText(share: number): string {
  const percent = Math.round(Math.abs(share) * 100);
  return `${percent === 0 ? '' : share > 0 ? '+' : '−'}${percent}%`;
}
