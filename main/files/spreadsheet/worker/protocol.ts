import type { ImportRow, ImportRowFilter } from '../../../../shared/api/files.ts';
import type { FileRefusal } from '../../../../shared/media/file-refusal.ts';
import type { Result } from '../../../../shared/result.ts';
import type { ColumnSet } from '../../../../shared/spreadsheet/columns.ts';
import type { LineProblem } from '../line-problem.ts';
import type { ExportOrder, ExportProblem } from './export-sheet.ts';
import type { LinkSummary } from './import-session.ts';
import type { RowSelection, SelectableOutcome } from './row-selection.ts';
import type { ReadOrder } from './sheet-source.ts';
import type { Staged, StageOrder } from './stage-import.ts';

/** What the thread tells without being asked. */
export interface ExchangeNews {
  /** How much is done of what was asked for last, from 0 to 1. */
  share(done: number): void;
}

/** Calls answered by the thread of one import or export. Its memory goes with it. */
export interface ExchangeCalls {
  /** Reads the file and links it; the session is there from then on. */
  read(order: ReadOrder): Promise<Result<LinkSummary, FileRefusal>>;
  /** Leaves columns out from now on, and answers with the figures without them. */
  leaveOut(out: ColumnSet): Promise<Result<LinkSummary, FileRefusal>>;
  /** Those of these lines that come in. */
  comingIn(choice: RowSelection, lines: readonly number[]): readonly number[];
  /** What becomes of each of these lines, as it stands; null for what can be neither taken nor left. */
  becoming(lines: readonly number[]): readonly (SelectableOutcome | null)[];
  /** Says which lines name files that cannot be used, and answers with the figures without them. */
  noteFileProblems(problems: readonly LineProblem[]): LinkSummary;
  window(filter: ImportRowFilter, from: number, count: number): Promise<{ total: number; rows: ImportRow[] }>;
  /** Refused when the file is no longer the one that was read. */
  stage(order: StageOrder): Promise<Result<Staged, FileRefusal>>;
  rememberLines(order: { readonly stage: string; readonly lines: string; readonly firstId: number }): null;
  /** Writes the rows that cannot come in, with their problems. @returns how many */
  writeFailed(target: string, format: 'csv' | 'xlsx'): Promise<number>;
  exportSheet(order: ExportOrder): Promise<Result<{ readonly rows: number }, ExportProblem>>;
  /** Ends the thread between two of its turns, whatever it has begun. Nothing is answered. */
  close(): void;
}
