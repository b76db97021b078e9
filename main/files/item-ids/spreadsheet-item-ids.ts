import { writeFile } from 'node:fs/promises';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { ERASE } from '../../../shared/spreadsheet/cell-guard.ts';
import { columnOf } from '../../../shared/spreadsheet/columns.ts';
import { readSheetRows } from '../spreadsheet/read-sheet.ts';
import { csvLine } from '../spreadsheet/write-sheet.ts';

/** One item id of a sheet; `line` as a spreadsheet program numbers it. */
export interface SheetId {
  readonly text: string;
  readonly line: number;
  readonly campaign: string;
}

/** The cells under `Item id`, as they stand. Nothing else of the sheet is judged here. */
export async function readSheetIds(path: string): Promise<Result<readonly SheetId[], FileRefusal>> {
  const ids: SheetId[] = [];
  const read = await eachRow(path, (cells, line, { item, campaign }) => {
    const text = cells[item] ?? '';
    if (text.trim() !== '' && text.trim() !== ERASE) ids.push({ text, line, campaign: (cells[campaign] ?? '').trim() });
  });
  return read.ok ? ok(ids) : read;
}

/**
 * Writes the sheet anew as CSV with other ids in it; every other cell stays as it is.
 *
 * @param replace what takes the place of an id, or null to leave it
 * @returns how many cells were replaced
 */
export async function writeRepairedSheet(
  path: string,
  target: string,
  replace: (text: string) => string | null,
): Promise<Result<number, FileRefusal>> {
  const lines: string[] = ['\uFEFF'];
  let replaced = 0;
  const read = await eachRow(
    path,
    (cells, _line, { item }) => {
      const id = replace(cells[item] ?? '');
      if (id !== null) replaced++;
      lines.push(csvLine(id === null ? cells : cells.with(item, id), ','));
    },
    (cells) => void lines.push(csvLine(cells, ',')),
  );
  if (!read.ok) return read;
  await writeFile(target, lines, { mode: 0o600 });
  return ok(replaced);
}

interface Places {
  readonly item: number;
  /** -1 where the sheet has no such column; reading there finds nothing. */
  readonly campaign: number;
}

/** Hands over the rows below the header that have a cell for an item id; all others go to `other`. */
async function eachRow(
  path: string,
  take: (cells: readonly string[], line: number, places: Places) => void,
  other: (cells: readonly string[]) => void = () => undefined,
): ReturnType<typeof readSheetRows> {
  let places: Places | null = null;
  let line = 0;
  return readSheetRows(path, (cells) => {
    line++;
    if (places !== null && places.item >= 0 && cells.length > places.item) return take(cells, line, places);
    if (places === null && cells.some((cell) => cell.trim() !== '')) places = placesIn(cells);
    other(cells);
  });
}

function placesIn(header: readonly string[]): Places {
  const columns = header.map((cell) => columnOf(cell.replace(/^\uFEFF/, '').trim()));
  return { item: columns.indexOf('Item id'), campaign: columns.indexOf('Campaign') };
}
