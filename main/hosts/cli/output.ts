import { formatCell } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { TYPE_NAMES } from '../../../shared/spreadsheet/columns.ts';
import { usageError } from './cli-error.ts';

/**
 * Output of a command. For people: plain lines on standard output, problems on standard error. With `--json`: one
 * object on standard output and nothing else there.
 */
export type Output = ReturnType<typeof createOutput>;

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createOutput(json: boolean, { out, err }: Streams) {
  const resultText = (text: string) => {
    if (json) out(`${text}\n`);
  };
  const say = (lines: string | readonly string[]): void => {
    if (json) return;
    for (const line of typeof lines === 'string' ? [lines] : lines) out(`${printable(line)}\n`);
  };
  return {
    json,
    /** Prints one or more lines for people. */
    say,
    /** Rows below a heading, as columns; without rows the line `none`. */
    table: (headings: readonly string[], rows: readonly (readonly string[])[], none?: string) =>
      say(rows.length === 0 && none !== undefined ? none : table(headings, rows)),
    /** The one object for programs. */
    result: (object: object) => resultText(JSON.stringify(object)),
    /** Like `result`, for JSON text that was built by hand because it has exact bodies. */
    resultText,
    problem: (code: string, message: string) => {
      if (json) out(`${JSON.stringify({ error: { code, message } })}\n`);
      else err(`${printable(message)}\n`);
    },
    /** Prints a remark on standard error, also with `--json`. */
    aside: (message: string) => err(`${printable(message)}\n`),
  };
}

/** Names and the service's texts must not steer the terminal: controls are shown, not obeyed. */
export function printable(line: string): string {
  return [...line].map((character) => (isControl(character) ? '\uFFFD' : character)).join('');
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0);
}

/** Rows as columns of text, as wide as needed, without spaces at the end. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Row types in the words of the spreadsheet's Type column. */
export const wordOf = (kind: Kind): string => (kind === 'media' ? kind : TYPE_NAMES[kind]);

/** `ad-item/12`: the name of a row in JSON and in arguments. */
export const rowRefText = (kind: Kind, id: number): string => `${wordOf(kind).replaceAll(' ', '-')}/${id}`;

/** Reads a row type: `ad item`, `adItem` and `ad-item` are the same. */
export function parseRowType(word: string, of = '--type'): Kind {
  const found = KINDS.find((kind) => letters(kind) === letters(word) || letters(wordOf(kind)) === letters(word));
  if (found === undefined) throw usageError(`${of} must be one of ${KINDS.map(wordOf).join(', ')}.`);
  return found;
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A value within a sentence. */
export const formatCellValue = (kind: Kind, field: string, value: Cell): string =>
  formatCell(kind, field, value) || 'empty';

/** A time in milliseconds since 1970 as ISO text; null for none. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
