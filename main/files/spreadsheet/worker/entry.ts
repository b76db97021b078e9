import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { writeXlsxStream } from 'hucre/xlsx';
import type { ImportRowFilter } from '../../../../shared/api/files.ts';
import { KINDS, kindCode } from '../../../../shared/model/kinds.ts';
import { guardCell } from '../../../../shared/spreadsheet/cell-guard.ts';
import type { ColumnSet } from '../../../../shared/spreadsheet/columns.ts';
import { openDb } from '../../../store/db/open-db.ts';
import { tableOf } from '../../../store/schema/tables.ts';
import { stagedTable } from '../../../store/staged/stage-file.ts';
import { csvLine, isBlankRow, type LineProblem } from '../csv.ts';
import { LINES_DDL } from '../import-line-index.ts';
import { type ExportOrder, exportSheet } from './export-sheet.ts';
import { ImportSession } from './import-session.ts';
import type { RowSelection } from './line-outcomes.ts';
import type { ReadOrder } from './sheet-source.ts';
import { type StageOrder, stageImport } from './stage-import.ts';

/** Stores the line of each staged row, once the writer has given the rows their IDs. */
function saveLineIndex(order: { readonly stage: string; readonly lines: string; readonly firstId: number }): null {
  const db = openDb(order.lines);
  try {
    db.exec(LINES_DDL);
    db.run('ATTACH DATABASE ? AS stage', order.stage);
    db.tx(() => {
      for (const kind of KINDS) {
        const code = kindCode(kind);
        db.run(
          `INSERT OR REPLACE INTO sheet_line SELECT ${code}, ? + at, line FROM stage.${stagedTable(tableOf(kind))}`,
          order.firstId,
        );
      }
      db.run('INSERT OR REPLACE INTO sheet_line SELECT kind, id, max(line) FROM stage.upd GROUP BY kind, id');
    });
    return null;
  } finally {
    db.close();
  }
}

/** The column with the problem of a row; an import ignores it. */
const PROBLEM_COLUMN = 'Problem';

/**
 * Writes the rows of a file that can't be imported, each with its problem, so that they can be corrected and imported
 * separately. Spreadsheet rows are written unchanged. The file is read once more; cells are guarded as in every
 * export.
 */
async function writeErrorRows(session: ImportSession, target: string, format: 'csv' | 'xlsx'): Promise<number> {
  const problems = session.problemLines();
  const rows: string[][] = [];
  let header: readonly string[] | null = null;
  const read = await session.eachText((cells, line) => {
    if (header === null && !isBlankRow(cells)) {
      header = cells;
      rows.push([...cells.map(asWritten), PROBLEM_COLUMN]);
      return;
    }
    const problem = problems.get(line);
    if (problem === undefined || header === null) return;
    const under = header.map((_, at) => cells[at] ?? '');
    // Cells beyond the header stay beyond it, so that they are reported again until the user moves them.
    rows.push([...under, problem, ...cells.slice(header.length)].map(asWritten));
  });
  if (!read.ok) throw new Error(`the sheet cannot be read a second time: ${read.error.reason}`);
  const bytes =
    format === 'csv'
      ? Readable.from(['\uFEFF', ...rows.map((cells) => csvLine(cells, ','))])
      : Readable.fromWeb(writeXlsxStream(rows, { name: 'Adslate' }) as ReadableStream);
  await pipeline(bytes, createWriteStream(target, { mode: 0o600, flags: 'wx' }));
  return Math.max(0, rows.length - 1);
}

/** Guarded cells stay unchanged; any other formula gets its guard now. */
const asWritten = (cell: string): string => (cell.startsWith("'") ? cell : guardCell(cell));

/** Calls answered by the thread of one import or export. Its memory is freed with it. */
export type ExchangeCalls = ReturnType<typeof exchangeCalls>;

/** @param end ends the thread */
function exchangeCalls(tellShare: (done: number) => void, end: () => void) {
  let session: ImportSession | null = null;
  const current = (): ImportSession => {
    if (session === null) throw new Error('the thread was asked about a sheet before it had read one');
    return session;
  };
  return {
    /** Reads the file and links it; this creates the session. */
    read: async (order: ReadOrder) => {
      const reading = new ImportSession(order);
      const read = await reading.read(tellShare);
      if (read.ok) session = reading;
      return read;
    },
    /** Marks lines with unusable files, and returns the counts without them. */
    noteFileProblems: (problems: readonly LineProblem[]) => {
      current().noteFileProblems(problems);
      return current().summary();
    },
    /** Sets the skipped columns, and returns the counts without them. */
    leaveOut: (out: ColumnSet) => current().leaveOut(out, tellShare),
    /** Those of these lines that are imported. */
    comingIn: (choice: RowSelection, lines: readonly number[]) => current().comingIn(choice, lines),
    /** Outcome of each of these lines; null where the user can't select. */
    becoming: (lines: readonly number[]) => current().becoming(lines),
    window: (filter: ImportRowFilter, from: number, count: number) => current().window(filter, from, count),
    /** Refused when the file has changed since it was read. */
    stage: (order: StageOrder) => stageImport(current(), order, tellShare),
    rememberLines: saveLineIndex,
    /** Writes the rows that can't be imported, with their problems. @returns their number */
    writeFailed: (target: string, format: 'csv' | 'xlsx') => writeErrorRows(current(), target, format),
    exportSheet: (order: ExportOrder) => exportSheet(order, tellShare),
    /** Ends the thread at the next event loop turn, whatever it is doing. Pending calls get no response. */
    close: () => void setImmediate(end),
  };
}

/** Handles calls on the port of the thread of an import or an export. */
export function answerExchange(port: MessagePort, end: () => void): void {
  let told = 0;
  /** Reports progress at most a hundred times, for any number of calls. */
  const tellShare = (done: number): void => {
    if (done < told) told = 0;
    if (done - told < 0.01) return;
    told = done;
    void main.share.asEvent(done);
  };
  const main = createBirpc<ExchangeNews, ExchangeCalls>(exchangeCalls(tellShare, end), {
    post: (message) => port.postMessage(message),
    on: (listener) => port.on('message', listener),
    timeout: -1,
  });
}

if (parentPort !== null) answerExchange(parentPort, () => process.exit());

/** Messages that the thread sends on its own. */
export interface ExchangeNews {
  /** Progress of the last call, from 0 to 1. */
  share(done: number): void;
}
