import { Button, Group, Modal } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconLoader } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AddedFile } from '../../../shared/api/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { findingText } from '../../app/finding-text.ts';
import { plural } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import { factTexts } from '../details/media-facts.ts';
import { FileChecks } from './FileChecks.tsx';
import { KnownFile } from './KnownFile.tsx';
import { LogoFit } from './LogoFit.tsx';

const texts = {
  title: 'Add files',
  checking: 'Checking',
  added: 'Added to the library',
  known: 'Already in the library',
  refused: "Can't be used",
  fail: 'Failed',
  choose: 'Choose files…',
  addMore: 'Add more files…',
  done: 'Done',
  spoken: (added: number, refused: number) =>
    `${plural(added, 'file')} added${refused === 0 ? '' : `, ${plural(refused, 'file')} can't be used`}`,
} as const;

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
    announce(texts.spoken(results.length - refused, refused));
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
    <Modal opened onClose={dismiss} title={texts.title} size={580}>
      {isEmpty && <p className={ui['quiet']}>{appTexts.media.dropText}</p>}
      <ul className={ui['cards']}>
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
        aria-label={texts.addMore}
        accept=".mp4,.mov,.srt,.vtt,.png"
        onChange={(event) => void take([...(event.target.files ?? [])])}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        {isEmpty ? (
          <>
            <Button onClick={dismiss}>{appTexts.close}</Button>
            <Button data-autofocus variant="filled" onClick={choose}>
              {texts.choose}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={choose}>{texts.addMore}</Button>
            <Button data-autofocus variant="filled" onClick={dismiss}>
              {texts.done}
            </Button>
          </>
        )}
      </Group>
    </Modal>
  );
}

const FACTS = fieldNames('media').indexOf('facts');

interface FileCardProps {
  readonly file: File;
  /** Null while it is checked. */
  readonly result: AddedFile | null;
  /** Gets a picture that was made a logo. */
  readonly onFit: (fitted: File) => void;
}

/** One file with its verdict: usable or not, what was found in it, every rule it breaks, and a way to mend a picture. */
function FileCard({ file, result, onFit }: FileCardProps) {
  if (result === null) {
    return (
      <li className={ui['card']} aria-busy="true">
        <p>
          <IconLoader size={15} stroke={1.5} aria-hidden="true" /> <strong>{file.name}</strong> {texts.checking}
        </p>
      </li>
    );
  }
  if (result.outcome === 'refused') {
    return (
      <li className={`${ui['card']} ${ui['card-error']}`}>
        <p>
          <IconCircleX size={15} stroke={1.5} aria-hidden="true" /> <strong>{texts.refused}</strong>
        </p>
        <p>{fileRefusalText(result.fileName, result.reason, result.params)}</p>
        {file.type.startsWith('image/') && <LogoFit file={file} onFit={onFit} />}
      </li>
    );
  }
  return <AddedCard {...result} file={file} onFit={onFit} />;
}

type Added = Extract<AddedFile, { outcome: 'added' }> & Pick<FileCardProps, 'file' | 'onFit'>;

function AddedCard({ fileName, mediaId, mediaType, known, file, onFit }: Added) {
  const api = useApi();
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const detail = useQuery(
    api.workspace.row.queryOptions({ input: { workspaceId, ref: { kind: 'media', id: mediaId } } }),
  ).data;
  const facts = factTexts(String(detail?.row.cells[FACTS] ?? ''));
  const problems = detail?.findings.filter((finding) => finding.severity !== 'advice') ?? [];
  const failed = problems.some((finding) => finding.severity === 'error');
  return (
    <li className={failed ? `${ui['card']} ${ui['card-error']}` : `${ui['card']} ${ui['card-good']}`}>
      <p>
        {failed ? (
          <IconCircleX size={15} stroke={1.5} aria-hidden="true" />
        ) : (
          <IconCircleCheck size={15} stroke={1.5} aria-hidden="true" />
        )}{' '}
        <strong>{fileName}</strong> <span className={ui['badge']}>{choiceName(mediaType)}</span>{' '}
        {failed ? texts.fail : known ? texts.known : texts.added}
      </p>
      {facts.length > 0 && <p className={ui['quiet']}>{facts.map(([name, text]) => `${name} ${text}`).join(' · ')}</p>}
      {detail !== undefined && <FileChecks mediaType={mediaType} findings={detail.findings} />}
      {problems.map((finding) => (
        <p key={finding.rule} className={ui[`note-${finding.severity}`]}>
          {findingText(finding)}
        </p>
      ))}
      {known && !failed && detail !== undefined && <KnownFile row={detail.row} mediaType={mediaType} />}
      {failed && mediaType === 'logo' && <LogoFit file={file} onFit={onFit} />}
    </li>
  );
}
