import { createSerialQueue } from '../../../shared/serial-queue.ts';
import type { Client } from '../../app/transport/connection.ts';

/** Size of a poster in pixels: twice the minimum width of a card. */
const WIDTH = 432;
const HEIGHT = 243;
/** The quality of a JPEG that nobody has chosen. */
const QUALITY = 0.8;
/** Position of the frame in seconds, after black frames at the beginning. */
const AT_SECONDS = 1;
/** Time limit for loading a frame, in milliseconds; after it there is no poster. */
const GIVE_UP_MS = 10_000;

/** Decodes one video at a time: each needs tens of megabytes. */
const inTurn = createSerialQueue();

/** Draws a frame of a video, saves it in main, and returns its URL; null if no frame can be drawn. */
export const makePoster = (
  client: Client,
  workspaceId: string,
  id: Parameters<Client['pictures']['keepPoster']>[0]['id'],
): Promise<string | null> =>
  inTurn(async () => {
    try {
      const { url } = await client.media.preview({ workspaceId, mediaId: id });
      const jpeg = await frameOf(url);
      return jpeg === null ? null : (await client.pictures.keepPoster({ workspaceId, id, jpeg })).url;
    } catch {
      // The file was removed or the connection is lost: the card stays without a picture.
      return null;
    }
  });

/** False for a video with a codec of which the browser plays the sound alone, in a black box. */
export const hasPicture = ({ videoWidth }: HTMLVideoElement): boolean => videoWidth > 0;

/** The frame that a video shows, as a JPEG in base64. */
export function posterOf(video: HTMLVideoElement | null, quality: number): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  if (video !== null) canvas.getContext('2d')?.drawImage(video, 0, 0, WIDTH, HEIGHT);
  return canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? null;
}

/** A frame near the start of a video, as such a JPEG. */
function frameOf(url: string): Promise<string | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  return new Promise((done) => {
    const end = (jpeg: string | null): void => {
      clearTimeout(timer);
      video.removeAttribute('src');
      video.load();
      done(jpeg);
    };
    const timer = setTimeout(() => end(null), GIVE_UP_MS);
    video.onerror = () => end(null);
    video.onloadeddata = () => {
      if (!hasPicture(video)) return end(null);
      video.currentTime = Math.min(AT_SECONDS, video.duration / 4);
    };
    video.onseeked = () => end(posterOf(video, QUALITY));
    video.src = url;
  });
}
