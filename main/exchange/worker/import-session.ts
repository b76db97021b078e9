import type { ImportRow, ImportRowFilter } from '../../../shared/contract/exchange.ts';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { NO_NOTES } from '../../../shared/sheet/row-notes.ts';
import type { SheetFiles } from '../../../shared/sheet/sheet-changes.ts';
import { type LinkSink, type SheetLinker, sheetLinker } from '../../../shared/sheet/sheet-linker.ts';
import { type SheetProblem, type SheetRow, sheetProblemText } from '../../../shared/sheet/sheet-row.ts';
import { systemUser } from '../../system-user.ts';
import type { Db } from '../../workspace/db/db.ts';
import { openDb } from '../../workspace/db/open-db.ts';
import { rowNotes } from '../../workspace/notes/row-notes.ts';
import { readRow } from '../../workspace/rows/read-rows.ts';
import { LineOutcomes } from './line-outcomes.ts';
import { lookupInStore } from './lookup-in-store.ts';
import { type ReadOrder, SheetSource } from './sheet-source.ts';
import { type LineProblem, shownProblem, shownRow } from './shown-row.ts';

export interface LinkSummary {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly conflicts: number;
  readonly errorCount: number;
  /** The first of them. */
  readonly errors: readonly LineProblem[];
  readonly unknownColumns: readonly string[];
  readonly formulaCount: number;
  readonly formulaLines: readonly number[];
  /** Files that rows name; they are found and added outside of this thread. */
  readonly files: readonly SheetFiles[];
}

export const SHOWN_PROBLEMS = 1000;
/** One sheet between reading and applying. Of each row only an outcome and an id are kept. */
export class ImportSession {
  readonly #order: ReadOrder;
  readonly #source: SheetSource;
  readonly #outcomes = new LineOutcomes();
  #linkProblems: SheetProblem[] = [];
  #fileProblems: readonly LineProblem[] = [];
  #files: readonly SheetFiles[] = [];

  get path(): string {
    return this.#order.path;
  }

  constructor(order: ReadOrder) {
    this.#order = order;
    this.#source = new SheetSource(order);
  }

  /** Reads the file and links its rows to what the workspace holds; of the changes only the figures are kept. */
  async read(): Promise<Result<LinkSummary, FileRefusal>> {
    await this.#source.open();
    const files: SheetFiles[] = [];
    const carried = await this.#withStore((db) =>
      this.carry(db, new Set(), new Set(), {
        create: () => undefined,
        update: () => undefined,
        files: (named) => void files.push(named),
        remove: () => undefined,
        notes: () => undefined,
        begin: () => void files.splice(0),
      }),
    );
    this.#files = files;
    return carried.ok ? ok(this.summary()) : carried;
  }

  summary(): LinkSummary {
    const problems = this.#allProblems();
    const { formulaLines, unknownColumns } = this.#source;
    return {
      ...this.#outcomes.counts(),
      errorCount: problems.length,
      errors: problems.slice(0, SHOWN_PROBLEMS),
      unknownColumns: unknownColumns.slice(0, 256),
      formulaCount: formulaLines.length,
      formulaLines: formulaLines.slice(0, SHOWN_PROBLEMS),
      files: this.#files,
    };
  }

  /**
   * Hands the changes of every row that is not left out to `sink`, as they are now. A sheet in which parents come
   * behind rows that name them is gone through once more, campaigns first; `sink.begin` says when to start afresh.
   */
  async carry(
    db: Db,
    taken: ReadonlySet<number>,
    leftOut: ReadonlySet<number>,
    sink: CarrySink,
  ): Promise<Result<ReturnType<LineOutcomes['counts']>, FileRefusal>> {
    const once = await this.#pass(db, taken, leftOut, sink, [null]);
    if (!once.ok) return once;
    if (once.value) {
      const again = await this.#pass(db, taken, leftOut, sink, [0, 1, 2]);
      if (!again.ok) return again;
    }
    return ok(this.#outcomes.counts());
  }

  /** Lines whose files cannot be used; they are left out. */
  noteFileProblems(problems: readonly LineProblem[]): void {
    this.#fileProblems = problems;
    for (const { line } of problems) this.#outcomes.set(line, 'error', null);
  }

  async window(filter: ImportRowFilter, from: number, count: number): Promise<{ total: number; rows: ImportRow[] }> {
    if (filter === 'error') {
      const all = this.#allProblems();
      return { total: all.length, rows: all.slice(from, from + count).map(shownProblem) };
    }
    const { total, lines } = this.#outcomes.window(filter, from, count);
    const rows: SheetRow[] = [];
    await this.#source.eachRow((row) => {
      if (lines.has(row.line)) rows.push(row);
    });
    const described = await this.#withStore(async (db) => {
      const notesOf = rowNotes(db, systemUser());
      return rows.map((row) => this.#describe(db, row, notesOf));
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

  /** @returns whether parents came late, so that rows may have been linked wrongly */
  async #pass(
    db: Db,
    taken: ReadonlySet<number>,
    leftOut: ReadonlySet<number>,
    sink: CarrySink,
    ranks: readonly (number | null)[],
  ): Promise<Result<boolean, FileRefusal>> {
    this.#linkProblems = [];
    this.#outcomes.clear();
    sink.begin();
    let creates = 0;
    const counting: LinkSink = {
      create: (row) => {
        const at = creates++;
        sink.create({ at, row });
        return { at };
      },
      update: sink.update,
      files: sink.files,
      remove: sink.remove,
      notes: sink.notes,
    };
    const linker = sheetLinker(lookupInStore(db), counting, taken);
    for (const rank of ranks) {
      const read = await this.#source.eachRow((row) => {
        if (rank !== null && rankOf(row) !== rank) return;
        this.#linkOne(row, leftOut, linker);
      });
      if (!read.ok) return read;
    }
    return ok(linker.cameLate());
  }

  #linkOne(row: SheetRow, leftOut: ReadonlySet<number>, linker: SheetLinker): void {
    const { line } = row;
    if (leftOut.has(line)) {
      this.#outcomes.set(line, 'left-out', null);
      return;
    }
    const linked = linker.link(row);
    if (!linked.ok) this.#linkProblems.push({ line, ...linked.error });
    this.#outcomes.set(line, linked.ok ? linked.value.outcome : 'error', linked.ok ? linked.value.known : null);
  }

  #describe(db: Db, row: SheetRow, notesOf: ReturnType<typeof rowNotes>): ImportRow {
    const outcome = this.#outcomes.of(row.line);
    if (outcome === null || outcome === 'error' || outcome === 'left-out') {
      throw new Error(`line ${row.line} has no outcome to show`);
    }
    const id = this.#outcomes.rowOf(row.line);
    const known = id === null ? null : readRow(db, { kind: row.kind, id });
    return shownRow(row, outcome, known, id === null ? NO_NOTES : notesOf(row.kind, id));
  }

  #allProblems(): readonly LineProblem[] {
    const own = [...this.#source.problems, ...this.#linkProblems].map((problem) => ({
      line: problem.line,
      column: problem.column,
      message: sheetProblemText(problem),
    }));
    return [...own, ...this.#source.archiveProblems, ...this.#fileProblems].toSorted((a, b) => a.line - b.line);
  }

  /** A connection for one look, so that nothing holds the workspace's log back while the user reads. */
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

/** The linker's changes with the place of each new row. */
export interface CarrySink {
  /** Everything handed over before is void. */
  begin(): void;
  create(made: { readonly at: number; readonly row: Parameters<LinkSink['create']>[0] }): void;
  update: LinkSink['update'];
  files: LinkSink['files'];
  remove: LinkSink['remove'];
  notes: LinkSink['notes'];
}

const rankOf = (row: SheetRow): number => (row.kind === 'campaign' ? 0 : row.kind === 'adGroup' ? 1 : 2);
