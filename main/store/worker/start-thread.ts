import { type ResourceLimits, Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { stopWorker, workerEntry } from '../../app/workers.ts';
import { trackCalls, WorkspaceClosed } from './pending-calls.ts';

/** A thread that answers calls until it is closed, as seen from the main thread. */
export interface ThreadClient<Calls extends object> {
  readonly calls: ReturnType<typeof createBirpc<Calls, object>>;
  /** Lets it answer the running calls and close, and waits until it has ended. Later calls are refused. */
  close(): Promise<void>;
}

/** How long to wait for calls when the thread closes. Only checks of a large account take longer, and are not waited for. */
const ANSWER_LIMIT_MS = 1000;

/** A closed thread ends within a few turns. One that has not ended after this time is terminated. */
const END_LIMIT_MS = 5000;

/**
 * Starts a thread of an open account.
 *
 * @param ended called with the reason if it ends by itself; its calls are refused then
 * @param resourceLimits heap limits that differ from the defaults
 */
export function startThread<Calls extends object>(
  role: 'writer' | 'reader' | 'cube',
  setup: object,
  events: object,
  ended: (why: string) => void,
  resourceLimits: ResourceLimits = {},
): ThreadClient<Calls> {
  const worker = new Worker(workerEntry(role), { workerData: setup, name: `workspace ${role}`, resourceLimits });
  const connection = createBirpc<Calls, object>(events, {
    post: (message) => worker.postMessage(message),
    on: (listener) =>
      worker.on('message', (messages: readonly unknown[]) => {
        for (const message of messages) listener(message);
      }),
    timeout: -1,
  });
  const { calls, refuse, answered } = trackCalls(connection);
  const fail = (why: string) => {
    const reason = `the workspace's ${role} has ended: ${why}`;
    refuse(reason);
    connection.$close(new WorkspaceClosed(reason));
    ended(`${role}: ${why}`);
  };
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => fail(`exit code ${code}`));
  return {
    calls,
    close: async () => {
      refuse(`the workspace's ${role} is closed`);
      await answered(ANSWER_LIMIT_MS);
      // A thread that has ended or never started does not answer this call.
      await Promise.allSettled([connection.$callRaw({ method: 'close', args: [] })]);
      await stopWorker(worker, END_LIMIT_MS);
    },
  };
}
