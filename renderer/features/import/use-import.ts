import { ORPCError } from '@orpc/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AddedFile, ImportPreview, PreviewOptions } from '../../../shared/api/files.ts';
import { type FileRefusal, fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { ChosenColumn, ColumnChoice, NamedColumn } from '../../../shared/spreadsheet/column-mapping.ts';
import type { ImportColumn } from '../../../shared/spreadsheet/columns.ts';
import { type ActionContext, isStopped, runAction, runEdit } from '../../app/actions.ts';
import { useActions, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { grantOf, type IncomingFile, isRefused } from '../../app/transport/connection.ts';
import {
  chosenRows,
  DEFAULT_SELECTION,
  type ImportSelection,
  singleLines,
  updateSelection,
} from './import-selection.ts';
import { importTexts } from './text.ts';

const NO_COLUMNS: ReadonlySet<ImportColumn> = new Set();

/** The reads of one file; if the answers change during a read, the file is read again. */
interface Reading {
  readonly file: IncomingFile | null;
  readonly taskId: string;
  answers: PreviewOptions;
  isRunning: boolean;
  /** What was read last, which main keeps until it is dismissed. */
  shown: Answer;
}

const newReading = (file: IncomingFile | null, answers: PreviewOptions): Reading => ({
  file,
  taskId: crypto.randomUUID(),
  answers,
  isRunning: false,
  shown: null,
});

/**
 * State of an import, from the file to the applied rows.
 *
 * @param media files that the sheet may name; they are added to the library first, so that the sheet finds them by name
 * @param first answers from an earlier preview of the file
 */
export function useImport(file: IncomingFile | null, media: readonly File[], first: PreviewOptions) {
  const { actions } = useAppContext();
  const sheets = useActions(importActions);
  const taken = useRef<readonly File[] | null>(null);
  const [answers, setAnswers] = useState(first);
  const [given, setGiven] = useState<readonly AddedFile[]>([]);
  const [phase, setPhase] = useState<'idle' | 'reading' | 'choosing' | 'applying'>('idle');
  const isLeft = useRef(false);
  /** The reading of the file that is shown; another file has another one, so that late results can be told apart. */
  const [firstReading] = useState(() => newReading(file, first));
  const reading = useRef(firstReading);
  const [answer, setAnswer] = useState<Answer>(null);
  const [choice, choose] = useState<ImportSelection>(DEFAULT_SELECTION);
  const [filesOut, leaveFilesOut] = useState<ReadonlySet<string>>(new Set());
  const [columnsOut, setColumnsOut] = useState(NO_COLUMNS);
  /** The newest selection of skipped columns: results for older selections are discarded. */
  const newest = useRef(NO_COLUMNS);
  const [taskId, setTaskId] = useState(firstReading.taskId);
  const preview = previewIn(answer);

  const show = (read: Answer): void => {
    choose(DEFAULT_SELECTION);
    leaveFilesOut(new Set());
    newest.current = NO_COLUMNS;
    setColumnsOut(NO_COLUMNS);
    reading.current.shown = read;
    setAnswer(read);
    setPhase('idle');
  };
  const discard = (found: Answer): void => {
    const unwanted = previewIn(found);
    if (unwanted !== null) void sheets.dismissSheet(unwanted.previewId);
  };
  const readWith = async (more: PreviewOptions): Promise<void> => {
    const mine = reading.current;
    if (mine.file === null) return;
    mine.answers = { ...mine.answers, ...more };
    setAnswers(mine.answers);
    if (mine.isRunning) return;
    mine.isRunning = true;
    setPhase('reading');
    const found = await readNewest(mine, mine.file);
    mine.isRunning = false;
    if (mine !== reading.current) {
      discard(found);
      return;
    }
    // Only the newest preview is kept, and none if the dialog was closed during the read.
    discard(isLeft.current ? found : mine.shown);
    show(found);
  };
  /** Reads the file until the answers no longer change during a read. */
  const readNewest = async (mine: Reading, from: IncomingFile): ReturnType<typeof sheets.previewSheet> => {
    const asked = mine.answers;
    const found = await sheets.previewSheet(from, asked, mine.taskId);
    if (asked === mine.answers || isLeft.current || mine !== reading.current) return found;
    discard(found);
    return readNewest(mine, from);
  };
  /** Begins with another file: nothing of the one before is shown while it is read. */
  const begin = (): void => {
    const before = reading.current;
    if (before.isRunning) void actions.cancelTask(before.taskId);
    // An import that is being applied needs its preview.
    if (phase !== 'applying') discard(before.shown);
    reading.current = newReading(file, first);
    setTaskId(reading.current.taskId);
    setGiven([]);
    show(null);
  };
  const read = async (files: readonly File[]): Promise<void> => {
    if (reading.current.file !== file) begin();
    const mine = reading.current;
    setPhase('reading');
    if (files.length > 0) {
      const added = await actions.addMedia(files);
      if (mine !== reading.current) return;
      setGiven(added.filter((each) => each !== null));
    }
    await readWith({});
  };
  const readFirst = useEffectEvent(read);
  useEffect(() => {
    if (file === null || taken.current === media) return;
    taken.current = media;
    void readFirst(media);
  }, [file, media]);

  const leaveColumnsOut = async (columns: ReadonlySet<ImportColumn>): Promise<void> => {
    if (preview === null) return;
    newest.current = columns;
    setColumnsOut(columns);
    setPhase('choosing');
    const lines = singleLines(choice);
    const left = await sheets.leaveColumnsOut(preview.previewId, [...columns], lines);
    if (newest.current !== columns) return;
    setPhase('idle');
    if (left === null) {
      newest.current = columnsOut;
      setColumnsOut(columnsOut);
      return;
    }
    setAnswer(left.preview);
    choose((before) => updateSelection(before, lines, left.becoming));
  };
  /** Column choices stay enabled during a read, because disabling a list would take its focus. */
  const mapColumn = (column: ColumnOfFile, ...said: readonly ChosenColumn[]): void => {
    const isIt = ({ heading, nth }: ChosenColumn): boolean => heading === column.heading && nth === column.nth;
    const others = (reading.current.answers.mapping ?? NO_CHOICES).filter((each) => !isIt(each));
    if (phase !== 'applying') void readWith({ mapping: [...others, ...said] });
  };
  const apply = async (): Promise<boolean> => {
    if (preview === null) return false;
    const mine = reading.current;
    setPhase('applying');
    const applied = await sheets.applySheet(preview.previewId, choice, filesOut, taskId);
    if (mine === reading.current) setPhase('idle');
    return applied;
  };
  const leave = (): void => {
    isLeft.current = true;
    if (phase === 'reading' || phase === 'applying') void actions.cancelTask(taskId);
    else if (preview !== null) void sheets.dismissSheet(preview.previewId);
  };
  return {
    answer,
    /** Answers to questions about the file so far. */
    answers,
    choice,
    /** Keys of skipped media files. */
    filesOut,
    columnsOut,
    /** Results for the media files that were added with the sheet. */
    given,
    /** Task ID under which main reports progress. */
    taskId,
    choose,
    leaveFilesOut,
    apply,
    leave,
    busy: phase !== 'idle',
    leaveColumnsOut: (columns: ReadonlySet<ImportColumn>) => void leaveColumnsOut(columns),
    /** Sets a column's target, and reads the file again. */
    mapColumn: (named: NamedColumn, as: ColumnChoice) => mapColumn(columnOfFile(named), { ...columnOfFile(named), as }),
    /** Deletes the choice remembered for the column from an earlier file, and reads the file again. */
    forgetColumn: (named: NamedColumn) => {
      const column = columnOfFile(named);
      // An import that began before the file is read again would still use the choice.
      setPhase('reading');
      void sheets.forgetColumn(column).then(() => mapColumn(column));
    },
    /** Reads the file again with one more answer; earlier answers are kept. */
    readAgain: (more: PreviewOptions) => void readWith(more),
  };
}

const NO_CHOICES: readonly ChosenColumn[] = [];

type ColumnOfFile = Omit<ChosenColumn, 'as'>;
const columnOfFile = ({ heading, nth }: NamedColumn): ColumnOfFile => (nth === null ? { heading } : { heading, nth });

export const previewIn = (answer: Answer): ImportPreview | null => (answer === null || 'ask' in answer ? null : answer);

type ImportQuestion =
  /** The file can't be read, and why: the dialog says so for as long as it is open. */
  | { readonly ask: 'another-file'; readonly why: string }
  | { readonly ask: 'altered' }
  /** The first ambiguous number, with its cell. */
  | { readonly ask: 'needs-decimals'; readonly example: FileRefusal['params'] }
  /** The first date that is ambiguous or in another order, with its cell. */
  | { readonly ask: 'needs-dates'; readonly example: FileRefusal['params'] };
/** Null before the first read. */
type Answer = ImportPreview | ImportQuestion | null;

/** Previews and applies a sheet. */
export function importActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    /** `answers` resolves earlier questions: the decimal separator, the order of dates, or whether to read an altered file. */
    previewSheet: async (file: IncomingFile, answers: PreviewOptions, taskId: string) => {
      const granted = await grantOf(context.connection.files, file);
      if (isRefused(granted)) return { ask: 'another-file' as const, why: errorText(granted) };
      const { grant } = granted;
      return runAction(context, async (workspaceId) => {
        try {
          const { mapping = NO_CHOICES, ...rest } = answers;
          return await client.exchange.preview({ workspaceId, grant, mapping: [...mapping], taskId, ...rest });
        } catch (error) {
          if (isStopped(error)) throw error;
          return questionOf(error) ?? { ask: 'another-file' as const, why: errorText(error) };
        }
      });
    },
    /**
     * Sets the columns that a preview skips.
     *
     * @returns the new preview, with the new outcome of each of `lines`
     */
    leaveColumnsOut: (previewId: string, columns: readonly ImportColumn[], lines: readonly number[]) =>
      runAction(context, (workspaceId) =>
        client.exchange.skipColumns({ workspaceId, previewId, columns: [...columns], lines: [...lines] }),
      ),
    forgetColumn: (column: ColumnOfFile) =>
      runAction(context, (workspaceId) => client.exchange.forgetColumn({ workspaceId, ...column })),
    /** @param filesOut keys of files that stay out */
    applySheet: async (previewId: string, choice: ImportSelection, filesOut: ReadonlySet<string>, taskId: string) => {
      const chosen = { ...chosenRows(choice), leaveOutFiles: [...filesOut] };
      const applied = await runEdit(context, (workspaceId) =>
        client.exchange.apply({ workspaceId, previewId, taskId, ...chosen }),
      );
      if (applied === null) return false;
      context.toasts.tell(importTexts.applied(applied.added, applied.changed));
      const left = applied.refusedFiles.map(({ fileName, reason, params }) =>
        fileRefusalText(fileName, reason, params),
      );
      if (left.length > 0) context.toasts.fail(importTexts.filesLeft(left));
      return true;
    },
    dismissSheet: async (previewId: string) => {
      await runAction(context, (workspaceId) => client.exchange.dismiss({ workspaceId, previewId }));
    },
    failedRows: (previewId: string) =>
      runAction(context, (workspaceId) => client.exchange.exportErrors({ workspaceId, previewId, format: 'csv' })),
  };
}

/** Questions to the user instead of a guess: the decimal separator, the order of dates, and whether to read an altered file. */
function questionOf(error: unknown): ImportQuestion | null {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_FILE') return null;
  const { reason, params: example = {} } = (error.data ?? {}) as { reason?: string; params?: FileRefusal['params'] };
  if (reason === 'altered') return { ask: reason };
  if (reason === 'needs-dates' || reason === 'mixed-dates') return { ask: 'needs-dates', example };
  return reason === 'needs-decimals' ? { ask: reason, example } : null;
}
