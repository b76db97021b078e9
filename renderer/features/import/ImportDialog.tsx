import { Button, Checkbox, Group, Modal, NativeSelect } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { ColumnFigures, ImportPreview, ImportSignature, PreviewOptions } from '../../../shared/api/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { DATE_ORDERS } from '../../../shared/model/plain-date.ts';
import type { ChosenColumn } from '../../../shared/spreadsheet/column-mapping.ts';
import type { ImportColumn } from '../../../shared/spreadsheet/columns.ts';
import { FOREIGN_PROGRAMS } from '../../../shared/spreadsheet/foreign-sheet.ts';
import { formatTsv } from '../../../shared/spreadsheet/tsv.ts';
import { useActions, useAppContext, useView } from '../../app/app-context.ts';
import { dialogFor } from '../../app/dialog-for-files.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { bytesText, countText, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { saveFrom } from '../../app/save-text.ts';
import type { Dialog } from '../../app/store/dialog.ts';
import { toggled } from '../../app/toggled.ts';
import type { IncomingFile } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Figures } from '../../components/Figures.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { ColumnMapping } from './ColumnMapping.tsx';
import { ImportRows } from './ImportRows.tsx';
import styles from './import.module.css';
import { totalIn } from './import-selection.ts';
import { PasteTable } from './PasteTable.tsx';
import { importTexts } from './text.ts';
import { importActions, previewIn, useImport } from './use-import.ts';
import { ViewsImport } from './ViewsImport.tsx';

interface SheetDialogProps {
  readonly file: IncomingFile | null;
  readonly media: readonly File[];
  /** Answers to questions about this file from an earlier preview. */
  readonly answers?: PreviewOptions;
}

const NO_ANSWERS: PreviewOptions = {};
const NO_CHOICES: readonly ChosenColumn[] = [];

interface SheetChoiceProps {
  readonly preview: ImportPreview;
  readonly isBusy: boolean;
  readonly onSheet: (name: string) => void;
}

/** The sheet of a workbook with several sheets; choosing another one reads the file again. */
export function SheetChoice({ preview: { sheet, otherSheets }, isBusy, onSheet }: SheetChoiceProps) {
  if (sheet === null || otherSheets.length === 0) return null;
  const others = otherSheets.map(({ name, hidden, rows }) => ({
    value: name,
    label: importTexts.sheetNamed(name, rows, hidden),
  }));
  return (
    <NativeSelect
      size="sm"
      label={importTexts.sheet}
      description={importTexts.sheetHint}
      value={sheet}
      disabled={isBusy}
      data={[{ value: sheet, label: sheet }, ...others]}
      onChange={(event) => onSheet(event.currentTarget.value)}
    />
  );
}

type ImportDialogProps = Extract<Dialog, { readonly name: 'sheet' | 'paste' | 'views' }> & {
  readonly workspaceId: string;
};

/** The import dialog: a file, a pasted table, or saved views from a colleague. */
export function ImportDialog(dialog: ImportDialogProps) {
  const kind = useView((s) => s.kind);
  const { dismiss } = useAppContext().store.getState();
  const { workspaceId } = dialog;
  if (dialog.name === 'sheet') return <ImportSheet {...dialog} />;
  const title = dialog.name === 'views' ? importTexts.views : importTexts.tableOf(KIND_NAMES[kind].many);
  return (
    <ImportFrame title={title} onClose={dismiss} source={dialog.name}>
      {dialog.name === 'views' ? (
        <ViewsImport workspaceId={workspaceId} />
      ) : (
        <PasteTable workspaceId={workspaceId} text={dialog.name === 'paste' ? (dialog.text ?? '') : ''} />
      )}
    </ImportFrame>
  );
}

const SOURCES = ['sheet', 'paste', 'views'] as const;

interface ImportFrameProps {
  readonly title: string;
  readonly onClose: () => void;
  /** The selected source, shown with the other sources; null once a file was read. */
  readonly source: (typeof SOURCES)[number] | null;
  readonly children: ReactNode;
}

function ImportFrame({ title, onClose, source, children }: ImportFrameProps) {
  const { show } = useAppContext().store.getState();
  const isMedia = useView((s) => s.kind === 'media');
  const choices = SOURCES.filter((each) => each !== 'paste' || !isMedia);
  return (
    <Modal opened onClose={onClose} title={title} size={760}>
      {source !== null && (
        <div className={styles['import-sources']}>
          <ChipChoice
            label={importTexts.source}
            choices={choices.map((value) => ({ value, name: importTexts.sources[value] }))}
            chosen={source}
            onChoose={(name) => show(name === 'sheet' ? { name, file: null, media: [] } : { name })}
          />
        </div>
      )}
      {children}
    </Modal>
  );
}

/** The preview of a sheet: rows it would add and change, and every line that can't be read. */
function ImportSheet({ file, media, answers = NO_ANSWERS }: SheetDialogProps) {
  const { dismiss, dismisser, openSettings, show } = useAppContext().store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const workspaceId = useView((s) => s.workspaceId);
  const { answer, choice, filesOut, columnsOut, given, busy, ...run } = useImport(file, media, answers);
  const preview = previewIn(answer);
  const question = answer !== null && 'ask' in answer ? answer : null;
  const total = preview === null ? 0 : totalIn(preview, choice);
  const accepted = given.filter((each) => each.outcome === 'added' && !each.known).length;
  const spareOut = preview?.files.filter(({ key, mediaType }) => mediaType === null && filesOut.has(key)).length ?? 0;
  const spare = (preview?.spareFiles ?? 0) - spareOut;
  const all = preview === null ? 0 : preview.added + preview.changed + preview.removed;
  const apply = async (): Promise<void> => {
    const close = dismisser();
    if (await run.apply()) close();
  };
  const leave = (): void => {
    run.leave();
    dismiss();
  };
  // The media files are in the library by now, where the sheet finds them.
  const addMissing = (text: string): void => {
    run.leave();
    dismiss();
    const sheet = { name: 'sheet' as const, file, media: [], answers: run.answers };
    openSettings('campaign-ids', { add: { text, source: 'sheet', sheet } });
  };
  return (
    <ImportFrame
      title={preview === null ? importTexts.title : preview.fileName}
      onClose={leave}
      source={file === null ? 'sheet' : null}
    >
      {answer === null && <p className={ui['quiet']}>{busy ? importTexts.reading : importTexts.drop}</p>}
      {question?.ask === 'another-file' && <Problem of={question.why} />}
      {question?.ask === 'needs-decimals' && (
        <>
          <p className={ui['quiet']}>{importTexts.decimalsWhy(question.example)}</p>
          <Group gap="xs">
            <span>{importTexts.decimals}</span>
            <Button ref={takeFocus} disabled={busy} onClick={() => run.readAgain({ decimals: 'point' })}>
              {importTexts.decimalsPoint}
            </Button>
            <Button disabled={busy} onClick={() => run.readAgain({ decimals: 'comma' })}>
              {importTexts.decimalsComma}
            </Button>
          </Group>
        </>
      )}
      {question?.ask === 'needs-dates' && (
        <>
          <p className={ui['quiet']}>{importTexts.datesWhy(question.example)}</p>
          <Group gap="xs" role="group" aria-label={importTexts.dates}>
            <span>{importTexts.dates}</span>
            {DATE_ORDERS.map((dates, at) => (
              <Button
                key={dates}
                ref={at === 0 ? takeFocus : undefined}
                disabled={busy}
                onClick={() => run.readAgain({ dates })}
              >
                {importTexts.datesOrders[dates]}
              </Button>
            ))}
          </Group>
        </>
      )}
      {question?.ask === 'altered' && (
        <>
          <p className={ui['note-error']}>{importTexts.altered}</p>
          <Button disabled={busy} onClick={() => run.readAgain({ evenAltered: true })}>
            {importTexts.evenAltered}
          </Button>
        </>
      )}
      {given.map(
        (each) =>
          each.outcome === 'refused' && (
            <p key={each.fileName} className={ui['note-error']}>
              {fileRefusalText(each.fileName, each.reason, each.params)}
            </p>
          ),
      )}
      {accepted > 0 && <p className={ui['quiet']}>{importTexts.accepted(accepted)}</p>}
      {preview !== null && (
        <SheetChoice preview={preview} isBusy={busy} onSheet={(sheet) => run.readAgain({ sheet })} />
      )}
      {preview?.signature != null && <SignedBy signature={preview.signature} />}
      {preview !== null && preview.foreign !== null && <Converted report={preview.foreign} />}
      {preview !== null && <SheetFigures preview={preview} />}
      {preview !== null && preview.dateOrder !== null && (
        <p className={ui['quiet']}>{importTexts.datesRead(preview.dateOrder)}</p>
      )}
      {preview !== null && (
        <UnknownIds preview={preview} isBusy={busy} onAdd={addMissing} onAsNew={() => run.readAgain({ asNew: true })} />
      )}
      {preview !== null && run.answers.asNew === true && <p className={ui['quiet']}>{importTexts.asNew}</p>}
      {preview !== null && (
        <ColumnMapping
          preview={preview}
          chosen={run.answers.mapping ?? NO_CHOICES}
          rowType={run.answers.rowType ?? null}
          onColumn={run.mapColumn}
          onForget={run.forgetColumn}
          onRowType={(rowType) => run.readAgain({ rowType: rowType ?? undefined })}
        />
      )}
      {preview !== null && workspaceId !== null && (
        <ImportRows workspaceId={workspaceId} preview={preview} choice={choice} onChoice={run.choose} />
      )}
      {preview !== null && <ImportColumns preview={preview} out={columnsOut} onOut={run.leaveColumnsOut} />}
      {preview !== null && <ImportFiles preview={preview} out={filesOut} onOut={run.leaveFilesOut} />}
      {total < all && <p className={ui['quiet']}>{importTexts.below}</p>}
      {preview?.hasOpenQuotes === true && (
        <p className={ui['note-warning']}>
          {importTexts.openQuotes}{' '}
          <Chip disabled={busy} onClick={() => run.readAgain({ linesAsRows: true })}>
            {importTexts.linesAsRows}
          </Chip>
        </p>
      )}
      {preview !== null && preview.errors.length > 0 && (
        <SheetProblems preview={preview} isAll={all + preview.unchanged === 0} />
      )}
      <FilePicker
        ref={picker}
        aria-label={importTexts.pick}
        multiple
        accept=".csv,.tsv,.txt,.xlsx,.adslate,.adslate-changes,.mp4,.mov,.srt,.vtt,.png"
        onPick={(picked) => show(dialogFor([...picked], { name: 'sheet', file, media: [] }))}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        {busy && <ImportProgress taskId={run.taskId} />}
        <Button onClick={leave}>{importTexts.cancel}</Button>
        <Button
          data-autofocus={preview === null}
          variant={preview === null ? 'filled' : 'default'}
          onClick={() => picker.current?.click()}
        >
          {preview === null ? importTexts.pick : importTexts.pickAgain}
        </Button>
        {preview !== null && (
          <Button
            ref={takeFocus}
            variant="filled"
            loading={busy}
            disabled={total + spare === 0}
            onClick={() => void apply()}
          >
            {total === 0 && spare > 0 ? importTexts.addFiles(spare) : importTexts.apply(total)}
          </Button>
        )}
      </Group>
    </ImportFrame>
  );
}

/** Result of converting another editor's export: its columns, and rows that Adslate does not support. */
function Converted({ report }: { readonly report: NonNullable<ImportPreview['foreign']> }) {
  const { program, columns, skipped, split } = report;
  return (
    <section aria-label={importTexts.converted(FOREIGN_PROGRAMS[program])}>
      <p>
        <strong>{importTexts.converted(FOREIGN_PROGRAMS[program])}</strong> {split > 0 && importTexts.split(split)}
      </p>
      {skipped.length > 0 && (
        <ul className={ui['lines']} aria-label={importTexts.notMapped}>
          {skipped.map(({ reason, count, lines }) => (
            <li key={reason} className={ui['line']}>
              <span className={ui['line-text']}>{reason}</span>
              <span className={ui['quiet']}>{importTexts.skippedRows(count, lines)}</span>
            </li>
          ))}
        </ul>
      )}
      <details className={ui['left-out']}>
        <summary>
          <strong>{importTexts.mapping}</strong> <span className={ui['badge']}>{columns.length}</span>
        </summary>
        <table className={`${ui['diff']} ${ui['plain-table']} ${ui['text-table']}`}>
          <TableHead titles={importTexts.mappingHeads(FOREIGN_PROGRAMS[program])} />
          <tbody>
            {columns.map(({ from, to }) => (
              <tr key={from}>
                <td>{from}</td>
                <td>{to ?? <span className={ui['quiet']}>{importTexts.onlyDecides}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

interface ImportColumnsProps {
  readonly preview: ImportPreview;
  readonly out: ReadonlySet<ImportColumn>;
  readonly onOut: (out: ReadonlySet<ImportColumn>) => void;
}

/**
 * The columns of a sheet that change something, each with a checkbox to skip it and the reason why new rows need it.
 * Collapsed at first, because most imports use all columns.
 */
function ImportColumns({ preview: { columns }, out, onOut }: ImportColumnsProps) {
  const [isOpen, setOpen] = useState(() => columns.some(({ problems, isLeftOut }) => problems > 0 || isLeftOut));
  if (columns.length === 0) return null;
  const free = columns.filter(canStayOut).map(({ column }) => column);
  const outside = free.filter((column) => out.has(column)).length;
  return (
    <section aria-label={importTexts.columns}>
      <details className={ui['left-out']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{importTexts.columns}</strong> <span className={ui['badge']}>{columns.length}</span>
        </summary>
        <p className={ui['quiet']}>{importTexts.columnsHint}</p>
        <ul className={`${ui['lines']} ${styles['import-columns']}`}>
          {free.length > 1 && (
            <li className={ui['line']}>
              <Checkbox
                checked={outside === 0}
                indeterminate={outside > 0 && outside < free.length}
                label={importTexts.allColumns}
                onChange={() => onOut(new Set(outside === 0 ? free : []))}
              />
            </li>
          )}
          {columns.map((figures) => (
            <Column
              key={figures.column}
              figures={figures}
              isOut={out.has(figures.column)}
              onToggle={() => onOut(toggled(out, figures.column))}
            />
          ))}
        </ul>
      </details>
    </section>
  );
}

const canStayOut = ({ changes, problems, isLeftOut }: ColumnFigures): boolean => changes + problems > 0 || isLeftOut;

interface ColumnProps {
  readonly figures: ColumnFigures;
  readonly isOut: boolean;
  readonly onToggle: () => void;
}

function Column({ figures, isOut, onToggle }: ColumnProps) {
  const { column, changes, needed, problems } = figures;
  const isFree = canStayOut(figures);
  const keptBy = needed === 0 ? '' : isFree ? importTexts.columnKept(needed) : importTexts.columnNeeded;
  return (
    <li className={ui['line']} title={needed === 0 || isFree ? undefined : importTexts.columnInstead(needed)}>
      <Checkbox
        checked={!isOut}
        disabled={!isFree}
        label={column}
        aria-label={importTexts.tickColumn(column)}
        onChange={onToggle}
      />
      <span className={ui['quiet']}>
        {[importTexts.columnFigures(changes, problems), keptBy].filter((text) => text !== '').join(' · ')}
      </span>
    </li>
  );
}

interface ImportFilesProps {
  readonly preview: ImportPreview;
  /** Keys of skipped files. */
  readonly out: ReadonlySet<string>;
  readonly onOut: (out: ReadonlySet<string>) => void;
}

/** Checkboxes for the files that an import would add to the library or change there. */
function ImportFiles({ preview, out, onOut }: ImportFilesProps) {
  const { files, fileCount } = preview;
  if (files.length === 0) return null;
  return (
    <section aria-label={importTexts.files}>
      <h3 className={ui['group-title']}>{importTexts.files}</h3>
      <p className={ui['quiet']}>{importTexts.filesHint}</p>
      <ul className={ui['lines']}>
        {files.map(({ key, what, fileName, mediaType, bytes, rows, changes }) => (
          <li key={key} className={ui['line']}>
            <Checkbox
              checked={!out.has(key)}
              label={fileName}
              aria-label={importTexts.tickFile(fileName)}
              onChange={() => onOut(toggled(out, key))}
            />
            <span className={ui['quiet']}>
              {[
                mediaType === null ? importTexts.unusedFile : importTexts.mediaTypes[mediaType],
                ...(bytes === null ? [] : [bytesText(bytes)]),
                what === 'added'
                  ? importTexts.fileAdded
                  : importTexts.fileChanged(changes.map((each) => importTexts.fileChanges[each])),
                ...(rows > 1 ? [importTexts.fileRows(rows)] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
        {fileCount > files.length && (
          <li className={`${ui['line']} ${ui['quiet']}`}>{importTexts.moreFiles(fileCount - files.length)}</li>
        )}
      </ul>
    </section>
  );
}

/** Progress of reading or applying a file, shown after a while; *Cancel* below stops it. */
function ImportProgress({ taskId }: { readonly taskId: string }) {
  const work = useView((s) => s.tasks[taskId]);
  if (work === undefined) return null;
  const { share } = work;
  return (
    <p className={`${ui['quiet']} ${styles['import-progress']}`}>
      <progress value={share ?? undefined} aria-label={importTexts.progress} />{' '}
      {share === null ? '' : importTexts.share(share)}
    </p>
  );
}

interface UnknownIdsProps extends Pick<SheetChoiceProps, 'preview' | 'isBusy'> {
  /** @param text one campaign per line, in the format of the dialog that adds campaigns */
  readonly onAdd: (text: string) => void;
  readonly onAsNew: () => void;
}

/** Warns of unknown IDs. Their campaigns can be added to the account; complete rows can be imported as new. */
function UnknownIds({ preview, isBusy, onAdd, onAsNew }: UnknownIdsProps) {
  const { missing, unknownRows, otherAccount, source } = preview;
  if (missing.length + unknownRows === 0) return null;
  const lines = missing.map((row) => [row.campaign, row.name, row.type, row.adGroup].map((cell) => String(cell ?? '')));
  return (
    <p className={ui['note-warning']}>
      {importTexts.unknownIds(preview)}{' '}
      {missing.length > 0 && otherAccount === null && (
        <Chip onClick={() => onAdd(formatTsv(lines))}>{importTexts.addMissing}</Chip>
      )}{' '}
      {source !== 'changes' && unknownRows > 0 && (
        <Chip disabled={isBusy} onClick={onAsNew}>
          {importTexts.importAsNew}
        </Chip>
      )}
    </p>
  );
}

const SHOWN_MAX = 200;

/** Counts of what a file would change, and notes about the file. */
function SheetFigures({ preview }: { readonly preview: ImportPreview }) {
  const figures: readonly (readonly [number, string])[] = [
    [preview.added, importTexts.add],
    [preview.changed, importTexts.change],
    ...(preview.removed === 0 ? [] : [[preview.removed, importTexts.outcome.removed] as const]),
    [preview.unchanged, importTexts.unchanged],
    ...(preview.leftOut === 0 ? [] : [[preview.leftOut, importTexts.leftOut] as const]),
    [preview.errorRows, importTexts.errors(preview.errorRows)],
  ];
  const { added, changed, removed, conflicts, leftOut, errors } = preview;
  const nothing = added + changed + removed + conflicts + leftOut + preview.spareFiles === 0 && errors.length === 0;
  return (
    <>
      <p className={ui['quiet']}>{importTexts.rowsInFile(preview.rows)}</p>
      <Figures figures={figures.map(([count, name]) => ({ name, value: countText(count) }))} />
      {nothing && <p>{importTexts.nothing}</p>}
      {added + changed + conflicts > 0 && <p className={ui['quiet']}>{importTexts.notChecked}</p>}
      {preview.media > 0 && <p className={ui['quiet']}>{importTexts.media(preview.media, preview.fileCount)}</p>}
      {preview.skippedParts.length > 0 && (
        <p className={ui['note-warning']}>{importTexts.skippedParts(preview.skippedParts)}</p>
      )}
      {preview.formulaCount > 0 && <p className={ui['note-warning']}>{importTexts.formulas(preview.formulaCount)}</p>}
      {preview.warningCount > 0 && <Warnings preview={preview} />}
    </>
  );
}

/** Warnings about rows that are imported with changes or as they are. */
function Warnings({ preview: { warnings, warningCount } }: { readonly preview: ImportPreview }) {
  return (
    <details className={ui['left-out']} open>
      <summary>
        <strong>{importTexts.warnings}</strong> <span className={ui['badge']}>{countText(warningCount)}</span>
      </summary>
      <Problems title={importTexts.note} problems={warnings} more={importTexts.firstNotes(SHOWN_MAX, warningCount)} />
    </details>
  );
}

interface SheetProblemsProps {
  readonly preview: ImportPreview;
  /** No line is left to import. */
  readonly isAll: boolean;
}

/** The lines that can't be read, with a button that saves them as a sheet. */
function SheetProblems({ preview, isAll }: SheetProblemsProps) {
  const actions = useActions(importActions);
  const { errorCount, followUpCount } = preview;
  const saveFailed = async (): Promise<void> => {
    const failed = await actions.failedRows(preview.previewId);
    if (failed !== null) saveFrom(failed.fileName, failed.url);
  };
  return (
    <>
      <p className={ui['note-error']}>
        {isAll ? importTexts.noneLeft : importTexts.partly}{' '}
        <Chip onClick={() => void saveFailed()}>{importTexts.failed}</Chip>
      </p>
      {followUpCount > 0 && <p className={ui['quiet']}>{importTexts.followUps(followUpCount, errorCount)}</p>}
      <Problems
        title={importTexts.problem}
        problems={preview.errors}
        more={importTexts.firstErrors(SHOWN_MAX, errorCount)}
      />
    </>
  );
}

interface ProblemsProps {
  readonly title: string;
  readonly problems: ImportPreview['errors'];
  /** Said of a table that does not show all of them. */
  readonly more: string;
}

function Problems({ title, problems, more }: ProblemsProps) {
  return (
    <>
      {problems.length > SHOWN_MAX && <p className={ui['quiet']}>{more}</p>}
      <table className={`${ui['diff']} ${styles['diff-problems']}`}>
        <TableHead titles={[importTexts.line, importTexts.column, title]} />
        <tbody>
          {problems.slice(0, SHOWN_MAX).map((problem) => (
            <tr key={`${problem.line} ${problem.column} ${problem.message}`}>
              <td className={ui['numeric']}>{countText(problem.line)}</td>
              <td>{problem.column}</td>
              <td>{problem.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Signer and time of a signed file, and whether the signer is known. */
function SignedBy({ signature }: { readonly signature: ImportSignature }) {
  const now = useNow();
  if (signature.is === 'unsigned') return <p className={ui['quiet']}>{importTexts.unsigned}</p>;
  if (signature.is === 'altered') return <p className={ui['note-error']}>{importTexts.alteredAllTheSame}</p>;
  const { name, at, fingerprint, signer, knownAs } = signature;
  const isRenamed = signer === 'known' && knownAs !== null && knownAs !== name;
  return (
    <p className={signer === 'new' || isRenamed ? ui['note-warning'] : ui['quiet']}>
      {importTexts.signedBy(name || importTexts.nobody, timeText(at, now))}{' '}
      {isRenamed ? importTexts.knownAs(knownAs) : importTexts.signer[signer]}{' '}
      <code className={ui['numeric']}>{importTexts.fingerprint(fingerprint)}</code>
    </p>
  );
}
