import type { Cell } from '../model/field-types.ts';
import type { Query } from './query.ts';

/** The column with the name of a row's campaign, which is no field of the row. */
export const CAMPAIGN_COLUMN = 'path';

/** Rows whose cell is one of these values, or none of them; null is the empty cell. */
export interface ValueFilter {
  readonly field: string;
  readonly values: readonly Cell[];
  readonly isNot: boolean;
}

/** The parts of a filter that must all match; each is a chip. */
export const partsOf = (query: Query): readonly Query[] =>
  query.is === 'all' ? [] : query.is === 'and' ? query.parts : [query];

export function joinParts(parts: readonly Query[]): Query {
  const [only, ...others] = parts;
  if (only === undefined) return { is: 'all' };
  return others.length === 0 ? only : { is: 'and', parts };
}

/** @returns null for a part that is not about certain values of one field */
export function valueFilterOf(part: Query): ValueFilter | null {
  if (part.is === 'not') {
    const inner = valueFilterOf(part.part);
    return inner === null || inner.isNot ? null : { ...inner, isNot: true };
  }
  const alternatives = (part.is === 'or' ? part.parts : [part]).map(valuesOf);
  const field = alternatives[0]?.field;
  const values: Cell[] = [];
  for (const each of alternatives) {
    if (each === null || each.field !== field) return null;
    values.push(...each.values);
  }
  return field === undefined ? null : { field, values, isNot: false };
}

function valuesOf(part: Query): Omit<ValueFilter, 'isNot'> | null {
  switch (part.is) {
    case 'one-of':
      return { field: part.field, values: part.values };
    case 'compare':
      return part.op === '=' ? { field: part.field, values: [part.value] } : null;
    case 'empty':
      return { field: part.field, values: [null] };
    case 'campaign':
      return { field: CAMPAIGN_COLUMN, values: [part.text] };
    default:
      return null;
  }
}

/** The part that `valueFilterOf` parses to the same filter. @param filter with at least one value */
export function queryOfValues({ field, values, isNot }: ValueFilter): Query {
  const filled = values.filter((value) => value !== null);
  const [only] = filled;
  const parts: Query[] =
    field === CAMPAIGN_COLUMN
      ? filled.map((value) => ({ is: 'campaign', text: String(value) }))
      : only === undefined
        ? []
        : [
            filled.length === 1
              ? { is: 'compare', field, op: '=', value: only }
              : { is: 'one-of', field, values: filled },
          ];
  if (filled.length < values.length) parts.push({ is: 'empty', field });
  const [first, second] = parts;
  const query: Query = first !== undefined && second === undefined ? first : { is: 'or', parts };
  return isNot ? { is: 'not', part: query } : query;
}
