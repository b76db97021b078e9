import { MessageChannel } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { exchangeOver } from '../../main/files/spreadsheet/exchange-thread.ts';
import { answerExchange } from '../../main/files/spreadsheet/worker/entry.ts';
import { type OpenWorkspaceOptions, openWorkspace } from '../../main/store/store.ts';
import { trackCalls } from '../../main/store/worker/pending-calls.ts';
import { answerReads } from '../../main/store/worker/reader.ts';
import type { startThread } from '../../main/store/worker/start-thread.ts';
import type { WorkerSetup } from '../../main/store/worker/thread-calls.ts';
import { answerWrites } from '../../main/store/worker/writer.ts';

/**
 * Opens a workspace whose two threads are this one: the same code answers the same messages, and 0.3 s of CPU are spared. For
 * suites about what works on a workspace; those about the workspace itself have its threads.
 */
export const openWithoutThreads = (options: OpenWorkspaceOptions): ReturnType<typeof openWorkspace> =>
  openWorkspace({ ...options, start: startHere });

/** Starts the answering side of a workspace in this thread, at the other end of a channel that copies as one between threads. */
const startHere: typeof startThread = <Calls extends object>(role: string, setup: object, events: object) => {
  const { port1, port2 } = new MessageChannel();
  (role === 'writer' ? answerWrites : answerReads)(port2, setup as WorkerSetup);
  const connection = createBirpc<Calls, object>(events, {
    post: (message) => port1.postMessage(message),
    on: (listener) =>
      port1.on('message', (messages: readonly unknown[]) => {
        for (const message of messages) listener(message);
      }),
    timeout: -1,
  });
  const { calls, refuse, answered } = trackCalls(connection);
  return {
    calls,
    close: async () => {
      refuse(`the workspace's ${role} is closed`);
      await answered(1000);
      await Promise.allSettled([connection.$callRaw({ method: 'close', args: [] })]);
      port1.close();
    },
  };
};

/** The same for the thread of an import or export. */
const startExchangeHere = () => {
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise((resolve) => port1.once('close', resolve));
  answerExchange(port2, () => port2.close());
  const exchange = exchangeOver(port1, () => ended);
  port1.once('close', () => exchange.calls.$close(new Error('the exchange has ended')));
  return exchange;
};

/** What a core takes in the place of threads. */
export const HERE = { startThread: startHere, startExchange: startExchangeHere };
