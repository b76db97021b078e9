import { finalStatus } from '../lifecycle/states.ts';
import type { Cell } from '../model/field-types.ts';
import { type AnyValues, fieldSpecs } from '../model/fields.ts';
import { type Kind, PARENT_OF } from '../model/kinds.ts';
import type { AnyRow } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';

/** Shaped like an entry of the workspace's edit batch. */
export interface CopiedRow {
  readonly kind: Kind;
  readonly parent: { readonly id: RowId } | { readonly at: number } | null;
  readonly values: AnyValues;
}

/** A row to copy with the rows below it, parents before children. */
export interface Subtree {
  readonly root: AnyRow;
  readonly below: readonly AnyRow[];
}

/** Fields owned by the service that a copy keeps, because they describe the item. */
const KEPT: ReadonlySet<string> = new Set(['adItem.itemName', 'adItem.itemIdSource']);

/**
 * Makes new drafts of a row and of all below it, without those with a final status. Values that only the service sets
 * (ID, reviews, URLs) are not copied and are counted in `dropped`, by field; the service's own ID counts as `remoteId`.
 *
 * @param parent parent of the root; null for a campaign
 * @param name a new name for the root, if any
 */
export function copyRows(
  { root, below }: Subtree,
  parent: CopiedRow['parent'],
  name: string | null,
  dropped: Map<string, number>,
): readonly CopiedRow[] {
  const copies: CopiedRow[] = [];
  const places = new Map<RowId, number>();
  for (const row of [root, ...below]) {
    if (row !== root && finalStatus(row.kind, row.values) !== null) continue;
    const place: CopiedRow['parent'] = row === root ? parent : placeBelow(row, root, places);
    const values = copiedValues(row, dropped);
    places.set(row.id, copies.length);
    copies.push({
      kind: row.kind,
      parent: place,
      values: row === root && name !== null ? { ...values, name } : values,
    });
  }
  return copies;
}

function placeBelow(row: AnyRow, root: AnyRow, places: ReadonlyMap<RowId, number>): { readonly at: number } {
  const above = row.adGroupId ?? row.campaignId ?? root.id;
  const at = places.get(above);
  if (at === undefined) throw new Error(`row ${row.id} is copied before the row ${above} it belongs to`);
  return { at };
}

function copiedValues(row: AnyRow, dropped: Map<string, number>): AnyValues {
  const kept: Record<string, Cell> = {};
  const values: AnyValues = row.values;
  for (const [field, spec] of Object.entries(fieldSpecs(row.kind))) {
    const cell = values[field] ?? null;
    if (spec.owner !== 'service' || KEPT.has(`${row.kind}.${field}`)) kept[field] = cell;
    else if (cell !== null) dropped.set(field, (dropped.get(field) ?? 0) + 1);
  }
  if (row.remoteId !== null) dropped.set('remoteId', (dropped.get('remoteId') ?? 0) + 1);
  return kept;
}

/**
 * `Towels copy`, `Towels copy 2`, ...: the first such name that is free.
 *
 * @param used the last number of each name, so that many copies of one row need no search from 1
 */
export function copyName(
  name: string,
  isTaken: (name: string) => boolean,
  used: Map<string, number> = new Map(),
): string {
  const stem = name.replace(/ copy( \d+)?$/u, '');
  for (let number = (used.get(stem) ?? 0) + 1; ; number++) {
    const candidate = number === 1 ? `${stem} copy` : `${stem} copy ${number}`;
    if (isTaken(candidate)) continue;
    used.set(stem, number);
    return candidate;
  }
}

/**
 * The parent of a copy that is put below `to`; null for the account itself, `none` where the row can't go. A campaign
 * is replaced by its ad group when it has only one.
 *
 * @param onlyGroupIn the ad group of a campaign that has exactly one
 */
export function copyParent(
  kind: Kind,
  to: { readonly kind: Kind; readonly id: RowId } | null,
  onlyGroupIn: (campaignId: RowId) => RowId | null,
): { readonly id: RowId } | null | 'none' {
  const wanted = PARENT_OF[kind];
  if (wanted === 'account') return to === null ? null : 'none';
  if (to === null) return 'none';
  if (to.kind === wanted) return { id: to.id };
  if (wanted !== 'adGroup' || to.kind !== 'campaign') return 'none';
  const only = onlyGroupIn(to.id);
  return only === null ? 'none' : { id: only };
}
