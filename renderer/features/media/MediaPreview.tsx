import { useRef, useState } from 'react';
import { useLimits } from '../../app/locale/limits.ts';
import { Problem } from '../../app/Problem.tsx';
import { cellOf } from '../../app/row-cells.ts';
import { saveFrom } from '../../app/save-text.ts';
import type { MediaFile } from '../../app/shared-queries.ts';
import { useFile } from '../../app/shared-queries.ts';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import ui from '../../components/ui.module.css';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import styles from './media.module.css';
import { hasPicture } from './poster.ts';

const texts = {
  scale: 'Preview size',
  scales: { 1: '1×', 2: '2×' },
  onLight: (name: string) => `${name} on a light background`,
  onDark: (name: string) => `${name} on a dark background`,
  saveFrame: 'Save frame as image',
  frameHint: 'Saves the current video frame as a PNG image.',
  onService: 'This video is on the service. Its file is not in this library, so it cannot be played here.',
  thumbnail: (name: string) => `Thumbnail of ${name}`,
} as const;

export const UNPLAYABLE = "This video can't be played here: its file is damaged, or its codec is not supported.";

interface MediaPreviewProps {
  readonly workspaceId: string;
  readonly mediaId: number;
  readonly files: readonly MediaFile[];
}

/** Preview of a file: a video player with captions, or a logo on light and dark backgrounds. */
export function MediaPreview({ workspaceId, mediaId, files }: MediaPreviewProps) {
  const file = files.find(({ id }) => id === mediaId);
  const isHere = file === undefined || file.isHere;
  const answer = useFile(workspaceId, isHere ? mediaId : null);
  const captionId = file === undefined ? null : cellOf('media', file.row, 'caption');
  const caption = useFile(workspaceId, typeof captionId === 'number' ? captionId : null).data;
  if (!isHere) {
    return (
      <figure className={styles['on-service']}>
        <ServicePicture
          workspaceId={workspaceId}
          of={{ is: 'row', kind: 'media', id: file.row.id }}
          alt={texts.thumbnail(file.name)}
          size={{ width: 240, height: 135 }}
        />
        <figcaption className={ui['quiet']}>{texts.onService}</figcaption>
      </figure>
    );
  }
  if (answer.error !== null) return <Problem of={answer.error} />;
  if (answer.data === undefined) return <span className={ui['grid-skeleton']} />;
  const { url, contentType } = answer.data;
  if (contentType.startsWith('video/')) {
    const track = caption?.contentType === 'text/vtt' ? caption.url : undefined;
    return <VideoPlayer key={url} url={url} name={file?.name ?? ''} caption={track} />;
  }
  if (contentType === 'image/jpeg') return <img className={styles['player']} src={url} alt={file?.name ?? ''} />;
  if (contentType.startsWith('image/')) return <LogoPreview url={url} name={file?.name ?? ''} />;
  return <p>{file?.name}</p>;
}

const SCALES = [1, 2] as const;

/** A logo as shoppers see it, on light and dark backgrounds, at its real size and at twice that for dense screens. */
function LogoPreview({ url, name }: { readonly url: string; readonly name: string }) {
  const { width, height } = useLimits().logo;
  const [scale, setScale] = useState<(typeof SCALES)[number]>(1);
  const size = { width: width * scale, height: height * scale };
  return (
    <>
      <div className={ui['logo-pair']}>
        <img className={ui['logo-light']} src={url} alt={texts.onLight(name)} {...size} />
        <img className={ui['logo-dark']} src={url} alt={texts.onDark(name)} {...size} />
      </div>
      <ChipChoice
        label={texts.scale}
        choices={SCALES.map((value) => ({ value, name: texts.scales[value] }))}
        chosen={scale}
        onChoose={setScale}
      />
    </>
  );
}

interface VideoPlayerProps {
  readonly url: string;
  readonly name: string;
  /** URL of the captions in WebVTT; undefined without captions. */
  readonly caption: string | undefined;
}

/** Plays a video of the library with its captions; the current frame can be saved as a picture. */
function VideoPlayer({ url, name, caption }: VideoPlayerProps) {
  const player = useRef<HTMLVideoElement>(null);
  // Controls are added after loading: otherwise the browser shows its loading indicator for seconds after the first
  // frame.
  const [isLoaded, setLoaded] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);
  const saveFrame = (): void => {
    const video = player.current;
    if (video === null) return;
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    const seconds = video.currentTime.toFixed(1).replace('.', '-');
    saveFrom(`${name.replace(/\.[^.]+$/, '')} ${seconds}s.png`, canvas.toDataURL('image/png'));
  };
  if (isUnplayable) return <p className={ui['note-warning']}>{UNPLAYABLE}</p>;
  return (
    <>
      <video
        ref={player}
        className={styles['player']}
        controls={isLoaded}
        preload="metadata"
        src={url}
        aria-label={name}
        onLoadedMetadata={({ currentTarget }) => {
          setLoaded(true);
          setUnplayable(!hasPicture(currentTarget));
        }}
        onError={() => setUnplayable(true)}
      >
        <track kind="captions" src={caption} srcLang="en" default />
      </video>
      <button
        type="button"
        className={`${ui['chip']} ${styles['frame-save']}`}
        title={texts.frameHint}
        onClick={saveFrame}
      >
        {texts.saveFrame}
      </button>
    </>
  );
}
