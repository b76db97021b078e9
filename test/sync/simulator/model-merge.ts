import type { RemoteRow } from '../../../main/store/types.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, differingBits, FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { bitOf, dropSettled, localFor, type ModelRows, put, rowOf, specsOf } from './model-rows.ts';

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
