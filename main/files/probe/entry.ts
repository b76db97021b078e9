import { parentPort } from 'node:worker_threads';
import { probeFile } from './probe-file.ts';
import type { TrimOptions } from './trim-video.ts';

/** Work that reads a whole video; the thread that does it does nothing else. */
export type VideoTask = ({ readonly is: 'trim' } & TrimOptions) | { readonly is: 'key-frames'; readonly path: string };

/**
 * Entry of the probe's worker thread: a path comes in, facts or a refusal go out; null ends the thread. Of longer work
 * shares go out before its answer.
 */
parentPort?.on('message', (order: string | null | VideoTask) => {
  if (order === null) parentPort?.close();
  else if (typeof order === 'string') parentPort?.postMessage(probeFile(order));
  else void answer(order);
});

async function answer(order: VideoTask): Promise<void> {
  // What cuts videos is large, and a thread that probes has no use for it.
  const { readKeyFrames, trimVideo } = await import('./trim-video.ts');
  const answered =
    order.is === 'key-frames'
      ? await readKeyFrames(order.path)
      : await trimVideo(order, (share) => parentPort?.postMessage({ share }));
  parentPort?.postMessage(answered);
}
