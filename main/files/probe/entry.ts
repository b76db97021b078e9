import { parentPort } from 'node:worker_threads';
import { probeFile } from './probe-file.ts';
import type { TrimOptions } from './trim-video.ts';

/** Work that reads a whole video, in a separate thread. */
export type VideoTask = ({ readonly is: 'trim' } & TrimOptions) | { readonly is: 'key-frames'; readonly path: string };

/**
 * Entry of the probe's worker thread: receives a path and sends facts or a refusal; null ends the thread. Longer work
 * sends progress before its result.
 */
parentPort?.on('message', (order: string | null | VideoTask) => {
  if (order === null) parentPort?.close();
  else if (typeof order === 'string') parentPort?.postMessage(probeFile(order));
  else void answer(order);
});

async function answer(order: VideoTask): Promise<void> {
  // The library that cuts videos is large, and a thread that probes does not need it.
  const { readKeyFrames, trimVideo } = await import('./trim-video.ts');
  const answered =
    order.is === 'key-frames'
      ? await readKeyFrames(order.path)
      : await trimVideo(order, (share) => parentPort?.postMessage({ share }));
  parentPort?.postMessage(answered);
}
