import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { isDeleted } from '../../../shared/model/row.ts';

const MATCH_TYPES: readonly string[] = ['exact', 'phrase', 'broad'];

/** One text with the keyword of each match type, as the service counts them: distinct texts, whatever their case. */
export interface KeywordLine {
  readonly key: string;
  readonly text: string;
  readonly byMatchType: Readonly<Partial<Record<string, WindowRow>>>;
}

const FIELDS = fieldNames('keyword');
export const keywordCell = (row: WindowRow, field: 'text' | 'matchType' | 'bid' | 'state') =>
  row.cells[FIELDS.indexOf(field)] ?? null;

/** The match types that have a column: those of the document, and words of the service that rows have beside them. */
export function matchTypesOf(rows: readonly WindowRow[]): readonly string[] {
  const found = rows.flatMap((row) => (isDeleted(row) ? [] : [String(keywordCell(row, 'matchType') ?? 'broad')]));
  return [...new Set([...MATCH_TYPES, ...found])];
}

/**
 * Keywords by text, in the order of the texts. A second keyword of the same text and match type keeps the first one's
 * place; the rules say that one of them is too many.
 */
export function keywordLines(rows: readonly WindowRow[]): readonly KeywordLine[] {
  const lines = new Map<string, { readonly text: string; byMatchType: Partial<Record<string, WindowRow>> }>();
  for (const row of rows) {
    if (isDeleted(row)) continue;
    const text = String(keywordCell(row, 'text') ?? '');
    const key = text.trim().toLowerCase().replace(/\s+/gu, ' ');
    const matchType = String(keywordCell(row, 'matchType') ?? 'broad');
    const line = lines.get(key) ?? { text, byMatchType: {} };
    line.byMatchType[matchType] ??= row;
    lines.set(key, line);
  }
  return [...lines].map(([key, line]) => ({ key, ...line })).sort((a, b) => a.key.localeCompare(b.key));
}
