import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { workerEntry } from '../../worker-entries.ts';
import type { WorkerSetup } from './protocol.ts';

/** One of the two threads of a workspace, as the main thread holds it. */
export interface Thread<Calls extends object> {
  readonly calls: ReturnType<typeof createBirpc<Calls, object>>;
  /** Waits until it has ended, which it does by itself once it is closed. */
  end(): Promise<void>;
}

/** A thread that is closed has a handful of turns to go; one that is stuck for so long is ended from outside. */
const END_LIMIT_MS = 5000;

/** @param ended told why when it ends by itself, after which its calls are refused */
export function startThread<Calls extends object>(
  setup: WorkerSetup,
  events: object,
  ended: (why: string) => void,
): Thread<Calls> {
  const worker = new Worker(workerEntry('workspace'), { workerData: setup, name: `workspace ${setup.role}` });
  const calls = createBirpc<Calls, object>(events, {
    post: (message) => worker.postMessage(message),
    on: (listener) => worker.on('message', listener),
    timeout: -1,
  });
  const fail = (why: string) => {
    calls.$close(new Error(`the workspace's ${setup.role} has ended: ${why}`));
    ended(`${setup.role}: ${why}`);
  };
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => fail(`exit code ${code}`));
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    calls,
    end: async () => {
      const limit = setTimeout(() => void worker.terminate(), END_LIMIT_MS);
      await gone;
      clearTimeout(limit);
    },
  };
}
