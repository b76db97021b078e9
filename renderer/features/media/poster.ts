import { createSerialQueue } from '../../../shared/serial-queue.ts';
import type { Client } from '../../app/transport/connection.ts';

/** Size of a poster in pixels: a card of twice the least width. */
const WIDTH = 432;
const HEIGHT = 243;
const QUALITY = 0.8;
/** A frame after the first black ones, in seconds. */
const AT_SECONDS = 1;
/** A video that shows no frame for so long gets no poster. */
const GIVE_UP_MS = 10_000;

/** Videos are decoded one after the other: each takes tens of megabytes while it lasts. */
const inTurn = createSerialQueue();

/** Draws a frame of a video of the library, has main keep it, and answers with its address; null when there is none to show. */
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
      // A file that has gone meanwhile, or main that is away: the card stays without a picture.
      return null;
    }
  });

/** A frame as a JPEG in base64. */
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
      video.currentTime = Math.min(AT_SECONDS, video.duration / 4);
    };
    video.onseeked = () => {
      const canvas = document.createElement('canvas');
      canvas.width = WIDTH;
      canvas.height = HEIGHT;
      canvas.getContext('2d')?.drawImage(video, 0, 0, WIDTH, HEIGHT);
      end(canvas.toDataURL('image/jpeg', QUALITY).split(',')[1] ?? null);
    };
    video.src = url;
  });
}
