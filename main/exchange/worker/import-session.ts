import type { ImportRow, ImportRowFilter } from '../../../shared/contract/exchange.ts';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { FIELD_OF } from '../../../shared/sheet/columns.ts';
import type { DecimalLocale } from '../../../shared/sheet/decimal-locale.ts';
import { type LinkSink, sheetLinker } from '../../../shared/sheet/link-sheet.ts';
import { type SheetReader, sheetReader } from '../../../shared/sheet/parse-sheet.ts';
import type { SheetFiles } from '../../../shared/sheet/sheet-changes.ts';
import { type SheetProblem, type SheetRow, sheetProblemText } from '../../../shared/sheet/sheet-row.ts';
import type { Db } from '../../workspace/db/db.ts';
import { openDb } from '../../workspace/db/open-db.ts';
import { readRow } from '../../workspace/rows/read-rows.ts';
import { readSheetRows } from '../read-sheet.ts';
import { lookupInStore } from './lookup-in-store.ts';

/** One line of a preview that cannot come in. */
export interface LineProblem {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

export interface ReadOrder {
  readonly path: string;
  readonly database: string;
  readonly factorMax: number;
  readonly decimals: DecimalLocale | null;
}

export interface LinkSummary {
  readonly added: number;
  readonly changed: number;
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
const OUTCOMES = ['added', 'changed', 'unchanged', 'conflict', 'error', 'left-out'] as const;
const codeOf = (outcome: (typeof OUTCOMES)[number]): number => OUTCOMES.indexOf(outcome);

/**
 * One sheet between reading and applying. It lives in a thread of its own together with its rows, so a million of them
 * leave with it. Rows are linked as often as the workspace changes; they are read once.
 */
export class ImportSession {
  readonly #order: ReadOrder;
  readonly rows: SheetRow[] = [];
  #outcomes = new Uint8Array(0);
  /** Per row the row of the workspace it means, or 0. */
  #targets = new Int32Array(0);
  #readProblems: readonly SheetProblem[] = [];
  #linkProblems: readonly SheetProblem[] = [];
  #fileProblems: readonly LineProblem[] = [];
  #files: readonly SheetFiles[] = [];
  #end: Extract<ReturnType<SheetReader['end']>, { kind: 'sheet' }> | null = null;

  get path(): string {
    return this.#order.path;
  }

  constructor(order: ReadOrder) {
    this.#order = order;
  }

  /** Reads the file. A sheet whose header cannot be used has no rows and says why. */
  async read(): Promise<Result<null, FileRefusal>> {
    const { path, factorMax, decimals } = this.#order;
    const reader = sheetReader({ factorMax, ...(decimals === null ? {} : { decimals }) });
    const done = await readSheetRows(path, (cells) => {
      const row = reader.take(cells);
      if (row !== null) this.rows.push(row);
    });
    if (!done.ok) return done;
    const end = reader.end();
    if (end.kind === 'needs-decimal-locale') {
      const [text = ''] = end.examples;
      return err(fileRefusal('needs-decimals', await this.#placeOf(text)));
    }
    if (end.kind === 'bad-header') this.#readProblems = end.problems;
    else {
      this.#end = end;
      this.#readProblems = end.problems;
    }
    return ok(null);
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

  /** Links every row to what the workspace holds now, and throws the changes away: only the figures are kept. */
  link(): LinkSummary {
    this.#withStore((db) => {
      const files: SheetFiles[] = [];
      this.#linkInto(db, new Set(), new Set(), {
        create: () => undefined,
        update: () => undefined,
        files: (named) => void files.push(named),
      });
      this.#files = files;
    });
    return this.summary();
  }

  summary(): LinkSummary {
    return { ...this.#counts(), ...this.#problems(), ...this.#oddities(), files: this.#files };
  }

  /** Hands the changes of every row that is not left out to `sink`, as they are now. */
  carry(db: Db, taken: ReadonlySet<number>, leftOut: ReadonlySet<number>, sink: CarrySink) {
    return this.#linkInto(db, taken, leftOut, sink);
  }

  /** Lines whose files cannot be used; they are left out. */
  noteFileProblems(problems: readonly LineProblem[]): void {
    this.#fileProblems = problems;
    const lines = new Set(problems.map(({ line }) => line));
    this.rows.forEach((row, i) => {
      if (lines.has(row.line)) this.#outcomes[i] = codeOf('error');
    });
  }

  window(filter: ImportRowFilter, from: number, count: number): { total: number; rows: ImportRow[] } {
    if (filter === 'error') {
      const all = this.#allProblems();
      return { total: all.length, rows: all.slice(from, from + count).map(errorRow) };
    }
    const wanted = filter === 'all' ? null : codeOf(filter);
    const chosen: number[] = [];
    let total = 0;
    for (let i = 0; i < this.rows.length; i++) {
      if (wanted !== null && this.#outcomes[i] !== wanted) continue;
      if (total >= from && chosen.length < count) chosen.push(i);
      total++;
    }
    return this.#withStore((db) => ({ total, rows: chosen.map((i) => this.#describe(db, i)) }));
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

  #linkInto(db: Db, taken: ReadonlySet<number>, leftOut: ReadonlySet<number>, sink: CarrySink) {
    this.#outcomes = new Uint8Array(this.rows.length);
    this.#targets = new Int32Array(this.rows.length);
    const problems: SheetProblem[] = [];
    let creates = 0;
    const counting: LinkSink = {
      create: (row) => {
        const at = creates++;
        sink.create({ at, row });
        return { at };
      },
      update: sink.update,
      files: sink.files,
    };
    const linker = sheetLinker(lookupInStore(db), (line) => this.#rowAt(line), counting, taken);
    for (const pass of [0, 1, 2]) {
      for (let i = 0; i < this.rows.length; i++) {
        const row = this.rows[i];
        if (row === undefined || passOf(row) !== pass) continue;
        if (leftOut.has(row.line)) {
          this.#outcomes[i] = codeOf('left-out');
          continue;
        }
        const outcome = linker.link(row);
        if (!outcome.ok) problems.push({ line: row.line, ...outcome.error });
        this.#outcomes[i] = codeOf(outcome.ok ? outcome.value.outcome : 'error');
        this.#targets[i] = outcome.ok ? (outcome.value.known ?? 0) : 0;
      }
    }
    this.#linkProblems = problems;
    return this.#counts();
  }

  #counts() {
    const counts = Array.from(OUTCOMES, () => 0);
    for (const code of this.#outcomes) counts[code] = (counts[code] ?? 0) + 1;
    const [added = 0, changed = 0, unchanged = 0, conflicts = 0] = counts;
    return { added, changed, unchanged, conflicts };
  }

  #describe(db: Db, i: number): ImportRow {
    const row = this.rows[i];
    const outcome = OUTCOMES[this.#outcomes[i] ?? 0] ?? 'error';
    if (row === undefined || outcome === 'error' || outcome === 'left-out') throw new Error('a row without an outcome');
    const target = this.#targets[i] ?? 0;
    const known = target > 0 ? readRow(db, { kind: row.kind, id: target as RowId }) : null;
    const cells = Object.entries(FIELD_OF[row.kind]).flatMap(([column, field]) => {
      const after = cellOf(row, field);
      if (after === undefined) return [];
      const before = known === null ? null : beforeOf(known, field);
      const base = row.base?.[field];
      return [{ column, before, after, base: base === undefined ? null : base }];
    });
    return {
      line: row.line,
      kind: row.kind,
      campaign: row.campaign.name ?? row.campaign.remoteId ?? '',
      outcome,
      cells: outcome === 'changed' ? cells.filter(({ before, after }) => before !== after) : cells,
      message: null,
    };
  }

  #rowAt(line: number): SheetRow | undefined {
    let [low, high] = [0, this.rows.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const row = this.rows[middle];
      if (row === undefined || row.line === line) return row;
      if (row.line < line) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  #problems() {
    const all = this.#allProblems();
    return { errorCount: all.length, errors: all.slice(0, SHOWN_PROBLEMS) };
  }

  #allProblems(): readonly LineProblem[] {
    const own = [...this.#readProblems, ...this.#linkProblems].map((problem) => ({
      line: problem.line,
      column: problem.column,
      message: sheetProblemText(problem),
    }));
    return [...own, ...this.#fileProblems].toSorted((a, b) => a.line - b.line);
  }

  #oddities() {
    const lines = this.#end?.formulaLines ?? [];
    return {
      unknownColumns: (this.#end?.unknownColumns ?? []).slice(0, 256),
      formulaCount: lines.length,
      formulaLines: lines.slice(0, SHOWN_PROBLEMS),
    };
  }

  /** A connection for one look, so that nothing holds the workspace's log back while the user reads. */
  #withStore<T>(work: (db: Db) => T): T {
    const db = openDb(this.#order.database, { readOnly: true });
    try {
      db.exec('BEGIN');
      return work(db);
    } finally {
      db.close();
    }
  }
}

/** The linker's changes with the place of each new row. */
export interface CarrySink {
  create(made: { readonly at: number; readonly row: Parameters<LinkSink['create']>[0] }): void;
  update: LinkSink['update'];
  files: LinkSink['files'];
}

const passOf = (row: SheetRow): number => (row.kind === 'campaign' ? 0 : row.kind === 'adGroup' ? 1 : 2);

const cellOf = (row: SheetRow, field: string): Cell | undefined =>
  row.kind === 'adGroup' && field === 'name' ? row.adGroup.name : row.cells[field];

function beforeOf(row: AnyRow, field: string): Cell {
  const values: Readonly<Record<string, Cell>> = row.values;
  return values[field] ?? null;
}

const errorRow = ({ line, column, message }: LineProblem): ImportRow => ({
  line,
  kind: null,
  campaign: '',
  outcome: 'error',
  cells: [],
  message: column === '' ? message : `${column}: ${message}`,
});
