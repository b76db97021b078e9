import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { useDesk } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { countText } from '../../messages/numbers.ts';
import { dialogFor } from '../frame/DropVeil.tsx';

const SHOWN_MAX = 200;

/** A sheet before it is applied: what it would add and change, and every line that cannot be read. */
export function SheetDialog({ file, media }: { readonly file: File | null; readonly media: readonly File[] }) {
  const { store, actions } = useDesk();
  const { dismiss, show } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const taken = useRef<readonly File[] | null>(null);
  const [refused, setRefused] = useState<readonly AddedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [preview, setPreview] = useState<ImportPreview | null>(null);

  // The files go first, so that the sheet finds them in the library by their names.
  const read = async (sheet: File, files: readonly File[]): Promise<void> => {
    setBusy(true);
    if (files.length > 0) {
      const added = await actions.addMedia(files);
      setRefused(added.filter((each) => each.outcome === 'refused'));
    }
    setPreview(await actions.previewSheet(sheet));
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

  const total = preview === null ? 0 : preview.added + preview.changed;
  const apply = async (): Promise<void> => {
    if (preview === null) return;
    setBusy(true);
    const applied = await actions.applySheet(preview.previewId);
    setBusy(false);
    if (applied) dismiss();
  };
  return (
    <Modal opened onClose={dismiss} title={preview === null ? en.sheet.title : preview.fileName} size={720}>
      {preview === null && <p className="quiet">{busy ? en.sheet.reading : en.sheet.drop}</p>}
      {refused.map(
        (each) =>
          each.outcome === 'refused' && (
            <p key={each.fileName} className="note-error">
              {fileRefusalText(each.fileName, each.reason, each.params)}
            </p>
          ),
      )}
      {preview !== null && <Figures preview={preview} />}
      {preview !== null && preview.errors.length > 0 && <Problems preview={preview} />}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={en.sheet.pick}
        multiple
        accept=".csv,.tsv,.txt,.mp4,.mov,.srt,.vtt,.png"
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
  const nothing = preview.added + preview.changed === 0 && preview.errors.length === 0;
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
    </>
  );
}

function Problems({ preview }: { readonly preview: ImportPreview }) {
  return (
    <>
      <p className="note-error">{en.sheet.partly}</p>
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
