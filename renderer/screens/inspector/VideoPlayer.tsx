import { useRef, useState } from 'react';
import { saveFrom } from '../../app/save-text.ts';
import { enMedia } from '../../messages/en-media.ts';

interface VideoPlayerProps {
  readonly url: string;
  readonly name: string;
  /** Address of the caption in WebVTT; undefined without one. */
  readonly caption: string | undefined;
}

/** Plays a video of the library with its caption; the frame it stands at can be saved as a picture. */
export function VideoPlayer({ url, name, caption }: VideoPlayerProps) {
  const player = useRef<HTMLVideoElement>(null);
  // The browser's controls turn a wheel over the picture for seconds after it is there, unless they come after it.
  const [isLoaded, setLoaded] = useState(false);
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
  return (
    <>
      <video
        ref={player}
        className="player"
        controls={isLoaded}
        preload="metadata"
        src={url}
        aria-label={name}
        onLoadedMetadata={() => setLoaded(true)}
      >
        <track kind="captions" src={caption} srcLang="en" default />
      </video>
      <button type="button" className="chip frame-save" title={enMedia.frameHint} onClick={saveFrame}>
        {enMedia.saveFrame}
      </button>
    </>
  );
}
