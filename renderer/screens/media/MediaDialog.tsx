import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { useAppContext } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { FileCard } from './FileCard.tsx';

/** One file on its way in; `result` is null while it is checked. */
interface Entry {
  readonly key: number;
  readonly file: File;
  readonly result: AddedFile | null;
}

/** Files that were dropped or picked: each gets its own card, and a bad one never stops its neighbours. */
export function MediaDialog({ files }: { readonly files: readonly File[] }) {
  const { store, actions } = useAppContext();
  const { dismiss, announce } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const next = useRef(0);
  const taken = useRef<readonly File[] | null>(null);
  const [entries, setEntries] = useState<readonly Entry[]>([]);

  const take = async (dropped: readonly File[]): Promise<void> => {
    if (dropped.length === 0) return;
    const started = dropped.map((file) => ({ key: next.current++, file, result: null }));
    setEntries((before) => [...before, ...started]);
    const results = await actions.addMedia(dropped);
    setEntries((before) =>
      before.map((entry) => {
        const at = started.findIndex(({ key }) => key === entry.key);
        return at < 0 ? entry : { ...entry, result: results[at] ?? null };
      }),
    );
    const refused = results.filter((result) => result.outcome === 'refused').length;
    announce(en.media.spoken(results.length - refused, refused));
  };
  /** The fitted picture comes in its own card; the one it was made of goes, unless the library had it before. */
  const replace = async ({ key, result }: Entry, fitted: File): Promise<void> => {
    setEntries((before) => before.filter((entry) => entry.key !== key));
    if (result?.outcome === 'added' && !result.known) await actions.remove([{ kind: 'media', id: result.mediaId }]);
    await take([fitted]);
  };
  const run = useRef(take);

  useEffect(() => {
    run.current = take;
  });
  useEffect(() => {
    // The same drop is taken once, however often this mounts.
    if (taken.current === files) return;
    taken.current = files;
    void run.current(files);
  }, [files]);

  const isEmpty = entries.length === 0;
  const choose = (): void => picker.current?.click();
  return (
    <Modal opened onClose={dismiss} title={en.media.title} size={580}>
      {isEmpty && <p className="quiet">{en.media.dropText}</p>}
      <ul className="cards">
        {entries.map((entry) => (
          <FileCard
            key={entry.key}
            file={entry.file}
            result={entry.result}
            onFit={(fitted) => void replace(entry, fitted)}
          />
        ))}
      </ul>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label={en.media.addMore}
        accept=".mp4,.mov,.srt,.vtt,.png"
        onChange={(event) => void take([...(event.target.files ?? [])])}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        {isEmpty ? (
          <>
            <Button onClick={dismiss}>{en.close}</Button>
            <Button data-autofocus variant="filled" onClick={choose}>
              {en.media.choose}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={choose}>{en.media.addMore}</Button>
            <Button data-autofocus variant="filled" onClick={dismiss}>
              {en.media.done}
            </Button>
          </>
        )}
      </Group>
    </Modal>
  );
}
