import { CELL_MAX_CHARACTERS } from '../../main/files/spreadsheet/csv.ts';

const MARK = 0x22;
const RETURN = 0x0d;
const FEED = 0x0a;

/**
 * Counts the rows of a text that hold something in any cell.
 *
 * The reader in `csv.ts` is held against it. It makes no cells and shares no code with the reader, so that a row which gets
 * lost there is missed here: a line end ends a row unless it stands between the quote that opens a cell and the one that
 * closes it.
 *
 * @param linesAsRows every line end ends a row
 */
export function rowCounter(delimiter: string, linesAsRows: boolean) {
  let held = '';
  /** Comes behind it, and waits while it is the shorter one: what is held is not walked for every piece. */
  let next = '';
  let rows = 0;

  /** Counts the rows of `text` that are whole and holds the rest back. */
  const count = (text: string, isLast: boolean): void => {
    const after = (what: string, from: number): number => {
      const place = text.indexOf(what, from);
      return place < 0 ? text.length : place;
    };
    let start = 0;
    let returns = after('\r', 0);
    let feeds = after('\n', 0);
    let quotes = after('"', 0);
    while (start < text.length) {
      if (returns < start) returns = after('\r', start);
      if (feeds < start) feeds = after('\n', start);
      if (quotes < start) quotes = after('"', start);
      let end = Math.min(returns, feeds);
      let isFilled = false;
      if (quotes < end) {
        const quoted = walk(text, start, isLast);
        if (quoted === null) break;
        ({ end, isFilled } = quoted);
      } else if (end === text.length && !isLast) break;
      // A line feed behind a return begins a row without content, which does not count.
      if (isFilled || holdsText(text, start, end, delimiter)) rows++;
      start = end + 1;
    }
    held = text.slice(start);
  };

  /** A row with quotes: where it ends, and whether its quotes hold anything; null when the rest of it is still to come. */
  const walk = (text: string, start: number, isLast: boolean): { end: number; isFilled: boolean } | null => {
    let isFilled = false;
    for (let at = start; ; at++) {
      if (at >= text.length) return isLast ? { end: at, isFilled } : null;
      const code = text.charCodeAt(at);
      if (code === RETURN || code === FEED) return { end: at, isFilled };
      if (code !== MARK) continue;
      if (at > start && text[at - 1] !== delimiter) {
        isFilled = true;
        continue;
      }
      let close = at + 1;
      let lines = 0;
      for (; close < text.length; close++) {
        const inside = text.charCodeAt(close);
        if (inside === RETURN || inside === FEED) lines++;
        if (inside === MARK && text.charCodeAt(++close) !== MARK) {
          close--;
          break;
        }
      }
      const isTooLong = lines > 0 && Math.min(close, text.length) - at > CELL_MAX_CHARACTERS;
      if (!isLast && !isTooLong && close + 1 >= text.length) return null;
      const isClean = close + 1 >= text.length || [delimiter, '\r', '\n'].includes(text.charAt(close + 1));
      const isClosed = close < text.length && (lines === 0 || (!linesAsRows && !isTooLong && isClean));
      if (isClosed) {
        isFilled ||= /\S/.test(text.slice(at + 1, close));
        at = close;
      } else isFilled = true;
    }
  };

  return {
    /** The next piece of the text; it may end anywhere. */
    push: (text: string) => {
      next += text;
      if (next.length < held.length) return;
      const all = held + next;
      next = '';
      count(all, false);
    },
    /** The text is over. @returns how many rows, the header among them */
    end: (): number => {
      count(held + next, true);
      return rows;
    },
  };
}

/** Whether anything but blanks, quotes and delimiters stands there; quotes are judged by those who walk them. */
function holdsText(text: string, start: number, end: number, delimiter: string): boolean {
  for (let at = start; at < end; at++) {
    const char = text.charAt(at);
    if (char !== delimiter && char !== '"' && /\S/.test(char)) return true;
  }
  return false;
}
