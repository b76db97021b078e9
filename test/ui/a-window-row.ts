import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { asRowId } from '../../shared/model/scalars.ts';

/** A row as a window shows it; fields that are not named are empty. */
export const aWindowRow = (
  kind: Kind,
  id: number,
  values: Readonly<Record<string, Cell>> = {},
  dirty = 0,
): WindowRow => ({
  id: asRowId(id),
  campaignId: asRowId(1),
  adGroupId: asRowId(2),
  remoteId: null,
  campaignName: 'Pots',
  dirty,
  severity: null,
  outbox: null,
  cells: fieldNames(kind).map((field) => values[field] ?? null),
});
