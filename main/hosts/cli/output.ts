import { formatCell } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { usageError } from './cli-error.ts';

/**
 * Where answers go. For people: plain lines on standard output, problems on standard error. With `--json`: one
 * object on standard output and nothing else there.
 */
export interface Output {
  readonly json: boolean;
  /** A line for people. */
  say(line: string): void;
  /** The one object for programs. */
  result(object: object): void;
  /** The same, when the text of the object is made by hand because it holds exact bodies. */
  resultText(json: string): void;
  problem(code: string, message: string): void;
  /** Something to know beside the answer, which it leaves as it is: on standard error, also with `--json`. */
  aside(message: string): void;
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createOutput(json: boolean, { out, err }: Streams): Output {
  const resultText = (text: string) => {
    if (json) out(`${text}\n`);
  };
  return {
    json,
    say: (line) => {
      if (!json) out(`${printable(line)}\n`);
    },
    result: (object) => resultText(JSON.stringify(object)),
    resultText,
    problem: (code, message) => {
      if (json) out(`${JSON.stringify({ error: { code, message } })}\n`);
      else err(`${printable(message)}\n`);
    },
    aside: (message) => err(`${printable(message)}\n`),
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

/** Rows as columns of text, as wide as needed; right-hand blanks are left out. */
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

/** The kinds of row in the words of the sheet's Type column. */
const WORDS: Readonly<Record<Kind, string>> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
  media: 'media',
};
export const wordOf = (kind: Kind): string => WORDS[kind];

/** `ad item`, `adItem` and `ad-item` are the same type. */
export function parseRowType(word: string, of = '--type'): Kind {
  const found = KINDS.find((kind) => letters(kind) === letters(word) || letters(wordOf(kind)) === letters(word));
  if (found === undefined) throw usageError(`${of} is one of ${KINDS.map(wordOf).join(', ')}.`);
  return found;
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A value as it stands in a sentence. */
export const formatCellValue = (kind: Kind, field: string, value: Cell): string =>
  formatCell(kind, field, value) || 'empty';
