import { type FieldsOf, fieldSpec, fieldSpecs } from '../model/fields.ts';
import { KINDS, type Kind } from '../model/kinds.ts';

/** Columns besides those of fields: identification of the row, and users' comments. */
type LinkColumn = 'Type' | 'Campaign id' | 'Ad group id' | 'Row id' | 'Comment';

type HeadingOf<Specs> = { [F in keyof Specs]: Specs[F] extends { readonly heading: infer H } ? H : never }[keyof Specs];
type FieldHeading = { [K in Kind]: HeadingOf<FieldsOf<K>> }[Kind];

export type Column = LinkColumn | FieldHeading;

/** Kinds with spreadsheet rows, with their name in the `Type` column. Media are columns of profiles. */
export const TYPE_NAMES = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
} as const satisfies Partial<Record<Kind, string>>;
export type SheetKind = keyof typeof TYPE_NAMES;

/** Fields of these kinds with a column, in the order of the columns; the first of each name. */
function fieldsWithHeading(kinds: readonly Kind[]) {
  const found: { readonly column: Column; readonly field: string; readonly isFile: boolean }[] = [];
  for (const kind of kinds) {
    for (const [field, { heading, after, type }] of Object.entries(fieldSpecs(kind))) {
      if (heading === undefined || found.some(({ column }) => column === heading)) continue;
      const behind = found.findIndex(({ column }) => column === after);
      // The heading's type is that of the table; only headings of the table occur here.
      const made = { column: heading as FieldHeading, field, isFile: type.is === 'ref' || kind === 'media' };
      found.splice(behind < 0 ? found.length : behind + 1, 0, made);
    }
  }
  return found;
}

/**
 * The columns of an import and export spreadsheet: one table for all kinds of rows. The order is that of an export; an
 * import accepts any order.
 */
export const COLUMNS: readonly Column[] = [
  'Type',
  ...fieldsWithHeading(KINDS).map(({ column }) => column),
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
];

export const SHEET_KINDS = Object.keys(TYPE_NAMES) as SheetKind[];
const ofEachKind = <T>(value: (kind: SheetKind) => T) =>
  Object.fromEntries(SHEET_KINDS.map((kind) => [kind, value(kind)])) as Readonly<Record<SheetKind, T>>;

/** The field of a column, by kind. Logo, Video, Caption and Media name refer to files, not to cells. */
export const FIELD_OF: Readonly<Record<SheetKind, Partial<Record<Column, string>>>> = ofEachKind((kind) =>
  Object.fromEntries(
    fieldsWithHeading([kind]).flatMap(({ column, field, isFile }) => (isFile ? [] : [[column, field] as const])),
  ),
);

/** File columns, by kind: files of a profile, and those sent with a video. */
export const FILE_COLUMNS: Readonly<Partial<Record<SheetKind, readonly Column[]>>> = Object.fromEntries(
  (['sbaProfile', 'videoProfile'] as const).map((kind) => [
    kind,
    fieldsWithHeading(kind === 'videoProfile' ? [kind, 'media'] : [kind]).flatMap(({ column, isFile }) =>
      isFile ? [column] : [],
    ),
  ]),
);

/** Columns that identify a row of the kind below its parent. */
export const KEY_COLUMNS: Readonly<Record<SheetKind, readonly Column[]>> = {
  campaign: ['Campaign'],
  adGroup: ['Ad group'],
  adItem: ['Item id'],
  keyword: ['Keyword', 'Match type'],
  sbaProfile: [],
  videoProfile: [],
  placementMultiplier: ['Placement'],
  platformMultiplier: ['Platform'],
};

/** Columns that identify the row and its parent; every kind may have them. */
export const LINK_COLUMNS: ReadonlySet<Column> = new Set<Column>([
  'Type',
  'Campaign',
  'Ad group',
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
]);

/** Headers are compared without case, spaces and symbols; these are synonyms of the columns besides fields. */
const SYNONYMS: Readonly<Record<string, LinkColumn>> = {
  kind: 'Type',
  rowtype: 'Type',
  entity: 'Type',
  id: 'Row id',
  aditemid: 'Row id',
  keywordid: 'Row id',
  sbaprofileid: 'Row id',
  adgroupmediaid: 'Row id',
  comments: 'Comment',
  note: 'Comment',
};

const headerKey = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const BY_KEY: ReadonlyMap<string, Column> = new Map([
  ...COLUMNS.map((column) => [headerKey(column), column] as const),
  ...Object.entries(SYNONYMS),
  ...KINDS.flatMap((kind) =>
    Object.values(fieldSpecs(kind)).flatMap(({ heading, headings = [] }) =>
      headings.map((header) => [header, heading as Column] as const),
    ),
  ),
]);

/** The column of a header, or null for an unknown one. */
export const columnOf = (header: string): Column | null => BY_KEY.get(headerKey(header)) ?? null;

const KIND_BY_TYPE: ReadonlyMap<string, SheetKind> = new Map(
  Object.entries(TYPE_NAMES).map(([kind, name]) => [headerKey(name), kind as SheetKind]),
);

/** The kind of a `Type` cell: `Ad Group`, `adGroup` and `ad_group` are the same. */
export const sheetKind = (text: string): SheetKind | null =>
  KIND_BY_TYPE.get(text) ?? KIND_BY_TYPE.get(headerKey(text)) ?? null;

/**
 * Columns of an import that the user can skip. The effect of a row is computed from the columns it fills, so a
 * selection is applied without reading the file again.
 */
export const IMPORT_COLUMNS: readonly (Column | 'Label')[] = [...COLUMNS, 'Label'];
/** Labels are in archives only, and have no column in spreadsheets. */
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** A set of columns, one bit each, in the order of `IMPORT_COLUMNS`: a million rows need four bytes each. */
export type ColumnSet = number;
export const NO_COLUMNS: ColumnSet = 0;

const BIT = new Map<string, ColumnSet>(IMPORT_COLUMNS.map((column, at) => [column, 2 ** at]));

/** @returns no columns for a name that is none */
export const columnBit = (column: string): ColumnSet => BIT.get(column) ?? NO_COLUMNS;

export const columnSet = (columns: Iterable<string>): ColumnSet => {
  let set = NO_COLUMNS;
  for (const column of columns) set |= columnBit(column);
  return set;
};

/** The columns of files, by the member of a row that has them. */
export const FILE_WORDS = { logo: 'Logo', video: 'Video', caption: 'Caption', mediaName: 'Media name' } as const;
const BY_FIELD = ofEachKind((kind) => {
  const fields = Object.entries(FIELD_OF[kind]).map(([column, field]) => [field, columnBit(column)] as const);
  const words = Object.entries(FILE_WORDS).map(([word, column]) => [word, columnBit(column)] as const);
  return new Map<string, ColumnSet>([...fields, ...(FILE_COLUMNS[kind] === undefined ? [] : words)]);
});

/** The column of a field of the kind, or of a file member of a row. */
export const fieldBit = (kind: SheetKind, field: string): ColumnSet => BY_FIELD[kind].get(field) ?? NO_COLUMNS;

/** A brand profile is identified by its whole content. */
const CONTENT: Readonly<Partial<Record<SheetKind, readonly Column[]>>> = {
  sbaProfile: ['Brand', 'Headline', 'Click URL'],
};

/**
 * Columns required by a new row: those that identify it, and those that can't change once it is on the service. They
 * are imported with the row for any selection; the row itself can be skipped instead.
 */
export const NEEDED = ofEachKind((kind) => {
  const isFixed = (field: string): boolean => fieldSpec(kind, field)?.owner === 'user-until-sent';
  const fixed = Object.entries(FIELD_OF[kind]).filter(([, field]) => isFixed(field));
  return columnSet([...KEY_COLUMNS[kind], ...(CONTENT[kind] ?? []), ...fixed.map(([column]) => column)]);
});

const filledBy = (kinds: readonly SheetKind[]): ColumnSet =>
  kinds.reduce((set, kind) => set | columnSet([...Object.keys(FIELD_OF[kind]), ...(FILE_COLUMNS[kind] ?? [])]), 0);
const IN_GROUP = SHEET_KINDS.filter((kind) => !['campaign', 'adGroup'].includes(kind) && !kind.endsWith('Multiplier'));

/** Columns of rows below a row of the kind: a row with one of them needs its parent. */
const BELOW: Readonly<Partial<Record<SheetKind, ColumnSet>>> = {
  campaign: filledBy(SHEET_KINDS.filter((kind) => kind !== 'campaign')),
  adGroup: filledBy(IN_GROUP),
};

const VIDEO = columnBit('Video');
const WITH_VIDEO = columnSet(['Caption', 'Media name']);

/** The skipped columns of a row: caption and name of another video are skipped with that video. */
export const leftOutOf = (fills: ColumnSet, out: ColumnSet): ColumnSet =>
  (fills & out & VIDEO) === 0 ? out : out | WITH_VIDEO;

/** Effect of a row of a file on the workspace. */
type LinkOutcome = 'added' | 'changed' | 'removed' | 'unchanged' | 'conflict';

/** The effect if no column is skipped. */
export interface RowChange {
  readonly kind: SheetKind;
  readonly outcome: LinkOutcome;
  /** Columns in which it differs from the workspace. */
  readonly fills: ColumnSet;
  /** Of these, those that were edited here as well. */
  readonly apart: ColumnSet;
}

/** The effect of a row when columns are skipped. A deletion is in no column, so it stays. */
export function outcomeWithout({ kind, outcome, fills, apart }: RowChange, out: ColumnSet): LinkOutcome | 'left-out' {
  if (out === NO_COLUMNS || outcome === 'unchanged' || outcome === 'removed') return outcome;
  const left = leftOutOf(fills, out);
  const stays = (fills & ~left) !== 0;
  if (outcome === 'added') {
    return stays || fills === NO_COLUMNS || ((BELOW[kind] ?? NO_COLUMNS) & ~out) !== 0 ? 'added' : 'left-out';
  }
  if (outcome === 'conflict' && (apart & ~left) !== 0) return 'conflict';
  return stays ? 'changed' : 'left-out';
}

const NEEDED_BY_SOME = SHEET_KINDS.reduce((set, kind) => set | NEEDED[kind], NO_COLUMNS);

/** Columns that no row requires: an unreadable cell in them blocks no row once they are skipped. */
export const DISPENSABLE: ColumnSet =
  columnSet(COLUMNS.filter((column) => !LINK_COLUMNS.has(column))) & ~NEEDED_BY_SOME;
