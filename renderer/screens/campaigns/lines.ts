import { cellProblemText } from '../../../shared/model/cell-problem.ts';
import { parseCell } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

export type LineValues = Readonly<Record<string, Cell>>;
export interface LineProblem {
  readonly line: number;
  readonly text: string;
}

/** What a pasted line may hold after its first column, in this order; missing ones take the defaults. */
const COLUMNS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  adItem: ['itemId', 'bid'],
  keyword: ['text', 'matchType', 'bid'],
};

/**
 * Reads pasted lines as rows: one row a line, tabs between columns. For items, which hold no blanks, blanks
 * separate too. Empty lines are passed over.
 *
 * @returns all rows, or the first line that cannot be read
 */
export function readLines(
  kind: 'adItem' | 'keyword',
  text: string,
  defaults: LineValues,
): Result<readonly LineValues[], LineProblem> {
  const fields = COLUMNS[kind] ?? [];
  const rows: LineValues[] = [];
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const parts = kind === 'adItem' ? line.trim().split(/[\s,;]+/) : line.split('\t');
    const values: Record<string, Cell> = { ...defaults };
    for (const [column, field] of fields.entries()) {
      const part = parts[column]?.trim() ?? '';
      if (part === '') continue;
      const parsed = parseCell(kind, field, part);
      if (!parsed.ok) return err({ line: i + 1, text: cellProblemText(parsed.error) });
      values[field] = parsed.value;
    }
    rows.push(values);
  }
  return ok(rows);
}
