import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import { stopWorker, workerEntry } from '../../app/workers.ts';
import type { ExchangeCalls, ExchangeNews } from './worker/entry.ts';

/** A thread for one import or export; its data is discarded with it. */
export type ExchangeThread = ReturnType<typeof startExchangeThread>;

/**
 * Rows are streamed; the data kept for a million of them is small. The limit prevents V8 from growing the heap without
 * need, and a spreadsheet that needs more is refused instead of using up the computer's memory.
 */
const KEPT_MB = 256;
const PASSING_MB = 24;

/** True for the failure of a thread that exceeded its memory limit. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /out of memory|memory limit/iu.test(error.message);

/** @param keptMb memory limit of the thread, in MiB */
export function startExchangeThread(keptMb = KEPT_MB) {
  const resourceLimits = { maxOldGenerationSizeMb: keptMb, maxYoungGenerationSizeMb: PASSING_MB };
  const worker = new Worker(workerEntry('exchange'), { name: 'exchange', resourceLimits });
  const exchange = exchangeOver(worker, () => stopWorker(worker));
  const fail = (why: string) => exchange.calls.$close(new Error(`the exchange thread has ended: ${why}`));
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => fail(`exit code ${code}`));
  return exchange;
}

/** A thread, or one end of a channel whose other end does the same work in this thread. */
interface ExchangePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * An import or export that runs at the other end of a port.
 *
 * @param ended resolves when the other end, after it was told to close, has ended
 */
export function exchangeOver(port: ExchangePort, ended: () => Promise<unknown>) {
  let hear: LongTask['tellShare'] = NO_OBSERVER.tellShare;
  const calls = createBirpc<ExchangeCalls, ExchangeNews>(
    { share: (done) => hear(done) },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      timeout: -1,
    },
  );
  const end = async (): Promise<void> => {
    if (!calls.$closed) await calls.close.asEvent();
    await ended();
  };
  return {
    calls,
    /** Reports the progress of the thread during a call, and cancels it by ending the thread, which discards its data. */
    during: async <T>({ tellShare, signal }: LongTask, run: () => Promise<T>): Promise<T> => {
      const stop = (): void => void end();
      hear = tellShare;
      signal.throwIfAborted();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await run();
      } catch (error) {
        // The calls of a thread that was ended fail, which is no failure of theirs.
        signal.throwIfAborted();
        throw error;
      } finally {
        hear = NO_OBSERVER.tellShare;
        signal.removeEventListener('abort', stop);
      }
    },
    end,
  };
}
