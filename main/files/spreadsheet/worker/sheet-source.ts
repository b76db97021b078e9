import { stat } from 'node:fs/promises';
import type { DeploymentSettings } from '../../../../shared/deployment/deployment-settings.ts';
import { type FileRefusal, fileRefusal } from '../../../../shared/media/file-refusal.ts';
import type { ParseLimits } from '../../../../shared/model/cell-text.ts';
import type { DateOrder } from '../../../../shared/model/plain-date.ts';
import type { RemoteId } from '../../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../../shared/result.ts';
import type { DecimalLocale } from '../../../../shared/spreadsheet/cell-guard.ts';
import type { ColumnMapping, Heading } from '../../../../shared/spreadsheet/column-mapping.ts';
import { COLUMNS, type ColumnSet, NO_COLUMNS } from '../../../../shared/spreadsheet/columns.ts';
import type { ForeignReport } from '../../../../shared/spreadsheet/foreign-sheet.ts';
import { formatArchiveRow } from '../../../../shared/spreadsheet/format-sheet.ts';
import { type SheetEnd, type SheetHeading, sheetReader } from '../../../../shared/spreadsheet/parse-sheet.ts';
import type { ParentRow, SheetProblem, SheetRow, TakeRow } from '../../../../shared/spreadsheet/sheet-row.ts';
import { openDb } from '../../../store/db/open-db.ts';
import { readLimits } from '../../../store/rows/words-in-use.ts';
import { readArchiveRows } from '../../archive/archive-format.ts';
import { isBlankRow, type LineProblem } from '../csv.ts';
import { readAnySheetRows, sheetOf } from '../read-sheet.ts';
import type { SheetChoice } from '../read-xlsx.ts';

export interface ReadOrder {
  readonly path: string;
  readonly database: string;
  /** The deployment settings of the account. */
  readonly profile: DeploymentSettings;
  readonly decimals: DecimalLocale | null;
  readonly dates: DateOrder | null;
  /** The sheet of a workbook; null for the only one, or the most likely. */
  readonly sheet: string | null;
  /** The user's mapping of columns. */
  readonly mapping: ColumnMapping;
  /** Rows of an archive have a separate reader and are linked like those of a spreadsheet. */
  readonly source: 'sheet' | 'archive' | 'changes';
  /** Every line of a text is one row: quotes around several lines are text. */
  readonly linesAsRows: boolean;
  /** Rows with IDs that the account does not have become new ones. */
  readonly asNew: boolean;
}

/** Spreadsheets of up to so many rows stay in memory between two reads. */
const KEPT_ROWS = 20_000;

/**
 * The rows of one file, for any number of reads. Those of a short spreadsheet are cached; a long one is read again
 * each time, so that a million rows need time but no memory.
 */
export class SheetSource {
  readonly #order: ReadOrder;
  readonly #readRows: typeof readAnySheetRows;
  /** Number of rows of the file. */
  rows = 0;
  /** Number of rows that can't be read. */
  unread = 0;
  /** Lines of a spreadsheet that can't be read. */
  problems: readonly SheetProblem[] = [];
  archiveProblems: readonly LineProblem[] = [];
  /** Result of converting an export of another editor; null for a spreadsheet of ours. */
  foreign: ForeignReport | null = null;
  /** The sheet of a workbook that is read, once it is open; null for a file with one table. */
  choice: SheetChoice | null = null;
  /** The columns of a converted file. */
  #converted: readonly Heading[] | null = null;
  /** The rows of a short sheet; null for a long one. */
  #kept: SheetRow[] | null = [];
  #stamp = '';
  #out: ColumnSet = NO_COLUMNS;
  /** The order of dates: the user's, or the one that the file proved. */
  #dates: DateOrder | null;
  #isReadAgain = false;
  /** The result of the first read; null before it. */
  #end: Extract<SheetEnd, { kind: 'sheet' }> | null = null;

  /** @param readRows reads the rows of a spreadsheet */
  constructor(order: ReadOrder, readRows: typeof readAnySheetRows = readAnySheetRows) {
    this.#order = order;
    this.#dates = order.dates;
    this.#readRows = readRows;
  }

  /** The columns of the file; for an export of another editor those that the user has mapped. */
  get headings(): readonly SheetHeading[] {
    const all = this.#end?.headings ?? [];
    return this.foreign === null ? all : all.filter(({ by }) => by !== 'name');
  }

  /** The first warnings about rows that were read, and their number. */
  get warnings(): { readonly first: readonly SheetProblem[]; readonly count: number } {
    return { first: this.#end?.warnings ?? [], count: this.#end?.warningCount ?? 0 };
  }

  /** The order of the dates of a spreadsheet, chosen or proven; null if neither. */
  get dateOrder(): DateOrder | null {
    return this.#end?.dateOrder ?? null;
  }

  /** Campaigns and ad groups that can't be read. */
  get badParents(): readonly ParentRow[] {
    return this.#end?.badParents ?? [];
  }

  get formulaLines(): readonly number[] {
    return this.#end?.formulaLines ?? [];
  }

  /** Stores the identity of the file; another one in its place is refused later. */
  async open(): Promise<Result<null, FileRefusal>> {
    const { path, source, sheet } = this.#order;
    this.#stamp = await stampOf(path);
    if (source !== 'sheet') return sheet === null ? ok(null) : err(fileRefusal('one-table'));
    const choice = await sheetOf(path, sheet);
    if (!choice.ok) return choice;
    this.choice = choice.value;
    return ok(null);
  }

  /** The rows of the file as text, each with its line, that of the header first. */
  async eachText(take: (cells: readonly string[], line: number) => void): Promise<Result<unknown, FileRefusal>> {
    let line = 0;
    if (this.#order.source === 'sheet') return this.eachLine((cells) => take(cells, ++line));
    take(COLUMNS, 0);
    const names = new Map<RemoteId, string>();
    return this.eachRow((row) => {
      // Parents come before the rows that name them.
      const own = row.kind === 'campaign' || row.kind === 'adGroup' ? row[row.kind].remoteId : null;
      const name = row.cells['name'];
      if (own !== null && typeof name === 'string') names.set(own, name);
      // A table can't mark a row for deletion.
      if (row.deleted !== true) take(formatArchiveRow(row, names), row.line);
    });
  }

  /** The cells of a table unchanged, row by row, beginning with the header. */
  eachLine(
    take: TakeRow,
    tellShare: (read: number) => void = () => undefined,
  ): Promise<Result<{ readonly rows: number }, FileRefusal>> {
    const { path, linesAsRows, mapping } = this.#order;
    const options = { linesAsRows, mapping, sheet: this.choice?.name ?? null, tellShare };
    return this.#readRows(path, take, options, (report, headings) => {
      this.foreign = report;
      this.#converted = headings;
    });
  }

  /** Skipped columns with a cell that can't be read. */
  get passedOver(): ColumnSet {
    return this.#end?.passedOver ?? NO_COLUMNS;
  }

  /** Sets the skipped columns, whose unreadable cells no longer block their row. */
  leaveOut(out: ColumnSet): void {
    this.#out = out;
    this.#kept = [];
    this.#end = null;
  }

  /**
   * Whether a read failed because the file proved the order of its dates after dates that can mean two days. The next
   * read uses the order.
   */
  takeReadAgain(): boolean {
    const again = this.#isReadAgain;
    this.#isReadAgain = false;
    return again;
  }

  /**
   * Reads all readable rows; a file that has changed since the preview is refused.
   *
   * @param tellShare called with the progress through the file, from 0 to 1, if known
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
    let rows = 0;
    const takeAndCount = (row: SheetRow): void => {
      rows++;
      takeAndKeep(row);
    };
    const { problems, badParents } = await readArchiveRows(this.#order.path, takeAndCount, tellShare);
    if (isFirst) this.archiveProblems = problems;
    this.unread = problems.length;
    this.rows = rows + problems.length;
    this.#end = { ...EMPTY_END, badParents };
    return ok(null);
  }

  /** Limits for parsing cells, with words of the service in existing rows that no list has. */
  #limits(): ParseLimits {
    const db = openDb(this.#order.database, { readOnly: true });
    try {
      return readLimits(db, this.#order.profile);
    } finally {
      db.close();
    }
  }

  async #eachSheetRow(
    take: (row: SheetRow) => void,
    isFirst: boolean,
    tellShare: (read: number) => void,
  ): Promise<Result<null, FileRefusal>> {
    const { decimals, linesAsRows, mapping } = this.#order;
    const limits = this.#limits();
    const dates = this.#dates;
    const written = { ...(decimals === null ? {} : { decimals }), ...(dates === null ? {} : { dates }) };
    let reader: ReturnType<typeof sheetReader> | null = null;
    // Created with the first row, when it is known whether the headings are those of the file.
    const makeReader = () =>
      sheetReader({ limits, linesAsRows, mapping, headings: this.#converted, out: this.#out, ...written });
    const takeCells: TakeRow = (cells, remarks) => {
      reader ??= makeReader();
      const row = reader.take(cells, remarks);
      if (row !== null) take(row);
    };
    const read = await this.eachLine(takeCells, tellShare);
    if (!read.ok) return read;
    if (!isFirst) return ok(null);
    const end = (reader ?? makeReader()).end();
    if (end.kind === 'needs-decimal-locale') {
      const [text = ''] = end.examples;
      return err(fileRefusal('needs-decimals', await this.#placeOf(text)));
    }
    if (end.kind === 'proves-date-order') {
      [this.#dates, this.#isReadAgain, this.#kept] = [end.order, true, []];
      return err(fileRefusal('needs-dates'));
    }
    if (end.kind === 'needs-date-order') {
      const { example, other } = end;
      return err(
        other === undefined ? fileRefusal('needs-dates', example) : fileRefusal('mixed-dates', { ...example, other }),
      );
    }
    this.problems = end.problems;
    [this.rows, this.unread] = [read.value.rows, end.unread];
    // Without a header there are no rows, now or later.
    const { headings, warnings, warningCount } = end;
    this.#end = end.kind === 'sheet' ? end : { ...EMPTY_END, headings, warnings, warningCount };
    return ok(null);
  }

  #keep(row: SheetRow): void {
    if (this.#kept === null) return;
    if (this.#kept.length >= KEPT_ROWS) this.#kept = null;
    else this.#kept.push(row);
  }

  /** The position of a text, for a message with line and column. Reads the file again, since it is rarely needed. */
  async #placeOf(text: string): Promise<{ text: string; line: number; column: string }> {
    let place = { text, line: 1, column: '' };
    let line = 0;
    let header: readonly string[] | null = null;
    await this.eachLine((cells) => {
      line++;
      if (header === null && !isBlankRow(cells)) header = cells;
      const at = cells.findIndex((cell) => cell.trim() === text);
      if (at !== -1 && place.column === '' && header !== null) place = { text, line, column: header[at] ?? '' };
    });
    return place;
  }
}

const EMPTY_END: Extract<SheetEnd, { kind: 'sheet' }> = {
  kind: 'sheet',
  problems: [],
  headings: [],
  warnings: [],
  warningCount: 0,
  formulaLines: [],
  passedOver: NO_COLUMNS,
  badParents: [],
  unread: 0,
  dateOrder: null,
};

/** Identity of a file on the disk: another file under the same name differs. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}
