import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { Decimals } from '../../actions/file-actions.ts';
import { useDesk } from '../../app/desk.ts';
import { saveFrom } from '../../app/save-text.ts';
import { en } from '../../messages/en.ts';
import { countText } from '../../messages/numbers.ts';
import type { IncomingFile } from '../../transport/files.ts';
import { dialogFor } from '../frame/DropVeil.tsx';

const SHOWN_MAX = 200;

/** A sheet before it is applied: what it would add and change, and every line that cannot be read. */
export function SheetDialog({ file, media }: { readonly file: IncomingFile | null; readonly media: readonly File[] }) {
  const { store, actions } = useDesk();
  const { dismiss, show } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const taken = useRef<readonly File[] | null>(null);
  const [refused, setRefused] = useState<readonly AddedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ImportPreview | 'needs-decimals' | null>(null);
  const [fileDecides, setFileDecides] = useState(false);
  const preview = answer === 'needs-decimals' ? null : answer;

  // The files go first, so that the sheet finds them in the library by their names.
  const read = async (sheet: IncomingFile, files: readonly File[]): Promise<void> => {
    setBusy(true);
    if (files.length > 0) {
      const added = await actions.addMedia(files);
      setRefused(added.filter((each) => each.outcome === 'refused'));
    }
    setAnswer(await actions.previewSheet(sheet, null));
    setBusy(false);
  };
  const readAs = async (decimals: Decimals): Promise<void> => {
    if (file === null) return;
    setBusy(true);
    setAnswer(await actions.previewSheet(file, decimals));
    setBusy(false);
  };
  const run = useRef(read);
  useEffect(() => {
    run.current = read;
  });
  useEffect(() => {
    if (file === null || taken.current === media) return;
    taken.current = media;
    void run.current(file, media);
  }, [file, media]);

  const total = preview === null ? 0 : preview.added + preview.changed + (fileDecides ? preview.conflicts : 0);
  const apply = async (): Promise<void> => {
    if (preview === null) return;
    setBusy(true);
    const applied = await actions.applySheet(preview.previewId, fileDecides);
    setBusy(false);
    if (applied) dismiss();
  };
  return (
    <Modal opened onClose={dismiss} title={preview === null ? en.sheet.title : preview.fileName} size={720}>
      {answer === null && <p className="quiet">{busy ? en.sheet.reading : en.sheet.drop}</p>}
      {answer === 'needs-decimals' && (
        <Group gap="xs">
          <span>{en.sheet.decimals}</span>
          <Button data-autofocus disabled={busy} onClick={() => void readAs('point')}>
            {en.sheet.decimalsPoint}
          </Button>
          <Button disabled={busy} onClick={() => void readAs('comma')}>
            {en.sheet.decimalsComma}
          </Button>
        </Group>
      )}
      {refused.map(
        (each) =>
          each.outcome === 'refused' && (
            <p key={each.fileName} className="note-error">
              {fileRefusalText(each.fileName, each.reason, each.params)}
            </p>
          ),
      )}
      {preview !== null && <Figures preview={preview} />}
      {preview !== null && preview.conflicts > 0 && (
        <Checkbox
          size="xs"
          mt="xs"
          checked={fileDecides}
          label={en.sheet.fileDecides(preview.conflicts)}
          onChange={(event) => setFileDecides(event.currentTarget.checked)}
        />
      )}
      {preview !== null && preview.errors.length > 0 && <Problems preview={preview} />}
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
        <Button onClick={dismiss}>{en.sheet.cancel}</Button>
        <Button
          data-autofocus={preview === null}
          variant={preview === null ? 'filled' : 'default'}
          onClick={() => picker.current?.click()}
        >
          {preview === null ? en.sheet.pick : en.sheet.pickAgain}
        </Button>
        {preview !== null && (
          <Button data-autofocus variant="filled" loading={busy} disabled={total === 0} onClick={() => void apply()}>
            {en.sheet.apply(total)}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function Figures({ preview }: { readonly preview: ImportPreview }) {
  const figures: readonly (readonly [number, string])[] = [
    [preview.added, en.sheet.add],
    [preview.changed, en.sheet.change],
    [preview.unchanged, en.sheet.unchanged],
    [preview.errorCount, en.sheet.errors],
  ];
  const nothing = preview.added + preview.changed + preview.conflicts === 0 && preview.errors.length === 0;
  return (
    <>
      <ul className="figures">
        {figures.map(([count, name]) => (
          <li key={name}>
            <strong className="numeric">{countText(count)}</strong>
            <span className="quiet">{name}</span>
          </li>
        ))}
      </ul>
      {nothing && <p>{en.sheet.nothing}</p>}
      {preview.media > 0 && <p className="quiet">{en.sheet.media(preview.media)}</p>}
      {preview.unknownColumns.length > 0 && (
        <p className="note-warning">{en.sheet.unknown(preview.unknownColumns.join(', '))}</p>
      )}
      {preview.formulaCount > 0 && <p className="note-warning">{en.sheet.formulas(preview.formulaCount)}</p>}
    </>
  );
}

function Problems({ preview }: { readonly preview: ImportPreview }) {
  const { actions } = useDesk();
  const saveFailed = async (): Promise<void> => {
    const failed = await actions.failedRows(preview.previewId);
    if (failed !== null) saveFrom(failed.fileName, failed.url);
  };
  return (
    <>
      <p className="note-error">
        {en.sheet.partly}{' '}
        <button type="button" className="chip" onClick={() => void saveFailed()}>
          {en.sheet.failed}
        </button>
      </p>
      <table className="diff diff-problems">
        <thead>
          <tr>
            <th scope="col">{en.sheet.line}</th>
            <th scope="col">{en.sheet.column}</th>
            <th scope="col">{en.sheet.problem}</th>
          </tr>
        </thead>
        <tbody>
          {preview.errors.slice(0, SHOWN_MAX).map((problem) => (
            <tr key={`${problem.line} ${problem.column} ${problem.message}`}>
              <td className="numeric">{problem.line}</td>
              <td>{problem.column}</td>
              <td>{problem.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
