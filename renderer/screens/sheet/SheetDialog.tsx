import { Button, Group, Modal, NativeSelect } from '@mantine/core';
import { useRef } from 'react';
import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { ImportAnswers } from '../../actions/file-actions.ts';
import { totalIn } from '../../actions/import-choice.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { enImport } from '../../messages/en-import.ts';
import type { IncomingFile } from '../../transport/files.ts';
import { takeFocus } from '../../ui/take-focus.ts';
import { dialogFor } from '../frame/DropVeil.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportFiles } from './ImportFiles.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { ImportRows } from './ImportRows.tsx';
import { MissingCampaigns } from './MissingCampaigns.tsx';
import { SheetFigures, SheetProblems } from './SheetFigures.tsx';
import { SignedBy } from './SignedBy.tsx';
import { previewIn, useImport } from './use-import.ts';

interface SheetDialogProps {
  readonly file: IncomingFile | null;
  readonly media: readonly File[];
  /** What was asked of this file and answered before. */
  readonly answers?: ImportAnswers;
}

const NO_ANSWERS: ImportAnswers = {};

interface SheetChoiceProps {
  readonly preview: ImportPreview;
  readonly isBusy: boolean;
  readonly onSheet: (name: string) => void;
}

/** Which sheet of a workbook was read, where it has several; another choice reads the file anew. */
export function SheetChoice({ preview: { sheet, otherSheets }, isBusy, onSheet }: SheetChoiceProps) {
  if (sheet === null || otherSheets.length === 0) return null;
  const others = otherSheets.map(({ name, hidden, rows }) => ({
    value: name,
    label: enImport.sheetNamed(name, rows, hidden),
  }));
  return (
    <NativeSelect
      label={enImport.sheet}
      description={enImport.sheetHint}
      value={sheet}
      disabled={isBusy}
      data={[{ value: sheet, label: sheet }, ...others]}
      onChange={(event) => onSheet(event.currentTarget.value)}
    />
  );
}

/** A sheet before it is applied: what it would add and change, and every line that cannot be read. */
export function ImportDialog({ file, media, answers = NO_ANSWERS }: SheetDialogProps) {
  const { store } = useAppContext();
  const { dismiss, show } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const workspaceId = useView((s) => s.workspaceId);
  const { answer, choice, filesOut, columnsOut, refused, busy, ...run } = useImport(file, media, answers);
  const preview = previewIn(answer);
  const total = preview === null ? 0 : totalIn(preview, choice);
  const spareOut = preview?.files.filter(({ key, mediaType }) => mediaType === null && filesOut.has(key)).length ?? 0;
  const spare = (preview?.spareFiles ?? 0) - spareOut;
  const all = preview === null ? 0 : preview.added + preview.changed + preview.removed;
  const apply = async (): Promise<void> => {
    if (await run.apply()) dismiss();
  };
  const leave = (): void => {
    run.leave();
    dismiss();
  };
  // The files have come in by now, and the sheet finds them in the library.
  const addMissing = (text: string): void => {
    run.leave();
    show({ name: 'add-by-id', text, source: 'sheet', sheet: { name: 'sheet', file, media: [], answers: run.answers } });
  };
  return (
    <Modal opened onClose={leave} title={preview === null ? en.sheet.title : preview.fileName} size={720}>
      {answer === null && <p className="quiet">{busy ? en.sheet.reading : en.sheet.drop}</p>}
      {busy && <ImportProgress job={run.job} />}
      {answer === 'needs-decimals' && (
        <Group gap="xs">
          <span>{en.sheet.decimals}</span>
          <Button data-autofocus disabled={busy} onClick={() => run.readAgain({ decimals: 'point' })}>
            {en.sheet.decimalsPoint}
          </Button>
          <Button disabled={busy} onClick={() => run.readAgain({ decimals: 'comma' })}>
            {en.sheet.decimalsComma}
          </Button>
        </Group>
      )}
      {answer === 'altered' && (
        <>
          <p className="note-error">{enImport.altered}</p>
          <Button disabled={busy} onClick={() => run.readAgain({ evenAltered: true })}>
            {enImport.evenAltered}
          </Button>
        </>
      )}
      {refused.map(
        (each) =>
          each.outcome === 'refused' && (
            <p key={each.fileName} className="note-error">
              {fileRefusalText(each.fileName, each.reason, each.params)}
            </p>
          ),
      )}
      {preview !== null && (
        <SheetChoice preview={preview} isBusy={busy} onSheet={(sheet) => run.readAgain({ sheet })} />
      )}
      {preview?.signature != null && <SignedBy signature={preview.signature} />}
      {preview !== null && <SheetFigures preview={preview} />}
      {preview !== null && workspaceId !== null && (
        <ImportRows workspaceId={workspaceId} preview={preview} choice={choice} onChoice={run.choose} />
      )}
      {preview !== null && <ImportColumns preview={preview} out={columnsOut} onOut={run.leaveColumnsOut} />}
      {preview !== null && <ImportFiles preview={preview} out={filesOut} onOut={run.leaveFilesOut} />}
      {total < all && <p className="quiet">{enImport.below}</p>}
      {preview !== null && preview.missing.length > 0 && (
        <MissingCampaigns missing={preview.missing} count={preview.missingCount} onAdd={addMissing} />
      )}
      {preview?.hasOpenQuotes === true && (
        <p className="note-warning">
          {enImport.openQuotes}{' '}
          <button type="button" className="chip" disabled={busy} onClick={() => run.readAgain({ linesAsRows: true })}>
            {enImport.linesAsRows}
          </button>
        </p>
      )}
      {preview !== null && preview.errors.length > 0 && <SheetProblems preview={preview} />}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={en.sheet.pick}
        multiple
        accept=".csv,.tsv,.txt,.xlsx,.adslate,.adslate-changes,.mp4,.mov,.srt,.vtt,.png"
        onChange={(event) => show(dialogFor([...(event.target.files ?? [])], { name: 'sheet', file, media: [] }))}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={leave}>{en.sheet.cancel}</Button>
        <Button
          data-autofocus={preview === null}
          variant={preview === null ? 'filled' : 'default'}
          onClick={() => picker.current?.click()}
        >
          {preview === null ? en.sheet.pick : en.sheet.pickAgain}
        </Button>
        {preview !== null && (
          <Button
            ref={takeFocus}
            variant="filled"
            loading={busy}
            disabled={total + spare === 0}
            onClick={() => void apply()}
          >
            {total === 0 && spare > 0 ? enImport.addFiles(spare) : en.sheet.apply(total)}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
