import { Worker } from 'node:worker_threads';

/**
 * Runs one piece of work in a thread of its own that ends with it: for work that takes seconds of processor time
 * or memory that should be gone afterwards. What the thread throws, the caller gets.
 *
 * @param entry file whose thread answers with exactly one message
 */
export function runInWorker<Answer>(entry: URL, task: object): Promise<Answer> {
  const worker = new Worker(entry, { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) => resolve(answer));
    worker.once('error', reject);
    // After an answer this changes nothing any more.
    worker.once('exit', (code) => reject(new Error(`the thread ended with code ${code} and without an answer`)));
  });
}
