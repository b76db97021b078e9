import type { CreateRow, EditBatch } from '../../../main/store/types.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { type AnyValues, fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, DELETED, FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { bitOf, dropSettled, type ModelRows, put, rowOf, rowsOf, specsOf } from './model-rows.ts';

/** `apply` of the store for edits that are known to be allowed. */
export function edit(rows: ModelRows, batch: EditBatch, isLive: (kind: Kind, id: RowId) => boolean): void {
  const made: AnyRow[] = [];
  for (const create of batch.creates ?? []) made.push(createOne(rows, create, made));
  for (const { kind, id, field, value } of batch.updates ?? []) setCell(rows, kind, id, field, value);
  for (const ref of batch.deletes ?? []) removeTree(rows, ref.kind, ref.id, isLive);
}

function createOne(rows: ModelRows, create: CreateRow, made: readonly AnyRow[]): AnyRow {
  const { kind, parent } = create;
  rows.lastId++;
  const id = rows.lastId as RowId;
  const above = parent === null ? undefined : 'at' in parent ? made[parent.at] : parentRow(rows, kind, parent.id);
  const campaignId = kind === 'campaign' ? id : (above?.campaignId ?? null);
  const adGroupId = above?.kind === 'adGroup' ? above.id : null;
  const values = Object.fromEntries(
    specsOf(kind).map(([name, spec]) => {
      const isSwitch = spec.owner === 'user' && (name === 'status' || name === 'state') && isCellOf(spec, 'enabled');
      return [name, create.values[name] ?? (create.values[name] === undefined && isSwitch ? 'enabled' : null)];
    }),
  );
  put(rows, { kind, id, campaignId, adGroupId } as AnyRow, { remoteId: null, values, base: null, dirty: NEW });
  const row = rowOf(rows, kind, id);
  if (row === undefined) throw new Error('a row that was just made is not there');
  return row;
}

const parentRow = (rows: ModelRows, kind: Kind, id: RowId): AnyRow | undefined =>
  rowOf(rows, IN_CAMPAIGN.has(kind) ? 'campaign' : 'adGroup', id);
const IN_CAMPAIGN: ReadonlySet<Kind> = new Set<Kind>(['adGroup', 'placementMultiplier', 'platformMultiplier']);

function setCell(rows: ModelRows, kind: Kind, id: RowId, field: string, value: Cell): void {
  const row = rowOf(rows, kind, id);
  const spec = fieldSpec(kind, field);
  if (row === undefined || spec === undefined || (row.values as AnyValues)[field] === value) return;
  const isClean = (row.dirty & (NEW | FIELD_BITS)) === 0;
  const base: AnyValues | null = isClean ? row.values : row.base;
  const values: AnyValues = { ...row.values, [field]: value };
  const differs = base?.[field] !== value;
  const dirty = (row.dirty & NEW) !== 0 ? row.dirty : (row.dirty & ~bitOf(spec)) | (differs ? bitOf(spec) : 0);
  const isSame = (dirty & FIELD_BITS) === 0;
  put(rows, row, { remoteId: row.remoteId, values, base: isSame ? null : base, dirty });
  if (!isClean) dropSettled(rows, kind, id, dirty);
}

/** A row with all below it: what the service never saw and is not on its way leaves, the rest is marked. */
function removeTree(rows: ModelRows, kind: Kind, id: RowId, isLive: (kind: Kind, id: RowId) => boolean): void {
  for (const other of [...KINDS].reverse()) {
    for (const row of [...rowsOf(rows, other).values()]) {
      const isIt = row.kind === kind && row.id === id;
      const isBelow = kind === 'campaign' ? row.campaignId === id : kind === 'adGroup' && row.adGroupId === id;
      if (!isIt && !isBelow) continue;
      if ((row.dirty & NEW) !== 0 && !isLive(row.kind, row.id)) rowsOf(rows, other).delete(row.id);
      else put(rows, row, { ...row, dirty: row.dirty | DELETED });
    }
  }
}
