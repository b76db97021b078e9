import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A thread that was asked to close has this long to finish; after that it counts as stuck. */
const LIMIT_MS = 10_000;

/**
 * Waits until a thread that was asked to close has ended.
 *
 *   asked to close --its work ends--> ended normally
 *         '------- limit ----------> terminated
 *
 * Terminating a thread is the last resort: inside SQLite's code it can crash the whole process.
 *
 * @param limitMs how long the thread may take to end, in milliseconds
 */
export async function stopWorker(worker: Worker, limitMs = LIMIT_MS): Promise<void> {
  // `threadId` is -1 before the exit event, which is emitted only once.
  if (worker.threadId < 0) return;
  const gone = once(worker, 'exit');
  const limit = setTimeout(() => void worker.terminate(), limitMs);
  // The wait must keep the process alive, even if the worker had been unreferenced.
  worker.ref();
  await gone;
  clearTimeout(limit);
}

/**
 * Runs one piece of work in a thread that ends with it: for work that takes seconds of CPU, or memory that is to be
 * freed. An error in the thread is thrown to the caller.
 *
 * @param entry file whose thread answers with exactly one message
 */
export function runInWorker<Answer>(entry: URL, task: object): Promise<Answer> {
  const worker = new Worker(entry, { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) => resolve(answer));
    worker.once('error', reject);
    // After an answer, this rejection has no effect.
    worker.once('exit', (code) => reject(new Error(`the thread ended with code ${code} and without an answer`)));
  });
}

/**
 * The entry file of each worker thread: beside its source while running from TypeScript, beside the bundle after a
 * build.
 */
const ENTRIES = {
  writer: { source: '../store/worker/writer.ts', bundle: './writer-worker.js' },
  reader: { source: '../store/worker/reader.ts', bundle: './reader-worker.js' },
  cube: { source: '../cube/entry.ts', bundle: './cube-worker.js' },
  exchange: { source: '../files/spreadsheet/worker/entry.ts', bundle: './exchange-worker.js' },
  safety: { source: '../store/safety/entry.ts', bundle: './safety-worker.js' },
  probe: { source: '../files/probe/entry.ts', bundle: './probe-worker.js' },
  sandbox: { source: '../../sandbox/worker.ts', bundle: './sandbox-worker.js' },
} as const;

export function workerEntry(name: keyof typeof ENTRIES): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(fromSource ? ENTRIES[name].source : ENTRIES[name].bundle, import.meta.url);
}
