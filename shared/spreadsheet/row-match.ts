import { finalStatus } from '../lifecycle/states.ts';
import { canonicalClickUrl } from '../model/click-url.ts';
import type { AnyValues } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { textKey } from '../model/text.ts';
import { type Column, FIELD_OF, type SheetKind } from './columns.ts';
import type { SheetLookup } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

/**
 * The key that identifies rows of one kind under one parent without an ID: an item by its item ID, a keyword by text
 * and match type, a multiplier by its type, a brand profile by its whole content, a video profile as the only one of
 * its group.
 */
export function naturalKey(kind: SheetKind, values: AnyValues): string {
  const text = (field: string): string => String(values[field] ?? '');
  switch (kind) {
    case 'campaign':
    case 'adGroup':
      return text('name');
    case 'adItem':
      return text('itemId');
    case 'keyword':
      return `${text('matchType')} ${textKey(text('text'))}`;
    case 'sbaProfile':
      return JSON.stringify([text('brand'), text('headline'), canonicalClickUrl(text('clickUrl')).url]);
    case 'videoProfile':
      return 'video';
    case 'placementMultiplier':
      return text('placement');
    case 'platformMultiplier':
      return text('platform');
  }
}

/** Begins the key of a row with a final status: another one of the same key may have replaced it. */
const FINAL = 'final ';

const keyInUse = (kind: SheetKind, values: AnyValues): string =>
  `${finalStatus(kind, values) === null ? '' : FINAL}${naturalKey(kind, values)}`;

/** Spreadsheets list the rows of a parent together, so few parents are needed at a time, some with very many rows. */
const ROWS_KEPT = 50_000;

export type RowMatcher = ReturnType<typeof rowMatcher>;

/**
 * Finds rows by natural key; the keys of a parent's rows are computed on first use. In a sheet sorted by another column
 * a parent comes again when its rows have left the cache: from then on the IDs of its rows stay, and each row is read
 * alone.
 */
export function rowMatcher(lookup: SheetLookup) {
  const cache = new Map<string, ReadonlyMap<string, AnyRow>>();
  let kept = 0;
  /** Row IDs by key; null for a parent that has not come again. */
  const left = new Map<string, ReadonlyMap<string, RowId> | null>();
  const byKey = <T>(kind: SheetKind, parentId: RowId, of: (row: AnyRow) => T): ReadonlyMap<string, T> =>
    new Map(lookup.children(kind, parentId).map((row) => [keyInUse(kind, row.values), of(row)]));
  const keep = (parent: string, rows: ReadonlyMap<string, AnyRow>): void => {
    kept += rows.size;
    for (const [oldest, { size }] of cache) {
      if (kept <= ROWS_KEPT) break;
      cache.delete(oldest);
      left.set(oldest, null);
      kept -= size;
    }
    cache.set(parent, rows);
  };
  return {
    /** The row under a parent with the same natural key, one in use if there are several; or undefined. */
    find: (kind: SheetKind, parentId: RowId, values: AnyValues): AnyRow | undefined => {
      const key = naturalKey(kind, values);
      const found = <T>(rows: ReadonlyMap<string, T>): T | undefined =>
        rows.get(keyInUse(kind, values)) ?? rows.get(key) ?? rows.get(`${FINAL}${key}`);
      const parent = `${kind} ${parentId}`;
      const near = cache.get(parent);
      if (near !== undefined) return found(near);
      const ids = left.get(parent);
      if (ids === undefined) {
        const rows = byKey(kind, parentId, (row) => row);
        keep(parent, rows);
        return found(rows);
      }
      const known = ids ?? byKey(kind, parentId, ({ id }) => id);
      left.set(parent, known);
      const id = found(known);
      return id === undefined ? undefined : (lookup.row(kind, id) ?? undefined);
    },
  };
}

/** The fields that a row sets. Names of campaigns and ad groups are in their link columns. */
export function valuesOf(row: SheetRow): AnyValues {
  if (row.kind === 'adGroup' && row.adGroup.name !== null) return { ...row.cells, name: row.adGroup.name };
  return row.cells;
}

/** The value of a row in one of the identifying columns. */
export function keyValue(row: SheetRow, column: Column): string | number | null {
  if (column === 'Campaign') return row.campaign.name;
  if (column === 'Ad group') return row.adGroup.name;
  const field = FIELD_OF[row.kind][column];
  return field === undefined ? null : (row.cells[field] ?? null);
}

export const columnFor = (kind: SheetKind, field: string): Column => {
  const entry = Object.entries(FIELD_OF[kind]).find(([, name]) => name === field);
  return (entry?.[0] ?? 'Type') as Column;
};

/** The values of a new row. Few rows erase a value, so the others are returned without a copy. */
export function withoutNulls(values: AnyValues): AnyValues {
  for (const field in values) {
    if (values[field] === null) return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  }
  return values;
}
