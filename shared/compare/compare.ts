import type { Cell, FieldSpec } from '../model/field-types.ts';
import { type AnyValues, fieldSpecs } from '../model/fields.ts';
import type { RowId } from '../model/scalars.ts';
import { textKey } from '../model/text.ts';
import { SHEET_KINDS, type SheetKind } from '../spreadsheet/columns.ts';
import { naturalKey } from '../spreadsheet/row-match.ts';

export interface SideRow {
  readonly kind: SheetKind;
  /** Its id in the account of the side; null where the side is no account. */
  readonly id: RowId | null;
  readonly adGroupId: RowId | null;
  /** The row is not on the service, so that all of its fields can still be changed. */
  readonly isNew: boolean;
  readonly label: string;
  /** Name of its ad group; empty for rows directly below the campaign. */
  readonly group: string;
  readonly values: AnyValues;
}

export interface SideCampaign {
  readonly id: RowId | null;
  readonly name: string;
  /** Its own row first. */
  readonly rows: readonly SideRow[];
}

/** One side of a comparison. */
export interface Side {
  readonly campaigns: readonly SideCampaign[];
  /** Names of the files that fields point at. */
  readonly media: ReadonlyMap<number, string>;
  /** Contains some rows and fields only, as a plan does: the others are not compared. */
  readonly isPartial: boolean;
}

export interface Difference {
  readonly kind: SheetKind;
  readonly campaign: string;
  readonly label: string;
  /** A field that differs, or a row that one side has alone. */
  readonly what: 'field' | 'left' | 'right';
  readonly field: string | null;
  readonly left: Cell;
  readonly right: Cell;
  readonly leftId: RowId | null;
  readonly rightId: RowId | null;
  /** ID of the left side's campaign, to open it; null where it has none. */
  readonly campaignId: RowId | null;
  /** Edit that copies the right side to the left; null where that is not possible. */
  readonly use: Use | null;
}

export type Use =
  | { readonly is: 'value'; readonly kind: SheetKind; readonly id: RowId; readonly field: string; readonly value: Cell }
  | ({ readonly is: 'row'; readonly kind: SheetKind; readonly values: AnyValues } & Parent)
  | { readonly is: 'delete'; readonly kind: SheetKind; readonly id: RowId };

interface Parent {
  readonly parent: RowId;
  /** Name of an ad group that is added below `parent` in the same edit and is the row's parent; null for none. */
  readonly newGroup: string | null;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Number of equal rows. */
  readonly same: number;
}

/**
 * Compares two sides campaign by campaign and row by row.
 *
 * @param match by ID where both sides are states of one account; else by content, such as text and match type
 */
export function compareSides(left: Side, right: Side, match: 'id' | 'content'): Comparison {
  const differences: Difference[] = [];
  let same = 0;
  for (const [mine, theirs] of campaignPairs(left, right, match)) {
    if ((mine === null && left.isPartial) || (theirs === null && right.isPartial)) continue;
    same += compareCampaign({ mine, theirs, left, right, match }, differences);
  }
  return { differences, same };
}

type Pair<T> = readonly [T | null, T | null];

function campaignPairs(left: Side, right: Side, match: 'id' | 'content'): readonly Pair<SideCampaign>[] {
  const [one, ...more] = left.campaigns;
  const [other, ...others] = right.campaigns;
  // Two selected campaigns are compared with each other, whatever their names.
  if (one !== undefined && other !== undefined && more.length + others.length === 0) return [[one, other]];
  const keyOf = ({ id, name }: SideCampaign): string => (match === 'id' ? String(id) : textKey(name));
  return pairs(left.campaigns, right.campaigns, keyOf);
}

interface ComparedPair {
  readonly mine: SideCampaign | null;
  readonly theirs: SideCampaign | null;
  readonly left: Side;
  readonly right: Side;
  readonly match: 'id' | 'content';
}

/** Adds the differences of a campaign. @returns number of equal rows */
function compareCampaign({ mine, theirs, left, right, match }: ComparedPair, into: Difference[]): number {
  const campaign = mine?.name ?? theirs?.name ?? '';
  const campaignId = mine?.id ?? null;
  const groups = new Map<string, RowId>();
  for (const { kind, id, label } of mine?.rows ?? []) if (kind === 'adGroup' && id !== null) groups.set(label, id);
  const isOneGroup = [mine, theirs].every(
    (side) => (side?.rows ?? []).filter(({ kind }) => kind === 'adGroup').length <= 1,
  );
  const parentOf = ({ group, adGroupId }: SideRow): Parent | null => {
    const ids = [...groups.values()];
    const alike = groups.get(group) ?? (isOneGroup ? ids[0] : undefined);
    const own = match === 'id' && adGroupId !== null ? ids.find((id) => id === adGroupId) : alike;
    const known = group === '' ? campaignId : own;
    if (known != null) return { parent: known, newGroup: null };
    return campaignId === null ? null : { parent: campaignId, newGroup: group };
  };
  const keyOf = keyIn(isOneGroup, match);
  let same = 0;
  const orderOf = match === 'content' ? inOrder : undefined;
  for (const [one, other] of pairs(mine?.rows ?? [], theirs?.rows ?? [], keyOf, orderOf)) {
    const row = one ?? other;
    if (row === null) continue;
    const { kind, label } = row;
    const head = { kind, campaign, label, leftId: one?.id ?? null, rightId: other?.id ?? null, campaignId };
    if (one === null || other === null) {
      if (one === null ? left.isPartial : right.isPartial) continue;
      const what = one === null ? 'right' : 'left';
      const use = one === null ? rowUse(row, parentOf(row)) : deleteUse(one);
      into.push({ ...head, what, field: null, left: null, right: null, use });
      continue;
    }
    const before = into.length;
    for (const [field, spec] of COMPARED.get(kind) ?? []) {
      if ((left.isPartial && !(field in one.values)) || (right.isPartial && !(field in other.values))) continue;
      const mineIs = one.values[field] ?? null;
      const theirsIs = other.values[field] ?? null;
      const shownLeft = shown(spec, mineIs, left.media);
      const shownRight = shown(spec, theirsIs, right.media);
      if (shownLeft === shownRight || canonical(spec, shownLeft) === canonical(spec, shownRight)) continue;
      // A file of another account is not in this library.
      const isUsable = (spec.owner === 'user' || one.isNew) && (spec.type.is !== 'ref' || match === 'id');
      const use =
        isUsable && one.id !== null ? { is: 'value' as const, kind, id: one.id, field, value: theirsIs } : null;
      into.push({ ...head, what: 'field', field, left: shownLeft, right: shownRight, use });
    }
    if (into.length === before) same++;
  }
  return same;
}

/** The fields that users edit, by kind. */
const COMPARED: ReadonlyMap<SheetKind, readonly (readonly [string, FieldSpec])[]> = new Map(
  SHEET_KINDS.map((kind) => [kind, Object.entries(fieldSpecs(kind)).filter(([, { owner }]) => owner !== 'service')]),
);

const shown = ({ type }: FieldSpec, cell: Cell, media: Side['media']): Cell =>
  type.is === 'ref' && typeof cell === 'number' ? (media.get(cell) ?? `#${cell}`) : cell;

const canonical = (spec: FieldSpec, cell: Cell): Cell =>
  spec.canonical !== undefined && typeof cell !== 'number' ? spec.canonical(cell) : cell;

/** The edit that adds a row of the right side to the left; files and whole campaigns have separate tools for that. */
function rowUse({ kind, values }: SideRow, parent: Parent | null): Use | null {
  if (parent === null || kind === 'campaign') return null;
  const own = (COMPARED.get(kind) ?? []).flatMap(([field, { type }]) => {
    const cell = values[field] ?? null;
    return type.is === 'ref' || cell === null ? [] : [[field, cell] as const];
  });
  return { is: 'row', kind, ...parent, values: Object.fromEntries(own) };
}

const deleteUse = ({ kind, id }: SideRow): Use | null =>
  id === null || kind === 'campaign' ? null : { is: 'delete', kind, id };

/** Key that pairs rows of both sides. The ad group is part of it only in campaigns with several. */
function keyIn(isOneGroup: boolean, match: 'id' | 'content') {
  if (match === 'id') return ({ kind, id }: SideRow): string => `${kind} ${id}`;
  return ({ kind, group, values }: SideRow): string => {
    if (kind === 'campaign' || (kind === 'adGroup' && isOneGroup)) return kind;
    return `${kind} ${isOneGroup ? '' : group} ${naturalKey(kind, values)}`;
  };
}

/** Banners have no stable content, so the unmatched ones are paired in order. */
const inOrder = ({ kind }: SideRow): string | null => (kind === 'sbaProfile' || kind === 'videoProfile' ? kind : null);

/**
 * Entries with equal keys on both sides, in the order of the left; then those only on the right. Equal keys pair in
 * order.
 *
 * @param orderOf group in which unmatched entries are paired in order; null for none
 */
function pairs<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (one: T) => string,
  orderOf: (one: T) => string | null = () => null,
): readonly Pair<T>[] {
  const waiting = Map.groupBy(right, keyOf);
  const found = left.map((one): [T, T | null] => [one, waiting.get(keyOf(one))?.shift() ?? null]);
  const used = new Set(found.map(([, other]) => other));
  const rest = right.filter((one) => !used.has(one));
  for (const pair of found) {
    const order = pair[1] === null ? orderOf(pair[0]) : null;
    const at = order === null ? -1 : rest.findIndex((one) => orderOf(one) === order);
    if (at >= 0) pair[1] = rest.splice(at, 1)[0] ?? null;
  }
  return [...found, ...rest.map((one): Pair<T> => [null, one])];
}
