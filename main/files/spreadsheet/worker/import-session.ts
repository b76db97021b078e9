import type { ColumnFigures, ImportPreview, ImportRow, ImportRowFilter } from '../../../../shared/api/files.ts';
import { type FileRefusal, fileRefusal } from '../../../../shared/media/file-refusal.ts';
import { type AnyRow, cellOf } from '../../../../shared/model/row.ts';
import type { RemoteId } from '../../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../../shared/result.ts';
import { notesWithout, type UnknownIds } from '../../../../shared/spreadsheet/change-collector.ts';
import {
  type ColumnSet,
  columnBit,
  columnSet,
  DISPENSABLE,
  FIELD_OF,
  IMPORT_COLUMNS,
  NEEDED,
  NO_COLUMNS,
} from '../../../../shared/spreadsheet/columns.ts';
import type { SheetFiles } from '../../../../shared/spreadsheet/sheet-changes.ts';
import {
  missingNotes,
  NO_NOTES,
  type RowNotes,
  type SheetProblem,
  type SheetRow,
  sheetProblemText,
} from '../../../../shared/spreadsheet/sheet-row.ts';
import { systemUser } from '../../../app/system.ts';
import type { Db } from '../../../store/db/db.ts';
import { openDb } from '../../../store/db/open-db.ts';
import { rowNotes } from '../../../store/notes/read-notes.ts';
import { readRow } from '../../../store/rows/read-rows.ts';
import type { LineProblem } from '../csv.ts';
import { type ChangeSink, type CollectedChanges, collectChanges } from './collect-changes.ts';
import {
  isChoosable,
  isRowSelected,
  LineOutcomes,
  type RowSelection,
  type SelectableOutcome,
} from './line-outcomes.ts';
import { type ReadOrder, SheetSource } from './sheet-source.ts';

/** The part of a preview that is computed in this thread. */
export interface LinkSummary
  extends Omit<
    ImportPreview,
    | 'previewId'
    | 'fileName'
    | 'source'
    | 'otherAccount'
    | 'media'
    | 'files'
    | 'fileCount'
    | 'spareFiles'
    | 'skippedParts'
    | 'signature'
  > {
  /** Files named by rows; they are found and added outside of this thread. */
  readonly files: readonly SheetFiles[];
}

const SHOWN_PROBLEMS = 1000;
const SHOWN_HEADINGS = 256;
/** Limit of one call to add campaigns. */
const SHOWN_MISSING = 1000;

/** Called with the progress, from 0 to 1. */
export type TellShare = (done: number) => void;

/**
 * One import between reading and applying. Only the outcome of each row is stored.
 *
 *   read ──> outcomes of lines, columns they fill ──leaveOut──> updated outcomes
 *                                                 ──carry────> the changes, computed for the present workspace
 */
export class ImportSession {
  readonly #order: ReadOrder;
  readonly #source: SheetSource;
  #carried: CollectedChanges = {
    outcomes: new LineOutcomes(),
    problems: [],
    warnings: [],
    missing: [],
    passedOver: NO_COLUMNS,
  };
  #fileProblems: readonly LineProblem[] = [];
  #files: readonly SheetFiles[] = [];
  #out: ColumnSet = NO_COLUMNS;
  /** Columns with an invalid cell, whether it blocks its row or is ignored. */
  #troubled: ColumnSet = NO_COLUMNS;

  /** @param readRows reads the rows of a spreadsheet */
  constructor(order: ReadOrder, readRows?: ConstructorParameters<typeof SheetSource>[1]) {
    this.#order = order;
    this.#source = new SheetSource(order, readRows);
  }

  get #unknownIds(): UnknownIds {
    const { asNew, source } = this.#order;
    return !asNew ? 'errors' : source === 'changes' ? 'edits' : 'new-rows';
  }

  /** The rows of the file as text, the header first. */
  eachText(...take: Parameters<SheetSource['eachText']>): ReturnType<SheetSource['eachText']> {
    return this.#source.eachText(...take);
  }

  /** Reads the file and links its rows to the workspace; only the counts of the changes are stored. */
  async read(tellShare: TellShare): Promise<Result<LinkSummary, FileRefusal>> {
    const opened = await this.#source.open();
    return opened.ok ? this.#look(tellShare) : opened;
  }

  /**
   * Sets the skipped columns. The outcomes are computed from the columns each row fills; the file is read again only
   * if an invalid cell becomes relevant or irrelevant.
   */
  async leaveOut(out: ColumnSet, tellShare: TellShare): Promise<Result<LinkSummary, FileRefusal>> {
    const turned = this.#out ^ out;
    this.#out = out;
    if ((turned & this.#troubled) === 0) return ok(this.summary());
    this.#source.leaveOut(out);
    return this.#look(tellShare);
  }

  summary(): LinkSummary {
    const problems = this.#allProblems();
    const { formulaLines, headings, choice, foreign, rows, unread, dateOrder } = this.#source;
    const { outcomes, missing, problems: unlinked } = this.#carried;
    const { errors, ...counts } = outcomes.counts(this.#out);
    return {
      rows,
      ...counts,
      errorRows: errors + unread,
      errorCount: problems.length,
      followUpCount: problems.filter(isFollowUp).length,
      errors: problems.slice(0, SHOWN_PROBLEMS),
      ...this.#warnings(),
      hasOpenQuotes: this.#source.problems.some(({ problem }) => ['open-quote', 'rows-in-cell'].includes(problem.kind)),
      columns: importColumns(outcomes, this.#stoppingColumns(), this.#out),
      headings: headings.slice(0, SHOWN_HEADINGS),
      foreign,
      dateOrder,
      sheet: choice?.name ?? null,
      otherSheets: choice?.others ?? [],
      formulaCount: formulaLines.length,
      formulaLines: formulaLines.slice(0, SHOWN_PROBLEMS),
      unknownRows: unlinked.filter(({ problem }) => problem.kind === 'no-such-row').length,
      missingCount: missing.length,
      missing: missing.slice(0, SHOWN_MISSING),
      files: this.#files,
    };
  }

  /** Truncated cells that are imported; problems of quotes and rows in any case. */
  #warnings(): Pick<LinkSummary, 'warnings' | 'warningCount'> {
    const { first, count } = this.#source.warnings;
    const { warnings } = this.#carried;
    const shown = first.filter(({ line, column, problem }) => {
      if (problem.kind !== 'cut-decimals') return true;
      const outcome = this.#carried.outcomes.of(line, this.#out);
      return outcome !== null && outcome !== 'error' && outcome !== 'left-out' && (columnBit(column) & this.#out) === 0;
    });
    return {
      warningCount: count - first.length + shown.length + warnings.length,
      warnings: [...shown, ...warnings]
        .toSorted((a, b) => a.line - b.line)
        .slice(0, SHOWN_PROBLEMS)
        .map(lineProblem),
    };
  }

  /** Which of these lines are imported, for the files that they name. */
  comingIn(choice: RowSelection, lines: readonly number[]): readonly number[] {
    const isIn = isRowSelected(this.#carried.outcomes, this.#out, choice);
    return lines.filter(isIn);
  }

  /** Outcomes of lines, where the user can select them. */
  becoming(lines: readonly number[]): readonly (SelectableOutcome | null)[] {
    return lines.map((line) => {
      const outcome = this.#carried.outcomes.of(line, this.#out);
      return outcome !== null && isChoosable(outcome) ? outcome : null;
    });
  }

  /** Passes the changes of every imported row to `sink`, computed for the present workspace. The preview stays unchanged. */
  async carry(db: Db, choice: RowSelection, sink: ChangeSink, tellShare: TellShare) {
    const { outcomes } = this.#carried;
    const isIn = isRowSelected(outcomes, this.#out, choice);
    const becomes = (line: number) => outcomes.of(line, this.#out);
    const rows = {
      out: this.#out,
      unknownIds: this.#unknownIds,
      isTaken: (line: number) => becomes(line) === 'conflict' && isIn(line),
      // A conflict that is not selected changes nothing, and an unchanged row may have become a change by now.
      isLeftOut: (line: number) => {
        const outcome = becomes(line);
        return outcome !== null && !['conflict', 'unchanged', 'left-out'].includes(outcome) && !isIn(line);
      },
    };
    const carried = await collectChanges(db, this.#source, rows, sink, tellShare);
    if (!carried.ok) return carried;
    const missed = this.#missedRows(carried.value.outcomes);
    return missed === null ? ok(carried.value.outcomes.counts(this.#out)) : err(missed);
  }

  /** Sets the unusable files: their rows are not imported, unless the column that names the file is skipped. */
  noteFileProblems(problems: readonly LineProblem[]): void {
    this.#fileProblems = problems;
    for (const { line, column } of problems) this.#carried.outcomes.noteBadFiles(line, columnBit(column));
  }

  async window(filter: ImportRowFilter, from: number, count: number): Promise<{ total: number; rows: ImportRow[] }> {
    if (filter === 'error') {
      const all = this.#allProblems();
      return { total: all.length, rows: all.slice(from, from + count).map(previewProblem) };
    }
    const { total, lines } = this.#carried.outcomes.window(filter, this.#out, from, count);
    const rows: SheetRow[] = [];
    const newName = new Map<number, string>();
    for (const { line, problem } of this.#carried.warnings) {
      if (problem.kind === 'renamed') newName.set(line, problem.copy);
    }
    /** Names of campaigns by ID, because the other rows of an archive have only the ID. */
    const names = new Map<RemoteId, string>();
    await this.#source.eachRow((read) => {
      const name = newName.get(read.line) ?? read.cells['name'];
      const row = newName.has(read.line) ? { ...read, cells: { ...read.cells, name: name ?? null } } : read;
      if (row.kind === 'campaign' && row.campaign.remoteId !== null && typeof name === 'string') {
        names.set(row.campaign.remoteId, name);
      }
      if (lines.has(row.line)) rows.push(row);
    });
    const described = await this.#withStore(async (db) => {
      const notesOf = rowNotes(db, systemUser());
      return rows.map((row) => this.#describe(db, row, names, notesOf));
    });
    return { total, rows: described };
  }

  problemLines(): ReadonlyMap<number, string> {
    const byLine = new Map<number, string>();
    for (const { line, column, message } of this.#allProblems()) {
      const text = column === '' ? message : `${column}: ${message}`;
      const before = byLine.get(line);
      byLine.set(line, before === undefined ? text : `${before} ${text}`);
    }
    return byLine;
  }

  async #look(tellShare: TellShare): Promise<Result<LinkSummary, FileRefusal>> {
    let furthest = 0;
    // Progress must not decrease if the file is read once more.
    const tell: TellShare = (done) => {
      furthest = Math.max(furthest, done);
      tellShare(furthest);
    };
    const files: SheetFiles[] = [];
    const nothing = (): void => undefined;
    const begin = (): void => void files.splice(0);
    const sink = { begin, create: nothing, update: nothing, remove: nothing, notes: nothing };
    const rows = { out: this.#out, unknownIds: this.#unknownIds, isTaken: () => false, isLeftOut: () => false };
    const carried = await this.#withStore((db) =>
      collectChanges(db, this.#source, rows, { ...sink, files: (named) => void files.push(named) }, tell),
    );
    if (!carried.ok) return this.#source.takeReadAgain() ? this.#look(tell) : carried;
    const missed = this.#missedRows(carried.value.outcomes);
    if (missed !== null) return err(missed);
    this.#carried = carried.value;
    this.#files = files;
    this.#troubled |= this.#source.passedOver | carried.value.passedOver | columnSet(this.#stoppingColumns());
    this.noteFileProblems(this.#fileProblems);
    return ok(this.summary());
  }

  /**
   * Verifies every import: each row of the file must have an outcome or an error. If not, a row was lost, and nothing
   * is imported.
   */
  #missedRows(outcomes: LineOutcomes): FileRefusal | null {
    const { rows, unread } = this.#source;
    const found = outcomes.total() + unread;
    return found === rows ? null : fileRefusal('rows-missed', { rows, found });
  }

  /** The column of each problem that disappears when the column is skipped. */
  #stoppingColumns(): readonly string[] {
    const { problems } = this.#carried;
    const unread = this.#source.problems.filter(({ column }) => (columnBit(column) & DISPENSABLE) !== 0);
    return [...unread, ...problems.filter(isCellsOwn), ...this.#badFiles()].map(({ column }) => column);
  }

  #describe(
    db: Db,
    row: SheetRow,
    names: ReadonlyMap<RemoteId, string>,
    notesOf: ReturnType<typeof rowNotes>,
  ): ImportRow {
    const { outcomes } = this.#carried;
    const outcome = outcomes.of(row.line, this.#out);
    if (outcome === null || outcome === 'error' || outcome === 'left-out') {
      throw new Error(`line ${row.line} has no outcome to show`);
    }
    const id = outcomes.rowOf(row.line);
    const known = id === null ? null : readRow(db, { kind: row.kind, id });
    const { name, remoteId } = row.campaign;
    const campaign = (remoteId === null ? null : names.get(remoteId)) ?? name ?? remoteId ?? '';
    return previewRow(row, campaign, outcome, known, id === null ? NO_NOTES : notesOf(row.kind, id), this.#out);
  }

  /** Errors that follow from another line come last, so that they don't hide their causes. */
  #allProblems(): readonly LineProblem[] {
    const own = [...this.#source.problems, ...this.#carried.problems].map(lineProblem);
    return [...own, ...this.#source.archiveProblems, ...this.#badFiles()].toSorted(
      (a, b) => Number(isFollowUp(a)) - Number(isFollowUp(b)) || a.line - b.line,
    );
  }

  #badFiles(): readonly LineProblem[] {
    const bad = (line: number): ColumnSet => this.#carried.outcomes.badFiles(line, this.#out);
    return this.#fileProblems.filter(({ line, column }) => (bad(line) & columnBit(column)) !== 0);
  }

  /** A short connection, so that the workspace's log can be checkpointed while the user reads. */
  async #withStore<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const db = openDb(this.#order.database, { readOnly: true });
    try {
      db.exec('PRAGMA cache_size = -8192; BEGIN');
      return await work(db);
    } finally {
      db.close();
    }
  }
}

const lineProblem = (problem: SheetProblem): LineProblem => ({
  line: problem.line,
  column: problem.column,
  message: sheetProblemText(problem),
  ...(problem.causeLine === undefined ? {} : { causeLine: problem.causeLine }),
});

const isFollowUp = ({ causeLine }: LineProblem): boolean => causeLine !== undefined;

/** Whether the problem is an invalid change of one cell, not a row that can't be found. */
const isCellsOwn = ({ problem }: SheetProblem): boolean => problem.kind === 'fixed';

/**
 * The columns with a change, with a problem in rows that do not require them, or skipped; in the order of the spreadsheet.
 *
 * @param stopping the column of each problem that disappears when the column is skipped
 */
function importColumns(outcomes: LineOutcomes, stopping: readonly string[], out: ColumnSet): readonly ColumnFigures[] {
  const figures = outcomes.columnCounts();
  const stopped = new Map<string, number>();
  for (const column of stopping) stopped.set(column, (stopped.get(column) ?? 0) + 1);
  return IMPORT_COLUMNS.flatMap((column, at) => {
    const { changes = 0, needed = 0 } = figures[at] ?? {};
    const problems = stopped.get(column) ?? 0;
    const isLeftOut = (columnBit(column) & out) !== 0;
    return changes + needed + problems > 0 || isLeftOut ? [{ column, changes, needed, problems, isLeftOut }] : [];
  });
}

/**
 * A row of a file, compared with its row of the workspace.
 *
 * @param campaign name of the campaign
 * @param here notes on the row of the workspace
 * @param out skipped columns; their cells are omitted, except those that a new row requires
 */
function previewRow(
  row: SheetRow,
  campaign: string,
  outcome: Exclude<ImportRow['outcome'], 'error'>,
  known: AnyRow | null,
  here: RowNotes,
  out: ColumnSet,
): ImportRow {
  const hidden = outcome === 'added' ? out & ~NEEDED[row.kind] : out;
  const cells = Object.entries(FIELD_OF[row.kind]).flatMap(([column, field]) => {
    const linked = row.kind === 'adGroup' && field === 'name' ? row.adGroup.name : null;
    const after = linked ?? row.cells[field];
    if (after === undefined || (columnBit(column) & hidden) !== 0) return [];
    const before = cellOf(known?.values, field);
    return [{ column, before, after, base: row.base?.[field] ?? null }];
  });
  return {
    line: row.line,
    kind: row.kind,
    campaign,
    outcome,
    cells: [
      ...(outcome === 'changed' ? cells.filter(({ before, after }) => before !== after) : cells),
      ...notedCells(row, here, out),
    ],
    message: null,
  };
}

/** New notes of the row, as cells of columns that a spreadsheet has only for people. */
function notedCells({ kind, notes }: SheetRow, here: RowNotes, out: ColumnSet): ImportRow['cells'] {
  const all = notes === undefined ? null : missingNotes(here, notes);
  const missing = all === null ? null : notesWithout(all, out);
  const cell = (column: string, after: string) => ({ column, before: null, after, base: null });
  return [
    ...(missing?.comments ?? []).map((comment) => cell('Comment', commentText(kind, comment))),
    ...(missing?.labels ?? []).map(({ name }) => cell('Label', name)),
  ];
}

/** Author, column if any, and text: `Ada on Bid: Too dear?`. */
function commentText(kind: SheetRow['kind'], { author, field, text }: RowNotes['comments'][number]): string {
  const column = Object.entries(FIELD_OF[kind]).find(([, named]) => named === field)?.[0] ?? field;
  const head = [author, column === null ? '' : `on ${column}`].filter((part) => part !== '').join(' ');
  return head === '' ? text : `${head}: ${text}`;
}

const previewProblem = ({ line, column, message }: LineProblem): ImportRow => ({
  line,
  kind: null,
  campaign: '',
  outcome: 'error',
  cells: [],
  message: column === '' ? message : `${column}: ${message}`,
});
