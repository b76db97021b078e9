import { Button, Group, Modal } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconLoader } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AddedFile } from '../../../shared/api/files.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { issueText, LONG_VIDEO_RULE, longVideoTexts } from '../../app/issue-text.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { plural } from '../../app/locale/numbers.ts';
import { attachDropped } from '../../app/move-commands.ts';
import { useRow } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import { FileChecks } from './FileChecks.tsx';
import { MediaUsage } from './MediaUsage.tsx';
import styles from './media.module.css';
import { factTexts } from './media-facts.ts';

const texts = {
  title: 'Add files',
  checking: 'Checking',
  added: 'Added to the library',
  known: 'Already in the library',
  refused: "Can't be used",
  fail: 'Failed',
  remove: 'Remove from library',
  notAdded: 'Not added',
  use: 'Use in a campaign…',
  useHint: 'Copies the file. Open a campaign and press Ctrl+V to attach it.',
  show: 'Show in the library',
  choose: 'Choose files…',
  addMore: 'Add more files…',
  done: 'Done',
  spoken: (added: number, refused: number) =>
    `${plural(added, 'file')} added${refused === 0 ? '' : `, ${plural(refused, 'file')} can't be used`}`,
} as const;

/** Result for a file; null while it is checked, `failed` after a call that failed with a toast. */
type Result = AddedFile | 'failed' | null;

/** A file that is being added. */
interface Entry {
  readonly key: number;
  readonly file: File;
  readonly result: Result;
}

interface MediaDialogProps {
  readonly files: readonly File[];
  /** The row that they were dropped on, where they are set. */
  readonly onto: RowRef | undefined;
}

/** Dropped or selected files: each has its own card, and a refused file never stops the others. */
export function MediaDialog({ files, onto }: MediaDialogProps) {
  const app = useAppContext();
  const { store, actions, toasts } = app;
  const { dismiss, announce } = store.getState();
  const isHere = useRef(true);
  const picker = useRef<HTMLInputElement>(null);
  const next = useRef(0);
  const taken = useRef<readonly File[] | null>(null);
  const [entries, setEntries] = useState<readonly Entry[]>([]);

  /** Removes a file that was added by this dialog. @returns false if it is still in the library */
  const removeAdded = async ({ result }: Entry): Promise<boolean> =>
    !isAdded(result) || result.known || (await actions.remove([{ kind: 'media', id: result.mediaId }])) !== null;
  const remove = async (entry: Entry): Promise<void> => {
    if (await removeAdded(entry)) setEntries((before) => before.filter(({ key }) => key !== entry.key));
  };
  /**
   * @param instead the card whose place the files take, and whose file goes first; otherwise they come last
   * @param row where the files are set; null for none
   */
  const take = async (dropped: readonly File[], instead: Entry | null = null, row = onto ?? null): Promise<void> => {
    if (dropped.length === 0) return;
    const started = dropped.map((file) => ({ key: next.current++, file, result: null }));
    setEntries((before) =>
      instead === null
        ? [...before, ...started]
        : before.flatMap((entry) => (entry.key === instead.key ? started : [entry])),
    );
    if (instead !== null) await removeAdded(instead);
    const { workspaceId } = store.getState();
    const results = await actions.addMedia(dropped);
    setEntries((before) =>
      before.map((entry) => {
        const at = started.findIndex(({ key }) => key === entry.key);
        return at < 0 ? entry : { ...entry, result: results[at] ?? 'failed' };
      }),
    );
    if (row !== null && workspaceId !== null) await attachDropped(app, results, row, workspaceId);
    const answers = results.filter((result) => result !== null);
    const refused = answers.filter((result) => result.outcome === 'refused');
    if (isHere.current) announce(texts.spoken(answers.length - refused.length, refused.length));
    else for (const { fileName, reason, params } of refused) toasts.fail(fileRefusalText(fileName, reason, params));
  };
  const takeDropped = useEffectEvent(take);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  useEffect(() => {
    // Each drop is added once, even if the effect runs twice.
    if (taken.current === files) return;
    taken.current = files;
    void takeDropped(files);
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
            onFit={(fitted) => void take([fitted], entry)}
            onRemove={() => void remove(entry)}
          />
        ))}
      </ul>
      <FilePicker
        ref={picker}
        multiple
        aria-label={texts.addMore}
        // Other pictures are offered as a resized PNG.
        accept=".mp4,.mov,.srt,.vtt,.png,.jpg,.jpeg,.gif,.webp"
        onPick={(picked) => void take(picked, null, null)}
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

const isAdded = (result: Result) => result !== null && result !== 'failed' && result.outcome === 'added';

interface FileCardProps {
  readonly file: File;
  readonly result: Result;
  /** Called with the resized logo. */
  readonly onFit: (fitted: File) => void;
  /** Called to remove the file from the library. */
  readonly onRemove: () => void;
}

/** A file with its result: usable or not, measured values, broken rules, and a tool to resize a picture. */
function FileCard({ file, result, onFit, onRemove }: FileCardProps) {
  if (result === null) {
    return (
      <li className={ui['card']} aria-busy="true">
        <p>
          <IconLoader size={15} stroke={1.5} aria-hidden="true" /> <strong>{file.name}</strong> {texts.checking}
        </p>
      </li>
    );
  }
  if (result === 'failed') {
    return (
      <li className={`${ui['card']} ${ui['card-error']}`}>
        <p>
          <IconCircleX size={15} stroke={1.5} aria-hidden="true" /> <strong>{file.name}</strong> {texts.notAdded}
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
  return <AddedCard {...result} file={file} onFit={onFit} onRemove={onRemove} />;
}

type Added = Extract<AddedFile, { outcome: 'added' }> & Pick<FileCardProps, 'file' | 'onFit' | 'onRemove'>;

function AddedCard({ fileName, mediaId, mediaType, known, file, onFit, onRemove }: Added) {
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const { dismiss, editVideo } = useAppContext().store.getState();
  const detail = useRow(workspaceId, { kind: 'media', id: mediaId });
  const facts = factTexts(String(detail?.row.cells[FACTS] ?? ''));
  const problems = detail?.issues.filter((issue) => issue.severity !== 'advice') ?? [];
  const failed = problems.some((issue) => issue.severity === 'error');
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
      {detail !== undefined && <FileChecks mediaType={mediaType} issues={detail.issues} />}
      {problems.map((issue) => (
        <p key={issue.rule} className={ui[`note-${issue.severity}`]}>
          {issueText(issue)}
        </p>
      ))}
      {known && !failed && detail !== undefined && <KnownFile row={detail.row} mediaType={mediaType} />}
      {failed && mediaType === 'logo' && <LogoFit file={file} onFit={onFit} />}
      {failed && (
        <Group gap="xs">
          {problems.some(({ rule }) => rule === LONG_VIDEO_RULE) && (
            <Button
              onClick={() => {
                dismiss();
                editVideo(mediaId);
              }}
            >
              {longVideoTexts.trim}
            </Button>
          )}
          {!known && <Button onClick={onRemove}>{texts.remove}</Button>}
        </Group>
      )}
    </li>
  );
}

/** A file that was already in the library: whether it was uploaded, what uses it, and a button to use it again. */
function KnownFile({ row, mediaType }: { readonly row: WindowRow; readonly mediaType: string }) {
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const { dismiss, setRowsToMove, reveal } = useAppContext().store.getState();
  return (
    <div className={styles['known-file']}>
      <p>{appTexts.media.known(row.remoteId)}</p>
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={mediaType} onFollow={dismiss} />
      <Group gap="xs">
        <Button
          size="compact-xs"
          title={texts.useHint}
          onClick={() => {
            setRowsToMove({ kind: 'media', rows: [row], move: false });
            dismiss();
          }}
        >
          {texts.use}
        </Button>
        <Button
          size="compact-xs"
          onClick={() => {
            reveal('media', null, row.id, null);
            dismiss();
          }}
        >
          {texts.show}
        </Button>
      </Group>
    </div>
  );
}

const logoFitTexts = {
  fit: (width: number, height: number) => `Resize to ${width} × ${height}`,
  hint: 'Preview on light and dark backgrounds. Transparency is kept.',
  modes: { pad: 'Fit the whole image (adds margins)', crop: 'Fill the square (crops the edges)' },
  use: (mode: string) => `Use: ${mode.toLowerCase()}`,
  unreadable: "Can't open this image. Save it as PNG and add it again.",
  tooLarge: 'This image is too large to resize here. Save a smaller copy and add it again.',
} as const;

/** Most pixels of a decoded picture: each needs four bytes. */
const PIXELS_MAX = 40_000_000;
const MODES: readonly FitMode[] = ['pad', 'crop'];

interface LogoFitProps {
  readonly file: File;
  /** Called with the resized picture as a PNG file of the same name. */
  readonly onFit: (fitted: File) => void;
}

/** Two ways to resize a picture to a logo, each with a preview. */
export function LogoFit({ file, onFit }: LogoFitProps) {
  const { width, height } = useLimits().logo;
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let over = false;
    let drawn: ImageBitmap | null = null;
    createImageBitmap(file).then(
      (bitmap) => {
        drawn = bitmap;
        if (over) bitmap.close();
        else if (bitmap.width * bitmap.height > PIXELS_MAX) setProblem(logoFitTexts.tooLarge);
        else setPicture(bitmap);
      },
      // The browser reports no reason beyond that it can't decode the file.
      () => setProblem(logoFitTexts.unreadable),
    );
    return () => {
      over = true;
      drawn?.close();
    };
  }, [file]);
  if (problem !== null) return <p className={ui['quiet']}>{problem}</p>;
  if (picture === null) return null;
  return (
    <div role="group" className={styles['logo-fit']} aria-label={logoFitTexts.fit(width, height)}>
      <p>
        <strong>{logoFitTexts.fit(width, height)}</strong> <span className={ui['quiet']}>{logoFitTexts.hint}</span>
      </p>
      <div className={styles['logo-fit-ways']}>
        {MODES.map((mode) => (
          <FitWay key={mode} picture={picture} mode={mode} name={file.name} onFit={onFit} />
        ))}
      </div>
    </div>
  );
}

interface FitWayProps {
  readonly picture: ImageBitmap;
  readonly mode: FitMode;
  readonly name: string;
  readonly onFit: (fitted: File) => void;
}

function FitWay({ picture, mode, name, onFit }: FitWayProps) {
  const light = useRef<HTMLCanvasElement>(null);
  const dark = useRef<HTMLCanvasElement>(null);
  const { width, height } = useLimits().logo;
  const text = logoFitTexts.modes[mode];
  useEffect(() => {
    for (const canvas of [light.current, dark.current]) {
      const paper = canvas?.getContext('2d');
      if (paper === null || paper === undefined) continue;
      const place = fitPlace(picture, { width, height }, mode);
      paper.clearRect(0, 0, width, height);
      paper.imageSmoothingQuality = 'high';
      paper.drawImage(picture, place.x, place.y, place.width, place.height);
    }
  }, [picture, mode, width, height]);
  const use = (): void =>
    light.current?.toBlob((blob) => {
      if (blob !== null) onFit(new File([blob], `${name.replace(/\.[^.]*$/, '')}-${width}.png`, { type: 'image/png' }));
    }, 'image/png');
  return (
    <div className={styles['logo-fit-way']}>
      <div className={ui['logo-pair']}>
        <canvas ref={light} className={ui['logo-light']} width={width} height={height} role="img" aria-label={text} />
        <canvas ref={dark} className={ui['logo-dark']} width={width} height={height} />
      </div>
      <Button onClick={use}>{logoFitTexts.use(text)}</Button>
    </div>
  );
}

/** `pad` keeps the whole picture and adds margins; `crop` fills the area and cuts off the overflow. */
type FitMode = 'pad' | 'crop';

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * Position of a picture in an area of another size: centered, in proportion.
 *
 * @param picture size in pixels, both sides at least 1
 * @returns the rectangle in pixels of the area; larger than the area if the picture is cropped
 */
export function fitPlace(picture: Size, place: Size, mode: FitMode): Place {
  const across = place.width / picture.width;
  const down = place.height / picture.height;
  const scale = mode === 'pad' ? Math.min(across, down) : Math.max(across, down);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { x: (place.width - width) / 2, y: (place.height - height) / 2, width, height };
}
