import { useEffect, useRef, useState } from 'react';
import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import type { AddedFile } from '../../../shared/contract/files.ts';
import type { ImportColumn } from '../../../shared/sheet/column-choice.ts';
import type { ImportAnswers, ImportQuestion } from '../../actions/file-actions.ts';
import { DEFAULT_SELECTION, type ImportSelection, singleLines, sortAnew } from '../../actions/import-choice.ts';
import { useAppContext } from '../../app/desk.ts';
import type { IncomingFile } from '../../transport/files.ts';

/** An import from the file to its end: what main says of it, and what the user chose so far. */
export interface Import {
  /** Null before anything was read. */
  readonly answer: ImportPreview | ImportQuestion | null;
  /** What was asked of the file and answered so far. */
  readonly answers: ImportAnswers;
  readonly choice: ImportSelection;
  /** Keys of media files that stay out. */
  readonly filesOut: ReadonlySet<string>;
  readonly columnsOut: ReadonlySet<ImportColumn>;
  /** Files that came along and were not taken. */
  readonly refused: readonly AddedFile[];
  readonly busy: boolean;
  /** The id of what goes on, by which main tells how far it is. */
  readonly job: string;
  choose(choice: ImportSelection): void;
  leaveFilesOut(keys: ReadonlySet<string>): void;
  leaveColumnsOut(columns: ReadonlySet<ImportColumn>): void;
  /** With an answer to what main asked; earlier ones stand. */
  readAgain(more: ImportAnswers): void;
  /** True once the file is in. */
  apply(): Promise<boolean>;
  /** Ends what goes on, and forgets the preview. */
  leave(): void;
}

const NO_COLUMNS: ReadonlySet<ImportColumn> = new Set();

/**
 * @param media files that the sheet may name; they go to the library first, so that it finds them there by their names
 * @param first what was asked of the file and answered before
 */
export function useImport(file: IncomingFile | null, media: readonly File[], first: ImportAnswers): Import {
  const { actions } = useAppContext();
  const taken = useRef<readonly File[] | null>(null);
  const [answers, setAnswers] = useState(first);
  const [refused, setRefused] = useState<readonly AddedFile[]>([]);
  const [phase, setPhase] = useState<'idle' | 'reading' | 'choosing' | 'applying'>('idle');
  const isLeft = useRef(false);
  const [answer, setAnswer] = useState<ImportPreview | ImportQuestion | null>(null);
  const [choice, choose] = useState<ImportSelection>(DEFAULT_SELECTION);
  const [filesOut, leaveFilesOut] = useState<ReadonlySet<string>>(new Set());
  const [columnsOut, setColumnsOut] = useState(NO_COLUMNS);
  /** The newest choice of columns: answers to older ones come too late. */
  const newest = useRef(NO_COLUMNS);
  const [job] = useState(() => crypto.randomUUID());
  const preview = previewIn(answer);

  const show = (read: ImportPreview | ImportQuestion | null): void => {
    choose(DEFAULT_SELECTION);
    leaveFilesOut(new Set());
    newest.current = NO_COLUMNS;
    setColumnsOut(NO_COLUMNS);
    setAnswer(read);
    setPhase('idle');
  };
  const readWith = async (all: ImportAnswers): Promise<void> => {
    if (file === null) return;
    setAnswers(all);
    setPhase('reading');
    const found = await actions.previewSheet(file, all, job);
    // Of several previews in one dialog the last one stays, and none when the dialog was closed meanwhile.
    const unwanted = isLeft.current ? previewIn(found) : preview;
    if (unwanted !== null) void actions.dismissSheet(unwanted.previewId);
    show(found);
  };
  const read = async (files: readonly File[]): Promise<void> => {
    setPhase('reading');
    if (files.length > 0) {
      const added = await actions.addMedia(files);
      setRefused(added.filter((each) => each.outcome === 'refused'));
    }
    await readWith(first);
  };
  const run = useRef(read);
  useEffect(() => {
    run.current = read;
  });
  useEffect(() => {
    if (file === null || taken.current === media) return;
    taken.current = media;
    void run.current(media);
  }, [file, media]);

  const leaveColumnsOut = async (columns: ReadonlySet<ImportColumn>): Promise<void> => {
    if (preview === null) return;
    newest.current = columns;
    setColumnsOut(columns);
    setPhase('choosing');
    const lines = singleLines(choice);
    const left = await actions.leaveColumnsOut(preview.previewId, [...columns], lines);
    if (newest.current !== columns) return;
    setPhase('idle');
    if (left === null) {
      newest.current = columnsOut;
      setColumnsOut(columnsOut);
      return;
    }
    setAnswer(left.preview);
    choose((before) => sortAnew(before, lines, left.becoming));
  };
  const apply = async (): Promise<boolean> => {
    if (preview === null) return false;
    setPhase('applying');
    const applied = await actions.applySheet(preview.previewId, choice, filesOut, job);
    setPhase('idle');
    return applied;
  };
  const leave = (): void => {
    isLeft.current = true;
    if (phase === 'reading' || phase === 'applying') void actions.cancelTask(job);
    else if (preview !== null) void actions.dismissSheet(preview.previewId);
  };
  return {
    ...{ answer, answers, choice, filesOut, columnsOut, refused, job, choose, leaveFilesOut, apply, leave },
    busy: phase !== 'idle',
    leaveColumnsOut: (columns) => void leaveColumnsOut(columns),
    readAgain: (more) => void readWith({ ...answers, ...more }),
  };
}

/** The preview, if main has asked nothing instead. */
export const previewIn = (answer: Import['answer']): ImportPreview | null =>
  answer === 'needs-decimals' || answer === 'altered' ? null : answer;
