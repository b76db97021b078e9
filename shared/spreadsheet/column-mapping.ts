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

/** A column of a file under its heading, and what it is taken for. */
export interface Heading {
  readonly heading: string;
  /** Null for a column of which nothing is imported. */
  readonly column: Column | null;
  /** Who says so; `none` when nobody knows the heading. */
  readonly by: 'name' | 'chosen' | 'remembered' | 'none';
}

/** @returns what was said of a heading */
function choicesOf(said: readonly ChosenColumn[]): (heading: string) => ColumnChoice | undefined {
  const byKey = new Map(said.map(({ heading, as }) => [textKey(heading), as]));
  return (heading) => byKey.get(textKey(heading));
}

/** @returns the column that a heading is to be imported as; null for one of which nothing was said */
export function columnsSaid({ chosen, remembered }: ColumnMapping): (heading: string) => Column | null {
  const [ofChosen, ofRemembered] = [choicesOf(chosen), choicesOf(remembered)];
  return (heading) => {
    const choice = ofChosen(heading) ?? ofRemembered(heading) ?? 'auto';
    return choice === 'skip' || choice === 'auto' ? null : choice;
  };
}

/**
 * What each column of a header is: as was said of this file, else as is remembered, else by its name. What is remembered
 * gives way where another column of the file has its place already: it was not said of this file.
 */
export function matchHeadings(texts: readonly string[], { chosen, remembered }: ColumnMapping): readonly Heading[] {
  const [ofChosen, ofRemembered] = [choicesOf(chosen), choicesOf(remembered)];
  const taken = new Set<Column>();
  const said = (heading: string, choice: ColumnChoice, by: 'chosen' | 'remembered'): Heading => {
    if (choice === 'auto') return named(heading);
    return { heading, column: choice === 'skip' ? null : choice, by };
  };
  const first = texts.map((heading) => {
    const choice = ofChosen(heading);
    if (choice === undefined && ofRemembered(heading) !== undefined) return null;
    const found = choice === undefined ? named(heading) : said(heading, choice, 'chosen');
    if (found.column !== null) taken.add(found.column);
    return found;
  });
  return first.map((found, at) => {
    if (found !== null) return found;
    const heading = texts[at] ?? '';
    const isFree = ({ column }: Heading): boolean => column === null || !taken.has(column);
    const wanted = [said(heading, ofRemembered(heading) ?? 'auto', 'remembered'), named(heading)].find(isFree);
    const given = wanted ?? { heading, column: null, by: 'none' };
    if (given.column !== null) taken.add(given.column);
    return given;
  });
}

function named(heading: string): Heading {
  const column = columnOf(heading);
  return { heading, column, by: column === null ? 'none' : 'name' };
}

/** So many are remembered; the oldest go first. */
export const REMEMBERED_MAX = 200;

/** What is remembered once a file was imported as `chosen` says. What the heading says by itself needs no remembering. */
export function rememberColumns(
  known: readonly ChosenColumn[],
  chosen: readonly ChosenColumn[],
): readonly ChosenColumn[] {
  const now = new Map(chosen.map((each) => [textKey(each.heading), each]));
  const others = known.filter(({ heading }) => !now.has(textKey(heading)));
  const isNews = ({ heading, as }: ChosenColumn): boolean => as !== 'auto' && as !== (columnOf(heading) ?? 'skip');
  return [...others, ...now.values()].filter(isNews).slice(-REMEMBERED_MAX);
}

/** Headings of columns that nobody knows. */
export const unknownHeadings = (headings: readonly Heading[]): readonly string[] =>
  headings.flatMap(({ heading, by }) => (by === 'none' ? [heading] : []));
