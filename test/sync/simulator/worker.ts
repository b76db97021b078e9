import { parentPort } from 'node:worker_threads';
import { type Batch, playBatch } from './batch.ts';

// A simulated death is an error that nobody reads the stack of, and there are millions of them.
Error.stackTraceLimit = 0;
const port = parentPort;
if (port === null) throw new Error('started outside a worker');
port.on('message', (batch: Batch) => {
  void playBatch(batch).then((outcome) => port.postMessage(outcome));
});
