import { parseCell } from '../model/cell-text.ts';
import { fieldSpec } from '../model/fields.ts';
import { COLUMNS, type Column, columnOf, FIELD_OF, FILE_COLUMNS, LINK_COLUMNS, type SheetKind } from './columns.ts';

/** How one column of a pasted table was understood. */
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

/** Rows looked at to tell what a column without a heading holds. */
const ROWS_LOOKED_AT = 200;

/** Columns a paste may fill for this kind: files do not travel through the clipboard. */
export function pasteChoices(kind: SheetKind): readonly Column[] {
  const files = FILE_COLUMNS[kind] ?? [];
  return COLUMNS.filter(
    (column) => !files.includes(column) && (LINK_COLUMNS.has(column) || FIELD_OF[kind][column] !== undefined),
  );
}

/**
 * Matches the columns of a pasted table: by what the user said, else by heading, else by content, where every cell of
 * a column reads as one field and no other column has taken it. What stays unclear is left out and shown.
 */
export function matchColumns(
  kind: SheetKind,
  table: Table,
  given: readonly (string | null)[] | undefined,
  header: boolean | undefined,
): PasteColumns {
  const choices = pasteChoices(kind);
  const first = table[0] ?? [];
  const width = Math.max(0, ...table.slice(0, ROWS_LOOKED_AT).map((row) => row.length));
  const known = first.map((text) => columnOf(text)).map((column) => (isOneOf(choices, column) ? column : null));
  const hasHeader = header ?? looksLikeHeader(first, known, table.length);
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

function looksLikeHeader(first: readonly string[], known: readonly (Column | null)[], rows: number): boolean {
  const filled = first.filter((text) => text.trim() !== '').length;
  const named = known.filter((column) => column !== null).length;
  // A single word such as "brand" may be a keyword as well as a heading.
  return rows > 1 && named > 0 && named * 2 >= filled && (filled > 1 || first[0]?.trim().toLowerCase() !== 'brand');
}

/** From the narrowest type to the widest: nearly anything reads as text. */
const NARROWNESS = ['choice', 'date', 'money', 'factor', 'count', 'ref', 'text'] as const;

function byContent(kind: SheetKind, known: PasteColumn, rows: Table, at: number, taken: Set<Column>): PasteColumn {
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
  if (cells.length === 0) return known;
  const candidates = (Object.entries(FIELD_OF[kind]) as [Column, string][])
    .filter(([column]) => !taken.has(column))
    .map(([column, field]) => ({ column, field, type: fieldSpec(kind, field)?.type.is ?? 'text' }))
    .sort((a, b) => NARROWNESS.indexOf(a.type) - NARROWNESS.indexOf(b.type));
  const found = candidates.find(({ column, field, type }) => {
    // Two budgets look alike; which is which only the user can say.
    if (kind === 'campaign' && type === 'money') return false;
    if (column === 'Item id') return cells.every((cell) => /^[A-Za-z0-9]{10,}$/.test(cell));
    if (column === 'Click URL') return cells.every((cell) => /^https?:/iu.test(cell));
    return cells.every((cell) => parseCell(kind, field, cell).ok);
  });
  if (found === undefined) return known;
  taken.add(found.column);
  return { ...known, column: found.column, by: 'content' };
}
