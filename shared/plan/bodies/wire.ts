import { formatDecimal } from '../../model/decimal.ts';
import type { AnyValues } from '../../model/fields.ts';
import type { Kind } from '../../model/kinds.ts';
import type { Row } from '../../model/row.ts';
import type { PlanElement, WireObject, WireValue } from '../plan-types.ts';

/** What a body builder makes of a row: the request element and the values it carries to the service. */
export interface Built {
  readonly body: WireObject;
  readonly sent: AnyValues;
}

/** The id of a row inside a body: the service's own, or a reference to the row while it has none. */
export const idOf = (row: Row): WireValue =>
  row.remoteId === null ? { ref: row.kind, id: row.id } : { num: row.remoteId };

/** Cents or hundredths as a decimal number with two places; null stays null. */
export const amount = (units: number | null): WireValue => (units === null ? null : { num: formatDecimal(units, 2) });

/** Leaves out the keys whose value is null: on a create, what the user left empty is not mentioned. */
export function withoutNulls(body: WireObject): WireObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The named fields of a row's values. */
export function pick(values: AnyValues, fields: readonly string[]): AnyValues {
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
}

export function elementOf(row: Row<Kind>, built: Built, changed: readonly string[]): PlanElement {
  return { kind: row.kind, id: row.id, remoteId: row.remoteId, body: built.body, sent: built.sent, changed };
}
