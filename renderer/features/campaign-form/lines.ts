import type { KeyboardEvent } from 'react';
import type { Cell } from '../../../shared/model/field-types.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { readCell } from '../../app/locale/cells.ts';

export type LineValues = Readonly<Record<string, Cell>>;
export interface LineProblem {
  readonly line: number;
  readonly text: string;
}

/** Columns of a pasted line, in order; missing ones get the defaults. */
const COLUMNS = { adItem: ['itemId', 'bid'], keyword: ['text', 'matchType', 'bid'] };

/**
 * Parses pasted lines as rows: one row per line, tabs between columns. For items, spaces also separate columns, and a
 * comma or semicolon after the ID. Empty lines are skipped.
 *
 * @returns all rows, or every line that can't be parsed, each with its first problem
 */
export function readLines(
  kind: 'adItem' | 'keyword',
  text: string,
  defaults: LineValues,
): Result<readonly LineValues[], readonly LineProblem[]> {
  const rows: LineValues[] = [];
  const problems: LineProblem[] = [];
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const parts = partsOf(kind, line);
    const values: Record<string, Cell> = { ...defaults };
    for (const [column, field] of COLUMNS[kind].entries()) {
      const part = parts[column]?.trim() ?? '';
      if (part === '') continue;
      const parsed = readCell(kind, field, part);
      if (!parsed.ok) {
        problems.push({ line: i + 1, text: parsed.error });
        break;
      }
      values[field] = parsed.value;
    }
    rows.push(values);
  }
  return problems.length === 0 ? ok(rows) : err(problems);
}

/** An item of the form as typed: its ID, and its own bid, if it has one. */
export interface ItemLine {
  readonly itemId: string;
  readonly bid: string;
}

/** Pasted or stored lines of items, without duplicate IDs and empty lines. */
export function itemLines(text: string): readonly ItemLine[] {
  const lines = text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [itemId = '', bid = ''] = partsOf('adItem', line);
    return itemId === '' ? [] : [{ itemId, bid }];
  });
  return [...new Map(lines.map((line) => [line.itemId, line])).values()];
}

export const itemText = (lines: readonly ItemLine[]): string =>
  lines.map(({ itemId, bid }) => `${itemId}\t${bid}`.trim()).join('\n');

/** An item ID with an optional bid. */
const ITEM_LINE = /^\s*(prod)?\d{6,}([\s,;]+|$)([\d.,]{1,9}\s*)?$/u;

/** True for a list of item IDs, each with an optional bid, rather than words to search for. */
export function isItemList(text: string): boolean {
  const { items, others } = splitItemLines(text);
  return items !== '' && others.length === 0;
}

/** The lines of a text that are item IDs, each with an optional bid, and the others without empty lines. */
export function splitItemLines(text: string): { readonly items: string; readonly others: readonly string[] } {
  const lines = text.split(/[\n\r]+/u).filter((line) => line.trim() !== '');
  return {
    items: lines.filter((line) => ITEM_LINE.test(line)).join('\n'),
    others: lines.filter((line) => !ITEM_LINE.test(line)).map((line) => line.trim()),
  };
}

/** The same lines with every bid replaced by `write`; lines without a bid are unchanged. */
export function withBids(kind: 'adItem' | 'keyword', text: string, write: (bid: string) => string): string {
  const at = COLUMNS[kind].indexOf('bid');
  return text
    .split('\n')
    .map((line) => {
      const bid = partsOf(kind, line)[at]?.trim() ?? '';
      const from = line.lastIndexOf(bid);
      return bid === '' ? line : line.slice(0, from) + write(bid) + line.slice(from + bid.length);
    })
    .join('\n');
}

/** After an item's ID only spaces and semicolons separate, because a bid may contain a comma. */
function partsOf(kind: 'adItem' | 'keyword', line: string): readonly string[] {
  if (kind === 'keyword') return line.split('\t');
  const [, id = '', rest = ''] = /^([^\s,;]+)[\s,;]*(.*)$/u.exec(line.trim()) ?? [];
  return [id, (rest.split(/[\s;]+/u)[0] ?? '').replace(/,$/u, '')];
}

/**
 * Keys of a form in place of the rows. Ctrl+Enter submits it, also from a multi-line field; elsewhere the keys open the sync
 * plan, which would close it. Escape leaves it, unless the key closes an open list or a menu.
 */
export const formKeys =
  (leave: () => void) =>
  (event: KeyboardEvent<HTMLFormElement>): void => {
    const { key, target, currentTarget } = event;
    if (key === 'Escape') {
      // React passes events of menus and dialogs on to the form, although they are elsewhere in the page.
      const isInForm = target instanceof Element && currentTarget.contains(target);
      if (!isInForm || event.defaultPrevented || target.getAttribute('aria-expanded') === 'true') return;
      event.preventDefault();
      leave();
      return;
    }
    if (key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    currentTarget.requestSubmit();
  };
