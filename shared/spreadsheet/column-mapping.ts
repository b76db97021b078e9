import { textKey } from '../model/text.ts';
import { COLUMNS, type Column, columnOf, type SheetKind } from './columns.ts';

/** What a column of a file can be imported as. A `Comment` column is for people, and nothing of it is imported. */
export const MAPPED_COLUMNS = COLUMNS.filter((column) => column !== 'Comment');

/** `skip` imports nothing of the column, `auto` what its heading says by itself. */
export const COLUMN_CHOICES = [...MAPPED_COLUMNS, 'skip', 'auto'] as const;
export type ColumnChoice = (typeof COLUMN_CHOICES)[number];

/** What a user has said that a column is. Headings count as the same whatever their case and blanks. */
export interface ChosenColumn {
  readonly heading: string;
  /** Which of the columns with this heading, from 1; without it each of them. */
  readonly nth?: number | undefined;
  readonly as: ColumnChoice;
}

export interface ColumnMapping {
  /** Said of this file. */
  readonly chosen: readonly ChosenColumn[];
  /** Said of an earlier file, for the columns of which nothing is said of this one. */
  readonly remembered: readonly ChosenColumn[];
  /** What every row is, where no column says so. */
  readonly rowType?: SheetKind | undefined;
}
export const NO_MAPPING: ColumnMapping = { chosen: [], remembered: [] };

/** A column of a file by its heading. */
export interface NamedColumn {
  readonly heading: string;
  /** Which of the columns with this heading it is, from 1; null for the only one. */
  readonly nth: number | null;
}

/** How a column is named to people and on the command line: the second of two is `Bid[2]`. */
export const columnName = ({ heading, nth }: NamedColumn): string => (nth === null ? heading : `${heading}[${nth}]`);

/** A column of a file, and what it is taken for. */
export interface Heading extends NamedColumn {
  /** Null for a column of which nothing is imported. */
  readonly column: Column | null;
  /** Who says so; `none` when nobody knows the heading. */
  readonly by: 'name' | 'chosen' | 'remembered' | 'none';
}

/** @returns what was said of a column; of one of several with its heading that counts first which names it alone */
function choicesOf(said: readonly ChosenColumn[]): (column: NamedColumn) => ColumnChoice | undefined {
  const keyOf = (heading: string, nth: number | undefined): string => `${nth ?? ''} ${textKey(heading)}`;
  const byKey = new Map(said.map(({ heading, nth, as }) => [keyOf(heading, nth), as]));
  return ({ heading, nth }) => byKey.get(keyOf(heading, nth ?? 1)) ?? byKey.get(keyOf(heading, undefined));
}

/** The columns of a header, those with the same heading numbered. */
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
 * What each column of a file is: as was said of this file, else as is remembered, else by its name. What is remembered
 * gives way where another column of the file has its place already: it was not said of this file.
 *
 * @param nameOf what a heading says by itself
 * @param taken what has its place without a column of the file
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

/** So many are remembered; the oldest go first. */
export const REMEMBERED_MAX = 200;

/**
 * What is remembered once a file was imported as `chosen` says. What the heading says by itself needs no remembering, but
 * for one of several columns with it.
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

/** Whether a choice takes the place of an earlier one. To forget one of several columns forgets what was said of all. */
const replaces = ({ heading, nth, as }: ChosenColumn, other: ChosenColumn): boolean =>
  textKey(heading) === textKey(other.heading) &&
  (nth === undefined || nth === other.nth || (as === 'auto' && other.nth === undefined));

/** Columns that nobody knows, by their names. */
export const unknownHeadings = (headings: readonly Heading[]): readonly string[] =>
  headings.flatMap((each) => (each.by === 'none' ? [columnName(each)] : []));
