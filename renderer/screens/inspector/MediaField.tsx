import { Button } from '@mantine/core';
import { type DragEvent, useId, useRef, useState } from 'react';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { useAppContext } from '../../app/desk.ts';
import { useLimits } from '../../data/use-limits.ts';
import type { MediaFile } from '../../data/use-media.ts';
import { en } from '../../messages/en.ts';
import { enMedia } from '../../messages/en-media.ts';
import { knownText } from '../media/KnownFile.tsx';
import { FieldFrame, type FieldProps } from './FieldFrame.tsx';
import { MediaPreview } from './MediaPreview.tsx';

export interface MediaFieldProps extends FieldProps {
  readonly workspaceId: string;
  readonly value: number | null;
  readonly files: readonly MediaFile[];
  readonly onChange: (mediaId: number | null) => void;
}

const ACCEPT: Readonly<Record<string, string>> = { logo: '.png', video: '.mp4,.mov', caption: '.srt,.vtt' };

/** A field that points at a file: its picture, a pick list of the library, and a place to drop or choose a new one. */
export function MediaField(props: MediaFieldProps) {
  const { logo, media } = useLimits();
  const { workspaceId, column, value, files, onChange } = props;
  const { actions } = useAppContext();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  /** The file that was given last, where the library had it before. */
  const [again, setAgain] = useState<number | null>(null);
  const [refused, setRefused] = useState<readonly AddedFile[]>([]);

  const take = async (dropped: readonly File[]): Promise<void> => {
    if (dropped.length === 0) return;
    setBusy(true);
    const added = await actions.addMedia(dropped);
    setBusy(false);
    setRefused(added.filter((file) => file.outcome === 'refused'));
    const fitting = added.find((file) => file.outcome === 'added' && file.mediaType === column.field);
    if (fitting?.outcome !== 'added') return;
    setAgain(fitting.known ? fitting.mediaId : null);
    onChange(fitting.mediaId);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    void take([...event.dataTransfer.files]);
  };
  const known = value === again ? files.find(({ id }) => id === again)?.row : undefined;
  const problem = refused
    .map((file) => (file.outcome === 'refused' ? fileRefusalText(file.fileName, file.reason, file.params) : ''))
    .join(' ');
  return (
    <FieldFrame {...props} inputId={id} problemId={`${id}-notes`} problem={problem === '' ? null : problem} hint={null}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard path in the button and the list below. */}
      <div className="drop-field" data-own-drop="" onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
        {value === null ? (
          <p className="quiet">
            {column.field === 'logo'
              ? en.inspector.dropLogo(logo.width, logo.height, logo.contentMaxKb)
              : en.inspector.dropVideo(media.seconds.min, media.seconds.max)}
          </p>
        ) : (
          <MediaPreview workspaceId={workspaceId} mediaId={value} files={files} />
        )}
        {known !== undefined && (
          <p className="quiet" role="status">
            {knownText(known)}
          </p>
        )}
        <div className="drop-actions">
          <select
            id={id}
            className="input"
            value={value ?? ''}
            aria-describedby={`${id}-notes`}
            onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">{en.grid.none}</option>
            {files.map((file) => (
              <option key={file.id} value={file.id}>
                {file.isHere ? file.name : enMedia.onServiceOnly(file.name)}
              </option>
            ))}
          </select>
          <Button loading={busy} onClick={() => picker.current?.click()}>
            {en.inspector.choose}
          </Button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple={column.field === 'video'}
            accept={column.field === 'video' ? '.mp4,.mov,.srt,.vtt' : ACCEPT[column.field]}
            onChange={(event) => void take([...(event.target.files ?? [])])}
          />
        </div>
      </div>
    </FieldFrame>
  );
}
