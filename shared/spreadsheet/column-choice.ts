import { fieldSpec } from '../model/fields.ts';
import { COLUMNS, type Column, FIELD_OF, FILE_COLUMNS, LINK_COLUMNS, type SheetKind, TYPE_NAMES } from './columns.ts';
import { KEY_COLUMNS } from './row-match.ts';
import type { LinkOutcome } from './sheet-changes.ts';

/**
 * Columns of an import that the user leaves out: what a file says in them counts for nothing. Whether a row still does
 * something then is told from the columns it fills, so a choice is judged without reading the file again.
 */
export const IMPORT_COLUMNS: readonly (Column | 'Label')[] = [...COLUMNS, 'Label'];
/** Labels travel in archives only, and have no column in sheets. */
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** Some of the columns, a bit for each, in the order of `IMPORT_COLUMNS`: a million rows keep theirs in four bytes each. */
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

const KINDS = Object.keys(TYPE_NAMES) as SheetKind[];
const ofEachKind = <T>(value: (kind: SheetKind) => T) =>
  Object.fromEntries(KINDS.map((kind) => [kind, value(kind)])) as Readonly<Record<SheetKind, T>>;

const FILE_WORDS = { logo: 'Logo', video: 'Video', caption: 'Caption', mediaName: 'Media name' } as const;
const BY_FIELD = ofEachKind((kind) => {
  const fields = Object.entries(FIELD_OF[kind]).map(([column, field]) => [field, columnBit(column)] as const);
  const words = Object.entries(FILE_WORDS).map(([word, column]) => [word, columnBit(column)] as const);
  return new Map<string, ColumnSet>([...fields, ...(FILE_COLUMNS[kind] === undefined ? [] : words)]);
});

/** The column that fills a field of the kind, or one of the words by which a row names files. */
export const fieldBit = (kind: SheetKind, field: string): ColumnSet => BY_FIELD[kind].get(field) ?? NO_COLUMNS;

/** A brand profile is told apart by its whole content. */
const CONTENT: Readonly<Partial<Record<SheetKind, readonly Column[]>>> = {
  sbaProfile: ['Brand', 'Headline', 'Click URL'],
};

/**
 * Columns that a new row cannot do without: those by which it is told apart, and those that are fixed once it is on the
 * service. They come in with the row, whatever was chosen; the row itself can be left out instead.
 */
export const NEEDED = ofEachKind((kind) => {
  const isFixed = (field: string): boolean => fieldSpec(kind, field)?.owner === 'user-until-sent';
  const fixed = Object.entries(FIELD_OF[kind]).filter(([, field]) => isFixed(field));
  return columnSet([...KEY_COLUMNS[kind], ...(CONTENT[kind] ?? []), ...fixed.map(([column]) => column)]);
});

const filledBy = (kinds: readonly SheetKind[]): ColumnSet =>
  kinds.reduce((set, kind) => set | columnSet([...Object.keys(FIELD_OF[kind]), ...(FILE_COLUMNS[kind] ?? [])]), 0);
const IN_GROUP = KINDS.filter((kind) => !['campaign', 'adGroup'].includes(kind) && !kind.endsWith('Multiplier'));

/** Columns that rows below a row of the kind may fill: one of them alone needs the row to hang from. */
const BELOW: Readonly<Partial<Record<SheetKind, ColumnSet>>> = {
  campaign: filledBy(KINDS.filter((kind) => kind !== 'campaign')),
  adGroup: filledBy(IN_GROUP),
};

const VIDEO = columnBit('Video');
const WITH_VIDEO = columnSet(['Caption', 'Media name']);

/** What counts as left out of a row: caption and name that come with another video stay out with it. */
export const leftOutOf = (fills: ColumnSet, out: ColumnSet): ColumnSet =>
  (fills & out & VIDEO) === 0 ? out : out | WITH_VIDEO;

/** What a row of a file does when every column counts. */
export interface RowChange {
  readonly kind: SheetKind;
  readonly outcome: LinkOutcome;
  /** Columns in which it says something that is not so here. */
  readonly fills: ColumnSet;
  /** Of these, those that were edited here as well. */
  readonly apart: ColumnSet;
}

/** What becomes of a row when columns are left out. A deletion is said by no column, so none takes it back. */
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

const NEEDED_BY_SOME = KINDS.reduce((set, kind) => set | NEEDED[kind], NO_COLUMNS);

/** Columns that every row can do without: a cell in them that cannot be read stops no row once they are left out. */
export const DISPENSABLE: ColumnSet =
  columnSet(COLUMNS.filter((column) => !LINK_COLUMNS.has(column))) & ~NEEDED_BY_SOME;
