import { textKey } from '../model/text.ts';
import { COLUMNS, type Column, columnOf, type SheetKind } from './columns.ts';

/** The possible mappings of a column of a file. A `Comment` column is for people and not imported. */
export const MAPPED_COLUMNS = COLUMNS.filter((column) => column !== 'Comment');

/** `skip` imports nothing of the column, `auto` uses its heading. */
export const COLUMN_CHOICES = [...MAPPED_COLUMNS, 'skip', 'auto'] as const;
export type ColumnChoice = (typeof COLUMN_CHOICES)[number];

/** The user's mapping of a column. Headings are compared ignoring case and spaces. */
export interface ChosenColumn {
  readonly heading: string;
  /** Which of the columns with this heading, from 1; absent for all of them. */
  readonly nth?: number | undefined;
  readonly as: ColumnChoice;
}

export interface ColumnMapping {
  /** For this file. */
  readonly chosen: readonly ChosenColumn[];
  /** From an earlier file, for columns not mapped in this one. */
  readonly remembered: readonly ChosenColumn[];
  /** The row type, if no column has it. */
  readonly rowType?: SheetKind | undefined;
}
export const NO_MAPPING: ColumnMapping = { chosen: [], remembered: [] };

/** A column of a file by its heading. */
export interface NamedColumn {
  readonly heading: string;
  /** Which of the columns with this heading it is, from 1; null for the only one. */
  readonly nth: number | null;
}

/** Name of a column for people and on the command line: the second of two is `Bid[2]`. */
export const columnName = ({ heading, nth }: NamedColumn): string => (nth === null ? heading : `${heading}[${nth}]`);

/** A column of a file, and its mapping. */
export interface Heading extends NamedColumn {
  /** Null for a column of which nothing is imported. */
  readonly column: Column | null;
  /** Source of the mapping; `none` for an unknown heading. */
  readonly by: 'name' | 'chosen' | 'remembered' | 'none';
}

/** @returns the mapping of a column; for one of several with its heading, the mapping for it alone comes first */
function choicesOf(said: readonly ChosenColumn[]): (column: NamedColumn) => ColumnChoice | undefined {
  const keyOf = (heading: string, nth: number | undefined): string => `${nth ?? ''} ${textKey(heading)}`;
  const byKey = new Map(said.map(({ heading, nth, as }) => [keyOf(heading, nth), as]));
  return ({ heading, nth }) => byKey.get(keyOf(heading, nth ?? 1)) ?? byKey.get(keyOf(heading, undefined));
}

/** The columns of a header; those with the same heading are numbered. */
export function namedColumns(texts: readonly string[]): readonly NamedColumn[] {
  const all = Map.groupBy(texts, textKey);
  const seen = new Map<string, number>();
  return texts.map((heading) => {
    const key = textKey(heading);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return { heading, nth: (all.get(key)?.length ?? 0) > 1 ? nth : null };
  });
}

/**
 * The mapping of each column: from this file, else from an earlier file, else by its heading. A mapping from an earlier
 * file is ignored if another column of this file has the target already.
 *
 * @param nameOf mapping by the heading alone
 * @param taken targets that are used without a column of the file
 */
export function matchColumns(
  columns: readonly NamedColumn[],
  { chosen, remembered }: ColumnMapping,
  nameOf: (heading: string) => Column | null = columnOf,
  taken: Iterable<Column> = [],
): readonly Heading[] {
  const [ofChosen, ofRemembered] = [choicesOf(chosen), choicesOf(remembered)];
  const given = new Set(taken);
  const named = (from: NamedColumn): Heading => {
    const column = nameOf(from.heading);
    return { ...from, column, by: column === null ? 'none' : 'name' };
  };
  const said = (from: NamedColumn, choice: ColumnChoice, by: 'chosen' | 'remembered'): Heading => {
    if (choice === 'auto') return named(from);
    return { ...from, column: choice === 'skip' ? null : choice, by };
  };
  const first = columns.map((from) => {
    const choice = ofChosen(from);
    if (choice === undefined && ofRemembered(from) !== undefined) return { from, found: null };
    const found = choice === undefined ? named(from) : said(from, choice, 'chosen');
    if (found.column !== null) given.add(found.column);
    return { from, found };
  });
  return first.map(({ from, found }): Heading => {
    if (found !== null) return found;
    const isFree = ({ column }: Heading): boolean => column === null || !given.has(column);
    const wanted = [said(from, ofRemembered(from) ?? 'auto', 'remembered'), named(from)].find(isFree);
    if (wanted?.column != null) given.add(wanted.column);
    return wanted ?? { ...from, column: null, by: 'none' };
  });
}

/** Number of stored mappings; the oldest are removed first. */
export const REMEMBERED_MAX = 200;

/**
 * The mappings to store after an import with `chosen`. A mapping equal to that of the heading is not stored, except
 * for one of several columns with that heading.
 */
export function rememberColumns(
  known: readonly ChosenColumn[],
  chosen: readonly ChosenColumn[],
): readonly ChosenColumn[] {
  const isNews = ({ heading, nth, as }: ChosenColumn): boolean =>
    as !== 'auto' && (nth !== undefined || as !== (columnOf(heading) ?? 'skip'));
  return chosen
    .reduce((kept, each) => [...kept.filter((other) => !replaces(each, other)), each], known)
    .filter(isNews)
    .slice(-REMEMBERED_MAX);
}

/** Whether a mapping replaces an earlier one. Removing one of several columns removes the mappings of all. */
const replaces = ({ heading, nth, as }: ChosenColumn, other: ChosenColumn): boolean =>
  textKey(heading) === textKey(other.heading) &&
  (nth === undefined || nth === other.nth || (as === 'auto' && other.nth === undefined));

/** Names of columns without a mapping. */
export const unknownHeadings = (headings: readonly Heading[]): readonly string[] =>
  headings.flatMap((each) => (each.by === 'none' ? [columnName(each)] : []));
