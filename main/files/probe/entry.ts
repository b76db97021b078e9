import { parentPort } from 'node:worker_threads';
import { probeFile } from './probe-file.ts';

/** Entry of the probe's worker thread: a path comes in, facts or a refusal go out; null ends the thread. */
parentPort?.on('message', (path: string | null) => {
  if (path === null) parentPort?.close();
  else parentPort?.postMessage(probeFile(path));
});
