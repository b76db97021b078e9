import type { Cell, FieldSpec } from './field-types.ts';
import { type AnyValues, FIELDS, type Values } from './fields.ts';
import type { Kind } from './kinds.ts';
import type { RemoteId, RowId } from './scalars.ts';

/** Flags of a row besides its field bits in the `dirty` mask. */
export const NEW = 1 << 20;
export const DELETED = 1 << 21;
export const HELD = 1 << 22;
/** The bits of changed fields. */
export const FIELD_BITS = NEW - 1;

/** One row with the user's values (`values`) and the service's last values (`base`). */
export interface Row<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: RowId;
  /** Row ID of its campaign; its own ID for a campaign, null for media. */
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
  readonly remoteId: RemoteId | null;
  readonly values: Values<K>;
  /** Null while nothing differs from the service, and for rows that were never on the service. */
  readonly base: Values<K> | null;
  readonly dirty: number;
}

/** A row of any kind, discriminated by `kind`. */
export type AnyRow = { [K in Kind]: Row<K> }[Kind];

/** A key that is unique over all kinds, as in `keyword:12`. */
export const rowKey = (kind: Kind, id: RowId): string => `${kind}:${id}`;

/** The value of a field, for a row of any kind. */
export const cellOf = (values: AnyValues | null | undefined, field: string): Cell => values?.[field] ?? null;

export const isNew = (row: { readonly dirty: number }): boolean => (row.dirty & NEW) !== 0;
export const isDeleted = (row: { readonly dirty: number }): boolean => (row.dirty & DELETED) !== 0;
export const isHeld = (row: { readonly dirty: number }): boolean => (row.dirty & HELD) !== 0;
/** True when something of the row would have to be sent: it is new, deleted, or a field differs. */
export const isChanged = (row: { readonly dirty: number }): boolean => (row.dirty & ~HELD) !== 0;

/** Names of the fields whose bit is set in a mask. */
export function changedFields(kind: Kind, dirty: number): readonly string[] {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return Object.keys(specs).filter((name) => {
    const bit = specs[name]?.bit;
    return bit !== null && bit !== undefined && (dirty & (1 << bit)) !== 0;
  });
}

/** The mask of the fields in which two sets of values differ. */
export function differingBits(kind: Kind, values: AnyValues, base: AnyValues): number {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  let mask = 0;
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.bit !== null && values[name] !== base[name]) mask |= 1 << spec.bit;
  }
  return mask;
}
