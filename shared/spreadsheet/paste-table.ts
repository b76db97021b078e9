import { type ParseLimits, parseCell } from '../model/cell-text.ts';
import { fieldSpec } from '../model/fields.ts';
import { type DateOrder, digitDate, splitTime } from '../model/plain-date.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { DecimalLocale } from './cell-guard.ts';
import {
  COLUMNS,
  type Column,
  columnOf,
  FIELD_OF,
  FILE_COLUMNS,
  LINK_COLUMNS,
  type SheetKind,
  TYPE_NAMES,
} from './columns.ts';
import { parseSheet } from './parse-sheet.ts';
import type { SheetChanges, SheetLookup } from './sheet-changes.ts';
import { linkSheet } from './sheet-linker.ts';
import type { SheetProblem, SheetRow } from './sheet-row.ts';

/** A table from the clipboard with the user's options. */
export interface PasteRequest {
  readonly kind: SheetKind;
  readonly table: readonly (readonly string[])[];
  readonly columns?: readonly (string | null)[] | undefined;
  readonly header?: boolean | undefined;
  readonly decimals?: DecimalLocale | undefined;
  readonly dates?: DateOrder | undefined;
  /** Default values for blank or missing cells, by column. */
  readonly defaults?: Readonly<Record<string, string>> | undefined;
}

/** Parent of rows that name none. */
export interface PastePlace {
  readonly campaign: Row<'campaign'>;
  readonly adGroup: Row<'adGroup'> | null;
}

export interface PasteLine {
  /** Position in the table, the heading included. */
  readonly at: number;
  readonly outcome: 'add' | 'update' | 'unchanged' | 'error';
  readonly row: SheetRow | null;
  readonly problems: readonly SheetProblem[];
}

export interface PastePlan {
  readonly hasHeader: boolean;
  readonly columns: readonly PasteColumn[];
  readonly choices: readonly Column[];
  readonly needsDecimals: boolean;
  readonly needsDates: boolean;
  readonly lines: readonly PasteLine[];
  /** Its lines are positions in the table. */
  readonly changes: SheetChanges;
}

/** Name of the place in links: no name in a table can equal it, since names have no control characters. */
const HERE = '\u0000here';
const NO_CHANGES: SheetChanges = {
  creates: [],
  updates: [],
  files: [],
  added: 0,
  changed: 0,
  unchanged: 0,
  problems: [],
};

/**
 * Reads a pasted table as a spreadsheet of one kind, under a place: the rows it would add, update and skip, line by line.
 * Rows are identified as in an import, by ID or by natural key under their parent.
 *
 * @param skip indexes in the table to skip
 */
export function planPaste(
  request: PasteRequest,
  place: PastePlace | null,
  lookup: SheetLookup,
  limits: ParseLimits,
  skip: ReadonlySet<number> = new Set(),
): PastePlan {
  const { kind, table, decimals, dates } = request;
  const { hasHeader, columns } = matchColumns(kind, table, request.columns, request.header);
  const head = { hasHeader, columns, choices: pasteChoices(kind) };
  const start = hasHeader ? 1 : 0;
  const sheet = parseSheet([...asSheet(request, columns, start)], {
    limits,
    ...(decimals === undefined ? {} : { decimals }),
    ...(dates === undefined ? {} : { dates }),
  });
  if (sheet.kind !== 'sheet') {
    const problems = sheet.kind === 'bad-header' ? sheet.problems.map((problem) => ({ ...problem, line: 0 })) : [];
    const lines: PasteLine[] = problems.length === 0 ? [] : [{ at: 0, outcome: 'error', row: null, problems }];
    const [needsDecimals, needsDates] = [sheet.kind === 'needs-decimal-locale', sheet.kind === 'needs-date-order'];
    return { ...head, needsDecimals, needsDates, lines, changes: NO_CHANGES };
  }
  // The spreadsheet's own heading is line 1.
  const atOf = (line: number): number => line - 2 + start;
  const rows = sheet.rows
    .map((row) => placed({ ...row, line: atOf(row.line) }, place))
    .filter((row) => !skip.has(row.line));
  const changes = linkTable(rows, place === null ? lookup : withPlace(lookup, place));
  const unread = sheet.problems.map((problem) => ({ ...problem, line: atOf(problem.line) }));
  return { ...head, needsDecimals: false, needsDates: false, lines: linesOf(rows, changes, unread), changes };
}

/** Links rows with lines from 1, as in messages for the user; returns indexes in the table. */
function linkTable(rows: readonly SheetRow[], lookup: SheetLookup): SheetChanges {
  const inTable = <T extends { readonly line: number }>(each: T): T => ({ ...each, line: each.line - 1 });
  const changes = linkSheet(
    rows.map((row) => ({ ...row, line: row.line + 1 })),
    lookup,
  );
  return {
    ...changes,
    creates: changes.creates.map(inTable),
    updates: changes.updates.map(inTable),
    files: changes.files.map(inTable),
    problems: changes.problems.map(inTable),
  };
}

/** The table with our own headings, a type in every row, and the defaults in blank cells. */
function* asSheet(
  { kind, table, defaults = {} }: PasteRequest,
  columns: readonly PasteColumn[],
  start: number,
): Generator<readonly string[]> {
  const used = columns.flatMap(({ column }, at) => (column === null ? [] : [{ column, at }]));
  const filled = Object.entries(defaults).flatMap(([name, text]) => {
    const column = columnOf(name);
    return column === null ? [] : [{ column, text }];
  });
  const added = filled.filter(({ column }) => !used.some((one) => one.column === column));
  const hasType = used.some(({ column }) => column === 'Type');
  const defaultOf = new Map(filled.map(({ column, text }) => [column, text]));
  yield [...(hasType ? [] : ['Type']), ...used.map(({ column }) => column), ...added.map(({ column }) => column)];
  for (const row of table.slice(start)) {
    const cells = used.map(({ column, at }) => {
      const text = row[at] ?? '';
      return text.trim() === '' ? (defaultOf.get(column) ?? '') : text;
    });
    // A row that is blank in the clipboard stays blank, so that it is skipped.
    const isBlank = used.every(({ at }) => (row[at] ?? '').trim() === '');
    if (isBlank) yield [];
    else yield [...(hasType ? [] : [TYPE_NAMES[kind]]), ...cells, ...added.map(({ text }) => text)];
  }
}

function placed(row: SheetRow, place: PastePlace | null): SheetRow {
  if (place === null || row.kind === 'campaign') return row;
  const isNamed = row.campaign.name !== null || row.campaign.remoteId !== null || row.adGroup.remoteId !== null;
  if (isNamed) return row;
  const needsGroup = place.adGroup !== null && row.kind !== 'adGroup' && row.adGroup.name === null;
  return {
    ...row,
    campaign: { name: HERE, remoteId: null },
    ...(needsGroup ? { adGroup: { name: HERE, remoteId: null } } : {}),
  };
}

function withPlace(lookup: SheetLookup, { campaign, adGroup }: PastePlace): SheetLookup {
  const here = adGroup === null ? null : { ...adGroup, values: { ...adGroup.values, name: HERE } };
  return {
    ...lookup,
    campaignsNamed: (name) => (name === HERE ? [campaign] : lookup.campaignsNamed(name)),
    children: (kind, parentId): readonly AnyRow[] => {
      const known = lookup.children(kind, parentId);
      return kind === 'adGroup' && parentId === campaign.id && here !== null ? [...known, here] : known;
    },
  };
}

function linesOf(
  rows: readonly SheetRow[],
  { creates, updates, problems }: SheetChanges,
  unread: readonly SheetProblem[],
): readonly PasteLine[] {
  const problemsAt = Map.groupBy([...unread, ...problems], ({ line }) => line);
  const rowAt = new Map(rows.map((row) => [row.line, row]));
  // An implied ad group has the line of the row that implied it.
  const added = new Set(creates.filter(({ kind, line }) => rowAt.get(line)?.kind === kind).map(({ line }) => line));
  const changed = new Set(updates.map(({ line }) => line));
  const all = new Set([...rowAt.keys(), ...problemsAt.keys()]);
  return [...all]
    .sort((a, b) => a - b)
    .map((at) => {
      const found = problemsAt.get(at) ?? [];
      const outcome =
        found.length > 0 ? 'error' : added.has(at) ? 'add' : changed.has(at) ? 'update' : ('unchanged' as const);
      return { at, outcome, row: rowAt.get(at) ?? null, problems: found };
    });
}

/** Interpretation of one column of a pasted table. */
export interface PasteColumn {
  /** Its heading, or its first cell when there is none. */
  readonly text: string;
  readonly column: Column | null;
  readonly by: 'given' | 'header' | 'content' | 'none';
}

export interface PasteColumns {
  readonly hasHeader: boolean;
  readonly columns: readonly PasteColumn[];
}

type Table = readonly (readonly string[])[];

/** Number of rows used to detect the content of a column without a heading. */
const ROWS_LOOKED_AT = 200;

/** Columns available in a paste for this kind: files can't be pasted. */
function pasteChoices(kind: SheetKind): readonly Column[] {
  const files = FILE_COLUMNS[kind] ?? [];
  return COLUMNS.filter(
    (column) => !files.includes(column) && (LINK_COLUMNS.has(column) || FIELD_OF[kind][column] !== undefined),
  );
}

/**
 * Maps the columns of a pasted table: by the user's mapping, else by heading, else by content, if every cell of a
 * column is valid for one field that no other column has. Unclear columns are skipped and shown.
 */
function matchColumns(
  kind: SheetKind,
  table: Table,
  given: readonly (string | null)[] | undefined,
  header: boolean | undefined,
): PasteColumns {
  const choices = pasteChoices(kind);
  const first = table[0] ?? [];
  const width = Math.max(0, ...table.slice(0, ROWS_LOOKED_AT).map((row) => row.length));
  const known = first.map((text) => columnOf(text)).map((column) => (isOneOf(choices, column) ? column : null));
  const isValue = valueTest(kind);
  const hasHeader =
    header ?? (looksLikeHeader(first, known, table.length, isValue) || hasOtherHeadings(table, isValue));
  const columns: PasteColumn[] = [];
  const taken = new Set<Column>();
  const texts = Array.from({ length: width }, (_, at) => first[at] ?? '');
  for (const [at, text] of texts.entries()) {
    const said = given?.[at];
    const wanted =
      said !== undefined ? (said === null ? null : columnOf(said)) : hasHeader ? (known[at] ?? null) : null;
    const column = wanted !== null && isOneOf(choices, wanted) && !taken.has(wanted) ? wanted : null;
    if (column !== null) taken.add(column);
    columns.push({ text, column, by: said !== undefined ? 'given' : column === null ? 'none' : 'header' });
  }
  if (given !== undefined || hasHeader) return { hasHeader, columns };
  const rows = table.slice(0, ROWS_LOOKED_AT);
  return { hasHeader, columns: columns.map((column, at) => byContent(kind, column, rows, at, taken)) };
}

const isOneOf = (choices: readonly Column[], column: Column | null): boolean =>
  column !== null && choices.includes(column);

function looksLikeHeader(
  first: readonly string[],
  known: readonly (Column | null)[],
  rows: number,
  isValue: (text: string) => boolean,
): boolean {
  const filled = first.filter((text) => text.trim() !== '').length;
  const named = known.filter((column) => column !== null).length;
  // A keyword may also be a column name: "status" next to "exact" is a row.
  const values = first.filter((text, at) => known[at] === null && isValue(text.trim())).length;
  // A single word such as "brand" may be a keyword as well as a heading.
  return (
    rows > 1 && named > values && named * 2 >= filled && (filled > 1 || first[0]?.trim().toLowerCase() !== 'brand')
  );
}

/** Numbers and dates in any form, web addresses and item IDs: headings are none of these. */
const VALUE = /^(?=.*\d)[^\p{L}]+$|^https?:|^(?=.*\d)[a-z\d]{10,}$/iu;

/** Whether a text is a value of a row of this kind and no heading; blanks are neither. */
function valueTest(kind: SheetKind): (text: string) => boolean {
  const choices = Object.values(FIELD_OF[kind]).filter((field) => fieldSpec(kind, field)?.type.is === 'choice');
  return (text) => text !== '' && (VALUE.test(text) || choices.some((field) => parseCell(kind, field, text).ok));
}

/** Whether the first row has words over a column of values: headings of another program, possibly all unknown. */
function hasOtherHeadings(table: Table, isValue: (text: string) => boolean): boolean {
  const [first = [], ...rows] = table.slice(0, ROWS_LOOKED_AT).map((row) => row.map((text) => text.trim()));
  const isOverValues = (text: string, at: number): boolean => {
    const below = rows.map((row) => row[at] ?? '').filter((cell) => cell !== '');
    // "n/a" is a missing value.
    return /\p{L}{2}/u.test(text) && below.length > 0 && below.every(isValue);
  };
  return !first.some(isValue) && first.some(isOverValues);
}

/** From the narrowest type to the widest: nearly anything is valid as text. */
const NARROWNESS = ['choice', 'date', 'money', 'factor', 'count', 'ref', 'text'] as const;

function byContent(kind: SheetKind, known: PasteColumn, rows: Table, at: number, taken: Set<Column>): PasteColumn {
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
  if (cells.length === 0) return known;
  const candidates = (Object.entries(FIELD_OF[kind]) as [Column, string][])
    .filter(([column]) => !taken.has(column))
    .map(([column, field]) => ({ column, field, type: fieldSpec(kind, field)?.type.is ?? 'text' }))
    .sort((a, b) => NARROWNESS.indexOf(a.type) - NARROWNESS.indexOf(b.type));
  const found = candidates.find(({ column, field, type }) => {
    // Two budgets look alike; only the user can tell them apart.
    if (kind === 'campaign' && type === 'money') return false;
    if (column === 'Item id') return cells.every((cell) => /^[A-Za-z0-9]{10,}$/.test(cell));
    if (column === 'Click URL') return cells.every((cell) => /^https?:/iu.test(cell));
    return cells.every(
      (cell) => parseCell(kind, field, cell).ok || (type === 'date' && digitDate(splitTime(cell).date) !== null),
    );
  });
  if (found === undefined) return known;
  taken.add(found.column);
  return { ...known, column: found.column, by: 'content' };
}
