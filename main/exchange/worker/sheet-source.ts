import { stat } from 'node:fs/promises';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type ColumnSet, NO_COLUMNS } from '../../../shared/sheet/column-choice.ts';
import type { DecimalLocale } from '../../../shared/sheet/decimal-locale.ts';
import { type SheetEnd, sheetReader } from '../../../shared/sheet/parse-sheet.ts';
import type { SheetProblem, SheetRow } from '../../../shared/sheet/sheet-row.ts';
import { readArchiveRows } from '../archive/read-archive-rows.ts';
import type { LineProblem } from '../line-problem.ts';
import { readSheetRows } from '../read-sheet.ts';

export interface ReadOrder {
  readonly path: string;
  readonly database: string;
  readonly factorMax: number;
  readonly decimals: DecimalLocale | null;
  /** Rows of an archive are read by their own reader and linked like those of a sheet. */
  readonly source: 'sheet' | 'archive' | 'changes';
}

/** Sheets of up to so many rows are kept in memory between two looks at them. */
const KEPT_ROWS = 20_000;

/**
 * The rows of one file, as often as they are asked for. Of a short sheet they are kept; a long one is read again each time,
 * so that a million rows cost time but no memory.
 */
export class SheetSource {
  readonly #order: ReadOrder;
  /** The rows of a short sheet; null for a long one. */
  #kept: SheetRow[] | null = [];
  #stamp = '';
  #out: ColumnSet = NO_COLUMNS;
  #problems: readonly SheetProblem[] = [];
  #archiveProblems: readonly LineProblem[] = [];
  /** What the first reading found at the end; null before it. */
  #end: Extract<SheetEnd, { kind: 'sheet' }> | null = null;

  constructor(order: ReadOrder) {
    this.#order = order;
  }

  /** Lines of a sheet that cannot be read. */
  get problems(): readonly SheetProblem[] {
    return this.#problems;
  }

  get archiveProblems(): readonly LineProblem[] {
    return this.#archiveProblems;
  }

  get unknownColumns(): readonly string[] {
    return this.#end?.unknownColumns ?? [];
  }

  get formulaLines(): readonly number[] {
    return this.#end?.formulaLines ?? [];
  }

  /** Notes which file it is; another one that takes its place is refused from now on. */
  async open(): Promise<void> {
    this.#stamp = await stampOf(this.#order.path);
  }

  /** Columns with a cell that cannot be read, and need not be. */
  get passedOver(): ColumnSet {
    return this.#end?.passedOver ?? NO_COLUMNS;
  }

  /** From now on a cell that cannot be read stops its row no longer when it stands in one of these columns. */
  leaveOut(out: ColumnSet): void {
    this.#out = out;
    this.#kept = [];
    this.#end = null;
  }

  /**
   * Goes through the rows that can be read; a file that is no longer the one that was previewed is refused.
   *
   * @param tellShare hears how much of the file is read, from 0 to 1, where that is known
   */
  async eachRow(
    take: (row: SheetRow) => void,
    tellShare: (read: number) => void = () => undefined,
  ): Promise<Result<null, FileRefusal>> {
    if (this.#end !== null && this.#kept !== null) {
      for (const row of this.#kept) take(row);
      return ok(null);
    }
    if ((await stampOf(this.#order.path)) !== this.#stamp) return err(fileRefusal('changed'));
    const isFirst = this.#end === null;
    const takeAndKeep = (row: SheetRow): void => {
      if (isFirst) this.#keep(row);
      take(row);
    };
    if (this.#order.source === 'sheet') return this.#eachSheetRow(takeAndKeep, isFirst, tellShare);
    const problems = await readArchiveRows(this.#order.path, takeAndKeep, tellShare);
    if (isFirst) this.#archiveProblems = problems;
    this.#end = EMPTY_END;
    return ok(null);
  }

  async #eachSheetRow(
    take: (row: SheetRow) => void,
    isFirst: boolean,
    tellShare: (read: number) => void,
  ): Promise<Result<null, FileRefusal>> {
    const { factorMax, decimals } = this.#order;
    const reader = sheetReader({ factorMax, out: this.#out, ...(decimals === null ? {} : { decimals }) });
    const takeCells = (cells: readonly string[]): void => {
      const row = reader.take(cells);
      if (row !== null) take(row);
    };
    const read = await readSheetRows(this.#order.path, takeCells, tellShare);
    if (!read.ok || !isFirst) return read;
    const end = reader.end();
    if (end.kind === 'needs-decimal-locale') {
      const [text = ''] = end.examples;
      return err(fileRefusal('needs-decimals', await this.#placeOf(text)));
    }
    this.#problems = end.problems;
    // Without a header there are no rows, now or later.
    this.#end = end.kind === 'sheet' ? end : EMPTY_END;
    return ok(null);
  }

  #keep(row: SheetRow): void {
    if (this.#kept === null) return;
    if (this.#kept.length >= KEPT_ROWS) this.#kept = null;
    else this.#kept.push(row);
  }

  /** Where a text stands, for a message that names line and column. Read once more, since this is a rare answer. */
  async #placeOf(text: string): Promise<{ text: string; line: number; column: string }> {
    let place = { text, line: 1, column: '' };
    let line = 0;
    let header: readonly string[] | null = null;
    await readSheetRows(this.#order.path, (cells) => {
      line++;
      if (header === null && cells.some((cell) => cell.trim() !== '')) header = cells;
      const at = cells.findIndex((cell) => cell.trim() === text);
      if (at !== -1 && place.column === '' && header !== null) place = { text, line, column: header[at] ?? '' };
    });
    return place;
  }
}

const EMPTY_END: Extract<SheetEnd, { kind: 'sheet' }> = {
  kind: 'sheet',
  problems: [],
  unknownColumns: [],
  formulaLines: [],
  passedOver: NO_COLUMNS,
};

/** The file as the disk knows it: another one under the same name has another stamp. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}
