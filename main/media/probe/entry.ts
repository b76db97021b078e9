import { parentPort } from 'node:worker_threads';
import { probeFile } from './probe-file.ts';

/** Entry of the probe's worker thread: a path comes in, facts or a refusal go out. */
parentPort?.on('message', (path: string) => {
  parentPort?.postMessage(probeFile(path));
});
