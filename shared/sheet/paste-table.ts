import type { ParseLimits } from '../model/cell-text.ts';
import type { AnyRow, Row } from '../model/row.ts';
import { type Column, columnOf, type SheetKind, TYPE_NAMES } from './columns.ts';
import type { DecimalLocale } from './decimal-locale.ts';
import { linkSheet } from './link-sheet.ts';
import type { SheetLookup } from './lookup.ts';
import { parseSheet } from './parse-sheet.ts';
import { matchColumns, type PasteColumn, pasteChoices } from './paste-columns.ts';
import type { SheetChanges } from './sheet-changes.ts';
import type { SheetProblem, SheetRow } from './sheet-row.ts';

/** A table from the clipboard and what the user has said of it. */
export interface PasteRequest {
  readonly kind: SheetKind;
  readonly table: readonly (readonly string[])[];
  readonly columns?: readonly (string | null)[] | undefined;
  readonly header?: boolean | undefined;
  readonly decimals?: DecimalLocale | undefined;
  /** Cells for rows whose own is blank or missing, by column. */
  readonly defaults?: Readonly<Record<string, string>> | undefined;
}

/** Where rows go that name no parent. */
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
  readonly lines: readonly PasteLine[];
  /** Its lines are positions in the table. */
  readonly changes: SheetChanges;
}

/** Stands for the name of the place in links: no name in a table can be it, since names have no control characters. */
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
 * Reads a pasted table as a sheet of one kind, under a place: what it would add, update and leave, line by line.
 * Rows are told apart as in an import, by id or by natural key under their parent.
 *
 * @param skip positions in the table to leave out
 */
export function planPaste(
  request: PasteRequest,
  place: PastePlace | null,
  lookup: SheetLookup,
  limits: ParseLimits,
  skip: ReadonlySet<number> = new Set(),
): PastePlan {
  const { kind, table, decimals } = request;
  const { hasHeader, columns } = matchColumns(kind, table, request.columns, request.header);
  const head = { hasHeader, columns, choices: pasteChoices(kind) };
  const start = hasHeader ? 1 : 0;
  const sheet = parseSheet(asSheet(request, columns, start), {
    limits,
    ...(decimals === undefined ? {} : { decimals }),
  });
  if (sheet.kind !== 'sheet') {
    const problems = sheet.kind === 'bad-header' ? sheet.problems.map((problem) => ({ ...problem, line: 0 })) : [];
    const lines: PasteLine[] = problems.length === 0 ? [] : [{ at: 0, outcome: 'error', row: null, problems }];
    return { ...head, needsDecimals: sheet.kind === 'needs-decimal-locale', lines, changes: NO_CHANGES };
  }
  // The sheet's own heading is line 1.
  const atOf = (line: number): number => line - 2 + start;
  const rows = sheet.rows
    .map((row) => placed({ ...row, line: atOf(row.line) }, place))
    .filter((row) => !skip.has(row.line));
  const changes = linkTable(rows, place === null ? lookup : withPlace(lookup, place));
  const unread = sheet.problems.map((problem) => ({ ...problem, line: atOf(problem.line) }));
  return { ...head, needsDecimals: false, lines: linesOf(rows, changes, unread), changes };
}

/**
 * Links by lines from 1, as the linker and whoever pasted the table count, also in the words of a problem; answers with
 * positions in the table.
 */
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

/** The table with our own headings, a type in every row, and what the user wants in blank cells. */
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
    // A row that is blank in the clipboard stays blank, so that it is passed over.
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
  const problemsAt = new Map<number, SheetProblem[]>();
  for (const problem of [...unread, ...problems]) {
    const known = problemsAt.get(problem.line);
    if (known === undefined) problemsAt.set(problem.line, [problem]);
    else known.push(problem);
  }
  const rowAt = new Map(rows.map((row) => [row.line, row]));
  // An implied ad group carries the line of the row that implied it.
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
