import type { RemoteRow } from '../../../main/store/types.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import { type AnyValues, FIELDS } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, differingBits, FIELD_BITS, NEW, type Row } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';

/** A conflict as the store keeps it. */
export interface ModelConflict {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly base: Cell;
  theirs: Cell;
  at: number;
}

/** The rows of the model: replaced whole by every write, so that readers may keep what they were handed. */
export interface ModelRows {
  readonly byKind: Map<Kind, Map<RowId, AnyRow>>;
  readonly conflicts: ModelConflict[];
  lastId: number;
}

export const createModelRows = (): ModelRows => ({
  byKind: new Map(KINDS.map((kind) => [kind, new Map()])),
  conflicts: [],
  lastId: 0,
});

export const rowsOf = (rows: ModelRows, kind: Kind): Map<RowId, AnyRow> => rows.byKind.get(kind) ?? new Map();
export const rowOf = (rows: ModelRows, kind: Kind, id: RowId): AnyRow | undefined => rowsOf(rows, kind).get(id);

const SPECS = new Map<Kind, readonly (readonly [string, FieldSpec])[]>(
  KINDS.map((kind) => [kind, Object.entries(FIELDS[kind] as Readonly<Record<string, FieldSpec>>)]),
);
export const specsOf = (kind: Kind): readonly (readonly [string, FieldSpec])[] => SPECS.get(kind) ?? [];
export const bitOf = (spec: FieldSpec): number => (spec.bit === null ? 0 : 1 << spec.bit);

interface Parts {
  readonly remoteId: RemoteId | null;
  readonly values: AnyValues;
  /** Null where nothing differs from the service. */
  readonly base: AnyValues | null;
  readonly dirty: number;
}

/** Writes a row anew. Fields of the service have one value, so the base shows the present one. */
export function put(
  rows: ModelRows,
  row: Pick<AnyRow, 'kind' | 'id' | 'campaignId' | 'adGroupId'>,
  parts: Parts,
): void {
  const { remoteId, values, dirty } = parts;
  let base: Record<string, Cell> | null = null;
  if (parts.base !== null) {
    base = {};
    for (const [name, spec] of specsOf(row.kind)) base[name] = (spec.bit === null ? values : parts.base)[name] ?? null;
  }
  const { kind, id, campaignId, adGroupId } = row;
  const made: unknown = { kind, id, campaignId, adGroupId, remoteId, values, base, dirty };
  rowsOf(rows, kind).set(id, made as AnyRow);
}

/** `acceptPushed` of the store. */
export function accept(
  rows: ModelRows,
  kind: Kind,
  id: RowId,
  pushed: { readonly remoteId: RemoteId | null; readonly sent: AnyValues; readonly serviceFields?: AnyValues },
): 'ok' | 'no-row' | 'taken' {
  const row = rowOf(rows, kind, id);
  if (row === undefined) return 'no-row';
  if (pushed.remoteId !== null) {
    for (const other of rowsOf(rows, kind).values()) {
      if (other.id !== id && other.remoteId === pushed.remoteId) return 'taken';
    }
  }
  const base: AnyValues = { ...row.values, ...row.base, ...pushed.sent };
  const dirty = (row.dirty & ~(NEW | FIELD_BITS)) | differingBits(kind, row.values, base);
  const values: Record<string, Cell> = { ...row.values };
  for (const [name, spec] of specsOf(kind)) {
    const cell = pushed.serviceFields?.[name];
    if (spec.bit === null && cell !== undefined && isCellOf(spec, cell)) values[name] = cell;
  }
  const remoteId = pushed.remoteId ?? row.remoteId;
  put(rows, row, { remoteId, values, base: (dirty & FIELD_BITS) === 0 ? null : base, dirty });
  dropSettled(rows, kind, id, dirty);
  return 'ok';
}

/** Conflicts over fields that do not differ any more are over. */
export function dropSettled(rows: ModelRows, kind: Kind, id: RowId, dirty: number): void {
  if (rows.conflicts.length === 0) return;
  const bits = new Map(specsOf(kind));
  const kept = rows.conflicts.filter((one) => {
    const spec = bits.get(one.field);
    return one.kind !== kind || one.id !== id || (spec !== undefined && (dirty & bitOf(spec)) !== 0);
  });
  rows.conflicts.length = 0;
  rows.conflicts.push(...kept);
}

/** The row that a read means: by the service's id, or by campaign and type for multipliers. */
export function localFor(rows: ModelRows, remote: RemoteRow): AnyRow | undefined {
  const pair = pairField(remote.kind);
  let byPair: AnyRow | undefined;
  for (const row of rowsOf(rows, remote.kind).values()) {
    if (remote.remoteId !== null && row.remoteId === remote.remoteId) return row;
    const isPair = pair !== null && row.campaignId === remote.campaignId;
    if (isPair && (row.values as AnyValues)[pair] === remote.values[pair]) byPair ??= row;
  }
  return byPair;
}

export const pairField = (kind: Kind): string | null =>
  kind === 'placementMultiplier' ? 'placement' : kind === 'platformMultiplier' ? 'platform' : null;

export function treesOf(rows: ModelRows, which: 'all' | readonly RowId[]): readonly CampaignTree[] {
  const ids = which === 'all' ? [...rowsOf(rows, 'campaign').keys()] : which;
  const trees: CampaignTree[] = [];
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const campaign = rowOf(rows, 'campaign', id);
    if (campaign?.kind !== 'campaign') continue;
    const below = <K extends Kind>(kind: K): readonly Row<K>[] => {
      const found: AnyRow[] = [];
      for (const row of rowsOf(rows, kind).values()) if (row.campaignId === id) found.push(row);
      return found.sort((a, b) => a.id - b.id) as unknown as readonly Row<K>[];
    };
    trees.push({
      campaign,
      adGroups: below('adGroup'),
      adItems: below('adItem'),
      keywords: below('keyword'),
      sbaProfiles: below('sbaProfile'),
      videoProfiles: below('videoProfile'),
      placementMultipliers: below('placementMultiplier'),
      platformMultipliers: below('platformMultiplier'),
      media: [],
    });
  }
  return trees;
}
