import type { CreateRow, EditBatch, RemoteRow } from '../../../main/store/types.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import { type AnyValues, FIELDS, fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, DELETED, differingBits, FIELD_BITS, NEW, type Row } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';

/** A conflict as the store keeps it. */
interface ModelConflict {
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
const specsOf = (kind: Kind): readonly (readonly [string, FieldSpec])[] => SPECS.get(kind) ?? [];
const bitOf = (spec: FieldSpec): number => (spec.bit === null ? 0 : 1 << spec.bit);

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

/** `acceptSent` of the store. */
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
function dropSettled(rows: ModelRows, kind: Kind, id: RowId, dirty: number): void {
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
function localFor(rows: ModelRows, remote: RemoteRow): AnyRow | undefined {
  const pair = pairField(remote.kind);
  let byPair: AnyRow | undefined;
  for (const row of rowsOf(rows, remote.kind).values()) {
    if (remote.remoteId !== null && row.remoteId === remote.remoteId) return row;
    const isPair = pair !== null && row.campaignId === remote.campaignId;
    if (isPair && (row.values as AnyValues)[pair] === remote.values[pair]) byPair ??= row;
  }
  return byPair;
}

const pairField = (kind: Kind): string | null =>
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

/** `mergeRemoteRows` of the store: field by field, conflicts kept, unknown rows added. */
export function merge(rows: ModelRows, remotes: readonly RemoteRow[], nowMs: number): void {
  for (const kind of KINDS) {
    const last = new Map<string, RemoteRow>();
    for (const remote of remotes)
      if (remote.kind === kind && remote.remoteId !== null) last.set(remote.remoteId, remote);
    const fresh: RemoteRow[] = [];
    for (const remote of last.values()) {
      const local = localFor(rows, remote);
      if (local === undefined) fresh.push(remote);
      else mergeOne(rows, local, remote, nowMs);
    }
    add(rows, kind, fresh);
  }
}

/** The fields of an answer that fit their kind; the others count as not answered. */
function theirsOf(remote: RemoteRow): Readonly<Record<string, Cell>> {
  const theirs: Record<string, Cell> = {};
  for (const [name, spec] of specsOf(remote.kind)) {
    const cell = remote.values[name];
    const blank = cell === '' ? null : cell;
    if (blank !== undefined && isCellOf(spec, blank)) theirs[name] = blank;
  }
  return theirs;
}

function mergeOne(rows: ModelRows, found: AnyRow, remote: RemoteRow, nowMs: number): void {
  const { kind } = found;
  const theirs = theirsOf(remote);
  let row = found;
  if ((row.dirty & NEW) !== 0) {
    const base = { ...(row.values as AnyValues), ...theirs };
    const dirty = (row.dirty & ~NEW) | differingBits(kind, row.values, base);
    put(rows, row, { ...row, base: (dirty & FIELD_BITS) === 0 ? null : base, dirty });
    row = rowOf(rows, kind, row.id) ?? row;
  }
  const values: Record<string, Cell> = { ...row.values };
  const base: Record<string, Cell> | null = row.base === null ? null : { ...row.base };
  const saysNews = specsOf(kind).some(([name, spec]) => {
    if (theirs[name] === undefined) return false;
    return theirs[name] !== ((spec.bit === null ? values : (base ?? values))[name] ?? null);
  });
  if (!saysNews) return;
  for (const [name, spec] of specsOf(kind)) {
    const their = theirs[name];
    if (their === undefined) continue;
    const isEdited = (row.dirty & bitOf(spec)) !== 0;
    if (base !== null && isEdited && their !== base[name] && their !== values[name]) {
      conflict(rows, { kind, id: row.id, field: name, base: base[name] ?? null, theirs: their, at: nowMs });
    }
    if (base !== null && spec.bit !== null) base[name] = their;
    if (!isEdited) values[name] = their;
  }
  const dirty = base === null ? row.dirty : (row.dirty & ~FIELD_BITS) | differingBits(kind, values, base);
  const remoteId = row.remoteId ?? remote.remoteId;
  put(rows, row, { remoteId, values, base: (dirty & FIELD_BITS) === 0 ? null : base, dirty });
  dropSettled(rows, kind, row.id, dirty);
}

function conflict(rows: ModelRows, made: ModelRows['conflicts'][number]): void {
  const known = rows.conflicts.find(
    ({ kind, id, field }) => kind === made.kind && id === made.id && field === made.field,
  );
  if (known === undefined) rows.conflicts.push(made);
  else {
    known.theirs = made.theirs;
    known.at = made.at;
  }
}

/** What the service has and we do not, where its parent is known. Numbers are used up either way. */
function add(rows: ModelRows, kind: Kind, fresh: readonly RemoteRow[]): void {
  for (const remote of fresh) {
    rows.lastId++;
    const id = rows.lastId as RowId;
    const group = remote.adGroupId === null ? undefined : rowOf(rows, 'adGroup', remote.adGroupId);
    const isBelowGroup = !['campaign', 'adGroup', 'placementMultiplier', 'platformMultiplier', 'media'].includes(kind);
    const campaignId = kind === 'campaign' ? id : isBelowGroup ? (group?.campaignId ?? null) : remote.campaignId;
    const hasParent =
      kind === 'campaign' || (campaignId !== null && rowOf(rows, 'campaign', campaignId as RowId) !== undefined);
    if (!hasParent) continue;
    const theirs = theirsOf(remote);
    const values = Object.fromEntries(specsOf(kind).map(([name]) => [name, theirs[name] ?? null]));
    const place = { kind, id, campaignId, adGroupId: isBelowGroup ? remote.adGroupId : null } as AnyRow;
    put(rows, place, { remoteId: remote.remoteId, values, base: null, dirty: 0 });
  }
}

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
