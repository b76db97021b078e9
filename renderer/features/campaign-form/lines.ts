import type { KeyboardEvent } from 'react';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { readCell } from '../../app/locale/cells.ts';

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
 * separate too, and a comma or semicolon behind the id. Empty lines are passed over.
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
    const parts = partsOf(kind, line);
    const values: Record<string, Cell> = { ...defaults };
    for (const [column, field] of fields.entries()) {
      const part = parts[column]?.trim() ?? '';
      if (part === '') continue;
      const parsed = readCell(kind, field, part);
      if (!parsed.ok) return err({ line: i + 1, text: parsed.error });
      values[field] = parsed.value;
    }
    rows.push(values);
  }
  return ok(rows);
}

/** An item of the form as it is typed: its id, and its own bid, if it has one. */
export interface ItemLine {
  readonly itemId: string;
  readonly bid: string;
}

/** Pasted or kept lines of items, each id once; empty lines are passed over. */
export function itemLines(text: string): readonly ItemLine[] {
  const lines = text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [itemId = '', bid = ''] = partsOf('adItem', line);
    return itemId === '' ? [] : [{ itemId, bid }];
  });
  return [...new Map(lines.map((line) => [line.itemId, line])).values()];
}

export const itemText = (lines: readonly ItemLine[]): string =>
  lines.map(({ itemId, bid }) => `${itemId}\t${bid}`.trim()).join('\n');

/** Whether a text is a list of item ids, each perhaps with a bid behind it, rather than words to search for. */
export const isItemList = (text: string): boolean =>
  /\d{6,}/.test(text) &&
  text.split(/[\n\r]+/u).every((line) => /^\s*((prod)?\d{6,}([\s,;]+|$)([\d.,]{1,9}\s*)?)?$/u.test(line));

/** The same lines with every bid written otherwise; lines without one stay as they are. */
export function withBids(kind: 'adItem' | 'keyword', text: string, write: (bid: string) => string): string {
  const at = COLUMNS[kind]?.indexOf('bid') ?? -1;
  return text
    .split('\n')
    .map((line) => {
      const bid = partsOf(kind, line)[at]?.trim() ?? '';
      const from = line.lastIndexOf(bid);
      return bid === '' ? line : line.slice(0, from) + write(bid) + line.slice(from + bid.length);
    })
    .join('\n');
}

/** A bid may have a comma in it, so behind an item's id only blanks and semicolons separate. */
function partsOf(kind: 'adItem' | 'keyword', line: string): readonly string[] {
  if (kind === 'keyword') return line.split('\t');
  const [, id = '', rest = ''] = /^([^\s,;]+)[\s,;]*(.*)$/u.exec(line.trim()) ?? [];
  return [id, (rest.split(/[\s;]+/u)[0] ?? '').replace(/,$/u, '')];
}

/** Ctrl+Enter sends the form, also from a field of several lines. Elsewhere these keys mean the sync plan, and would leave it. */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.requestSubmit();
}
